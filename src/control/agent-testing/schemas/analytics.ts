import { z } from 'zod';
import { wholeNumber } from '../../http/query.js';
import { runStatuses } from './run.js';

/** Query of both analytics endpoints. */
export const analyticsQuery = z.strictObject({
  days: wholeNumber(1, 365)
    .default(30)
    .meta({ description: 'Days in UTC up to today. Default 30, range 1–365.' }),
});

const share = (description: string) => z.number().meta({ description: `${description}, 0–1.` });

const basic = {
  total_runs: z.int().meta({ description: 'Runs that ended within the days, without cancelled ones.' }),
  passed: z.int().meta({ description: 'Runs that passed.' }),
  failed: z.int().meta({ description: 'Runs that ended in FAILED or ERROR.' }),
  pass_rate: z.number().nullable().meta({ description: 'Share of runs that passed, 0–1; null: no runs.' }),
  failure_rate: z.number().nullable().meta({ description: 'Share that did not pass, 0–1; null: no runs.' }),
  avg_score: z.number().nullable().meta({ description: 'Mean overall score, 0–1; null: no scores.' }),
  runs: z
    .array(
      z.object({
        id: z.string().meta({ description: 'Id of the run.' }),
        scenario_id: z.string(),
        scenario_name: z.string().meta({ description: 'Name of the scenario.' }),
        status: z.enum(runStatuses).meta({ description: 'How it ended.' }),
        score: z.number().nullable().meta({ description: 'Overall score, 0–1; null: none.' }),
        created_at: z.iso.datetime(),
      }),
    )
    .meta({ description: 'The latest runs, newest first.' }),
};
export const analyticsSchema = z.object(basic).meta({ id: 'TestAnalytics' });

const nodeName = z.string().meta({ description: 'Name of the node.' });
const interval = {
  lower: share('Lower end of the 95 % interval of the failure rate'),
  upper: share('Upper end of the interval'),
};
const nodeId = z.string().meta({ description: 'Id of the node.' });

export const enhancedAnalyticsSchema = z
  .object({
    ...basic,
    health_score: z.number().nullable().meta({ description: 'Health, 0–1; null: no runs.' }),
    reliability_score: z.number().nullable().meta({ description: 'Reliability, 0–1; null: no runs.' }),
    trend: z
      .object({
        weekly: z
          .enum(['improving', 'declining', 'stable'])
          .meta({ description: 'Last seven days compared with the seven before.' }),
        daily_pass_rates: z
          .array(
            z.object({
              date: z.string().meta({ description: 'Day in UTC, YYYY-MM-DD.' }),
              rate: share('Share of runs that passed'),
              count: z.int().meta({ description: 'Runs of the day.' }),
            }),
          )
          .meta({ description: 'Days with runs, oldest first.' }),
      })
      .meta({ description: 'Pass rate over time.' }),
    node_failure_heatmap: z
      .array(
        z.object({
          node_id: nodeId,
          node_name: nodeName,
          failure_count: z.int().meta({ description: 'Failed runs that visited it.' }),
          total_traversals: z.int().meta({ description: 'Runs that visited it.' }),
          failure_rate: share('Share of its visitors that failed'),
          ...interval,
          stopped_count: z.int().meta({ description: 'Failed runs that ended at it.' }),
          failure_rate_elsewhere: z
            .number()
            .nullable()
            .meta({ description: 'Share of the other runs that failed, 0–1; null: every run visited it.' }),
          blame: z.number().nullable().meta({
            description:
              'By how much its visitors fail more often than other runs, 0–1; null: every run visited it, so that the failures are of the path and not of the node.',
          }),
        }),
      )
      .meta({ description: 'Nodes, the most blamed first.' }),
    weakest_link: z
      .object({
        node_id: nodeId,
        node_name: nodeName,
        failure_rate: share('Share of its visitors that failed'),
        ...interval,
        reason: z.enum(['visitors_fail_more', 'failed_runs_stop']).meta({
          description:
            '`visitors_fail_more`: more often than other runs, with 95 % intervals that do not overlap; `failed_runs_stop`: no node stands out so, and most failed runs ended at this one, before an end of the pathway.',
        }),
      })
      .nullable()
      .meta({ description: 'Node most responsible for failures; null: the runs blame none.' }),
    sankey_data: z
      .object({
        nodes: z
          .array(
            z.object({
              id: z.string(),
              name: z.string(),
              type: z.enum(['scenario', 'node', 'outcome']).meta({ description: 'What it stands for.' }),
              category: z
                .enum(['start', 'middle', 'end', 'error'])
                .meta({ description: 'Its position in the flow.' }),
            }),
          )
          .meta({ description: 'Scenarios, nodes and outcomes.' }),
        links: z
          .array(
            z.object({
              source: z.string().meta({ description: 'Id of the node that it leaves.' }),
              target: z.string().meta({ description: 'Id of the node that it enters.' }),
              value: z.int().meta({ description: 'Runs.' }),
              pass_count: z.int().meta({ description: 'Runs that passed.' }),
              fail_count: z.int().meta({ description: 'Runs that did not.' }),
            }),
          )
          .meta({ description: 'Flows between them.' }),
      })
      .meta({ description: 'Flow from scenarios over nodes to outcomes.' }),
  })
  .meta({ id: 'EnhancedTestAnalytics' });
