import { type Kysely, sql, type Transaction } from 'kysely';
import type { StreamEntry } from '../../base/stream.js';
import { type EndpointHealth, endpointHealthSchema, healthStream } from '../../contract/health.js';
import { readJson } from '../../contract/read-json.js';
import type { Database } from '../database/tables.js';
import { beginning, storeOnce } from '../streams/stream-position.js';
import { hourSums } from './hour-sums.js';
import { continueTrends, trendOf } from './trend.js';
import { queueTrunkEvents } from './trunk-events.js';

/** Undefined for an invalid check. */
function readHealthEntry({ json }: StreamEntry): EndpointHealth | undefined {
  return readJson(endpointHealthSchema, json);
}

/**
 * Stores checks, in the order of the stream, each once however many processes read it, and queues what they tell. Returns
 * the new position and how many entries were no checks.
 */
export async function storeChecks(
  database: Kysely<Database>,
  entries: readonly StreamEntry[],
  after = beginning,
): Promise<{ readonly position: string; readonly refused: number }> {
  let refused = 0;
  const position = await storeOnce(database, healthStream, { entries, after }, async (transaction, news) => {
    const checks = news.map(readHealthEntry).filter((check) => check !== undefined);
    refused = news.length - checks.length;
    const changes = await storeLatest(transaction, checks);
    await storeHours(transaction, checks);
    await queueTrunkEvents(transaction, changes);
  });
  return { position, refused };
}

/** Returns the checks that brought another status than the one before; a server that was never checked counts as healthy. */
async function storeLatest(
  transaction: Transaction<Database>,
  checks: readonly EndpointHealth[],
): Promise<EndpointHealth[]> {
  const endpoints = [...new Set(checks.map(({ endpoint }) => endpoint))];
  if (endpoints.length === 0) return [];
  const rows = await transaction
    .selectFrom('endpoint_health')
    .selectAll()
    .where('endpoint', '=', sql<string>`any(${endpoints}::text[])`)
    .execute();
  const known = new Map(rows.map((row) => [row.endpoint, trendOf(row)]));
  const { trends, changes } = continueTrends(known, checks);
  await transaction
    .insertInto('endpoint_health')
    .values(
      [...trends.values()].map(({ check, since, responseAverage }) => ({
        endpoint: check.endpoint,
        checked_at: new Date(check.checked_at),
        health: JSON.stringify(check),
        since,
        response_average: responseAverage,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('endpoint').doUpdateSet({
        checked_at: sql`excluded.checked_at`,
        health: sql`excluded.health`,
        since: sql`excluded.since`,
        response_average: sql`excluded.response_average`,
      }),
    )
    .execute();
  return changes;
}

async function storeHours(
  transaction: Transaction<Database>,
  checks: readonly EndpointHealth[],
): Promise<void> {
  const hours = hourSums(checks);
  if (hours.length === 0) return;
  await transaction
    .insertInto('endpoint_health_hours')
    .values(hours)
    .onConflict((conflict) =>
      conflict.columns(['endpoint', 'hour']).doUpdateSet({
        checks: sql`endpoint_health_hours.checks + excluded.checks`,
        healthy: sql`endpoint_health_hours.healthy + excluded.healthy`,
        responses: sql`endpoint_health_hours.responses + excluded.responses`,
        response_milliseconds: sql`endpoint_health_hours.response_milliseconds + excluded.response_milliseconds`,
      }),
    )
    .execute();
}

/** Statistics cover thirty days; servers that are no longer checked are deleted after that. */
export async function deleteOldChecks(database: Kysely<Database>): Promise<void> {
  const oldest = sql<Date>`now() - interval '31 days'`;
  await database.deleteFrom('endpoint_health_hours').where('hour', '<', oldest).execute();
  await database.deleteFrom('endpoint_health').where('checked_at', '<', oldest).execute();
}
