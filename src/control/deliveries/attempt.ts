import { backoff } from '../../base/backoff.js';
import type { NoticeSettings } from '../../config/notice-settings.js';
import type { Attempt } from './delivery-storage.js';
import type { Outcome } from './sender.js';

const longestRetryMilliseconds = 3_600_000;

/** Delay after the nth failure: doubled each time, at most an hour, with 25 % jitter. */
export function retryDelay(attempts: number, first: number, random = Math.random()): number {
  return Math.round(backoff({ first, longest: longestRetryMilliseconds, jitter: 0.25 }, attempts, random));
}

/** The part of an attempt that its outcome decides. */
export interface ConcludedAttempt extends Omit<Attempt, 'milliseconds' | 'exchange'> {
  /** Milliseconds until the next attempt; undefined: there is none. */
  readonly wait: number | undefined;
}

/** @param earlier attempts that were counted before this one */
export function attemptOf(
  earlier: number,
  outcome: Exclude<Outcome, { kind: 'interrupted' }>,
  settings: Pick<NoticeSettings['delivery'], 'attempts' | 'retryMilliseconds'>,
  now = Date.now(),
): ConcludedAttempt {
  const { status: lastStatus } = outcome;
  const last = { lastStatus, nextAttemptAt: null, wait: undefined } as const;
  if (outcome.kind === 'delivered') return { ...last, status: 'delivered', error: null };
  const attempts = earlier + 1;
  const { error } = outcome;
  if (outcome.isFinal || attempts >= settings.attempts) return { ...last, status: 'failed', error };
  const wait = retryDelay(attempts, settings.retryMilliseconds);
  return { status: 'pending', lastStatus, error, nextAttemptAt: new Date(now + wait), wait };
}
