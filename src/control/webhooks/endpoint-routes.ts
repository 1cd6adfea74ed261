import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import { queueEvents } from '../deliveries/queue-events.js';
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  maximumEndpoints,
  readEndpoints,
  rotateEndpointSecret,
  updateEndpoint,
} from '../deliveries/webhook/endpoint-storage.js';
import { rotationHours } from '../deliveries/webhook/signature.js';
import { checkWebhookUrl, webhookUrlSchema } from '../deliveries/webhook/webhook-url.js';
import { eventId } from '../events/event.js';
import { eventFilterSchema } from '../events/event-types.js';
import type { ApiServer } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { pageLimit, pageOf, pageStart } from '../http/query.js';
import { newId } from '../organizations/identifiers.js';
import { endpointSchema, endpointViews, showEndpoint } from './endpoint-view.js';
import type { WebhookDeps } from './webhook-deps.js';

const tags = ['Webhooks'];

const fields = {
  url: webhookUrlSchema.meta({ description: 'URL that receives the events' }),
  description: z.string().max(200).meta({ description: 'Free text, at most 200 characters' }),
  events: z
    .array(eventFilterSchema)
    .min(1)
    .max(50)
    .meta({
      description: 'Events to send: types, areas (call.*), or * for all. Default *',
      examples: [['call.*', 'alert.fired']],
    }),
  enabled: z.boolean().meta({ description: 'False: disabled. Default true' }),
};

const creation = z.strictObject({
  url: fields.url,
  description: fields.description.default(''),
  events: fields.events.default(['*']),
  enabled: fields.enabled.default(true),
});

const change = z.strictObject({
  url: fields.url.optional(),
  description: fields.description.optional(),
  events: fields.events.optional(),
  enabled: fields.enabled
    .optional()
    .meta({ description: 'True also enables an endpoint that was disabled because of failures' }),
});

const secretField = z.string().meta({ description: 'Signing secret, returned only this once' });
const path = z.strictObject({
  webhook_id: z.string().min(1).max(64).meta({ description: 'webhook_id of the endpoint' }),
});
const unknown = (): DemarcError => new DemarcError('NOT_FOUND', 'Webhook endpoint not found');

/** `/v1/webhooks`: the endpoints that an organization registers. */
export const webhookEndpointRoutes = (
  server: ApiServer,
  { database, secrets, settings, wake }: WebhookDeps,
): void => {
  server.post(
    '/webhooks',
    {
      schema: {
        operationId: 'createWebhook',
        errors: ['SECRET_KEY_MISSING', 'TOO_MANY_WEBHOOK_ENDPOINTS'],
        tags,
        summary: 'Register a webhook endpoint',
        description: `At most ${maximumEndpoints} per organization. The signing secret is returned only this once.`,
        body: creation,
        example: { url: 'https://example.com/hooks', events: ['call.*', 'alert.fired'] },
        response: answers(endpointSchema.extend({ secret: secretField })),
      },
    },
    async ({ body, caller }) => {
      checkWebhookUrl(settings.notices, body.url, 'url');
      const { row, secret } = await createEndpoint({ database, secrets }, caller.organizationId, body);
      return success({ ...(await showEndpoint(database, row)), secret });
    },
  );

  server.get(
    '/webhooks',
    {
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'List webhook endpoints',
        description: 'Newest first, without secrets.',
        querystring: z.strictObject({ limit: pageLimit(100, 100), after: pageStart.after }),
        response: listAnswers(
          z.object({
            webhooks: z.array(endpointSchema).meta({ description: 'The endpoints, newest first.' }),
          }),
        ),
      },
    },
    async ({ caller, query }) => {
      const { rows, next } = pageOf(await readEndpoints(database, caller.organizationId), query);
      return listed({ webhooks: await endpointViews(database, rows) }, next);
    },
  );

  server.get(
    '/webhooks/:webhook_id',
    {
      schema: {
        operationId: 'getWebhook',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a webhook endpoint',
        description: 'Includes whether it is enabled and since when deliveries have failed.',
        params: path,
        response: answers(endpointSchema),
      },
    },
    async ({ params, caller }) => {
      const row = await findEndpoint(database, caller.organizationId, params.webhook_id);
      if (row === undefined) throw unknown();
      return success(await showEndpoint(database, row));
    },
  );

  server.patch(
    '/webhooks/:webhook_id',
    {
      schema: {
        operationId: 'updateWebhook',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Change, enable or disable a webhook endpoint',
        description: 'Omitted fields keep their value. Pending deliveries go to the new URL.',
        params: path,
        body: change,
        example: { events: ['call.completed', 'call.failed'], enabled: true },
        response: answers(endpointSchema),
      },
    },
    async ({ params, body, caller }) => {
      checkWebhookUrl(settings.notices, body.url, 'url');
      const row = await updateEndpoint(database, caller.organizationId, params.webhook_id, body);
      if (row === undefined) throw unknown();
      return success(await showEndpoint(database, row));
    },
  );

  server.delete(
    '/webhooks/:webhook_id',
    {
      schema: {
        operationId: 'deleteWebhook',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Delete a webhook endpoint',
        description: 'Pending deliveries are dropped; finished ones stay in the list.',
        params: path,
        response: answers(z.object({ webhook_id: z.string(), deleted: z.literal(true) })),
      },
    },
    async ({ params, caller }) => {
      if (!(await deleteEndpoint(database, caller.organizationId, params.webhook_id))) throw unknown();
      return success({ webhook_id: params.webhook_id, deleted: true as const });
    },
  );

  server.post(
    '/webhooks/:webhook_id/rotate-secret',
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        errors: ['NOT_FOUND', 'SECRET_KEY_MISSING'],
        tags,
        summary: 'Rotate an endpoint’s signing secret',
        description: `The new secret is returned only this once. For ${rotationHours} hours X-Demarc-Signature also has a v1 value for the previous secret.`,
        params: path,
        response: answers(
          z.object({
            webhook_id: z.string(),
            secret: secretField,
            previous_secret_until: z.iso
              .datetime()
              .meta({ description: 'The previous secret is valid until then' }),
          }),
        ),
      },
    },
    async ({ params, caller }) => {
      const { webhook_id } = params;
      const rotated = await rotateEndpointSecret({ database, secrets }, caller.organizationId, webhook_id);
      if (rotated === undefined) throw unknown();
      const { secret, previousUntil } = rotated;
      return success({ webhook_id, secret, previous_secret_until: previousUntil.toISOString() });
    },
  );

  server.post(
    '/webhooks/:webhook_id/test',
    {
      schema: {
        operationId: 'testWebhook',
        errors: ['NOT_FOUND', 'WEBHOOK_DISABLED'],
        tags,
        summary: 'Test a webhook endpoint',
        description:
          'Sends the event webhook.test, regardless of the endpoint’s filter. The list of deliveries has the result under the event_id.',
        params: path,
        response: answers(z.object({ event_id: z.string() })),
      },
    },
    async ({ params, caller }) => {
      const { organizationId } = caller;
      const row = await findEndpoint(database, organizationId, params.webhook_id);
      if (row === undefined) throw unknown();
      if (!row.enabled) throw new DemarcError('WEBHOOK_DISABLED');
      const event_id = eventId('webhook.test', newId('evt'));
      await queueEvents(
        database,
        [
          {
            organizationId,
            subject: row.id,
            event_id,
            event: 'webhook.test',
            occurred_at: new Date().toISOString(),
            sequence: 1,
            data: { webhook_id: row.id, text: 'Grüße: a test of this endpoint. ✓' },
          },
        ],
        { onlyEndpoint: row.id },
      );
      wake();
      return success({ event_id });
    },
  );
};
