/** Health, reliability, trend and weakest link. Pure; docs/agent-testing.md explains them to customers. */

/** The runs of one day in UTC. */
export interface DayResults {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly runs: number;
  readonly passed: number;
}

/** After so many days, a result counts half as much for the health. */
const halfLifeDays = 7;
const passRateWeight = 0.7;

const millisecondsPerDay = 86_400_000;
/** @returns whole days from the date to today, both in UTC */
const ageInDays = (date: string, today: string): number =>
  Math.round((Date.parse(today) - Date.parse(date)) / millisecondsPerDay);

/**
 * How good the agent is now, 0–1: 70 % the pass rate, in which results of a week ago count half, and 30 % the mean score.
 * @param averageScore null: no run has a score, so the pass rate alone counts
 * @returns null: no runs
 */
export function healthScore(
  days: readonly DayResults[],
  averageScore: number | null,
  today: string,
): number | null {
  let weights = 0;
  let passed = 0;
  for (const day of days) {
    const weight = 0.5 ** (ageInDays(day.date, today) / halfLifeDays);
    weights += weight * day.runs;
    passed += weight * day.passed;
  }
  if (weights === 0) return null;
  const rate = passed / weights;
  return averageScore === null ? rate : passRateWeight * rate + (1 - passRateWeight) * averageScore;
}

/** Runs of one scenario with one version. */
export interface RepeatedRuns {
  readonly runs: number;
  readonly passed: number;
}

/**
 * The chance that two runs of one scenario with the same version end alike, 0–1 (the share of equal pairs, which is unbiased for few
 * runs too), averaged over scenarios and versions by their runs.
 * @returns null: nothing ran twice
 */
export function reliabilityScore(repeated: readonly RepeatedRuns[]): number | null {
  let weights = 0;
  let alike = 0;
  for (const { runs, passed } of repeated) {
    if (runs < 2) continue;
    const failed = runs - passed;
    const equalPairs = passed * (passed - 1) + failed * (failed - 1);
    alike += runs * (equalPairs / (runs * (runs - 1)));
    weights += runs;
  }
  return weights === 0 ? null : alike / weights;
}

export type Trend = 'improving' | 'declining' | 'stable';

/** Differences of the pass rate below it mean nothing. */
const trendStep = 0.05;
const week = 7;

/** The last seven days compared with the seven before: five points of the pass rate make a trend. */
export function weeklyTrend(days: readonly DayResults[], today: string): Trend {
  const rateOf = (youngest: number): number | undefined => {
    const within = days.filter(({ date }) => {
      const age = ageInDays(date, today);
      return age >= youngest && age < youngest + week;
    });
    const runs = within.reduce((total, day) => total + day.runs, 0);
    return runs === 0 ? undefined : within.reduce((total, day) => total + day.passed, 0) / runs;
  };
  const [current, earlier] = [rateOf(0), rateOf(week)];
  if (current === undefined || earlier === undefined) return 'stable';
  // Rounding must not decide about a difference of exactly five points.
  const difference = Math.round((current - earlier) * 1e9) / 1e9;
  if (difference >= trendStep) return 'improving';
  return difference <= -trendStep ? 'declining' : 'stable';
}

export interface NodeResults {
  readonly node_id: string;
  /** Runs that visited it, each once. */
  readonly runs: number;
  /** Those of them that did not pass. */
  readonly failed: number;
  /** Runs that did not pass and ended at it. */
  readonly failedHere: number;
}

/**
 * The node most responsible for failures: whose visitors fail most above the rate of all runs, counted in runs. Every run visits the
 * start, so that a high failure rate alone says nothing. If no node stands out, it is where most failed runs ended.
 * @param total all runs, with and without nodes
 */
export function weakestLink<Node extends NodeResults>(
  nodes: readonly Node[],
  total: { readonly runs: number; readonly failed: number },
): Node | null {
  if (total.failed === 0) return null;
  const excess = ({ runs, failed }: NodeResults): number =>
    Math.max(0, Math.round((failed - (runs * total.failed) / total.runs) * 1e6) / 1e6);
  const [worst] = nodes
    .filter(({ failed }) => failed > 0)
    .sort(
      (left, right) =>
        excess(right) - excess(left) ||
        right.failedHere - left.failedHere ||
        right.failed / right.runs - left.failed / left.runs ||
        (left.node_id < right.node_id ? -1 : 1),
    );
  return worst ?? null;
}
