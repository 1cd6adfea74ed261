import { alertPercent, percentOf } from '../alerts/index.js';
import type { LimitKind } from './tables.js';

/** How much of a limit is used in a period. */
export interface UsedLimit {
  readonly kind: LimitKind;
  /** `2026-11-26` or `2026-11`, UTC. */
  readonly period: string;
  readonly measured: number;
  readonly limit: number;
}

export const isNear = (used: UsedLimit): boolean => percentOf(used) >= alertPercent;

/** The period of a limit that a moment belongs to. */
export const periodOf = (kind: LimitKind, moment: Date): string =>
  moment.toISOString().slice(0, kind === 'concurrent_calls' ? 10 : 7);

const figure = (value: number): string => Math.floor(value).toLocaleString('en-US');

/** What a notice says of it. */
export function noticeOf(used: UsedLimit, dashboardUrl: string) {
  const { kind, period, measured, limit } = used;
  const share = `${percentOf(used)} % of the limit`;
  const [title, what, advice] =
    kind === 'concurrent_calls'
      ? [
          `concurrent calls at ${share}`,
          `${figure(measured)} calls were active at once on ${period} (UTC); the limit is ${figure(limit)}.`,
          'Above the limit new calls are refused with 503. Ask the operator of the service for a higher limit.',
        ]
      : [
          `minutes at ${share}`,
          `Answered calls of ${period} (UTC) took ${figure(measured)} minutes; the allowance is ${figure(limit)}.`,
          'Calls above the allowance are not refused. Ask the operator of the service for a larger one.',
        ];
  return {
    title: `[Demarc] USAGE: ${title}`,
    text: `What: ${what}\nWhat to do: ${advice}\n\nDashboard: ${dashboardUrl}\n`,
    short: `Demarc USAGE: ${title}. ${what} ${dashboardUrl}`,
  };
}
