import { createHash, randomBytes } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import type { Caller } from '../http/api-server.js';
import type { Scope } from '../http/scopes.js';
import { newId } from './identifiers.js';
import type { ApiKeysTable } from './tables.js';

const keyPrefix = 'sk-demarc-';
/** 256 bits: guessing is hopeless, so a plain SHA-256 keeps the key secret in the database. */
const keyOctets = 32;
const shownLength = keyPrefix.length + 6;

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Active keys per organization; bounds runaway scripts. */
export const maximumKeys = 1_000;
/** The last use is written at most this often. */
const touchMilliseconds = 60_000;

/** False: not in our key format, so no database lookup is needed. */
export const isKeyShaped = (text: string): boolean => /^sk-demarc-[A-Za-z0-9_-]{43}$/.test(text);

export interface CreatedKey {
  readonly id: string;
  /** The plain key, available only at creation. */
  readonly key: string;
}

export interface KeySummary {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly prefix: string;
  readonly isOperator: boolean;
  /** Null: all. */
  readonly scopes: readonly Scope[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface NewKey {
  readonly isOperator?: boolean;
  /** Null or absent: all. */
  readonly scopes?: readonly Scope[] | null;
  readonly expiresAt?: Date | null;
  /** UUID: a repetition with the same one replaces the key made before, whose secret was never delivered. */
  readonly operationId?: string;
}

/** Throws `DemarcError` `NOT_FOUND` for an organization that does not exist, or `TOO_MANY_KEYS`. */
export async function createKey(
  database: Kysely<Database>,
  organizationId: string,
  name: string,
  { isOperator = false, scopes = null, expiresAt = null, operationId }: NewKey = {},
): Promise<CreatedKey> {
  const key = `${keyPrefix}${randomBytes(keyOctets).toString('base64url')}`;
  const id = operationId === undefined ? newId('key') : `key_${operationId.replaceAll('-', '').slice(0, 24)}`;
  const organization = await database
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (organization === undefined) throw new DemarcError('NOT_FOUND', `organization ${organizationId}`);
  const { active } = await database
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<string>().as('active'))
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .where(isUnexpired)
    .executeTakeFirstOrThrow();
  if (Number(active) >= maximumKeys) throw new DemarcError('TOO_MANY_KEYS');
  const fresh = { prefix: key.slice(0, shownLength), hash: hashOf(key) };
  await database
    .insertInto('api_keys')
    .values({
      id,
      organization_id: organizationId,
      name,
      ...fresh,
      is_operator: isOperator,
      scopes: scopes === null ? null : JSON.stringify(scopes),
      expires_at: expiresAt,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(fresh).where('api_keys.organization_id', '=', organizationId),
    )
    .execute();
  return { id, key };
}

/** For a query of `api_keys`. */
const isUnexpired = ({ eb, or }: ExpressionBuilder<Database, 'api_keys'>) =>
  or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', new Date())]);

const callerColumns = [
  'api_keys.id',
  'api_keys.name',
  'organization_id',
  'region',
  'sip_enabled',
  'is_operator',
  'scopes',
  'api_keys.expires_at',
  'last_used_at',
  'revoked_at',
] as const;

const withOrganization = (database: Kysely<Database>) =>
  database
    .selectFrom('api_keys')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .select(callerColumns);

type CallerRow = Awaited<ReturnType<ReturnType<typeof withOrganization>['executeTakeFirstOrThrow']>>;

const callerOf = (row: CallerRow): Caller => ({
  keyId: row.id,
  name: row.name,
  organizationId: row.organization_id,
  region: row.region,
  sipEnabled: row.sip_enabled,
  isOperator: row.is_operator,
  scopes: row.scopes,
  keyExpiresAt: row.expires_at,
});

const refused = (detail: string): DemarcError => new DemarcError('UNAUTHORIZED', detail);

/** Why a known key is refused; undefined: it is accepted. */
export function keyProblem(
  { revoked_at, expires_at }: Pick<CallerRow, 'revoked_at' | 'expires_at'>,
  now: number,
): string | undefined {
  if (revoked_at !== null) return `the API key was revoked at ${revoked_at.toISOString()}`;
  if (expires_at !== null && expires_at.getTime() <= now)
    return `the API key expired at ${expires_at.toISOString()}`;
  return undefined;
}

/** Whether a use of the key is written, which it is once a minute. */
export const isUseNoted = ({ last_used_at }: Pick<CallerRow, 'last_used_at'>, now: number): boolean =>
  last_used_at === null || now - last_used_at.getTime() > touchMilliseconds;

/** The key's owner, or why the key is refused (`UNAUTHORIZED`). Updates its last use. */
export async function recognizeKey(database: Kysely<Database>, key: string): Promise<Caller | DemarcError> {
  if (!isKeyShaped(key))
    return refused(`send Authorization: Bearer API_KEY; API keys begin with ${keyPrefix}`);
  const row = await withOrganization(database).where('hash', '=', hashOf(key)).executeTakeFirst();
  if (row === undefined) return refused('the API key is unknown');
  const now = Date.now();
  const problem = keyProblem(row, now);
  if (problem !== undefined) return refused(problem);
  if (isUseNoted(row, now)) {
    await database
      .updateTable('api_keys')
      .set({ last_used_at: new Date(now) })
      .where('id', '=', row.id)
      .execute();
  }
  return callerOf(row);
}

/** Whose key has that id, for one that came with it earlier; undefined for one that is unknown, revoked or expired. */
export async function findKeyById(database: Kysely<Database>, id: string): Promise<Caller | undefined> {
  const row = await withOrganization(database)
    .where('api_keys.id', '=', id)
    .where('revoked_at', 'is', null)
    .where(isUnexpired as never)
    .executeTakeFirst();
  return row && callerOf(row);
}

/** Lets a key see the fleet and all organizations' totals, or no more. Throws `DemarcError` `NOT_FOUND`. */
export async function setOperator(
  database: Kysely<Database>,
  id: string,
  isOperator: boolean,
): Promise<void> {
  const { numUpdatedRows } = await database
    .updateTable('api_keys')
    .set({ is_operator: isOperator })
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new DemarcError('NOT_FOUND', `key ${id}`);
}

/** Takes effect, also for its sessions, from the next request on; revoking twice is not an error. Throws `DemarcError` `NOT_FOUND`. */
export async function revokeKey(database: Kysely<Database>, id: string): Promise<void> {
  const { numUpdatedRows } = await database
    .updateTable('api_keys')
    .set((expression) => ({
      revoked_at: expression.fn.coalesce('revoked_at', expression.val(new Date())),
    }))
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new DemarcError('NOT_FOUND', `key ${id}`);
}

const summaryColumns = [
  'id',
  'organization_id',
  'name',
  'prefix',
  'is_operator',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
] as const;

const summaryOf = (row: Pick<Selectable<ApiKeysTable>, (typeof summaryColumns)[number]>): KeySummary => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  prefix: row.prefix,
  isOperator: row.is_operator,
  scopes: row.scopes,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
});

export async function listKeys(
  database: Kysely<Database>,
  organizationId: string | undefined,
): Promise<KeySummary[]> {
  let query = database.selectFrom('api_keys').select(summaryColumns).orderBy('created_at');
  if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId);
  return (await query.execute()).map(summaryOf);
}

/**
 * The organization's keys, newest first.
 * @param after id of the last key of the page before
 */
export async function listKeyPage(
  database: Kysely<Database>,
  organizationId: string,
  limit: number,
  after: string | undefined,
): Promise<KeySummary[]> {
  let query = database
    .selectFrom('api_keys')
    .select(summaryColumns)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(created_at, id) < (select created_at, id from api_keys where id = ${after}
        and organization_id = ${organizationId})`,
    );
  }
  return (await query.execute()).map(summaryOf);
}

/** Undefined if the organization has no such key. */
export async function findKeyOf(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<KeySummary | undefined> {
  const row = await database
    .selectFrom('api_keys')
    .select(summaryColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && summaryOf(row);
}
