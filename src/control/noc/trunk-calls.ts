import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.js';
import { type EndedCalls, judge, shareOf } from './judgement.js';
import type { TrunkCalls } from './view.js';

/** Calls of one number that ended alike within the same five minutes. */
export interface EndedAlike extends EndedCalls {
  readonly number: string;
  /** Five-minute intervals ago; 0: within the last one. */
  readonly interval: number;
}

const intervals = 12;
const intervalSeconds = 300;
/** Bounds the cost for organizations with many calls; the newest calls are the ones that matter. */
const mostCalls = 20_000;
const mostCallsOfEach = 1_000;

/**
 * How the calls of each number ended within the last hour, by what is stored so far.
 * @param organizationId undefined: of all organizations
 */
export async function readTrunkCalls(
  database: Kysely<Database>,
  organizationId: string | undefined,
  now: number = Date.now(),
): Promise<ReadonlyMap<string, TrunkCalls>> {
  const at = new Date(now);
  const newest = (owner: RawBuilder<unknown>, limit: number): RawBuilder<unknown> => sql`
    select number, direction, end_reason, sip_status,
      greatest(0, floor(extract(epoch from ${at}::timestamptz - ended_at) / ${intervalSeconds}))::integer as interval
    from ended_calls
    where organization_id = ${owner} and number is not null
      and started_at > ${new Date(now - intervals * intervalSeconds * 1_000)}
    order by started_at desc, call_id desc limit ${limit}`;
  const ended =
    organizationId === undefined
      ? sql`organizations cross join lateral (${newest(sql`organizations.id`, mostCallsOfEach)}) as ended`
      : sql`(${newest(sql`${organizationId}`, mostCalls)}) as ended`;
  const { rows } = await sql<Omit<EndedAlike, 'calls'> & { calls: string }>`
    select ended.number, direction, end_reason, sip_status, interval, count(*) as calls from ${ended}
    group by ended.number, direction, end_reason, sip_status, interval`.execute(database);
  return trunkCallsOf(rows.map((row) => ({ ...row, calls: Number(row.calls) })));
}

/** Sums by number. */
export function trunkCallsOf(rows: readonly EndedAlike[]): ReadonlyMap<string, TrunkCalls> {
  const byNumber = new Map<string, EndedAlike[]>();
  for (const row of rows) {
    if (row.interval >= intervals) continue;
    const list = byNumber.get(row.number) ?? [];
    list.push(row);
    byNumber.set(row.number, list);
  }
  return new Map([...byNumber].map(([number, own]) => [number, callsOf(own)]));
}

const callsOf = (rows: readonly EndedAlike[]): TrunkCalls => ({
  ...judge(
    rows.filter(({ interval }) => interval === 0),
    rows,
  ),
  hour: Array.from({ length: intervals }, (_, index) =>
    shareOf(rows.filter(({ interval }) => interval === intervals - 1 - index)),
  ),
});

/** Of a number without calls within the hour. */
export const noTrunkCalls: TrunkCalls = {
  state: 'quiet',
  window: '1h',
  calls: 0,
  failed: 0,
  worst: null,
  hour: Array.from({ length: intervals }, () => ({ calls: 0, failed: 0 })),
};
