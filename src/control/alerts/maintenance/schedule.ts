import { Temporal } from 'temporal-polyfill';

export const weekdays = [
  ...(['monday', 'tuesday', 'wednesday', 'thursday'] as const),
  ...(['friday', 'saturday', 'sunday'] as const),
] as const;
export type Weekday = (typeof weekdays)[number];

/** When a maintenance window is open. */
export type Schedule =
  /** ISO 8601 in UTC. */
  | { readonly type: 'once'; readonly starts_at: string; readonly ends_at: string }
  | {
      readonly type: 'weekly';
      readonly weekdays: readonly Weekday[];
      /** `HH:MM` of the window's time zone. */
      readonly start_time: string;
      /** Elapsed minutes: the clock may be changed meanwhile. */
      readonly duration_minutes: number;
    };

/** One time a window is open. */
export interface Occurrence {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** Weekly windows are shorter, so that those of two days ago cannot be open. */
export const longestWeeklyMinutes = 1_440;

const minuteMilliseconds = 60_000;

/** The present occurrence, or the next one that starts after `now`; undefined: there is none any more. */
export function occurrenceAt(schedule: Schedule, timeZone: string, now: Date): Occurrence | undefined {
  if (schedule.type === 'once') {
    const only = { startsAt: new Date(schedule.starts_at), endsAt: new Date(schedule.ends_at) };
    return only.endsAt > now ? only : undefined;
  }
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  // From yesterday, whose window may last past midnight, to the same weekday of next week.
  for (let day = -2; day <= 8; day++) {
    const occurrence = weeklyOccurrence(schedule, timeZone, today.add({ days: day }));
    if (occurrence !== undefined && occurrence.endsAt > now) return occurrence;
  }
  return undefined;
}

/**
 * The occurrence that starts on that date of the time zone. A start that summer time skips is as much later (02:30 becomes 03:30);
 * of a start that comes twice, the first counts.
 */
function weeklyOccurrence(
  { weekdays: chosen, start_time, duration_minutes }: Extract<Schedule, { type: 'weekly' }>,
  timeZone: string,
  date: Temporal.PlainDate,
): Occurrence | undefined {
  if (!chosen.includes(weekdays[date.dayOfWeek - 1]!)) return undefined;
  const startsAt = date
    .toPlainDateTime(Temporal.PlainTime.from(start_time))
    .toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds;
  return {
    startsAt: new Date(startsAt),
    endsAt: new Date(startsAt + duration_minutes * minuteMilliseconds),
  };
}

/** Whether the window is open at that moment: from its start up to, not including, its end. */
export function isCovered(schedule: Schedule, timeZone: string, moment: Date): boolean {
  const occurrence = occurrenceAt(schedule, timeZone, moment);
  return occurrence !== undefined && occurrence.startsAt <= moment;
}
