import { Temporal } from 'temporal-polyfill';
import type { Recurrence } from '../schemas/schedule.js';

const minuteMilliseconds = 60_000;

/**
 * When runs are started next, after `now`.
 * @param due when they were due; an interval counts from it, so that starts do not drift. Undefined: from `now`
 */
export function nextRunAt(recurrence: Recurrence, now: Date, due?: Date): Date {
  if (recurrence.type === 'daily') return nextTimeOfDay(recurrence, now);
  const milliseconds = recurrence.minutes * minuteMilliseconds;
  if (due === undefined) return new Date(now.getTime() + milliseconds);
  // Starts that were missed are not made up for.
  const passed = Math.max(0, now.getTime() - due.getTime());
  return new Date(due.getTime() + (Math.floor(passed / milliseconds) + 1) * milliseconds);
}

/** A time that summer time skips is as much later; of a time that comes twice, the first counts. */
function nextTimeOfDay({ time, time_zone: zone }: Extract<Recurrence, { type: 'daily' }>, now: Date): Date {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  for (let day = 0; ; day++) {
    const { epochMilliseconds } = today
      .add({ days: day })
      .toPlainDateTime(Temporal.PlainTime.from(time))
      .toZonedDateTime(zone, { disambiguation: 'compatible' });
    if (epochMilliseconds > now.getTime()) return new Date(epochMilliseconds);
  }
}
