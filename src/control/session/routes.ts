import { normalizeIP } from '@fastify/rate-limit';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/database.js';
import type { ApiServer, Caller, ControlDeps } from '../http/api-server.js';
import { enforce } from '../http/authentication.js';
import { answers, success } from '../http/envelope.js';
import { recognizeKey } from '../organizations/keys.js';
import { clearSessionCookie, cookieName, originOf, setSessionCookie } from './cookie.js';
import { beginSession, endSession } from './sessions.js';

const moment = z.iso.datetime();

export const sessionSchema = z
  .object({
    organization: z.object({
      id: z.string(),
      name: z.string(),
      sip_enabled: z.boolean(),
      region: z.string().nullable(),
    }),
    key: z.object({
      id: z.string(),
      name: z.string(),
      prefix: z.string().meta({ description: 'Its first characters' }),
    }),
    operator: z.boolean().meta({ description: 'Sees the fleet and the totals of all organizations' }),
    via: z.enum(['cookie', 'key']),
    expires_at: moment.nullable().meta({ description: 'Null with a key' }),
    idle_expires_at: moment.nullable().meta({ description: 'When the session ends if idle' }),
  })
  .meta({ id: 'Session' });

const tags = ['Session'];

/** `POST /session`, `DELETE /session`: the way in and out of a browser; they need no caller. */
export function loginRoutes(server: ApiServer, { database, settings }: ControlDeps): void {
  const perAddress = server.createRateLimit({
    max: settings.loginsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => `login ${normalizeIP(request.ip)}`,
  });
  server.post(
    '/session',
    {
      schema: {
        operationId: 'createSession',
        tags,
        summary: 'Log in with an API key',
        description:
          'Sets a session cookie for the dashboard, HttpOnly and SameSite=Strict. Changes with the cookie must come from the dashboard’s own pages.',
        security: [],
        example: { api_key: 'sk_live_0123456789abcdef' },
        body: z.strictObject({ api_key: z.string().min(1).max(200) }),
        response: answers(sessionSchema),
      },
    },
    async (request, reply) => {
      // Otherwise another site could log a user in with the attacker's key and see what they do.
      if (originOf(request) === 'foreign') throw new DemarcError('FOREIGN_ORIGIN');
      await enforce(perAddress, request, reply);
      const key = request.body.api_key.trim();
      const caller = await recognizeKey(database, key);
      if (caller instanceof DemarcError) throw caller;
      const before = request.cookies[cookieName];
      if (before !== undefined) await endSession(database, before);
      const { token, expiresAt } = await beginSession(database, caller.keyId, settings.session);
      setSessionCookie(request, reply, token, expiresAt);
      const idleExpiresAt = new Date(Date.now() + settings.session.idleMilliseconds);
      return success(await view(database, { ...caller, session: { token, expiresAt, idleExpiresAt } }));
    },
  );

  server.delete(
    '/session',
    {
      schema: {
        operationId: 'deleteSession',
        tags,
        summary: 'Log out',
        description: 'Ends the cookie’s session and clears the cookie. Does nothing without a session.',
        security: [],
        response: answers(z.object({ ended: z.literal(true) })),
      },
    },
    async (request, reply) => {
      if (originOf(request) === 'foreign') throw new DemarcError('FOREIGN_ORIGIN');
      const token = request.cookies[cookieName];
      if (token !== undefined) await endSession(database, token);
      clearSessionCookie(request, reply);
      return success({ ended: true } as const);
    },
  );
}

/** `GET /session`: for authenticated callers, with or without the SIP entitlement. */
export function sessionRoutes(server: ApiServer, { database }: ControlDeps): void {
  server.get(
    '/session',
    {
      schema: {
        operationId: 'getSession',
        tags,
        summary: 'Get the current session',
        description: 'Organization, key and expiry of the request’s API key or session cookie.',
        response: answers(sessionSchema),
      },
    },
    async ({ caller }) => success(await view(database, caller)),
  );
}

async function view(database: Kysely<Database>, caller: Caller): Promise<z.infer<typeof sessionSchema>> {
  const found = await database
    .selectFrom('api_keys')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .select(['api_keys.name as key_name', 'prefix', 'organizations.name', 'sip_enabled', 'region'])
    .where('api_keys.id', '=', caller.keyId)
    .executeTakeFirstOrThrow();
  return {
    organization: {
      id: caller.organizationId,
      name: found.name,
      sip_enabled: found.sip_enabled,
      region: found.region,
    },
    key: { id: caller.keyId, name: found.key_name, prefix: found.prefix },
    operator: caller.isOperator,
    via: caller.session === undefined ? 'key' : 'cookie',
    expires_at: caller.session?.expiresAt.toISOString() ?? null,
    idle_expires_at: caller.session?.idleExpiresAt.toISOString() ?? null,
  };
}
