import { count, dayText, minuteText } from './format.js';

/** What a plot draws, without its canvas: stacked series, round ticks, and times as texts. */

export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly colour: 'accent' | 'good' | 'warn' | 'bad' | 'muted' | 'strong-line';
  readonly kind: 'line' | 'bars';
}

/** Each series with all below it added, the highest first: what is drawn later covers its lower part. */
export const stacked = (series: readonly Series[]): readonly Series[] =>
  series
    .map((line, place) => ({
      ...line,
      values: line.values.map((_, index) =>
        series.slice(0, place + 1).reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
      ),
    }))
    .reverse();

const oneDay = 86_400;

/** `1 minute`, `15 minutes`, `6 hours`, `1 day`. */
export function spanName(seconds: number): string {
  if (seconds >= oneDay) return count(seconds / oneDay, 'day');
  return seconds >= 3_600 ? count(seconds / 3_600, 'hour') : count(seconds / 60, 'minute');
}

/** Dates when many days are shown and at midnight, else the time of day. */
export function momentText(
  at: number,
  { min = 0, max = 0 }: { readonly min?: number | null; readonly max?: number | null } = {},
): string {
  const time = minuteText(at);
  return (max ?? 0) - (min ?? 0) > 2 * oneDay || time === '00:00' ? dayText(at) : time;
}

/** Round tick values; four lines or fewer are enough to read a height. */
export function linesBetween(low: number, high: number): number[] {
  const rough = (high - low) / 4;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 5, 10].map((factor) => factor * magnitude).find((candidate) => candidate >= rough) ?? rough;
  const lines: number[] = [];
  for (let line = 0; line <= high; line += step) lines.push(line);
  return lines;
}
