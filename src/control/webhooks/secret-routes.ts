import { z } from 'zod';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { rotateSigningSecret, signingSecretSince } from './secrets.js';
import { rotationHours } from './signature.js';

const tags = ['Webhooks'];

/** `GET` and `POST /v1/webhooks/secret`: for the webhooks of orders and of alerts. */
export const secretRoutes: RouteGroup = (server, parts) => {
  server.get(
    '/webhooks/secret',
    {
      schema: {
        operationId: 'getWebhookSecret',
        tags,
        description: 'The secret itself is shown only when it is made.',
        summary: 'Whether there is a signing secret',
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
        description: `For the webhooks of orders and alerts; endpoints have their own. Shown this once. For ${rotationHours} hours X-Demarc-Signature carries a v1 value of the previous secret as well.`,
        response: answers(z.object({ secret: z.string(), created_at: z.iso.datetime() })),
      },
    },
    async ({ caller }) => {
      const { secret, createdAt } = await rotateSigningSecret(parts, caller.organizationId);
      return success({ secret, created_at: createdAt.toISOString() });
    },
  );
};
