import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { type EndpointHealth, endpointName, endpointsOf } from '../../contract/health.js';
import type { NumberDocument } from '../../contract/number.js';
import type { Database } from '../database/tables.js';
import { composeNumberDocuments } from '../numbers/number-documents.js';
import { type Trend, trendOf } from './trend.js';

/** What the last check of a server found; `unchecked`: no edge checks it. */
export const healthSchema = z.enum(['healthy', 'unreachable', 'unchecked']);
export type HealthStatus = z.infer<typeof healthSchema>;

/** A check older than this is stale: no edge is probing. */
const freshMilliseconds = 600_000;
const numbersAtOnce = 500;

/** The names of a number's servers, each once, in the order in which calls use them. */
export const endpointNamesOf = (document: NumberDocument): readonly string[] => [
  ...new Set(endpointsOf(document).map(endpointName)),
];

/** The configurations of many numbers, as the edges know them. */
export async function readDocuments(
  database: Kysely<Database>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, NumberDocument>> {
  const found = new Map<string, NumberDocument>();
  for (let at = 0; at < numbers.length; at += numbersAtOnce) {
    const documents = await composeNumberDocuments(database, numbers.slice(at, at + numbersAtOnce));
    for (const [number, document] of documents) found.set(number, document);
  }
  return found;
}

/** The names of each number's servers, in the order in which calls use them; empty for inbound-only numbers. */
export async function readEndpointNames(
  database: Kysely<Database>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const documents = await readDocuments(database, numbers);
  return new Map([...documents].map(([number, document]) => [number, endpointNamesOf(document)]));
}

/** The latest check of each server that has one. */
export async function readChecks(
  database: Kysely<Database>,
  endpoints: readonly string[],
): Promise<ReadonlyMap<string, EndpointHealth>> {
  const checks = new Map<string, EndpointHealth>();
  if (endpoints.length === 0) return checks;
  const rows = await database
    .selectFrom('endpoint_health')
    .select(['endpoint', 'health'])
    .where('endpoint', '=', sql<string>`any(${[...new Set(endpoints)]}::text[])`)
    .execute();
  for (const { endpoint, health } of rows) checks.set(endpoint, health);
  return checks;
}

/** The latest check of each server that has one, with its trend. */
export async function readTrends(
  database: Kysely<Database>,
  endpoints: readonly string[],
): Promise<ReadonlyMap<string, Trend>> {
  if (endpoints.length === 0) return new Map();
  const rows = await database
    .selectFrom('endpoint_health')
    .selectAll()
    .where('endpoint', '=', sql<string>`any(${[...endpoints]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.endpoint, trendOf(row)]));
}

export function statusOf(check: EndpointHealth | undefined, now: number): HealthStatus {
  if (check === undefined || now - Date.parse(check.checked_at) > freshMilliseconds) return 'unchecked';
  return check.status;
}

/** A trunk is healthy while one of its servers is; unchecked while nothing is known of any. */
export function statusOfTrunk(statuses: readonly HealthStatus[]): HealthStatus {
  if (statuses.includes('healthy')) return 'healthy';
  return statuses.includes('unreachable') ? 'unreachable' : 'unchecked';
}

export async function readStatuses(
  database: Kysely<Database>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, HealthStatus>> {
  const names = await readEndpointNames(database, numbers);
  const checks = await readChecks(database, [...names.values()].flat());
  const now = Date.now();
  const statuses = new Map<string, HealthStatus>();
  for (const [number, endpoints] of names) {
    statuses.set(number, statusOfTrunk(endpoints.map((endpoint) => statusOf(checks.get(endpoint), now))));
  }
  return statuses;
}

/** Windows of the statistics, in hours. */
export const statisticWindows = { '24h': 24, '7d': 168, '30d': 720 } as const;
export type StatisticWindow = keyof typeof statisticWindows;

export interface WindowStatistics {
  /** 0 to 100, two decimals; null: no checks. */
  readonly uptime: number | null;
  /** Of answered probes. */
  readonly averageMilliseconds: number | null;
}

export type Statistics = Readonly<Record<StatisticWindow, WindowStatistics>>;

const noStatistics: WindowStatistics = { uptime: null, averageMilliseconds: null };

/** Hour resolution: includes the current hour and the hour in which the window begins. */
export async function readStatistics(
  database: Kysely<Database>,
  endpoints: readonly string[],
): Promise<ReadonlyMap<string, Statistics>> {
  const statistics = new Map<string, Record<StatisticWindow, WindowStatistics>>();
  if (endpoints.length === 0) return statistics;
  for (const endpoint of endpoints) {
    statistics.set(endpoint, { '24h': noStatistics, '7d': noStatistics, '30d': noStatistics });
  }
  for (const [window, hours] of Object.entries(statisticWindows) as [StatisticWindow, number][]) {
    const rows = await database
      .selectFrom('endpoint_health_hours')
      .select(({ fn }) => [
        'endpoint',
        fn.sum<string>('checks').as('checks'),
        fn.sum<string>('healthy').as('healthy'),
        fn.sum<string>('responses').as('responses'),
        fn.sum<number>('response_milliseconds').as('milliseconds'),
      ])
      .where('endpoint', '=', sql<string>`any(${[...endpoints]}::text[])`)
      .where('hour', '>', sql<Date>`now() - make_interval(hours => ${hours + 1})`)
      .groupBy('endpoint')
      .execute();
    for (const row of rows) {
      const responses = Number(row.responses);
      statistics.get(row.endpoint)![window] = {
        uptime: Math.round((Number(row.healthy) / Number(row.checks)) * 10_000) / 100,
        averageMilliseconds: responses === 0 ? null : Math.round((row.milliseconds / responses) * 10) / 10,
      };
    }
  }
  return statistics;
}
