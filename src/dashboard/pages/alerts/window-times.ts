/** Times of maintenance windows, as the fields of the form write them. */

/** `2026-11-22T02:00`: a moment on the clocks of a time zone. */
export function localTimeIn(zone: string, moment: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
  }).formatToParts(new Date(moment));
  const part = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

const dayMinutes = 1_440;

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

/** From one time of day to the next time it is the other; the same time: a whole day. */
export const minutesBetween = (start: string, end: string): number =>
  (minutesOf(end) - minutesOf(start) + dayMinutes) % dayMinutes || dayMinutes;

/** `HH:MM`, so many minutes later. */
export function clockOf(start: string, minutes: number): string {
  const total = (minutesOf(start) + minutes) % dayMinutes;
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`;
}
