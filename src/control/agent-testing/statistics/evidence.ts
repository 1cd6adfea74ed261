import { wilsonInterval } from './wilson-interval.js';

/** Runs of one scenario with one version that passed or failed. Runs that ended otherwise say nothing about the agent. */
export interface RunCounts {
  readonly passed: number;
  readonly failed: number;
}

/** Default of `required_pass_rate`: an agent that passes half of its runs is promoted once in about 180 tries. */
export const defaultRequiredPassRate = 0.65;
/** Default of `promotion_runs`. */
export const defaultPromotionRuns = 5;
/** Of one scenario in one promotion: a multiple of the runs that it begins with. */
const largestMultiple = 4;

/** `closed`: no further runs help, or this promotion may not start as many as would. */
export type GateDecision =
  | { readonly kind: 'open' }
  | { readonly kind: 'more'; readonly runs: number }
  | { readonly kind: 'closed'; readonly isFinal: boolean };

export interface GateTerms {
  /** The lower end of the 95 % Wilson interval must reach it, 0–1. */
  readonly requiredPassRate: number;
  /** Runs that a promotion begins with. */
  readonly promotionRuns: number;
}

/**
 * Whether the runs so far show that the version passes often enough: by the lower end of the 95 % Wilson interval of its pass rate, so that
 * luck in few runs opens nothing. While the interval contains the required rate, more runs can decide.
 * @param counts of all promotions of the version: repeating a promotion continues its series, and begins no new one
 * @param begun runs of this promotion
 */
export function decideGate(counts: RunCounts, terms: GateTerms, begun: number): GateDecision {
  const { passed, failed } = counts;
  const { requiredPassRate, promotionRuns } = terms;
  const interval = wilsonInterval(passed, passed + failed);
  if (interval !== undefined && interval.lower >= requiredPassRate) return { kind: 'open' };
  if (interval !== undefined && interval.upper < requiredPassRate) return { kind: 'closed', isFinal: true };
  const left =
    Math.max(promotionRuns * largestMultiple, runsToOpen({ passed: 0, failed: 0 }, requiredPassRate)) - begun;
  const runs = runsToOpen(counts, requiredPassRate);
  return runs > left ? { kind: 'closed', isFinal: false } : { kind: 'more', runs };
}

/** How many further runs must pass, without a failure, until the lower end reaches the rate. */
function runsToOpen({ passed, failed }: RunCounts, requiredPassRate: number): number {
  for (let more = 1; ; more++) {
    const interval = wilsonInterval(passed + more, passed + failed + more)!;
    if (interval.lower >= requiredPassRate) return more;
  }
}

const percent = (rate: number): string => `${Math.round(rate * 100)} %`;

/** As `7 of 8 runs passed (53–98 %, 65 % required)`. */
export function evidenceText({ passed, failed }: RunCounts, requiredPassRate: number): string {
  const runs = passed + failed;
  const interval = wilsonInterval(passed, runs);
  const range =
    interval === undefined ? '' : `${percent(interval.lower).replace(' %', '')}–${percent(interval.upper)}, `;
  return `${passed} of ${runs} runs passed (${range}${percent(requiredPassRate)} required)`;
}
