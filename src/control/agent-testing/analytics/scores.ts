import { type Interval, wilsonInterval } from '../statistics/wilson-interval.js';

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

/** What the runs say about one node. Rates 0–1. */
export interface NodeBlame<Node extends NodeResults = NodeResults> {
  readonly node: Node;
  /** Of the runs that visited it. */
  readonly failureRate: number;
  /** Of the failure rate, 95 %. */
  readonly interval: Interval;
  /** Failure rate of the runs that did not visit it; null: every run did, so that a comparison is impossible. */
  readonly rateElsewhere: number | null;
  /** Its visitors fail more often than other runs, and the intervals of both rates do not overlap. */
  readonly standsOut: boolean;
  /** By how much its visitors fail more often than other runs, 0 at least; null as above. */
  readonly blame: number | null;
}

/** Every run visits the start, so that a high failure rate of visitors alone says nothing: a node is compared with the runs that pass it by. */
export function blameOf<Node extends NodeResults>(
  node: Node,
  total: { readonly runs: number; readonly failed: number },
): NodeBlame<Node> {
  const failureRate = node.failed / node.runs;
  const interval = wilsonInterval(node.failed, node.runs)!;
  const runsElsewhere = total.runs - node.runs;
  const failedElsewhere = total.failed - node.failed;
  const elsewhere = wilsonInterval(failedElsewhere, runsElsewhere);
  const rateElsewhere = elsewhere === undefined ? null : failedElsewhere / runsElsewhere;
  return {
    node,
    failureRate,
    interval,
    rateElsewhere,
    standsOut: elsewhere !== undefined && interval.lower > elsewhere.upper,
    blame: rateElsewhere === null ? null : Math.max(0, failureRate - rateElsewhere),
  };
}

/**
 * The node most responsible for failures. First those that stand out, by how many runs that is; then those at which failed runs stopped before an end of the pathway. Null: the runs blame none.
 * @param isFinal whether a node ends conversations
 */
export function weakestLink<Node extends NodeResults>(
  nodes: readonly NodeBlame<Node>[],
  isFinal: (nodeId: string) => boolean,
): { readonly found: NodeBlame<Node>; readonly reason: 'visitors_fail_more' | 'failed_runs_stop' } | null {
  const most = (weight: (candidate: NodeBlame<Node>) => number): NodeBlame<Node> | undefined =>
    nodes
      .filter((candidate) => weight(candidate) > 0)
      .sort(
        (left, right) =>
          weight(right) - weight(left) ||
          right.failureRate - left.failureRate ||
          (left.node.node_id < right.node.node_id ? -1 : 1),
      )[0];
  const worst = most(({ node, standsOut, blame }) => (standsOut ? node.runs * blame! : 0));
  if (worst !== undefined) return { found: worst, reason: 'visitors_fail_more' };
  const stopped = most(({ node }) => (isFinal(node.node_id) ? 0 : node.failedHere));
  return stopped === undefined ? null : { found: stopped, reason: 'failed_runs_stop' };
}
