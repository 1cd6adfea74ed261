import type { Kysely } from 'kysely';
import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import {
  readAttempts,
  readDeliveries,
  readDelivery,
  replayDelivery,
  replayFailed,
  replaysAtOnce,
} from '../deliveries/delivery-storage.js';
import {
  deliveryDetailSchema,
  deliveryDetailView,
  deliverySchema,
  deliveryView,
} from '../deliveries/delivery-view.js';
import { channels, deliveryEvents, deliveryStatuses } from '../deliveries/tables.js';
import { findEndpoint } from '../deliveries/webhook/endpoint-storage.js';
import type { ApiServer } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { cursorOf, moment, pageLimit, pageStart } from '../http/query.js';
import { InvalidRequest } from '../http/validation.js';
import type { WebhookDeps } from './webhook-deps.js';

const tags = ['Webhooks'];

const path = z.strictObject({
  delivery_id: z.string().min(1).max(64).meta({ description: 'delivery_id of the list' }),
});

/** `GET /v1/webhooks/deliveries`, `GET /v1/deliveries/{delivery_id}` and its replay. */
export const deliveryRoutes = (server: ApiServer, { database, wake }: WebhookDeps): void => {
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
          channel: z.enum(channels).optional().meta({ description: 'Only by this channel' }),
          created_after: moment.optional().meta({ description: 'Only created at or after this time' }),
          created_before: moment.optional().meta({ description: 'Only created before this time' }),
          limit: pageLimit(200, 50),
          ...pageStart,
        }),
        response: listAnswers(z.object({ deliveries: z.array(deliverySchema), has_more: z.boolean() })),
      },
    },
    async ({ query, caller }) => {
      const { webhook_id: endpointId, event_id: eventId, after, before, ...filter } = query;
      const { created_after: createdAfter, created_before: createdBefore, ...rest } = filter;
      const cursor = cursorOf({ after, before });
      const { organizationId } = caller;
      const page = await readDeliveries(database, {
        organizationId,
        endpointId,
        eventId,
        createdAfter,
        createdBefore,
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
        description:
          'Each attempt with what was sent and answered: heads and the first 2 KB of the response, kept for 7 days.',
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
      wake();
      return success(detail);
    },
  );

  server.post(
    '/webhooks/:webhook_id/replay',
    {
      schema: {
        operationId: 'replayFailedDeliveries',
        errors: ['NOT_FOUND', 'WEBHOOK_DISABLED'],
        tags,
        summary: 'Replay all failed deliveries of an endpoint',
        description: `Sends the failed webhooks that were created in a time range again, oldest first, at most 50 a second, each with its body, event_id and X-Webhook-Id and a new signature. At most ${replaysAtOnce} per request.`,
        params: z.strictObject({
          webhook_id: z.string().min(1).max(64).meta({ description: 'webhook_id of the endpoint' }),
        }),
        body: z.strictObject({
          created_after: moment.meta({ description: 'Only deliveries created at or after this time' }),
          created_before: moment
            .optional()
            .meta({ description: 'Only deliveries created before this time. Default: now' }),
          event: z.enum(deliveryEvents).optional().meta({ description: 'Only with this event type' }),
        }),
        example: { created_after: '2026-11-20T00:00:00Z', created_before: '2026-11-21T00:00:00Z' },
        response: answers(
          z.object({
            replayed: z.int().meta({ description: 'Number of deliveries that are sent again' }),
            is_complete: z
              .boolean()
              .meta({ description: 'False: there may be more; repeat the request once these are sent' }),
          }),
        ),
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId } = caller;
      const endpoint = await findEndpoint(database, organizationId, params.webhook_id);
      if (endpoint === undefined) throw new DemarcError('NOT_FOUND', 'Webhook endpoint not found');
      if (!endpoint.enabled) throw new DemarcError('WEBHOOK_DISABLED');
      const { event, created_after: after, created_before: before = new Date() } = body;
      const replayed = await replayFailed(database, {
        organizationId,
        endpointId: endpoint.id,
        event,
        after,
        before,
      });
      wake();
      return success({ replayed, is_complete: replayed < replaysAtOnce });
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
