import { type Kysely, sql, type Transaction } from 'kysely';
import type { StreamEntry } from '../../base/stream.js';
import { type EndpointHealth, endpointHealthSchema, healthStream } from '../../contract/health.js';
import { readJson } from '../../contract/read-json.js';
import type { Database } from '../database/tables.js';
import { beginning, storeOnce } from '../streams/stream-position.js';
import { continueTrend, trendOf } from './trend.js';
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
  const changes: EndpointHealth[] = [];
  const endpoints = [...new Set(checks.map(({ endpoint }) => endpoint))];
  if (endpoints.length === 0) return changes;
  const rows = await transaction
    .selectFrom('endpoint_health')
    .selectAll()
    .where('endpoint', '=', sql<string>`any(${endpoints}::text[])`)
    .execute();
  const trends = new Map(rows.map((row) => [row.endpoint, trendOf(row)]));
  const inOrder = checks.toSorted((left, right) => (left.checked_at < right.checked_at ? -1 : 1));
  for (const check of inOrder) {
    const before = trends.get(check.endpoint);
    // A late report from the edge that held the lease before.
    if (before !== undefined && before.check.checked_at > check.checked_at) continue;
    if (check.status !== (before?.check.status ?? 'healthy')) changes.push(check);
    trends.set(check.endpoint, continueTrend(before, check));
  }
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

const hourMilliseconds = 3_600_000;

async function storeHours(
  transaction: Transaction<Database>,
  checks: readonly EndpointHealth[],
): Promise<void> {
  const hours = new Map<
    string,
    {
      endpoint: string;
      hour: Date;
      checks: number;
      healthy: number;
      responses: number;
      response_milliseconds: number;
    }
  >();
  for (const { endpoint, checked_at, status, response_time_milliseconds } of checks) {
    const hour = Math.floor(Date.parse(checked_at) / hourMilliseconds) * hourMilliseconds;
    const key = `${hour} ${endpoint}`;
    const row = hours.get(key) ?? {
      endpoint,
      hour: new Date(hour),
      checks: 0,
      healthy: 0,
      responses: 0,
      response_milliseconds: 0,
    };
    row.checks += 1;
    if (status === 'healthy') {
      row.healthy += 1;
      // The response time of a failed check does not count towards the trunk's average.
      if (response_time_milliseconds !== null) {
        row.responses += 1;
        row.response_milliseconds += response_time_milliseconds;
      }
    }
    hours.set(key, row);
  }
  if (hours.size === 0) return;
  await transaction
    .insertInto('endpoint_health_hours')
    .values([...hours.values()])
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
