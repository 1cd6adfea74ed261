import { storable } from '../../database/storable.js';
import type { CallDaysTable, CallNumberDaysTable } from './tables.js';

/** The counted fields of a stored call. */
export interface UsedCall {
  readonly organization_id: string | null;
  readonly number: string | null;
  /** Address of the agent; absent: unknown. */
  readonly agent?: string | undefined;
  readonly direction: CallDaysTable['direction'];
  readonly started_at: Date;
  readonly answered_at: Date | null;
  readonly ended_at: Date;
}

export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

interface Sum extends CallDaysTable {
  answered_milliseconds: number;
}

/** A day that is over, whose peak is counted again. */
export interface PastDay {
  readonly organization: string;
  readonly day: string;
}

// Rows in a fixed order, so that two processes cannot deadlock.
const inOrder = <Value>(values: ReadonlyMap<string, Value>): Value[] =>
  [...values].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => value);

function count(sum: Sum, { answered_at, ended_at }: UsedCall, sign: 1 | -1): void {
  sum.calls += sign;
  if (answered_at === null) return;
  sum.answered += sign;
  sum.answered_milliseconds += sign * Math.max(0, ended_at.getTime() - answered_at.getTime());
}

/**
 * What calls add to the days on which they started, and the past days whose peaks they change; those of no organization add nothing.
 * @param today `2026-11-27`, UTC
 */
export function daySums(
  calls: readonly UsedCall[],
  sign: 1 | -1,
  today: string,
): { readonly rows: Sum[]; readonly past: PastDay[] } {
  const sums = new Map<string, Sum>();
  const past = new Map<string, PastDay>();
  for (const call of calls) {
    const { organization_id: organization, direction, started_at, ended_at } = call;
    if (organization === null) continue;
    const day = dayOf(started_at);
    const key = `${organization} ${day} ${direction}`;
    const sum = sums.get(key) ?? {
      organization_id: organization,
      day,
      direction,
      calls: 0,
      answered: 0,
      answered_milliseconds: 0,
    };
    sums.set(key, sum);
    count(sum, call, sign);
    // A call is shorter than a day: it belongs to the peaks of the one on which it started and of the next.
    for (const touched of [day, dayOf(ended_at)]) {
      if (touched < today) past.set(`${organization} ${touched}`, { organization, day: touched });
    }
  }
  return { rows: inOrder(sums), past: inOrder(past) };
}

/** The same by number and agent. */
export function numberSums(calls: readonly UsedCall[], sign: 1 | -1): (CallNumberDaysTable & Sum)[] {
  const sums = new Map<string, CallNumberDaysTable & Sum>();
  for (const call of calls) {
    const { organization_id, number, agent = '', direction, started_at } = call;
    if (organization_id === null) continue;
    const group = {
      organization_id,
      day: dayOf(started_at),
      number: number ?? '',
      agent: storable(agent),
      direction,
    };
    const key = JSON.stringify(Object.values(group));
    const sum = sums.get(key) ?? { ...group, calls: 0, answered: 0, answered_milliseconds: 0 };
    sums.set(key, sum);
    count(sum, call, sign);
  }
  return inOrder(sums);
}
