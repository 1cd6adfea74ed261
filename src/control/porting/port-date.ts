/** Days of ports: calendar days in the time zone of the carrier. */

/** US rules and those of the carriers behind them. */
export const minimumDaysAhead = 7;
export const maximumDaysAhead = 365;

/** The calendar day of a moment in the zone, as `2026-11-29`. */
export function dayIn(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(moment);
  const part = (type: string): string => parts.find((part) => part.type === type)!.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}

const dayMilliseconds = 86_400_000;

/** Calendar days from one day to another; both as `2026-11-29`. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMilliseconds);

/** The first day that a port may be asked for. */
export function earliestPortDay(timeZone: string, now: Date): string {
  const today = Date.parse(dayIn(timeZone, now));
  return new Date(today + minimumDaysAhead * dayMilliseconds).toISOString().slice(0, 10);
}

export type PortDay =
  | { readonly ok: true; readonly day: string }
  | { readonly ok: false; readonly problem: string };

/** The day that a customer asks for; absent: the earliest one. */
export function readPortDay(target: Date | undefined, timeZone: string, now: Date): PortDay {
  const earliest = earliestPortDay(timeZone, now);
  if (target === undefined) return { ok: true, day: earliest };
  const day = dayIn(timeZone, target);
  const ahead = daysBetween(dayIn(timeZone, now), day);
  if (ahead < minimumDaysAhead) {
    return {
      ok: false,
      problem: `target_port_date must be at least ${minimumDaysAhead} days ahead: ${earliest} or later (${timeZone}); ${day} is ${ahead} days ahead.`,
    };
  }
  if (ahead > maximumDaysAhead) {
    return {
      ok: false,
      problem: `target_port_date must be at most ${maximumDaysAhead} days ahead; ${day} is ${ahead} days ahead.`,
    };
  }
  return { ok: true, day };
}
