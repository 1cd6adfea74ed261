import { backoff } from '../../base/backoff.js';

/** When to retry a registrar. */

/**
 * No answer: a refused connection is cheap, and no call arrives until the PBX is back. An outage of more than an hour is not
 * a restart.
 */
const unreachable = { first: 2_000, longest: 5_000 } as const;
const longGone = { failures: 800, milliseconds: 60_000 } as const;
/** It answers 5xx: doubles from one failure to the next. */
const unavailable = { first: 3_000, longest: 300_000 } as const;
/** A PBX bans sources of repeated wrong credentials: fewer than five attempts in ten minutes. */
const refused = { first: 180_000, longest: 1_800_000 } as const;
/** A longer Retry-After is capped: it could keep a number out of service for days. */
const longestRetryAfterSeconds = 3_600;

/**
 * Milliseconds until the next attempt, with jitter so that a restarted PBX does not get all of them at once (RFC 5626 §4.5).
 * @param failures in a row, this one included
 * @param random 0 to 1
 */
export function retryDelay(
  kind: 'unreachable' | 'unavailable' | 'refused',
  failures: number,
  retryAfterSeconds: number | undefined,
  random: number = Math.random(),
): number {
  const { first, longest } = { unreachable, unavailable, refused }[kind];
  const isLongGone = kind === 'unreachable' && failures > longGone.failures;
  const range = isLongGone
    ? { first: longGone.milliseconds, longest: longGone.milliseconds }
    : { first, longest };
  const delay = backoff({ ...range, jitter: 0.5 }, failures, random);
  if (retryAfterSeconds === undefined) return delay;
  // RFC 3261 §20.33: a minimum. The jitter is added.
  const asked = Math.min(retryAfterSeconds, longestRetryAfterSeconds) * 1_000;
  return Math.max(delay, asked * (1 + random / 10));
}

/** Milliseconds until the refresh of a binding: early enough for a retry if the first attempt gets no answer. */
export function refreshDelay(expiresSeconds: number, random: number = Math.random()): number {
  const latest = Math.max(expiresSeconds * 0.85, expiresSeconds - 60);
  return Math.max(500, (latest - expiresSeconds * 0.1 * random) * 1_000);
}
