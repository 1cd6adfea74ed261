import { z } from 'zod';
import type { RouteGroup } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { nameOf } from '../http/one-line.js';
import { pageLimit, pageOf, pageStart } from '../http/query.js';
import { trunkTags as tags } from '../http/tags.js';
import { warningsSchema } from '../numbers/warnings.js';
import {
  type AgentCredential,
  createAgentCredential,
  listAgentCredentials,
  maximumCredentials,
  revokeAgentCredential,
} from './credentials.js';

const credentialSchema = z.object({
  credential_id: z.string(),
  name: z.string(),
  username: z.string().meta({ description: 'The digest user name.' }),
  created_at: z.iso.datetime(),
});

const view = ({ id, name, createdAt }: AgentCredential): z.infer<typeof credentialSchema> => ({
  credential_id: id,
  name,
  username: id,
  created_at: createdAt.toISOString(),
});

/** `POST`, `GET` and `DELETE /v1/sip/agent-credentials`. */
export const agentCredentialRoutes: RouteGroup = (server, deps) => {
  server.post(
    '/sip/agent-credentials',
    {
      schema: {
        operationId: 'createAgentCredential',
        errors: ['SECRET_KEY_MISSING', 'AGENT_CREDENTIALS_FULL'],
        tags,
        summary: 'Create credentials for an agent',
        description: `Digest credentials for agents that place calls by INVITE: each INVITE is challenged and needs credentials of the organization that owns the number in From. The password is returned only once. At most ${maximumCredentials} per organization.`,
        example: { name: 'Outbound runtime' },
        body: z.strictObject({ name: nameOf(100).default('default') }),
        response: answers(
          credentialSchema.extend({
            password: z.string().meta({ description: 'Returned only this once.' }),
            warnings: warningsSchema,
          }),
        ),
      },
    },
    async ({ body, caller }) => {
      const created = await createAgentCredential(deps, caller.organizationId, body.name);
      return success({ ...view(created), password: created.password, warnings: [] });
    },
  );

  server.get(
    '/sip/agent-credentials',
    {
      schema: {
        operationId: 'listAgentCredentials',
        tags,
        summary: 'List agent credentials',
        description: 'Oldest first, without passwords.',
        querystring: z.strictObject({ limit: pageLimit(100, 100), after: pageStart.after }),
        response: listAnswers(z.object({ agent_credentials: z.array(credentialSchema) })),
      },
    },
    async ({ caller, query }) => {
      const credentials = await listAgentCredentials(deps.database, caller.organizationId);
      const { rows, next } = pageOf(credentials, query);
      return listed({ agent_credentials: rows.map(view) }, next);
    },
  );

  server.delete(
    '/sip/agent-credentials/:credential_id',
    {
      schema: {
        operationId: 'revokeAgentCredential',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Revoke agent credentials',
        description:
          'Edges refuse them from the response on, unless `warnings` has CHANGE_NOT_CONFIRMED. Active calls continue.',
        params: z.strictObject({ credential_id: z.string().min(1).max(64) }),
        response: answers(
          z.object({ credential_id: z.string(), deleted: z.literal(true), warnings: warningsSchema }),
        ),
      },
    },
    async ({ params, caller }) => {
      await revokeAgentCredential(deps, caller.organizationId, params.credential_id);
      return success({ credential_id: params.credential_id, deleted: true as const, warnings: [] });
    },
  );
};
