import { sql, type Transaction } from 'kysely';
import type { Database } from './tables.js';

/**
 * Waits until no other transaction has the lock of this name and organization, and keeps it until the end of this one: what is counted
 * then stays so.
 */
export async function lockForOrganization(
  transaction: Transaction<Database>,
  name: string,
  organizationId: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${name} ${organizationId}`}, 0))`.execute(
    transaction,
  );
}
