/** Statistics of repeated runs. Pure; each formula names its source, and the tests compare with published values. */

import { type Interval, wilsonInterval } from '../statistics/wilson-interval.js';

export interface Distribution {
  readonly mean: number | null;
  readonly median: number | null;
  /** Of the sample (divisor n − 1); null: fewer than two values. */
  readonly stddev: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

export type Confidence = 'low' | 'medium' | 'high';

/** In two passes: with one, the differences of large numbers would drown in rounding. */
export function distributionOf(values: readonly number[]): Distribution {
  if (values.length === 0) return { mean: null, median: null, stddev: null, min: null, max: null };
  const rough = sum(values) / values.length;
  // The mean of the deviations corrects the rounding of the sum.
  const mean = rough + sum(values.map((value) => value - rough)) / values.length;
  const squares = sum(values.map((value) => (value - mean) ** 2));
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  return {
    mean,
    median:
      sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2,
    stddev: values.length < 2 ? null : Math.sqrt(squares / (values.length - 1)),
    min: sorted[0]!,
    max: sorted.at(-1)!,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Widths of the interval up to which a pass rate is known well, or roughly. */
const confidenceWidths = { high: 0.2, medium: 0.4 } as const;

/**
 * How well a pass rate is known, by the width of its Wilson interval: 16 runs that all pass give high confidence, 6 medium;
 * if half of them fail, it takes 93 and 21.
 */
export function confidenceOf(interval: Interval | undefined): Confidence {
  if (interval === undefined) return 'low';
  const width = interval.upper - interval.lower;
  if (width <= confidenceWidths.high) return 'high';
  return width <= confidenceWidths.medium ? 'medium' : 'low';
}

/** What the statistics read of a run that ended. */
export interface SimulatedRun {
  readonly id: string;
  readonly status: 'PASSED' | 'FAILED' | 'ERROR';
  readonly score: number | null;
  /** Why it did not pass: its failed assertions, or its error. */
  readonly failures: readonly string[];
}

export interface PassRate {
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly pass_rate: number | null;
  readonly pass_rate_interval: Interval | null;
}

export interface RunStatistics extends PassRate {
  readonly total_runs: number;
  readonly is_flaky: boolean;
  readonly scores: Distribution;
  readonly worst_run_id: string | null;
  readonly common_failure_modes: readonly string[];
  readonly confidence: Confidence;
}

const maximumFailureModes = 5;

/** Runs that ended in ERROR say nothing about the agent: they count only as errors. */
export function passRateOf(runs: readonly SimulatedRun[]): PassRate {
  const passed = runs.filter(({ status }) => status === 'PASSED').length;
  const failed = runs.filter(({ status }) => status === 'FAILED').length;
  const judged = passed + failed;
  return {
    passed,
    failed,
    errors: runs.length - judged,
    pass_rate: judged === 0 ? null : passed / judged,
    pass_rate_interval: wilsonInterval(passed, judged) ?? null,
  };
}

/** Of the runs of one scenario; those that ended in ERROR count among the reasons of failures, too. */
export function statisticsOf(runs: readonly SimulatedRun[]): RunStatistics {
  const rate = passRateOf(runs);
  return {
    total_runs: runs.length,
    ...rate,
    is_flaky: rate.passed > 0 && rate.failed > 0,
    scores: distributionOf(runs.flatMap(({ status, score }) => (status === 'ERROR' ? [] : (score ?? [])))),
    worst_run_id: worstRun(runs),
    common_failure_modes: failureModes(runs),
    confidence: confidenceOf(rate.pass_rate_interval ?? undefined),
  };
}

/** The run with the lowest score; of runs with equal scores, one that failed. */
function worstRun(runs: readonly SimulatedRun[]): string | null {
  const scored = runs.filter(({ status, score }) => status !== 'ERROR' && score !== null);
  const rank = ({ status, score }: SimulatedRun): number => score! + (status === 'FAILED' ? 0 : 1e-9);
  return (
    scored.reduce<SimulatedRun | undefined>(
      (worst, run) => (worst === undefined || rank(run) < rank(worst) ? run : worst),
      undefined,
    )?.id ?? null
  );
}

/** The most frequent reasons first, each with the number of its runs. */
function failureModes(runs: readonly SimulatedRun[]): string[] {
  const counts = new Map<string, number>();
  for (const { failures } of runs)
    for (const reason of new Set(failures)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .sort(([left, count], [right, otherCount]) => otherCount - count || (left < right ? -1 : 1))
    .slice(0, maximumFailureModes)
    .map(([reason, count]) => `${reason} (${count} of ${runs.length} runs)`);
}

export interface OverallStatistics {
  readonly avg_pass_rate: number | null;
  readonly flaky_count: number;
  readonly reliable_count: number;
  readonly total_runs: number;
}

/** Over all scenarios of a set. A scenario is reliable when all its runs ended and passed. */
export function overallStatistics(scenarios: readonly RunStatistics[]): OverallStatistics {
  return {
    avg_pass_rate: distributionOf(scenarios.flatMap(({ pass_rate: rate }) => rate ?? [])).mean,
    flaky_count: scenarios.filter(({ is_flaky: isFlaky }) => isFlaky).length,
    reliable_count: scenarios.filter(({ passed, total_runs: total }) => total > 0 && passed === total).length,
    total_runs: scenarios.reduce((total, { total_runs: runs }) => total + runs, 0),
  };
}
