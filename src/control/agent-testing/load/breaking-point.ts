import type { BreakReason, StepFigures } from '../schemas/load-test.js';
import { wilsonInterval } from '../statistics/wilson-interval.js';

/** What a step must reach. */
export interface LoadTerms {
  /** 0–1. */
  readonly required_success_rate: number;
  /** Null: latencies break nothing. */
  readonly maximum_latency_ms: number | null;
  /** 0–1; null: the load test stops where the agent breaks. */
  readonly stop_below: number | null;
}

type Measured = Pick<StepFigures, 'success_rate' | 'success_rate_interval' | 'latency_ms'>;

/** Why the agent breaks at a step; null: that is not shown. */
export function breakOf(
  { success_rate_interval: interval, latency_ms: { p95 } }: Measured,
  { required_success_rate: required, maximum_latency_ms: most }: LoadTerms,
): BreakReason | null {
  if (interval !== null && interval.upper < required) return 'success_rate';
  return most !== null && p95 !== null && p95 > most ? 'latency' : null;
}

/** Whether no step follows one with these figures. */
export function isStop(figures: Measured, terms: LoadTerms): boolean {
  if (terms.stop_below === null) return breakOf(figures, terms) !== null;
  return (figures.success_rate ?? 0) < terms.stop_below;
}

export interface BreakingPoint {
  /** Callers at once of the first step at which the agent breaks; null: not reached. */
  readonly breaksAt: number | null;
  readonly reason: BreakReason | null;
  /** Of the last step before it that had all its callers; null: none. */
  readonly holdsAt: number | null;
}

/** @param steps those that ended, ascending */
export function breakingPointOf(
  steps: readonly {
    readonly concurrency: number;
    readonly breaks: BreakReason | null;
    /** Callers whom a limit of Demarc refused. */
    readonly limited: number;
  }[],
): BreakingPoint {
  const at = steps.findIndex(({ breaks }) => breaks !== null);
  const held = at < 0 ? steps : steps.slice(0, at);
  return {
    breaksAt: steps[at]?.concurrency ?? null,
    reason: steps[at]?.breaks ?? null,
    holdsAt: held.findLast(({ limited }) => limited === 0)?.concurrency ?? null,
  };
}

/** Callers of which none passes, so that the required rate is shown to be missed. */
export function fewestCallersFor(requiredSuccessRate: number): number {
  for (let callers = 1; ; callers++)
    if (wilsonInterval(0, callers)!.upper < requiredSuccessRate) return callers;
}
