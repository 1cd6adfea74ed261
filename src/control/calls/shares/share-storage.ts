import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import { newId } from '../../organizations/identifiers.js';
import { isTokenShaped, newToken, tokenHash } from '../../people/one-time-token.js';
import type { CallSharesTable } from './tables.js';

export type ShareRow = Selectable<CallSharesTable>;

/** Links of one call that are valid at a time. */
export const maximumShares = 20;

/** Links that have expired go with it. Undefined: the call has as many as it may. */
export async function createShare(
  database: Kysely<Database>,
  share: Pick<ShareRow, 'organization_id' | 'call_id' | 'created_by' | 'expires_at'>,
): Promise<{ readonly row: ShareRow; readonly token: string } | undefined> {
  await database.deleteFrom('call_shares').where('expires_at', '<', sql<Date>`now()`).execute();
  const { count } = await database
    .selectFrom('call_shares')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', share.organization_id)
    .where('call_id', '=', share.call_id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= maximumShares) return undefined;
  const token = newToken();
  const row = await database
    .insertInto('call_shares')
    .values({ id: newId('shr'), hash: tokenHash(token), ...share })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, token };
}

/** Links that are valid, newest first. */
export const readShares = (
  database: Kysely<Database>,
  organizationId: string,
  callId: string,
): Promise<ShareRow[]> =>
  database
    .selectFrom('call_shares')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('call_id', '=', callId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/** Returns whether there was such a link. */
export async function deleteShare(
  database: Kysely<Database>,
  { organizationId, callId, id }: Readonly<Record<'organizationId' | 'callId' | 'id', string>>,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('call_shares')
    .where('organization_id', '=', organizationId)
    .where('call_id', '=', callId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Undefined: unknown, revoked or expired. */
export async function findShare(database: Kysely<Database>, token: string): Promise<ShareRow | undefined> {
  if (!isTokenShaped(token)) return undefined;
  return database
    .selectFrom('call_shares')
    .selectAll()
    .where('hash', '=', tokenHash(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}
