import { type Kysely, sql } from 'kysely';
import type { EndReason } from '../../contract/call-record.js';
import { explainEndReason } from '../../contract/explanations.js';
import { stateOfCalls } from '../../contract/failing-calls.js';
import { classOf } from '../alerts/index.js';
import type { Database } from '../database/tables.js';
import type { TrunkCalls } from './view.js';

/** Calls of one number that ended alike within the same five minutes. */
export interface EndedAlike {
  readonly number: string;
  readonly direction: 'inbound' | 'outbound';
  readonly end_reason: EndReason;
  readonly sip_status: number | null;
  /** Five-minute intervals ago; 0: within the last one. */
  readonly interval: number;
  readonly calls: number;
}

const intervals = 12;
const intervalSeconds = 300;
/** Bounds the cost for organizations with many calls; the newest calls are the ones that matter. */
const mostCalls = 20_000;

/** How the calls of each number ended within the last hour, by what is stored so far. */
export async function readTrunkCalls(
  database: Kysely<Database>,
  organizationId: string,
  now: number = Date.now(),
): Promise<ReadonlyMap<string, TrunkCalls>> {
  const at = new Date(now);
  const { rows } = await sql<Omit<EndedAlike, 'calls'> & { calls: string }>`
    select number, direction, end_reason, sip_status, interval, count(*) as calls from (
      select number, direction, end_reason, sip_status,
        greatest(0, floor(extract(epoch from ${at}::timestamptz - ended_at) / ${intervalSeconds}))::integer as interval
      from ended_calls
      where organization_id = ${organizationId} and number is not null
        and started_at > ${new Date(now - intervals * intervalSeconds * 1_000)}
      order by started_at desc, call_id desc limit ${mostCalls}) as ended
    group by number, direction, end_reason, sip_status, interval`.execute(database);
  return trunkCallsOf(rows.map((row) => ({ ...row, calls: Number(row.calls) })));
}

/** Sums by number; calls that say nothing about a trunk do not count. */
export function trunkCallsOf(rows: readonly EndedAlike[]): ReadonlyMap<string, TrunkCalls> {
  const byNumber = new Map<string, EndedAlike[]>();
  for (const row of rows) {
    if (row.interval >= intervals || classOf(row.end_reason, row.sip_status) === 'ignored') continue;
    const list = byNumber.get(row.number) ?? [];
    list.push(row);
    byNumber.set(row.number, list);
  }
  return new Map([...byNumber].map(([number, own]) => [number, callsOf(own)]));
}

const isFailed = ({ end_reason, sip_status }: EndedAlike): boolean =>
  classOf(end_reason, sip_status) === 'failed';

const shareOf = (rows: readonly EndedAlike[]): { calls: number; failed: number } => ({
  calls: rows.reduce((sum, { calls }) => sum + calls, 0),
  failed: rows.reduce((sum, row) => sum + (isFailed(row) ? row.calls : 0), 0),
});

function callsOf(rows: readonly EndedAlike[]): TrunkCalls {
  const latest = rows.filter(({ interval }) => interval === 0);
  const spans = [shareOf(latest), shareOf(rows)] as const;
  const { state, span } = stateOfCalls(spans);
  const isLatest = span === 0;
  return {
    state,
    window: isLatest ? '5m' : '1h',
    ...(isLatest ? spans[0] : spans[1]),
    worst: worstOf(isLatest ? latest : rows),
    hour: Array.from({ length: intervals }, (_, index) =>
      shareOf(rows.filter(({ interval }) => interval === intervals - 1 - index)),
    ),
  };
}

function worstOf(rows: readonly EndedAlike[]): TrunkCalls['worst'] {
  const causes = new Map<string, EndedAlike>();
  for (const row of rows.filter(isFailed)) {
    const key = `${row.end_reason} ${row.sip_status} ${row.direction}`;
    causes.set(key, { ...row, calls: row.calls + (causes.get(key)?.calls ?? 0) });
  }
  const [worst] = [...causes.values()].sort((left, right) => right.calls - left.calls);
  if (worst === undefined) return null;
  const { end_reason, sip_status, direction, calls } = worst;
  return { end_reason, sip_status, direction, count: calls, ...explainEndReason(end_reason, sip_status) };
}

/** Of a number without calls within the hour. */
export const noTrunkCalls: TrunkCalls = {
  state: 'quiet',
  window: '1h',
  calls: 0,
  failed: 0,
  worst: null,
  hour: Array.from({ length: intervals }, () => ({ calls: 0, failed: 0 })),
};
