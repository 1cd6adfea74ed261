import { z } from 'zod';
import { rotateSigningSecret, signingSecretSince } from '../deliveries/webhook/secrets.js';
import { rotationHours } from '../deliveries/webhook/signature.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';

const tags = ['Webhooks'];

/** `GET` and `POST /v1/webhooks/secret`: for the webhooks of orders and of alerts. */
export const secretRoutes: RouteGroup = (server, deps) => {
  server.get(
    '/webhooks/secret',
    {
      schema: {
        operationId: 'getWebhookSecret',
        tags,
        description: 'The secret itself is returned only when it is created.',
        summary: 'Get the state of the signing secret',
        response: answers(z.object({ exists: z.boolean(), created_at: z.iso.datetime().nullable() })),
      },
    },
    async ({ caller }) => {
      const since = await signingSecretSince(deps.database, caller.organizationId);
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
        summary: 'Create or rotate the signing secret',
        description: `Signs the webhooks of orders and alerts; endpoints have their own secrets. The new secret is returned only this once. For ${rotationHours} hours X-Demarc-Signature also has a v1 value for the previous secret.`,
        response: answers(z.object({ secret: z.string(), created_at: z.iso.datetime() })),
      },
    },
    async ({ caller }) => {
      const { secret, createdAt } = await rotateSigningSecret(deps, caller.organizationId);
      return success({ secret, created_at: createdAt.toISOString() });
    },
  );
};
