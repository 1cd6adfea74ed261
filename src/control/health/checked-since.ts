import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';

/**
 * Since when each of these servers is checked, to the hour, and not before its number was made; one that was never checked is absent.
 * @param number digits of the number that uses them
 */
export async function readCheckedSince(
  database: Kysely<Database>,
  endpoints: readonly string[],
  number: string,
): Promise<ReadonlyMap<string, string>> {
  if (endpoints.length === 0) return new Map();
  const rows = await database
    .selectFrom('endpoint_health_hours')
    .select(({ fn }) => ['endpoint', fn.min('hour').as('hour')])
    .where('endpoint', '=', sql<string>`any(${[...endpoints]}::text[])`)
    .groupBy('endpoint')
    .execute();
  const made = await database
    .selectFrom('numbers')
    .select('created_at')
    .where('number', '=', number)
    .executeTakeFirst();
  const least = made?.created_at.getTime() ?? 0;
  return new Map(
    rows.map(({ endpoint, hour }) => [endpoint, new Date(Math.max(hour.getTime(), least)).toISOString()]),
  );
}
