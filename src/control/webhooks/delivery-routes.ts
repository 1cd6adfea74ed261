import type { Kysely } from 'kysely';
import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import {
  readAttempts,
  readDeliveries,
  readDelivery,
  replayDelivery,
} from '../deliveries/delivery-storage.js';
import {
  deliveryDetailSchema,
  deliveryDetailView,
  deliverySchema,
  deliveryView,
} from '../deliveries/delivery-view.js';
import { deliveryEvents, deliveryStatuses } from '../deliveries/tables.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { cursorOf, pageLimit, pageStart } from '../http/query.js';
import { InvalidRequest } from '../http/validation.js';

const tags = ['Webhooks'];

const path = z.strictObject({
  delivery_id: z.string().min(1).max(64).meta({ description: 'delivery_id of the list' }),
});

/** `GET /v1/webhooks/deliveries`, `GET /v1/deliveries/{delivery_id}` and its replay. */
export const deliveryRoutes: RouteGroup = (server, { database }) => {
  server.get(
    '/webhooks/deliveries',
    {
      schema: {
        operationId: 'listDeliveries',
        tags,
        summary: 'List deliveries',
        description: 'Webhooks, emails and SMS, sent and pending, newest first.',
        querystring: z.strictObject({
          subject: z.string().min(1).max(300).optional().meta({ description: 'A call_id or alert_id' }),
          webhook_id: z.string().min(1).max(64).optional().meta({ description: 'Only for this endpoint' }),
          event_id: z.string().min(1).max(64).optional().meta({ description: 'Only for this event' }),
          event: z.enum(deliveryEvents).optional().meta({ description: 'Only with this event type' }),
          status: z.enum(deliveryStatuses).optional().meta({ description: 'Only with this status' }),
          limit: pageLimit(200, 50),
          ...pageStart,
        }),
        response: listAnswers(z.object({ deliveries: z.array(deliverySchema), has_more: z.boolean() })),
      },
    },
    async ({ query, caller }) => {
      const { webhook_id: endpointId, event_id: eventId, after, before, ...rest } = query;
      const cursor = cursorOf({ after, before });
      const { organizationId } = caller;
      const page = await readDeliveries(database, {
        organizationId,
        endpointId,
        eventId,
        ...rest,
        before: cursor.id,
      });
      if (page === undefined) throw InvalidRequest.at(cursor.path, 'Must be the delivery_id of a delivery');
      const next = page.hasMore ? page.rows.at(-1)!.id : null;
      return listed({ deliveries: page.rows.map(deliveryView), has_more: page.hasMore }, next);
    },
  );

  server.get(
    '/deliveries/:delivery_id',
    {
      schema: {
        operationId: 'getDelivery',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a delivery with its body and attempts',
        description: 'Only the status of the receiver’s response is stored.',
        params: path,
        response: answers(deliveryDetailSchema),
      },
    },
    async ({ params, caller }) =>
      success(await detailOf(database, caller.organizationId, params.delivery_id)),
  );

  server.post(
    '/deliveries/:delivery_id/replay',
    {
      schema: {
        operationId: 'replayDelivery',
        errors: ['NOT_FOUND', 'DELIVERY_NOT_REPLAYABLE'],
        tags,
        summary: 'Replay a webhook',
        description:
          'Sends a delivered or failed webhook again with the same body, event_id and X-Webhook-Id, and a new signature; attempts restart at zero. A pending delivery is refused (409).',
        params: path,
        response: answers(deliveryDetailSchema),
      },
    },
    async ({ params, caller }) => {
      const { organizationId } = caller;
      const isQueued = await replayDelivery(database, organizationId, params.delivery_id);
      const detail = await detailOf(database, organizationId, params.delivery_id);
      if (!isQueued) throw new DemarcError('DELIVERY_NOT_REPLAYABLE');
      return success(detail);
    },
  );
};

/** Throws `DemarcError` `NOT_FOUND`. */
async function detailOf(database: Kysely<Database>, organizationId: string, id: string) {
  const row = await readDelivery(database, id);
  if (row === undefined || row.organization_id !== organizationId) {
    throw new DemarcError('NOT_FOUND', 'Delivery not found');
  }
  return deliveryDetailView(row, await readAttempts(database, id));
}
