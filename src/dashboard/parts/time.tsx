import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { ago, clockTime, dateTime, due, duration } from './format.js';

/** One tick per second, shared by all counters on the page. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') now.value = Date.now();
  }, 1_000);
}

export function When({ at }: { at: string }): JSX.Element {
  return (
    <time class="figure" dateTime={at} title={at}>
      {dateTime(at)}
    </time>
  );
}

export function ClockTime({ at }: { at: string }): JSX.Element {
  return (
    <time class="figure" dateTime={at} title={at}>
      {clockTime(at)}
    </time>
  );
}

export function Ago({ at }: { at: string }): JSX.Element {
  return (
    <time dateTime={at} title={at}>
      {ago(at, now.value)}
    </time>
  );
}

/** Time until a moment. */
export function Due({ at }: { at: string }): JSX.Element {
  return (
    <time dateTime={at} title={at}>
      {due(at, now.value)}
    </time>
  );
}

/** Elapsed time since a moment. */
export function Elapsed({ since }: { since: string }): JSX.Element {
  const seconds = Math.max(0, Math.floor((now.value - new Date(since).getTime()) / 1_000));
  return <span class="figure">{seconds < 10 ? `${seconds} s` : duration(seconds)}</span>;
}
