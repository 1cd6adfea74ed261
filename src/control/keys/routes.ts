import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { nameOf } from '../http/one-line.js';
import { pageLimit } from '../http/query.js';
import { allScopes, scopeSchema } from '../http/scopes.js';
import {
  createKey,
  findKeyOf,
  type KeySummary,
  listKeyPage,
  maximumKeys,
  revokeKey,
} from '../organizations/keys.js';
import { expiryFor, scopesFor } from './granted-rights.js';

const tags = ['Keys'];

const moment = z.iso.datetime();

const keySchema = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: 'Purpose of the key.' }),
    prefix: z.string().meta({ description: 'Its first characters, to identify it.' }),
    scopes: z
      .array(scopeSchema)
      .nullable()
      .meta({ description: 'Scopes of the key; null: all rights of its organization.' }),
    operator: z.boolean().meta({ description: 'Sees the fleet and the totals of all organizations.' }),
    created_at: moment,
    expires_at: moment.nullable().meta({ description: 'Expiry time; null: does not expire.' }),
    last_used_at: moment
      .nullable()
      .meta({ description: 'Time of the last request with the key, to the minute; null: never used.' }),
    revoked_at: moment.nullable().meta({ description: 'When the key was revoked; null: not revoked.' }),
  })
  .meta({ id: 'Key' });

const createSchema = z.strictObject({
  name: nameOf(64).meta({ description: 'Purpose of the key, 1–64 characters.' }),
  scopes: z.array(scopeSchema).min(1).max(allScopes.length).optional().meta({
    description:
      'Scopes of the key: an area with `read` or `write`, which includes `read`. Default: the scopes of the requesting key.',
  }),
  expires_at: z.iso
    .datetime({
      offset: true,
      error: 'expires_at must be ISO 8601 with a time zone, such as 2027-01-31T00:00:00Z.',
    })
    .optional()
    .meta({ description: 'When the key expires. Default: when the requesting key expires.' }),
});

const keyPath = z.strictObject({ key_id: z.string().min(1).max(64) });
const unknownKey = (id: string): DemarcError => new DemarcError('NOT_FOUND', `API key ${id} not found`);

/** `POST|GET /v1/keys`, `GET|DELETE /v1/keys/{key_id}`: for organizations with and without the SIP entitlement. */
export const keyRoutes: RouteGroup = (server, { database }) => {
  server.post(
    '/keys',
    {
      schema: {
        operationId: 'createKey',
        errors: ['INSUFFICIENT_SCOPE', 'TOO_MANY_KEYS'],
        example: {
          name: 'billing',
          scopes: ['usage:read', 'calls:read'],
          expires_at: '2099-01-31T00:00:00Z',
        },
        tags,
        summary: 'Create an API key',
        description:
          'The key itself is returned only this once. It cannot have more rights or a later expiry than the requesting key. Operator keys are created only on the command line.',
        body: createSchema,
        response: answers(
          keySchema.extend({
            key: z.string().meta({ description: 'The API key, returned only this once.' }),
          }),
        ),
      },
    },
    async ({ body, caller, operationId }) => {
      const scopes = scopesFor(caller, body.scopes);
      const expiresAt = expiryFor(caller, body.expires_at, Date.now());
      const created = await createKey(database, caller.organizationId, body.name, {
        scopes,
        expiresAt,
        operationId,
      });
      const found = await findKeyOf(database, caller.organizationId, created.id);
      return success({ ...view(found!), key: created.key });
    },
  );

  server.get(
    '/keys',
    {
      schema: {
        operationId: 'listKeys',
        tags,
        summary: 'List API keys',
        description: 'Newest first, including revoked and expired keys.',
        querystring: z.strictObject({
          limit: pageLimit(maximumKeys, 100),
          after: z.string().max(64).optional(),
        }),
        response: listAnswers(z.object({ keys: z.array(keySchema).meta({ description: 'The keys.' }) })),
      },
    },
    async ({ query, caller }) => {
      const rows = await listKeyPage(database, caller.organizationId, query.limit + 1, query.after);
      const keys = rows.slice(0, query.limit).map(view);
      return listed({ keys }, rows.length > query.limit ? keys.at(-1)!.id : null);
    },
  );

  server.get(
    '/keys/:key_id',
    {
      schema: {
        operationId: 'getKey',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get an API key',
        description: 'The key itself is not returned.',
        params: keyPath,
        response: answers(keySchema),
      },
    },
    async ({ params, caller }) => {
      const found = await findKeyOf(database, caller.organizationId, params.key_id);
      if (found === undefined) throw unknownKey(params.key_id);
      return success(view(found));
    },
  );

  server.delete(
    '/keys/:key_id',
    {
      schema: {
        operationId: 'revokeKey',
        errors: ['NOT_FOUND', 'OPERATOR_ONLY'],
        tags,
        summary: 'Revoke an API key',
        description:
          'The key is refused from the next request on, and its sessions end. Revoking it again changes nothing.',
        params: keyPath,
        response: answers(keySchema),
      },
    },
    async ({ params, caller }) => {
      const found = await findKeyOf(database, caller.organizationId, params.key_id);
      if (found === undefined) throw unknownKey(params.key_id);
      if (found.isOperator && !caller.isOperator) throw new DemarcError('OPERATOR_ONLY');
      await revokeKey(database, found.id);
      return success(view((await findKeyOf(database, caller.organizationId, found.id))!));
    },
  );
};

const view = (key: KeySummary): z.infer<typeof keySchema> => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  scopes: key.scopes === null ? null : [...key.scopes],
  operator: key.isOperator,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
});
