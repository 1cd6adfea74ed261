import { type Kysely, sql, type Transaction } from 'kysely';
import type { Redis } from '../../base/redis.js';
import type { StreamEntry } from '../../base/stream.js';
import type { Database } from '../database/tables.js';

/** Control processes of one group share the entries of a stream among them. */
export const consumerGroup = 'demarc-control';

export const beginning = '0-0';

/** The position up to which a stream is stored. */
export async function readPosition(database: Kysely<Database>, stream: string): Promise<string> {
  const row = await database
    .selectFrom('stream_positions')
    .select('entry_id')
    .where('stream', '=', stream)
    .executeTakeFirst();
  return row?.entry_id ?? beginning;
}

/**
 * Stores the entries that no process has stored yet, in the order of the stream, and moves the position in the same
 * transaction: each is stored once, however many processes read the stream. Returns the new position.
 * @param after the position that the entries were read after
 */
export function storeOnce(
  database: Kysely<Database>,
  stream: string,
  { entries, after }: { readonly entries: readonly StreamEntry[]; readonly after: string },
  store: (transaction: Transaction<Database>, news: readonly StreamEntry[]) => Promise<void>,
): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    const stored = await lockPosition(transaction, stream);
    // A standby that was promoted lacks the last positions: what is between is read again.
    if (compareEntryIds(stored, after) < 0) return stored;
    const news = entries.filter(({ id }) => compareEntryIds(id, stored) > 0);
    const last = news.at(-1);
    if (last === undefined) return stored;
    await store(transaction, news);
    await sql`update stream_positions set entry_id = ${last.id} where stream = ${stream}`.execute(
      transaction,
    );
    return last.id;
  });
}

async function lockPosition(transaction: Transaction<Database>, stream: string): Promise<string> {
  const locked = sql<{ entry_id: string }>`
    select entry_id from stream_positions where stream = ${stream} for update`;
  const [position] = (await locked.execute(transaction)).rows;
  if (position !== undefined) return position.entry_id;
  await sql`insert into stream_positions (stream, entry_id) values (${stream}, ${beginning}) on conflict do nothing`.execute(
    transaction,
  );
  return (await locked.execute(transaction)).rows[0]!.entry_id;
}

/**
 * Removes the entries before that one; after an outage of control, these may be 100,000 call records. By `~` Redis removes whole nodes of
 * the stream and at most 10,000 entries, so that no command blocks it for long; what is left after that is a part of one node.
 */
export async function trimStream(redis: Pick<Redis, 'xtrim'>, stream: string, oldest: string): Promise<void> {
  while ((await redis.xtrim(stream, 'MINID', '~', oldest)) > 0);
  await redis.xtrim(stream, 'MINID', oldest);
}

/** `milliseconds-sequence`. */
export function compareEntryIds(left: string, right: string): number {
  const [milliseconds = 0, sequence = 0] = left.split('-').map(Number);
  const [otherMilliseconds = 0, otherSequence = 0] = right.split('-').map(Number);
  return milliseconds - otherMilliseconds || sequence - otherSequence;
}
