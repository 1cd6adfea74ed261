import { z } from 'zod';
import { readDeliveries } from '../deliveries/delivery-storage.js';
import { deliverySchema, deliveryView } from '../deliveries/delivery-view.js';
import { deliveryStatuses } from '../deliveries/tables.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { pageLimit } from '../http/query.js';
import { InvalidRequest } from '../http/validation.js';
import { rotateSigningSecret, signingSecretSince } from './secrets.js';

const tags = ['Webhooks'];

/** `GET` and `POST /v1/webhooks/secret`, `GET /v1/webhooks/deliveries`. */
export const webhookRoutes: RouteGroup = (server, parts) => {
  server.get(
    '/webhooks/secret',
    {
      schema: {
        operationId: 'getWebhookSecret',
        tags,
        summary: 'Whether there is a signing secret',
        description: 'The secret itself is shown only when it is made.',
        response: answers(z.object({ exists: z.boolean(), created_at: z.iso.datetime().nullable() })),
      },
    },
    async ({ caller }) => {
      const since = await signingSecretSince(parts.database, caller.organizationId);
      return success({ exists: since !== undefined, created_at: since?.toISOString() ?? null });
    },
  );

  server.post(
    '/webhooks/secret',
    {
      schema: {
        operationId: 'createWebhookSecret',
        errors: ['SECRET_KEY_MISSING'],
        tags,
        summary: 'Make a new signing secret',
        description:
          'Shown this once. From now on webhooks carry `X-Webhook-Signature`, the HMAC-SHA256 of their body with it in hexadecimal; an earlier secret is forgotten.',
        response: answers(z.object({ secret: z.string(), created_at: z.iso.datetime() })),
      },
    },
    async ({ caller }) => {
      const { secret, createdAt } = await rotateSigningSecret(parts, caller.organizationId);
      return success({ secret, created_at: createdAt.toISOString() });
    },
  );

  server.get(
    '/webhooks/deliveries',
    {
      schema: {
        operationId: 'listDeliveries',
        tags,
        summary: 'What was sent, or will be, and how it went; newest first',
        description: 'Results of calls and notices of alerts, by webhook, mail and SMS.',
        querystring: z.strictObject({
          subject: z.string().min(1).max(300).optional().meta({ description: 'A call_id or alert_id' }),
          status: z.enum(deliveryStatuses).optional(),
          limit: pageLimit(200, 50),
          before: z.string().max(64).optional(),
        }),
        response: answers(z.object({ deliveries: z.array(deliverySchema), has_more: z.boolean() })),
      },
    },
    async ({ query, caller }) => {
      const page = await readDeliveries(parts.database, { organizationId: caller.organizationId, ...query });
      if (page === undefined) throw InvalidRequest.at('before', 'Is not the delivery_id of a delivery');
      return success({ deliveries: page.rows.map(deliveryView), has_more: page.hasMore });
    },
  );
};
