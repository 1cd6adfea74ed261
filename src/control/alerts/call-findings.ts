import { type Kysely, sql, type Transaction } from 'kysely';
import type { EndReason } from '../../contract/call-record.js';
import { type Explanation, explainEndReason } from '../../contract/explanations.js';
import type { Database } from '../database/tables.js';
import type { Finding } from './decision.js';
import { classOf } from './failures.js';
import type { Watched } from './watched.js';

/** How the calls of one direction ended within its window. */
export interface CallTally {
  /** Failed plus succeeded calls; ignored calls do not count. */
  readonly counted: number;
  readonly failed: number;
  readonly firstFailure: Date | undefined;
  /** The most frequent cause of failure. */
  readonly why: Explanation | undefined;
}

/** Minimum sample: one failed call of two is not a meaningful rate. */
const leastCalls = 5;
const leastFailures = 2;
/** Hysteresis: the alert clears this far below the threshold, so that a rate near it does not flap. */
const clearFraction = 0.8;
const numbersAtOnce = 200;

const tallyKey = ({ number, direction, windowMinutes }: Watched): string =>
  `${number} ${direction} ${windowMinutes}`;

/** The tallies of all watched failure rates; read one with `tallyOf`. */
export async function readTallies(
  database: Kysely<Database> | Transaction<Database>,
  watched: readonly Watched[],
  now: Date,
): Promise<{ tallyOf(watched: Watched): CallTally }> {
  const tallies = new Map<string, CallTally>();
  const rates = watched.filter(({ kind }) => kind === 'failure_rate');
  for (const windowMinutes of new Set(rates.map((rate) => rate.windowMinutes))) {
    const ones = rates.filter((rate) => rate.windowMinutes === windowMinutes);
    for (let at = 0; at < ones.length; at += numbersAtOnce) {
      const found = await readWindow(database, ones.slice(at, at + numbersAtOnce), windowMinutes, now);
      for (const [key, tally] of found) tallies.set(key, tally);
    }
  }
  return { tallyOf: (subject) => tallies.get(tallyKey(subject)) ?? none };
}

const none: CallTally = { counted: 0, failed: 0, firstFailure: undefined, why: undefined };

async function readWindow(
  database: Kysely<Database> | Transaction<Database>,
  ones: readonly Watched[],
  windowMinutes: number,
  now: Date,
): Promise<Map<string, CallTally>> {
  const rows = await database
    .selectFrom('ended_calls')
    .select(({ fn }) => [
      'number',
      'direction',
      'end_reason',
      'sip_status',
      fn.countAll<string>().as('count'),
      fn.min('started_at').as('first'),
    ])
    .where('organization_id', '=', sql<string>`any(${unique(ones, 'organizationId')}::text[])`)
    .where('number', '=', sql<string>`any(${unique(ones, 'number')}::text[])`)
    .where('started_at', '>', new Date(now.getTime() - windowMinutes * 60_000))
    .where('started_at', '<=', now)
    .where('test_run_id', 'is', null)
    .groupBy(['number', 'direction', 'end_reason', 'sip_status'])
    .execute();
  const tallies = new Map<string, CallTally>();
  for (const subject of ones) {
    const own = rows.filter((row) => row.number === subject.number && row.direction === subject.direction);
    tallies.set(
      tallyKey(subject),
      tallyFrom(
        own.map((row) => ({
          reason: row.end_reason,
          status: row.sip_status,
          count: Number(row.count),
          first: row.first,
        })),
      ),
    );
  }
  return tallies;
}

const unique = (ones: readonly Watched[], field: 'organizationId' | 'number'): string[] => [
  ...new Set(ones.map((subject) => subject[field])),
];

interface EndedCalls {
  readonly reason: EndReason;
  readonly status: number | null;
  readonly count: number;
  readonly first: Date;
}

/** Tallies ended calls by end reason; calls that say nothing about the trunk do not count. */
export function tallyFrom(groups: readonly EndedCalls[]): CallTally {
  let counted = 0;
  let failed = 0;
  let firstFailure: Date | undefined;
  let most: EndedCalls | undefined;
  for (const group of groups) {
    const kind = classOf(group.reason, group.status);
    if (kind === 'ignored') continue;
    counted += group.count;
    if (kind !== 'failed') continue;
    failed += group.count;
    if (firstFailure === undefined || group.first < firstFailure) firstFailure = group.first;
    if (most === undefined || group.count > most.count) most = group;
  }
  return { counted, failed, firstFailure, why: most && explainEndReason(most.reason, most.status) };
}

/** Whether too many calls failed; the threshold is in percent. */
export function failureFinding({ threshold, windowMinutes }: Watched, tally: CallTally): Finding {
  const { counted, failed, firstFailure, why } = tally;
  // The failed calls have left the window, or there were too few of them.
  if (failed < leastFailures || firstFailure === undefined || why === undefined)
    return { condition: 'good', since: undefined };
  const percent = (failed / counted) * 100;
  if (percent <= threshold * clearFraction) return { condition: 'good', since: undefined };
  if (counted < leastCalls || percent < threshold) return { condition: 'between' };
  const rounded = Math.round(percent * 10) / 10;
  return {
    condition: 'bad',
    since: firstFailure,
    measured: rounded,
    summary: `${failed} of ${counted} calls (${rounded} %) in the last ${windowMinutes} minutes failed; the threshold is ${threshold} %.`,
    why: { cause: `Most frequent cause: ${why.cause}`, advice: why.advice },
  };
}
