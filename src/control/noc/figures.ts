import { type FunctionModule, type Kysely, sql } from 'kysely';
import { hasBadAudio } from '../../contract/audio-defect.js';
import type { EndReason } from '../../contract/call-record.js';
import type { Database } from '../database/tables.js';
import { callerErrorsOf, failureCountOf, isFailed, judge, shareOf, worstOf } from './judgement.js';
import type { CallJudgement, CallSeries, WindowFigures } from './view.js';

/** Answers from what was counted by the minute: the calls themselves are never read. */

const minute = 60_000;
const day = 1_440 * minute;
const windowMinutes = { '5m': 5, '1h': 60, '24h': 1_440 } as const;
const maximumFailures = 20;

export type Windows = Readonly<Record<keyof typeof windowMinutes, WindowFigures>>;

/** A call in which a side was not heard is counted apart: it was answered, so the trunk works. */
const isFailure = (row: Pick<CountedCalls, 'outcome' | 'end_reason'>): boolean =>
  (row.outcome === 'failed' || row.outcome === 'refused') && !hasBadAudio(row);

/** Calls of a window that ended alike. */
export interface CountedCalls {
  readonly direction: 'inbound' | 'outbound';
  readonly outcome: string;
  readonly end_reason: EndReason;
  readonly sip_status: number | null;
  readonly calls: number;
  readonly answered: number;
  readonly setup_milliseconds: number;
  readonly rung: number;
  readonly ringing_milliseconds: number;
}

/** What the minutes count, added up. */
const summed = (fn: FunctionModule<Database, 'call_totals'>) =>
  [
    fn.sum<string>('calls').as('calls'),
    fn.sum<string>('answered').as('answered'),
    fn.sum<number>('setup_milliseconds').as('setup_milliseconds'),
    fn.sum<string>('rung').as('rung'),
    fn.sum<number>('ringing_milliseconds').as('ringing_milliseconds'),
  ] as const;

/** Minutes have 0 for calls without a final status. */
const statusOf = (counted: number): number | null => (counted === 0 ? null : counted);

/** The sums of a window by cause; a window begins with a whole minute. */
async function readSums(
  database: Kysely<Database>,
  organizationId: string,
  from: number,
  to?: number,
): Promise<CountedCalls[]> {
  const rows = await database
    .selectFrom('call_totals')
    .select(({ fn }) => ['direction', 'outcome', 'end_reason', 'sip_status', ...summed(fn)])
    .where('organization_id', '=', organizationId)
    .where('minute', '>', new Date(from))
    .$if(to !== undefined, (query) => query.where('minute', '<=', new Date(to!)))
    .groupBy(['direction', 'outcome', 'end_reason', 'sip_status'])
    .execute();
  return rows.map((row) => ({
    ...row,
    sip_status: statusOf(row.sip_status),
    calls: Number(row.calls),
    answered: Number(row.answered),
    rung: Number(row.rung),
  }));
}

/** Results of the calls of an organization, or of `allOrganizations`, within the last five minutes, hour and day. */
export async function readWindows(
  database: Kysely<Database>,
  organizationId: string,
  now: number = Date.now(),
): Promise<Windows> {
  const read = async (name: keyof typeof windowMinutes): Promise<WindowFigures> => {
    const from = now - windowMinutes[name] * minute;
    const [rows, before] = await Promise.all([
      readSums(database, organizationId, from),
      readSums(database, organizationId, from - day, now - day),
    ]);
    const { attempts, answered, answer_rate_percent, failed, average_post_dial_delay_ms } = figuresOf(before);
    return {
      ...figuresOf(rows),
      day_before: { attempts, answered, answer_rate_percent, failed, average_post_dial_delay_ms },
    };
  };
  const [five, hour, whole] = await Promise.all([read('5m'), read('1h'), read('24h')]);
  return { '5m': five, '1h': hour, '24h': whole };
}

/** What the counted calls of a window come to. */
export function figuresOf(rows: readonly CountedCalls[]): Omit<WindowFigures, 'day_before'> {
  const sum = (of: (row: CountedCalls) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const failures = rows.filter((row) => isFailure(row) || hasBadAudio(row) || isFailed(row));
  return {
    ...ratesOf({
      calls: sum((row) => row.calls),
      answered: sum((row) => row.answered),
      setup_milliseconds: sum((row) => row.setup_milliseconds),
      rung: sum((row) => row.rung),
      ringing_milliseconds: sum((row) => row.ringing_milliseconds),
    }),
    failed: sum((row) => (isFailure(row) ? row.calls : 0)),
    bad_audio: sum((row) => (hasBadAudio(row) ? row.calls : 0)),
    judged: { ...shareOf(rows), caller_errors: callerErrorsOf(rows), worst: worstOf(rows) },
    failures: failures
      .map(failureCountOf)
      .sort((left, right) => right.count - left.count)
      .slice(0, maximumFailures),
  };
}

type Sums = Pick<CountedCalls, 'calls' | 'answered' | 'setup_milliseconds' | 'rung' | 'ringing_milliseconds'>;

const ratesOf = ({ calls, answered, setup_milliseconds, rung, ringing_milliseconds }: Sums) => ({
  attempts: calls,
  answered,
  answer_rate_percent: calls === 0 ? null : Math.round((answered / calls) * 10_000) / 100,
  average_setup_ms: answered === 0 ? null : Math.round(setup_milliseconds / answered),
  average_post_dial_delay_ms: rung === 0 ? null : Math.round(ringing_milliseconds / rung),
});

export const seriesWindows = {
  '1h': { bucketMinutes: 1, buckets: 60 },
  '24h': { bucketMinutes: 15, buckets: 96 },
  '7d': { bucketMinutes: 120, buckets: 84 },
  '30d': { bucketMinutes: 360, buckets: 120 },
} as const;

/** Calls over time, by the minute in which they ended: oldest bucket first, without gaps; the last one has just begun. */
export async function readSeries(
  database: Kysely<Database>,
  organizationId: string,
  window: keyof typeof seriesWindows,
  now: number = Date.now(),
): Promise<CallSeries> {
  const { width, first } = bucketsOf(window, now);
  const bucket = sql<string>`floor(extract(epoch from minute) * 1000 / ${width}) * ${width}`;
  const rows = await database
    .selectFrom('call_totals')
    .select(({ fn }) => [bucket.as('at'), 'outcome', 'end_reason', ...summed(fn)])
    .where('organization_id', '=', organizationId)
    .where('minute', '>=', new Date(first))
    .groupBy(['at', 'outcome', 'end_reason'])
    .execute();
  return seriesOf(rows, window, now);
}

/** The buckets of a window: the last one has just begun. */
function bucketsOf(window: keyof typeof seriesWindows, now: number) {
  const { bucketMinutes, buckets: count } = seriesWindows[window];
  const width = bucketMinutes * minute;
  return { width, count, first: Math.floor(now / width) * width - (count - 1) * width };
}

/** What PostgreSQL adds up for one cause within a bucket; it reads `int8` as text. */
export type BucketRow = Pick<
  CountedCalls,
  'outcome' | 'end_reason' | 'setup_milliseconds' | 'ringing_milliseconds'
> & { readonly at: string; readonly calls: string; readonly answered: string; readonly rung: string };

/** The buckets of a window of what was counted in each. */
export function seriesOf(
  rows: readonly BucketRow[],
  window: keyof typeof seriesWindows,
  now: number,
): CallSeries {
  const { width, count, first } = bucketsOf(window, now);
  const sums = new Map<number, Sums & { failed: number; badAudio: number }>();
  for (const row of rows) {
    const at = Number(row.at);
    const before = sums.get(at);
    sums.set(at, {
      calls: (before?.calls ?? 0) + Number(row.calls),
      answered: (before?.answered ?? 0) + Number(row.answered),
      setup_milliseconds: (before?.setup_milliseconds ?? 0) + row.setup_milliseconds,
      rung: (before?.rung ?? 0) + Number(row.rung),
      ringing_milliseconds: (before?.ringing_milliseconds ?? 0) + row.ringing_milliseconds,
      failed: (before?.failed ?? 0) + (isFailure(row) ? Number(row.calls) : 0),
      badAudio: (before?.badAudio ?? 0) + (hasBadAudio(row) ? Number(row.calls) : 0),
    });
  }
  return {
    window,
    bucket_seconds: width / 1_000,
    buckets: Array.from({ length: count }, (_, index) => {
      const at = first + index * width;
      const sum = sums.get(at) ?? noCalls;
      return {
        at: new Date(at).toISOString(),
        failed: sum.failed,
        bad_audio: sum.badAudio,
        ...ratesOf(sum),
      };
    }),
  };
}

const noCalls = {
  calls: 0,
  answered: 0,
  setup_milliseconds: 0,
  rung: 0,
  ringing_milliseconds: 0,
  failed: 0,
  badAudio: 0,
};

export interface OrganizationTotals {
  readonly id: string;
  readonly name: string;
  readonly attempts: number;
  readonly answered: number;
  readonly failed: number;
  readonly judgement: CallJudgement;
}

const urgency: Readonly<Record<CallJudgement['state'], number>> = {
  failing: 0,
  degraded: 1,
  working: 2,
  quiet: 2,
};

/** The last hour of the organizations: those whose calls fail first, then those that had the most calls in it. */
export async function readOrganizationTotals(
  database: Kysely<Database>,
  limit: number,
  now: number = Date.now(),
): Promise<OrganizationTotals[]> {
  const rows = await database
    .selectFrom('call_totals')
    .innerJoin('organizations', 'organizations.id', 'organization_id')
    .select(({ fn }) => [
      'id',
      'name',
      'direction',
      'outcome',
      'end_reason',
      'sip_status',
      fn.sum<string>('calls').as('calls'),
      fn.sum<string>('answered').as('answered'),
      sql<string>`sum(case when minute > ${new Date(now - windowMinutes['5m'] * minute)} then calls else 0 end)`.as(
        'latest',
      ),
    ])
    .where('minute', '>', new Date(now - windowMinutes['1h'] * minute))
    .groupBy(['id', 'name', 'direction', 'outcome', 'end_reason', 'sip_status'])
    .execute();
  return organizationTotals(rows, limit);
}

/** By organization: those whose calls fail first, then those with the most calls. */
export function organizationTotals(rows: readonly CountedAlike[], limit: number): OrganizationTotals[] {
  const organizations = new Map<string, CountedAlike[]>();
  for (const row of rows) organizations.set(row.id, [...(organizations.get(row.id) ?? []), row]);
  return [...organizations.values()]
    .map(totalsOf)
    .sort(
      (left, right) =>
        urgency[left.judgement.state] - urgency[right.judgement.state] ||
        right.attempts - left.attempts ||
        (left.id < right.id ? -1 : 1),
    )
    .slice(0, limit);
}

/** Calls of an organization within the last hour that ended alike, as PostgreSQL adds them up. */
export type CountedAlike = Pick<CountedCalls, 'direction' | 'outcome' | 'end_reason'> & {
  readonly id: string;
  readonly name: string;
  readonly sip_status: number;
  readonly calls: string;
  readonly answered: string;
  readonly latest: string;
};

function totalsOf(rows: readonly CountedAlike[]): OrganizationTotals {
  const { id, name } = rows[0]!;
  const sum = (of: (row: CountedAlike) => string): number =>
    rows.reduce((total, row) => total + Number(of(row)), 0);
  const ended = (of: (row: CountedAlike) => string) =>
    rows.map((row) => ({ ...row, sip_status: statusOf(row.sip_status), calls: Number(of(row)) }));
  return {
    id,
    name,
    attempts: sum(({ calls }) => calls),
    answered: sum(({ answered }) => answered),
    failed: sum((row) => (isFailure(row) || hasBadAudio(row) ? row.calls : '0')),
    judgement: judge(
      ended(({ latest }) => latest),
      ended(({ calls }) => calls),
    ),
  };
}
