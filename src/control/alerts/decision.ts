import { backoff } from '../../base/backoff.js';
import type { Explanation } from '../../contract/explanations.js';

/** What is known at a moment about one threshold of one direction. */
export type Finding =
  /** The threshold is passed, since that moment. */
  | {
      readonly condition: 'bad';
      readonly since: Date;
      readonly measured: number;
      readonly why: Explanation;
      /** What an alert says, with figures. */
      readonly summary: string;
    }
  /** Clearly within the threshold; since when, where that is known. */
  | { readonly condition: 'good'; readonly since: Date | undefined }
  /** Neither: close to the threshold, or bad for too short a time. */
  | { readonly condition: 'between' }
  /** Nothing can be said: nobody probes, nobody calls. */
  | { readonly condition: 'unknown' };

export interface ActiveAlert {
  readonly clearSince: Date | null;
  /** How often this alert was fired lately, this time included. */
  readonly recentCount: number;
}

export type Decision =
  | { readonly action: 'fire' }
  | { readonly action: 'recover' }
  /** Keep what is there; `clearSince` is to be remembered. */
  | { readonly action: 'keep'; readonly clearSince: Date | null };

const minuteMilliseconds = 60_000;
/** It must be good for this long before that is told. */
const clearMilliseconds = 2 * minuteMilliseconds;
const longestClearMilliseconds = 30 * minuteMilliseconds;
/** Alerts of the last two hours make the next recovery wait longer. */
export const recentMilliseconds = 120 * minuteMilliseconds;

/** How long it must be good: doubled with each alert of the last hours, so that what comes and goes is told less and less. */
export const clearAfter = (recentCount: number): number =>
  backoff({ first: clearMilliseconds, longest: longestClearMilliseconds }, recentCount);

/** What to do about an alert of this kind, which is active or not. */
export function decide(active: ActiveAlert | undefined, finding: Finding, now: Date): Decision {
  if (active === undefined) {
    return finding.condition === 'bad' ? { action: 'fire' } : { action: 'keep', clearSince: null };
  }
  switch (finding.condition) {
    case 'unknown':
      return { action: 'keep', clearSince: active.clearSince };
    case 'bad':
    case 'between':
      return { action: 'keep', clearSince: null };
    case 'good': {
      const clearSince = finding.since ?? active.clearSince ?? now;
      const isOver = now.getTime() - clearSince.getTime() >= clearAfter(active.recentCount);
      return isOver ? { action: 'recover' } : { action: 'keep', clearSince };
    }
  }
}
