import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/database.js';
import type { Caller } from '../http/api-server.js';
import { newId } from './identifiers.js';

const keyPrefix = 'sk-demarc-';
/** 256 bits: guessing is hopeless, so a plain SHA-256 keeps the key secret in the database. */
const keyOctets = 32;
const shownLength = keyPrefix.length + 6;

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** False: cannot be a key of ours, so that the database need not be asked. */
export const isKeyShaped = (text: string): boolean => /^sk-demarc-[A-Za-z0-9_-]{43}$/.test(text);

export interface CreatedKey {
  readonly id: string;
  /** The only time that it is known. */
  readonly key: string;
}

export interface KeySummary {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly prefix: string;
  readonly isOperator: boolean;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

/** Throws `DemarcError` `NOT_FOUND` for an organization that does not exist. */
export async function createKey(
  database: Kysely<Database>,
  organizationId: string,
  name: string,
  { isOperator = false }: { readonly isOperator?: boolean } = {},
): Promise<CreatedKey> {
  const key = `${keyPrefix}${randomBytes(keyOctets).toString('base64url')}`;
  const id = newId('key');
  const organization = await database
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (organization === undefined) throw new DemarcError('NOT_FOUND', `organization ${organizationId}`);
  await database
    .insertInto('api_keys')
    .values({
      id,
      organization_id: organizationId,
      name,
      prefix: key.slice(0, shownLength),
      hash: hashOf(key),
      is_operator: isOperator,
    })
    .execute();
  return { id, key };
}

/** Whose key it is; undefined for one that is unknown or revoked. */
export const findKey = (database: Kysely<Database>, key: string): Promise<Caller | undefined> =>
  findActive(database, 'hash', hashOf(key));

/** The same by the key's id, for one that came with it earlier. */
export const findKeyById = (database: Kysely<Database>, id: string): Promise<Caller | undefined> =>
  findActive(database, 'api_keys.id', id);

async function findActive(
  database: Kysely<Database>,
  column: 'hash' | 'api_keys.id',
  value: Buffer | string,
): Promise<Caller | undefined> {
  const found = await database
    .selectFrom('api_keys')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .select(['api_keys.id', 'organization_id', 'region', 'sip_enabled', 'is_operator'])
    .where(column, '=', value)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return (
    found && {
      keyId: found.id,
      organizationId: found.organization_id,
      region: found.region,
      sipEnabled: found.sip_enabled,
      isOperator: found.is_operator,
    }
  );
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

/** From the next request on, its sessions' too; revoking twice is no mistake. Throws `DemarcError` `NOT_FOUND`. */
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

export async function listKeys(
  database: Kysely<Database>,
  organizationId: string | undefined,
): Promise<KeySummary[]> {
  let query = database
    .selectFrom('api_keys')
    .select(['id', 'organization_id', 'name', 'prefix', 'is_operator', 'created_at', 'revoked_at'])
    .orderBy('created_at');
  if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId);
  return (await query.execute()).map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    prefix: row.prefix,
    isOperator: row.is_operator,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  }));
}
