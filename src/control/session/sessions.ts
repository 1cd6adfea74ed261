import { createHash, randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.js';
import type { Caller } from '../http/api-server.js';

/** 256 bits, as keys: the plain hash of what nobody can guess needs no salt. */
const tokenOctets = 32;
/** A key that is logged in more often than this loses its oldest sessions: a script must not fill the table. */
const sessionsPerKey = 100;
/** The last use is written at most this often, so that most requests only read. */
const touchMilliseconds = 60_000;

export interface SessionLimits {
  /** From the login. */
  readonly absoluteMilliseconds: number;
  /** From the last request. */
  readonly idleMilliseconds: number;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** False: not in our token format, so no database lookup is needed. */
const isTokenShaped = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** A token for the cookie, known only now. Sessions that are over go with it. */
export async function beginSession(
  database: Kysely<Database>,
  keyId: string,
  { absoluteMilliseconds, idleMilliseconds }: SessionLimits,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = randomBytes(tokenOctets).toString('base64url');
  const now = Date.now();
  const expiresAt = new Date(now + absoluteMilliseconds);
  await database
    .deleteFrom('sessions')
    .where(({ or, eb }) =>
      or([eb('expires_at', '<', new Date(now)), eb('used_at', '<', new Date(now - idleMilliseconds))]),
    )
    .execute();
  await database
    .insertInto('sessions')
    .values({ hash: hashOf(token), key_id: keyId, expires_at: expiresAt })
    .execute();
  await sql`delete from sessions where hash in (
    select hash from sessions where key_id = ${keyId} order by created_at desc, hash offset ${sessionsPerKey}
  )`.execute(database);
  return { token, expiresAt };
}

/** Whose session it is; undefined for one that is unknown, over, or whose key was revoked. Counts as its use. */
export async function findSession(
  database: Kysely<Database>,
  token: string,
  { idleMilliseconds }: SessionLimits,
): Promise<Caller | undefined> {
  if (!isTokenShaped(token)) return undefined;
  const hash = hashOf(token);
  const now = Date.now();
  const found = await database
    .selectFrom('sessions')
    .innerJoin('api_keys', 'api_keys.id', 'sessions.key_id')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .select(['key_id', 'organization_id', 'region', 'sip_enabled', 'is_operator', 'used_at'])
    .select(['scopes', 'sessions.expires_at', 'api_keys.expires_at as key_expires_at'])
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
  return {
    keyId: found.key_id,
    organizationId: found.organization_id,
    region: found.region,
    sipEnabled: found.sip_enabled,
    isOperator: found.is_operator,
    scopes: found.scopes,
    keyExpiresAt: found.key_expires_at,
    session: {
      token,
      expiresAt: found.expires_at,
      idleExpiresAt: new Date((isStale ? now : found.used_at.getTime()) + idleMilliseconds),
    },
  };
}

/** A no-op for an unknown token. */
export async function endSession(database: Kysely<Database>, token: string): Promise<void> {
  if (!isTokenShaped(token)) return;
  await database.deleteFrom('sessions').where('hash', '=', hashOf(token)).execute();
}
