/** Days that a page of usage shows. */
export const spans = [
  ['7', '7 d'],
  ['30', '30 d'],
  ['92', '92 d'],
] as const;
export type Span = (typeof spans)[number][0];

const dayMilliseconds = 86_400_000;

/** First of that many days in UTC, the last of which is today. */
export const firstDayOf = (span: Span, now: number): string =>
  new Date(now - (Number(span) - 1) * dayMilliseconds).toISOString().slice(0, 10);

/** Whole minutes, and tenths below ten. */
export const minutesText = (minutes: number): string =>
  minutes > 0 && minutes < 10 ? minutes.toFixed(1) : Math.round(minutes).toLocaleString('en-US');

/** How a share of a limit is judged: the contacts are notified at 80 %. */
export const toneOf = (percent: number): 'good' | 'warn' | 'bad' =>
  percent >= 100 ? 'bad' : percent >= 80 ? 'warn' : 'good';
