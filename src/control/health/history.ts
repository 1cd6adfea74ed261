import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables.js';
import { type StatisticWindow, statisticWindows } from './number-health.js';
import type { EndpointHealthHoursTable } from './tables.js';

const hourSeconds = 3_600;

/** Checks are kept by the hour; longer windows are shown in wider buckets, so that a plot has a few dozen points. */
const bucketHours: Readonly<Record<StatisticWindow, number>> = { '24h': 1, '7d': 6, '30d': 24 };

export const historySchema = z
  .object({
    window: z.enum(['24h', '7d', '30d']),
    bucket_seconds: z.int(),
    endpoints: z.array(
      z.object({
        endpoint: z.string(),
        checked_since: z.iso
          .datetime()
          .nullable()
          .meta({ description: 'Since when the server is checked, to the hour; null: not checked' }),
        uptime_percent: z.number().nullable(),
        buckets: z.array(
          z.object({
            at: z.iso.datetime(),
            checks: z.int(),
            uptime_percent: z.number().nullable(),
            response_time_ms: z.number().nullable().meta({ description: 'Mean of the answered probes' }),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'HealthHistory' });

interface Sum {
  checks: number;
  healthy: number;
  responses: number;
  milliseconds: number;
}

/** Uptime and response times of servers over time: oldest bucket first, without gaps; the last one has just begun. */
export async function readHistory(
  database: Kysely<Database>,
  endpoints: readonly string[],
  window: StatisticWindow,
  now: number = Date.now(),
  checkedSince: ReadonlyMap<string, string> = new Map(),
): Promise<z.infer<typeof historySchema>> {
  const { first } = bucketsOf(window, now);
  const rows =
    endpoints.length === 0
      ? []
      : await database
          .selectFrom('endpoint_health_hours')
          .selectAll()
          .where('endpoint', '=', sql<string>`any(${[...endpoints]}::text[])`)
          .where('hour', '>=', new Date(first))
          .execute();
  return historyOf(rows, endpoints, window, now, checkedSince);
}

/** The buckets of a window: the last one has just begun. */
function bucketsOf(
  window: StatisticWindow,
  now: number,
): { readonly width: number; readonly count: number; readonly first: number } {
  const width = bucketHours[window] * hourSeconds * 1_000;
  const count = statisticWindows[window] / bucketHours[window];
  return { width, count, first: Math.floor(now / width) * width - (count - 1) * width };
}

/** The same of the hours' totals. */
export function historyOf(
  rows: readonly Selectable<EndpointHealthHoursTable>[],
  endpoints: readonly string[],
  window: StatisticWindow,
  now: number,
  checkedSince: ReadonlyMap<string, string> = new Map(),
): z.infer<typeof historySchema> {
  const { width, count, first } = bucketsOf(window, now);
  const sums = new Map<string, Sum>();
  const add = (key: string, row: (typeof rows)[number]): void => {
    const sum = sums.get(key) ?? { checks: 0, healthy: 0, responses: 0, milliseconds: 0 };
    sum.checks += row.checks;
    sum.healthy += row.healthy;
    sum.responses += row.responses;
    sum.milliseconds += row.response_milliseconds;
    sums.set(key, sum);
  };
  for (const row of rows) {
    add(row.endpoint, row);
    add(`${row.endpoint} ${Math.floor(row.hour.getTime() / width) * width}`, row);
  }
  return {
    window,
    bucket_seconds: width / 1_000,
    endpoints: endpoints.map((endpoint) => ({
      endpoint,
      checked_since: checkedSince.get(endpoint) ?? null,
      uptime_percent: uptimeOf(sums.get(endpoint)),
      buckets: Array.from({ length: count }, (_, index) => {
        const at = first + index * width;
        const sum = sums.get(`${endpoint} ${at}`);
        return {
          at: new Date(at).toISOString(),
          checks: sum?.checks ?? 0,
          uptime_percent: uptimeOf(sum),
          response_time_ms:
            sum === undefined || sum.responses === 0
              ? null
              : Math.round((sum.milliseconds / sum.responses) * 10) / 10,
        };
      }),
    })),
  };
}

const uptimeOf = (sum: Sum | undefined): number | null =>
  sum === undefined || sum.checks === 0 ? null : Math.round((sum.healthy / sum.checks) * 10_000) / 100;
