import { percentOf } from '../alerts/index.js';
import { type DaySum, dayOf, type GroupSum, type UsageGroup } from '../calls/index.js';
import { e164 } from '../http/phone-number.js';
import { InvalidRequest } from '../http/validation.js';
import type { UsedLimit } from './near-limit.js';
import type { UsageAlertsTable } from './tables.js';

export const dayMilliseconds = 86_400_000;
export const maximumDays = 92;
export const usualDays = 30;

/** Every day from the first to the last. Throws `InvalidRequest`. */
export function daysOf(from: string | undefined, to: string | undefined, now = new Date()): string[] {
  const last = to ?? dayOf(now);
  const first = from ?? dayOf(new Date(Date.parse(last) - (usualDays - 1) * dayMilliseconds));
  const count = Math.round((Date.parse(last) - Date.parse(first)) / dayMilliseconds) + 1;
  if (count < 1) throw InvalidRequest.at('from', `from (${first}) must not be after to (${last}).`);
  if (count > maximumDays) {
    throw InvalidRequest.at('from', `from and to must span ${maximumDays} days at most; these are ${count}.`);
  }
  return Array.from({ length: count }, (_, index) =>
    dayOf(new Date(Date.parse(first) + index * dayMilliseconds)),
  );
}

type Sum = Omit<DaySum, 'day'>;

/** What calls came to together. */
export function add(sums: readonly Sum[]) {
  const total = (of: (sum: Sum) => number): number => sums.reduce((sum, each) => sum + of(each), 0);
  return {
    calls: total(({ calls }) => calls),
    answered_calls: total(({ answered }) => answered),
    minutes: Math.round(total(({ answeredMilliseconds }) => answeredMilliseconds) / 60) / 1_000,
  };
}

const withDirections = (sums: readonly Sum[]) => ({
  ...add(sums),
  inbound: add(sums.filter(({ direction }) => direction === 'inbound')),
  outbound: add(sums.filter(({ direction }) => direction === 'outbound')),
});

/** @param peaks one for each day; null: not known */
export const dayViews = (
  days: readonly string[],
  sums: readonly DaySum[],
  peaks: readonly (number | null)[],
) =>
  days.map((date, index) => ({
    date,
    ...withDirections(sums.filter(({ day }) => day === date)),
    peak_concurrent_calls: peaks[index]!,
  }));

/** Numbers or agents in the order of the sums, each once. */
export const groupViews = (by: UsageGroup, sums: readonly GroupSum[]) =>
  [...new Set(sums.map(({ group }) => group))].map((group) => ({
    phone_number: by === 'number' && group !== '' ? e164(group) : null,
    agent: by === 'agent' && group !== '' ? group : null,
    ...withDirections(sums.filter((sum) => sum.group === group)),
  }));

type NotifiedLimit = Pick<UsageAlertsTable, 'kind' | 'period' | 'measured'> & { readonly fired_at: Date };

/**
 * A peak of active calls may be known from the notice before those calls have ended.
 * @param notices of the same organization
 */
export const limitViews = (used: readonly UsedLimit[], notices: readonly NotifiedLimit[]) =>
  used.map((limit) => {
    const notice = notices.find(({ kind, period }) => kind === limit.kind && period === limit.period);
    const measured = Math.max(limit.measured, notice?.measured ?? 0);
    return {
      ...limit,
      measured: Math.round(measured * 10) / 10,
      percent: percentOf({ ...limit, measured }),
      notified_at: notice?.fired_at.toISOString() ?? null,
    };
  });
