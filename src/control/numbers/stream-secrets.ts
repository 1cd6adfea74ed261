import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database/tables.js';

/** As many as a handshake carries: the current one, and the one before. */
const maximumSigningSecrets = 2;

/** By organization: what its connections to WebSocket agents are signed with, sealed, the newest first. */
export async function readSigningSecrets(
  database: Kysely<Database> | Transaction<Database>,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const secrets = new Map<string, string[]>();
  if (organizations.length === 0) return secrets;
  const rows = await database
    .selectFrom('stream_secrets')
    .select(['organization_id', 'secret'])
    .where('organization_id', '=', sql<string>`any(${organizations}::text[])`)
    .orderBy('created_at', 'desc')
    .execute();
  for (const { organization_id: id, secret } of rows) {
    const own = secrets.get(id) ?? [];
    if (own.length < maximumSigningSecrets) own.push(secret);
    secrets.set(id, own);
  }
  return secrets;
}
