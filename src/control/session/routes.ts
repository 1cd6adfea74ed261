import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/database.js';
import type { ApiServer, Caller, ControlDeps } from '../http/api-server.js';
import { enforce } from '../http/enforce.js';
import { answers, success } from '../http/envelope.js';
import { roles } from '../http/roles.js';
import { scopeSchema } from '../http/scopes.js';
import { recognizeKey } from '../organizations/keys.js';
import { membershipsOf } from '../people/members.js';
import { clearSessionCookie, cookieName, originOf, setSessionCookie } from './cookie.js';
import { beginSession, endSession, findSession, type SessionUser } from './sessions.js';

const moment = z.iso.datetime();

export const sessionSchema = z
  .object({
    organization: z.object({
      id: z.string(),
      name: z.string(),
      sip_enabled: z.boolean(),
      region: z.string().nullable(),
    }),
    key: z
      .object({
        id: z.string(),
        name: z.string(),
        prefix: z.string().meta({ description: 'Its first characters' }),
      })
      .nullable()
      .meta({ description: 'The API key; null: a member signed in with a password' }),
    member: z
      .object({
        id: z.string(),
        name: z.string().meta({ description: 'Name of the person' }),
        email: z.string().meta({ description: 'Email address of the person' }),
        role: z.enum(roles).meta({ description: 'Role in this organization' }),
      })
      .nullable()
      .meta({ description: 'The person who signed in with a password; null: an API key' }),
    organizations: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .meta({ description: 'Organizations that the person belongs to; of an API key, its own' }),
    scopes: z
      .array(scopeSchema)
      .nullable()
      .meta({ description: 'What the key or role allows; null: everything that the organization may do' }),
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
      return success(await startSession({ database, settings }, request, reply, { keyId: caller.keyId }));
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

type View = z.infer<typeof sessionSchema>;

/**
 * Begins a session with a new token and sets its cookie; a session that the browser had before ends, so that a cookie planted by
 * another person never becomes the user's.
 */
export async function startSession(
  { database, settings }: Pick<ControlDeps, 'database' | 'settings'>,
  request: FastifyRequest,
  reply: FastifyReply,
  user: SessionUser,
): Promise<View> {
  const before = request.cookies[cookieName];
  if (before !== undefined) await endSession(database, before);
  const { token, expiresAt } = await beginSession(database, user, settings.session);
  setSessionCookie(request, reply, token, expiresAt);
  const caller = await findSession(database, token, settings.session);
  if (caller === undefined) throw new DemarcError('UNAUTHORIZED', 'the key or membership has just ended');
  return view(database, caller);
}

async function view(database: Kysely<Database>, caller: Caller): Promise<View> {
  const organization = await database
    .selectFrom('organizations')
    .select(['id', 'name', 'sip_enabled', 'region'])
    .where('id', '=', caller.organizationId)
    .executeTakeFirstOrThrow();
  const { member } = caller;
  const key =
    member !== undefined
      ? undefined
      : await database
          .selectFrom('api_keys')
          .select(['id', 'name', 'prefix'])
          .where('id', '=', caller.keyId)
          .executeTakeFirstOrThrow();
  const memberships = member === undefined ? [] : await membershipsOf(database, member.personId);
  const { id, name } = organization;
  return {
    organization,
    key: key ?? null,
    member: member === undefined ? null : { id: caller.keyId, name: caller.name, ...shown(member) },
    organizations:
      member === undefined
        ? [{ id, name }]
        : memberships.map((membership) => ({ id: membership.organization_id, name: membership.name })),
    scopes: caller.scopes === null ? null : [...caller.scopes],
    operator: caller.isOperator,
    via: caller.session === undefined ? 'key' : 'cookie',
    expires_at: caller.session?.expiresAt.toISOString() ?? null,
    idle_expires_at: caller.session?.idleExpiresAt.toISOString() ?? null,
  };
}

const shown = ({ email, role }: NonNullable<Caller['member']>) => ({ email, role });
