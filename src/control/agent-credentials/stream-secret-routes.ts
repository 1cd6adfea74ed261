import { z } from 'zod';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { trunkTags as tags } from '../http/tags.js';
import { warningsSchema } from '../numbers/warnings.js';
import {
  createStreamSecret,
  listStreamSecrets,
  maximumStreamSecrets,
  removeStreamSecret,
  type StreamSecret,
} from './stream-secrets.js';

const secretSchema = z.object({
  secret_id: z.string().meta({ description: 'Id of the signing secret', examples: ['ssc_4fd0c1'] }),
  created_at: z.iso.datetime(),
});

const view = ({ id, createdAt }: StreamSecret): z.infer<typeof secretSchema> => ({
  secret_id: id,
  created_at: createdAt.toISOString(),
});

/** `POST`, `GET` and `DELETE /v1/agent-streams/signing-secrets`. */
export const streamSecretRoutes: RouteGroup = (server, deps) => {
  server.post(
    '/agent-streams/signing-secrets',
    {
      schema: {
        operationId: 'createAgentStreamSecret',
        errors: ['SECRET_KEY_MISSING'],
        tags,
        summary: 'Create or rotate the signing secret of WebSocket agents',
        description:
          'Handshakes with WebSocket agents are signed with the new secret, and with the one before it until that is removed or the secret is rotated again. The secret is returned only once.',
        response: answers(
          secretSchema.extend({
            secret: z.string().meta({ description: 'Key of the HMAC, as text. Returned only this once.' }),
            warnings: warningsSchema,
          }),
        ),
      },
    },
    async ({ caller }) => {
      const created = await createStreamSecret(deps, caller.organizationId);
      return success({ ...view(created), secret: created.secret, warnings: [] });
    },
  );

  server.get(
    '/agent-streams/signing-secrets',
    {
      schema: {
        operationId: 'listAgentStreamSecrets',
        tags,
        summary: 'List the signing secrets of WebSocket agents',
        description: `The current one first, without their values; at most ${maximumStreamSecrets}.`,
        response: answers(
          z.object({
            signing_secrets: z.array(secretSchema).meta({ description: 'The current secret first' }),
          }),
        ),
      },
    },
    async ({ caller }) => {
      const secrets = await listStreamSecrets(deps.database, caller.organizationId);
      return success({ signing_secrets: secrets.map(view) });
    },
  );

  server.delete(
    '/agent-streams/signing-secrets/:secret_id',
    {
      schema: {
        operationId: 'removeAgentStreamSecret',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Remove a signing secret of WebSocket agents',
        description: 'Handshakes are no longer signed with it. Without any secret they are not signed.',
        params: z.strictObject({
          secret_id: z.string().min(1).max(64).meta({ description: 'Id of the secret' }),
        }),
        response: answers(
          secretSchema
            .pick({ secret_id: true })
            .extend({ deleted: z.literal(true), warnings: warningsSchema }),
        ),
      },
    },
    async ({ params, caller }) => {
      await removeStreamSecret(deps, caller.organizationId, params.secret_id);
      return success({ secret_id: params.secret_id, deleted: true as const, warnings: [] });
    },
  );
};
