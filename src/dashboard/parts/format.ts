import { signal } from '@preact/signals';

/** Formats for figures and times, shared by all pages. */

const missing = '–';

export const whole = (value: number | null | undefined): string =>
  value === null || value === undefined ? missing : value.toLocaleString('en-US');

/** Fewer decimals for larger figures, so that they are readable at a glance. */
export function rate(value: number | null | undefined): string {
  if (value === null || value === undefined) return missing;
  return value.toFixed(value > 0 && value < 10 ? 1 : 0);
}

interface Money {
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** `€1.25`; small amounts keep three digits: `$0.0123`. */
export function money(value: Money | null | undefined): string {
  if (value === null || value === undefined) return missing;
  const { amount, currency } = value;
  const isSmall = amount > 0 && amount < 1;
  const digits = isSmall ? Math.min(10, 2 - Math.floor(Math.log10(amount))) : 2;
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.max(2, digits),
  });
}

export function percent(value: number | null | undefined, decimals = 1): string {
  if (value === null || value === undefined) return missing;
  // 99.996 must not be rounded to 100, which would hide the failures: the last shown digits are then cut off.
  const isRoundedToAll = value < 100 && value.toFixed(decimals) === (100).toFixed(decimals);
  const shown = isRoundedToAll
    ? Math.min(Number(value.toFixed(2)), 99.99).toFixed(2)
    : value.toFixed(decimals);
  return `${shown.replace(/\.0+$/, '')}\u00a0%`;
}

export function milliseconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return missing;
  if (value >= 10_000) return `${(value / 1_000).toFixed(0)}\u00a0s`;
  if (value >= 1_000) return `${(value / 1_000).toFixed(2)}\u00a0s`;
  return `${value > 0 && value < 10 ? value.toFixed(1) : value.toFixed(0)}\u00a0ms`;
}

/** `0.4 s`, `12 s`, `3:05`, `1:02:09`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)}\u00a0s`;
  const full = Math.floor(seconds);
  if (full < 60) return `${full}\u00a0s`;
  const pad = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(full / 3_600);
  const minutes = Math.floor(full / 60) % 60;
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(full % 60)}` : `${minutes}:${pad(full % 60)}`;
}

export function octets(value: number): string {
  if (value >= 1_048_576) return `${(value / 1_048_576).toFixed(value >= 104_857_600 ? 0 : 1)}\u00a0MB`;
  return value >= 1_024 ? `${(value / 1_024).toFixed(0)}\u00a0KB` : `${value}\u00a0B`;
}

export const zones = ['local', 'utc'] as const;
/** Whether times are those of the browser or of the traces, logs and other people's tools. */
export const zone = signal<(typeof zones)[number]>('local');

const formatsOf = (timeZone: string | undefined) => {
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  return {
    clock: format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    day: format({ day: 'numeric', month: 'short' }),
    year: format({ day: 'numeric', month: 'short', year: 'numeric' }),
    offset: format({ timeZoneName: 'shortOffset' }),
  };
};

const formats = { local: formatsOf(undefined), utc: formatsOf('UTC') };
/** Components that format a time are drawn again when the zone changes. */
const chosen = () => formats[zone.value];

const { timeZone: region } = new Intl.DateTimeFormat().resolvedOptions();

/** The time zone of all times on the pages at that moment, `Europe/Berlin, UTC+1`. */
export function zoneName(moment: number): string {
  if (zone.value === 'utc') return 'UTC';
  const offset = formats.local.offset
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const shown = offset?.replace('GMT', 'UTC').replace(/[+-]0$/, '') ?? 'UTC';
  return region === undefined || region === shown ? shown : `${region}, ${shown}`;
}

const isToday = (date: Date): boolean => chosen().year.format(date) === chosen().year.format(Date.now());

export const dayText = (moment: number): string => chosen().day.format(moment);
export const minuteText = (moment: number): string => chosen().clock.format(moment).slice(0, 5);

/** `14:03:07.123`: the precision of a trace. */
export const preciseTime = (moment: string): string =>
  `${chosen().clock.format(new Date(moment))}${moment.slice(19, 23)}`;

export const clockTime = (moment: string | number): string => chosen().clock.format(new Date(moment));

/** Start of an interval: `20 Nov` for days, `19 Nov 14:00` for shorter ones, `14:00` for those of today's hours. */
export function bucketTime(moment: string, seconds: number): string {
  const date = new Date(moment);
  if (seconds >= 86_400) return dayText(date.getTime());
  const time = minuteText(date.getTime());
  return isToday(date) && seconds <= 900 ? time : `${dayText(date.getTime())} ${time}`;
}

/** `14:03:07` today, `19 Nov 14:03:07` before. */
export function dateTime(moment: string | number): string {
  const date = new Date(moment);
  const time = clockTime(moment);
  if (isToday(date)) return time;
  const { day, year } = chosen();
  const isThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  return `${(isThisYear ? day : year).format(date)} ${time}`;
}

/** `12 s ago`, `5 min ago`, `3 h ago`, `2 d ago`. */
export function ago(moment: string | number, now = Date.now()): string {
  const seconds = Math.max(0, (now - new Date(moment).getTime()) / 1_000);
  return seconds < 5 ? 'just now' : `${coarse(seconds)} ago`;
}

/** `now`, `in 12 s`, `in 5 min`. */
export function due(moment: string | number, now = Date.now()): string {
  const seconds = Math.max(0, (new Date(moment).getTime() - now) / 1_000);
  return seconds < 1 ? 'now' : `in ${coarse(seconds)}`;
}

function coarse(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** `1 call`, `2 calls`. */
export const count = (value: number, singular: string, many = `${singular}s`): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? singular : many}`;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Within a sentence. */
export const decapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** `caller_hung_up` → `caller hung up`. */
export const spoken = (code: string): string => code.replaceAll('_', ' ');

/** A number as people write it, without blanks, brackets and dashes. */
export const bareNumber = (text: string): string => text.replace(/[\s()./-]/g, '');
