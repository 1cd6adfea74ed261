import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import { markNumbersChanged } from '../numbers/outbox.js';
import type { Overtaken } from './redis-projection.js';

/**
 * For a database that was restored to an earlier state: its revisions continue above those that Redis has seen, and what it
 * says now is written again.
 */
export async function continueAbove(
  transaction: Kysely<Database> | Transaction<Database>,
  overtaken: readonly Overtaken[],
): Promise<void> {
  for (const { number, revision } of overtaken) {
    const { numUpdatedRows } = await transaction
      .updateTable('number_revisions')
      .set({ revision })
      .where('number', '=', number)
      .where('revision', '<', String(revision))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await markNumbersChanged(transaction, [number]);
  }
}
