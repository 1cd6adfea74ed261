import { backoff } from '../../base/backoff.js';
import type { Explanation } from '../../contract/explanations.js';

/** The state of one threshold of one direction at one moment. */
export type Finding =
  /** The threshold has been exceeded since that moment. */
  | {
      readonly condition: 'bad';
      readonly since: Date;
      readonly measured: number;
      readonly why: Explanation;
      /** The alert text, with figures. */
      readonly summary: string;
    }
  /** Clearly within the threshold; since when, if known. */
  | { readonly condition: 'good'; readonly since: Date | undefined }
  /** Neither: close to the threshold, or exceeded for too short a time. */
  | { readonly condition: 'between' }
  /** No data: no probes and no calls. */
  | { readonly condition: 'unknown' };

export interface ActiveAlert {
  readonly clearSince: Date | null;
  /** How often this alert fired recently, including this time. */
  readonly recentCount: number;
}

export type Decision =
  | { readonly action: 'fire' }
  | { readonly action: 'recover' }
  /** Keep the alert unchanged and store `clearSince`. */
  | { readonly action: 'keep'; readonly clearSince: Date | null };

const minuteMilliseconds = 60_000;
/** The value must stay good for this long before the recovery is announced. */
const clearMilliseconds = 2 * minuteMilliseconds;
const longestClearMilliseconds = 30 * minuteMilliseconds;
/** Alerts within the last two hours delay the next recovery. */
export const recentMilliseconds = 120 * minuteMilliseconds;

/** How long the value must stay good: doubled with each recent alert, so that a flapping trunk sends fewer notices. */
export const clearAfter = (recentCount: number): number =>
  backoff({ first: clearMilliseconds, longest: longestClearMilliseconds }, recentCount);

/** Decides what to do about an alert of this kind, given whether it is active. */
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
