import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { isFinal, pathways } from '../../pathways/index.js';
import { personas } from '../../personas/index.js';
import type { analyticsSchema, enhancedAnalyticsSchema } from '../schemas/analytics.js';
import { sankeyOf } from './flow.js';
import {
  type AnalyticsSubject,
  type DayTotals,
  daysQuery,
  flowQuery,
  type LatestRun,
  latestQuery,
  scenarioNames,
} from './queries.js';
import { blameOf, healthScore, reliabilityScore, weakestLink, weeklyTrend } from './scores.js';

type Basic = z.output<typeof analyticsSchema>;
type Enhanced = z.output<typeof enhancedAnalyticsSchema>;

/** The trend compares two weeks, however short the window is. */
const trendDays = 14;

const dateOf = (moment: Date): string => moment.toISOString().slice(0, 10);
/** The day that a window of whole days in UTC begins with; today is its last. */
export const windowStart = (now: Date, days: number): string =>
  dateOf(new Date(now.getTime() - (days - 1) * 86_400_000));

export interface AnalyticsWindow {
  readonly days: number;
  readonly now: Date;
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function basicAnalytics(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  { days, now }: AnalyticsWindow,
): Promise<Basic> {
  const { subject } = await findSubject(database, organizationId, id);
  return basicOf(database, subject, windowStart(now, days));
}

async function basicOf(
  database: Kysely<Database>,
  subject: AnalyticsSubject,
  since: string,
  readTotals?: readonly DayTotals[],
): Promise<Basic> {
  const [totals, { rows: latest }] = await Promise.all([
    readTotals ??
      daysQuery(subject, since)
        .execute(database)
        .then(({ rows }) => rows),
    latestQuery(subject, since).execute(database),
  ]);
  return summaryOf(totals, latest);
}

/** What days come to together. @param latest newest first */
export function summaryOf(totals: readonly DayTotals[], latest: readonly LatestRun[]): Basic {
  const sum = (of: (day: DayTotals) => number): number =>
    totals.map(of).reduce((total, figure) => total + figure, 0);
  const runs = sum((day) => day.runs);
  const passed = sum((day) => day.passed);
  const scores = sum((day) => day.scores);
  return {
    total_runs: runs,
    passed,
    failed: runs - passed,
    pass_rate: runs === 0 ? null : passed / runs,
    failure_rate: runs === 0 ? null : (runs - passed) / runs,
    avg_score: scores === 0 ? null : sum((day) => day.scoreSum) / scores,
    runs: latest.map((run) => ({ ...run, created_at: run.created_at.toISOString() })),
  };
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function enhancedAnalytics(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  { days, now }: AnalyticsWindow,
): Promise<Enhanced> {
  const { subject, nodes: named, finalNodes } = await findSubject(database, organizationId, id);
  const since = windowStart(now, days);
  const today = dateOf(now);
  const [{ rows: allDays }, { rows: flows }] = await Promise.all([
    daysQuery(subject, windowStart(now, Math.max(days, trendDays))).execute(database),
    flowQuery(subject, since).execute(database),
  ]);
  const within = allDays.filter(({ date }) => date >= since);
  const { repeated, nodes, steps } = flows[0]!;
  const basic = await basicOf(database, subject, since, within);
  const nameOf = (node: string): string => named.get(node) ?? node;
  const total = { runs: basic.total_runs, failed: basic.failed };
  const blamed = nodes.map((node) => blameOf(node, total));
  const weakest = weakestLink(blamed, (node) => finalNodes.has(node));
  const scenarios = await scenarioNames(database, organizationId, [
    ...new Set(steps.map(({ scenario_id: scenario }) => scenario)),
  ]);
  return {
    ...basic,
    health_score: healthScore(within, basic.avg_score, today),
    reliability_score: reliabilityScore(repeated),
    trend: {
      weekly: weeklyTrend(allDays, today),
      daily_pass_rates: within.map(({ date, runs, passed }) => ({ date, rate: passed / runs, count: runs })),
    },
    node_failure_heatmap: heatmapOf(blamed, nameOf),
    weakest_link:
      weakest === null
        ? null
        : {
            node_id: weakest.found.node.node_id,
            node_name: nameOf(weakest.found.node.node_id),
            failure_rate: weakest.found.failureRate,
            ...weakest.found.interval,
            reason: weakest.reason,
          },
    sankey_data: sankeyOf(steps, { scenarios, nodes: named, finalNodes }),
  };
}

/** A node with how much it is to blame for failures. */
export type BlamedNode = ReturnType<typeof blameOf>;

/** Nodes that fail more than others first, then those at which runs stopped. */
export const heatmapOf = (
  blamed: readonly BlamedNode[],
  nameOf: (node: string) => string,
): Enhanced['node_failure_heatmap'] =>
  blamed
    .toSorted(
      (left, right) =>
        (right.blame ?? 0) - (left.blame ?? 0) ||
        right.node.failedHere - left.node.failedHere ||
        right.failureRate - left.failureRate ||
        (left.node.node_id < right.node.node_id ? -1 : 1),
    )
    .map(({ node, failureRate, interval, rateElsewhere, blame }) => ({
      node_id: node.node_id,
      node_name: nameOf(node.node_id),
      failure_count: node.failed,
      total_traversals: node.runs,
      failure_rate: failureRate,
      ...interval,
      stopped_count: node.failedHere,
      failure_rate_elsewhere: rateElsewhere,
      blame,
    }));

interface FoundSubject {
  readonly subject: AnalyticsSubject;
  readonly nodes: ReadonlyMap<string, string>;
  readonly finalNodes: ReadonlySet<string>;
}

/** A pathway, with the names of its nodes, or a persona. Throws `DemarcError` `NOT_FOUND`. */
async function findSubject(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<FoundSubject> {
  try {
    const { pathway_id: pathway, document } = await pathways.versionForTest(database, organizationId, id);
    return {
      subject: { organizationId, kind: 'pathway', id: pathway },
      nodes: new Map(document.nodes.map((node) => [node.id, node.name])),
      finalNodes: new Set(document.nodes.filter(isFinal).map((node) => node.id)),
    };
  } catch (error) {
    if (!(error instanceof DemarcError)) throw error;
    const persona = await personas.read(database, organizationId, id).catch((readError: unknown) => {
      throw readError instanceof DemarcError ? error : readError;
    });
    return {
      subject: { organizationId, kind: 'persona', id: persona.subject.id },
      nodes: new Map(),
      finalNodes: new Set(),
    };
  }
}
