import type { EndReason } from '../../contract/call-record.js';
import { concernedBy } from '../../contract/concerned.js';
import { explainEndReason } from '../../contract/explanations.js';
import { type CallShare, stateOfCalls } from '../../contract/failing-calls.js';
import type { CallJudgement, FailureCount } from './view.js';

/** Calls that ended alike. */
export interface EndedCalls {
  readonly direction: 'inbound' | 'outbound';
  readonly end_reason: EndReason;
  readonly sip_status: number | null;
  readonly calls: number;
}

export const concernsOf = ({ end_reason, sip_status }: EndedCalls): FailureCount['concerns'] =>
  concernedBy(end_reason, sip_status);

/** Whether someone other than the caller can do something about such a call. */
export const isFailed = (row: EndedCalls): boolean => !['none', 'caller'].includes(concernsOf(row));

const isCallers = (row: EndedCalls): boolean => concernsOf(row) === 'caller';

const sum = (rows: readonly EndedCalls[]): number => rows.reduce((total, { calls }) => total + calls, 0);

/** All calls but those that were the mistake of their caller. */
export const shareOf = (rows: readonly EndedCalls[]): CallShare => ({
  calls: sum(rows.filter((row) => !isCallers(row))),
  failed: sum(rows.filter(isFailed)),
});

export const callerErrorsOf = (rows: readonly EndedCalls[]): number => sum(rows.filter(isCallers));

export const failureCountOf = ({ end_reason, sip_status, direction, calls }: EndedCalls): FailureCount => ({
  end_reason,
  sip_status,
  direction,
  count: calls,
  concerns: concernedBy(end_reason, sip_status),
  ...explainEndReason(end_reason, sip_status),
});

/** The most frequent cause of the failed calls. A refusal of guesses follows from wrong credentials, and is no cause beside them. */
export function worstOf(rows: readonly EndedCalls[]): FailureCount | null {
  const causes = new Map<string, EndedCalls>();
  for (const row of rows.filter(isFailed)) {
    const key = `${row.end_reason} ${row.sip_status} ${row.direction}`;
    causes.set(key, { ...row, calls: row.calls + (causes.get(key)?.calls ?? 0) });
  }
  const all = [...causes.values()].sort((left, right) => right.calls - left.calls);
  const [first] = all;
  if (first === undefined) return null;
  const origin =
    first.end_reason === 'refused_guessing'
      ? all.find(({ end_reason }) => end_reason === 'refused_credentials')
      : undefined;
  return failureCountOf(origin ?? first);
}

/**
 * The state of recent calls, and the cause that decided it.
 * @param latest of the last five minutes
 * @param hour of the last hour, with the latest ones
 */
export function judge(latest: readonly EndedCalls[], hour: readonly EndedCalls[]): CallJudgement {
  const spans = [shareOf(latest), shareOf(hour)] as const;
  const { state, span } = stateOfCalls(spans);
  const isLatest = span === 0;
  return {
    state,
    window: isLatest ? '5m' : '1h',
    ...(isLatest ? spans[0] : spans[1]),
    worst: worstOf(isLatest ? latest : hour),
  };
}
