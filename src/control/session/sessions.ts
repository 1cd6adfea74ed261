import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.js';
import type { Caller } from '../http/api-server.js';
import { scopesOf } from '../http/roles.js';
import { isTokenShaped, newToken, tokenHash } from '../people/one-time-token.js';

/** Sessions per key or member, then the oldest one ends; bounds runaway scripts. */
const sessionsPerUser = 100;
/** The last use is written at most this often, so that most requests only read. */
const touchMilliseconds = 60_000;

export interface SessionLimits {
  /** From the login. */
  readonly absoluteMilliseconds: number;
  /** From the last request. */
  readonly idleMilliseconds: number;
}

/** Who signs in: an API key, or a member of an organization with a password. */
export type SessionUser = { readonly keyId: string } | { readonly memberId: string };

/** A token for the cookie, known only now. Sessions that are over go with it. */
export async function beginSession(
  database: Kysely<Database>,
  user: SessionUser,
  { absoluteMilliseconds, idleMilliseconds }: SessionLimits,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = newToken();
  const now = Date.now();
  const expiresAt = new Date(now + absoluteMilliseconds);
  await database
    .deleteFrom('sessions')
    .where(({ or, eb }) =>
      or([eb('expires_at', '<', new Date(now)), eb('used_at', '<', new Date(now - idleMilliseconds))]),
    )
    .execute();
  const [column, id] =
    'keyId' in user ? (['key_id', user.keyId] as const) : (['member_id', user.memberId] as const);
  await database
    .insertInto('sessions')
    .values({ hash: tokenHash(token), key_id: null, member_id: null, [column]: id, expires_at: expiresAt })
    .execute();
  await sql`delete from sessions where hash in (
    select hash from sessions where ${sql.ref(column)} = ${id}
    order by created_at desc, hash offset ${sessionsPerUser}
  )`.execute(database);
  return { token, expiresAt };
}

/** Whose session it is; undefined for one that is unknown, over, or whose key was revoked or member removed. Counts as its use. */
export async function findSession(
  database: Kysely<Database>,
  token: string,
  { idleMilliseconds }: SessionLimits,
): Promise<Caller | undefined> {
  if (!isTokenShaped(token)) return undefined;
  const hash = tokenHash(token);
  const now = Date.now();
  const found = await database
    .selectFrom('sessions')
    .leftJoin('api_keys', 'api_keys.id', 'sessions.key_id')
    .leftJoin('members', 'members.id', 'sessions.member_id')
    .leftJoin('people', 'people.id', 'members.person_id')
    .innerJoin('organizations', (join) =>
      join.on('organizations.id', '=', (eb) =>
        eb.fn.coalesce('api_keys.organization_id', 'members.organization_id'),
      ),
    )
    .select(['key_id', 'organizations.id as organization_id', 'region', 'sip_enabled', 'used_at'])
    .select(['scopes', 'sessions.expires_at', 'api_keys.expires_at as key_expires_at'])
    .select(['api_keys.name as key_name', 'api_keys.is_operator as is_operator_key'])
    .select(['member_id', 'person_id', 'role', 'email', 'people.name as person_name'])
    .select('members.is_operator as is_operator_member')
    .where('sessions.hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where('sessions.expires_at', '>', new Date(now))
    .where(({ eb, or }) =>
      or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', new Date(now))]),
    )
    .where('used_at', '>', new Date(now - idleMilliseconds))
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const isStale = now - found.used_at.getTime() > Math.min(touchMilliseconds, idleMilliseconds / 4);
  if (isStale) {
    await database
      .updateTable('sessions')
      .set({ used_at: new Date(now) })
      .where('hash', '=', hash)
      .execute();
  }
  const { member_id: memberId, role } = found;
  const common = {
    organizationId: found.organization_id,
    region: found.region,
    sipEnabled: found.sip_enabled,
    session: {
      token,
      expiresAt: found.expires_at,
      idleExpiresAt: new Date((isStale ? now : found.used_at.getTime()) + idleMilliseconds),
    },
  };
  if (memberId !== null && role !== null) {
    return {
      ...common,
      keyId: memberId,
      name: found.person_name!,
      isOperator: found.is_operator_member === true,
      scopes: scopesOf(role),
      keyExpiresAt: null,
      member: { personId: found.person_id!, email: found.email!, role },
    };
  }
  return {
    ...common,
    keyId: found.key_id!,
    name: found.key_name!,
    isOperator: found.is_operator_key === true,
    scopes: found.scopes,
    keyExpiresAt: found.key_expires_at,
  };
}

/** A no-op for an unknown token. */
export async function endSession(database: Kysely<Database>, token: string): Promise<void> {
  if (!isTokenShaped(token)) return;
  await database.deleteFrom('sessions').where('hash', '=', tokenHash(token)).execute();
}
