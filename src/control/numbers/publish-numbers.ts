import type { Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import { markNumbersChanged } from './outbox.js';

/** The edges read the credentials, secrets and limits of an organization in the documents of its numbers. */
export async function publishNumbers(
  transaction: Transaction<Database>,
  organizationId: string,
): Promise<void> {
  const rows = await transaction
    .selectFrom('numbers')
    .select('number')
    .where('organization_id', '=', organizationId)
    .execute();
  await markNumbersChanged(
    transaction,
    rows.map(({ number }) => number),
  );
}
