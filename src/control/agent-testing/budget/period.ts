import type { BudgetPeriod } from '../schemas/schedule.js';

/** The present day, week (from Monday) or month in UTC. */
export function periodOf(period: BudgetPeriod, now: Date): { readonly begins: Date; readonly ends: Date } {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const at = (ofMonth: number, ofDay: number): Date => new Date(Date.UTC(year, ofMonth, ofDay));
  if (period === 'month') return { begins: at(month, 1), ends: at(month + 1, 1) };
  if (period === 'day') return { begins: at(month, day), ends: at(month, day + 1) };
  const monday = day - ((now.getUTCDay() + 6) % 7);
  return { begins: at(month, monday), ends: at(month, monday + 7) };
}
