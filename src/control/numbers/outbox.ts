import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database/tables.js';

/** PostgreSQL's notification channel that wakes projectors. */
export const outboxChannel = 'demarc_projection';

/**
 * Notes that configurations of these numbers change in this transaction. To be called in every transaction that changes
 * what a number document is made of: once it commits, whichever control process is first writes the documents to Redis.
 * Revisions of one number rise in the order of the commits, because the row stays locked until then.
 * @param numbers E.164 digits without plus
 */
export async function markNumbersChanged(
  transaction: Transaction<Database> | Kysely<Database>,
  numbers: readonly string[],
): Promise<void> {
  if (numbers.length === 0) return;
  // A fixed order, so that transactions with the same numbers cannot deadlock.
  const sorted = [...new Set(numbers)].sort();
  await sql`
    with revised as (
      insert into number_revisions (number, revision)
      select number, 1 from unnest(${sorted}::text[]) with ordinality as changed (number, place) order by place
      on conflict (number) do update set revision = number_revisions.revision + 1
      returning number
    )
    insert into projection_outbox (number) select number from revised`.execute(transaction);
  await sql`select pg_notify(${outboxChannel}, '')`.execute(transaction);
}
