import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AnalyticsSubject,
  daysQuery,
  flowQuery,
  latestQuery,
} from '../../../../src/control/agent-testing/analytics/queries.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { createPathway } from '../../../../src/control/pathways/pathway-storage.js';
import { documentWith } from '../../../unit/control/pathways/sample-document.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';

/** Runs of each of two organizations; `DEMARC_TEST_RUNS=100000` shows how long a large organization waits. */
const many = Number(process.env.DEMARC_TEST_RUNS ?? 3_000);
let bench: ControlBench;
let api: ApiUnderTest;
const pathway = randomUUID();
const otherRun = randomUUID();
const quiet = randomUUID();
const tenants: { organization: string; key: string; scenario: string }[] = [];

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench);
  for (const name of ['one', 'two']) {
    const { id: organization } = await createOrganization(bench.database, { name, sipEnabled: false });
    const { key } = await createKey(bench.database, organization, 'test');
    for (const id of [pathway, otherRun, quiet])
      await createPathway(bench.database, organization, id, {
        name: 'Appointments',
        document: documentWith(),
      });
    const scenario = randomUUID();
    await sql`insert into agent_test_scenarios (organization_id, id, pathway_id, name, category, scenario_type, channel,
        tester_persona_prompt, max_turns, request_data, service_tone_enabled, is_required_for_promotion, enabled,
        input_messages, webhook_mocks, metadata)
      values (${organization}, ${scenario}, ${pathway}, 'Refund', 'CUSTOM', 'AGENT', 'text', 'x', 20, '{}', false, false,
        true, '[]', '[]', '{}')`.execute(bench.database);
    await sql`insert into agent_test_definitions values (${organization}, 'x', '{}')`.execute(bench.database);
    tenants.push({ organization, key, scenario });
    // Both organizations have runs of both pathways, so that each row has a twin that must not be counted.
    await insertRuns(organization, { scenario, pathway, runs: many });
    await insertRuns(organization, { scenario, pathway: otherRun, runs: 200 });
  }
  await sql`analyze`.execute(bench.database);
});
afterAll(async () => {
  await api?.stop();
  await bench?.stop();
});

/**
 * Of each ten runs, spread over 40 days, the first is cancelled, the next two fail on their way to a human, one of them in a loop,
 * one ends in ERROR without a node, and six pass.
 */
const insertRuns = (
  organization: string,
  { scenario, pathway, runs }: { scenario: string; pathway: string; runs: number },
) =>
  sql`
  insert into agent_test_runs (organization_id, id, scenario_id, pathway_id, version_number, definition_digest, channel,
    origin, status, overall_score, nodes_visited, current_node_id, error_message, created_at, completed_at)
  select ${organization}, gen_random_uuid(), ${scenario}::uuid, ${pathway}::uuid, 1, 'x', 'text', 'api', status,
    case status when 'PASSED' then 1 when 'FAILED' then 0.25 end, nodes, nodes[cardinality(nodes)],
    case status when 'ERROR' then 'No answer' end, at, at
  from (
    select
      case when n % 10 = 0 then 'CANCELLED' when n % 10 < 3 then 'FAILED' when n % 10 = 3 then 'ERROR' else 'PASSED' end
        as status,
      case when n % 10 = 3 then '{}'::text[]
        when n % 10 = 1 then '{greeting,greeting,human}'
        when n % 10 = 2 then '{greeting,lookup,greeting,human}'
        else '{greeting,lookup,goodbye}' end as nodes,
      date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - make_interval(days => (n / 10) % 40) as at
    from generate_series(0, ${runs - 1}) as n
  ) as made`.execute(bench.database);

const analytics = (path: string, key = tenants[0]!.key) =>
  api.get(`/v1/agent-testing/analytics/${path}`, key).then(({ body }) => body.data);

describe('analytics', () => {
  it('count the runs of the organization and pathway that ended within the days, without cancelled ones', async () => {
    const tens = Array.from({ length: many / 10 }, (_, index) => index);
    const within = tens.filter((ten) => ten % 40 < 30).length;
    const found = await analytics(pathway);
    expect(found).toMatchObject({
      total_runs: within * 9,
      passed: within * 6,
      failed: within * 3,
      pass_rate: 6 / 9,
      failure_rate: 3 / 9,
    });
    expect(found.avg_score).toBeCloseTo((6 * 1 + 2 * 0.25) / 8, 10);
    expect(found.runs).toHaveLength(100);
    expect(found.runs[0]).toMatchObject({ scenario_name: 'Refund', scenario_id: tenants[0]!.scenario });
    expect((await analytics(`${pathway}?days=365`)).total_runs).toBe((many / 10) * 9);
    const today = tens.filter((ten) => ten % 40 === 0).length;
    expect((await analytics(`${pathway}?days=1`)).total_runs).toBe(today * 9);
    expect((await analytics(otherRun)).total_runs).toBeLessThan(200);
  });

  it('show where runs go and fail: each node once for a run, whatever circles it made', async () => {
    const found = await analytics(`${pathway}/enhanced?days=40`);
    const tens = many / 10;
    expect(found.node_failure_heatmap).toEqual([
      node('human', 'Human', [2 * tens, 2 * tens], 2 * tens, 1 / 7),
      node('greeting', 'Greeting', [2 * tens, 8 * tens], 0, 1),
      node('lookup', 'Look up slots', [tens, 7 * tens], 0, 1),
      node('goodbye', 'Goodbye', [0, 6 * tens], 0, 1),
    ]);
    expect(found.weakest_link).toMatchObject({
      node_id: 'human',
      node_name: 'Human',
      failure_rate: 1,
      upper: 1,
      reason: 'visitors_fail_more',
    });
    expect(found.weakest_link.lower).toBeCloseTo(1 / (1 + 1.96 ** 2 / (2 * tens)), 3);
    const links = found.sankey_data.links.map(
      ({ source, target, pass_count: passed, fail_count: failed }: Record<string, unknown>) =>
        `${source} ${target} ${Number(passed) / tens} ${Number(failed) / tens}`,
    );
    const scenario = `scenario:${tenants[0]!.scenario}`;
    expect(links.sort()).toEqual(
      [
        `${scenario} node:greeting 6 2`,
        `${scenario} outcome:error 0 1`,
        'node:greeting node:human 0 1',
        'node:greeting node:lookup 6 1',
        'node:lookup node:human 0 1',
        'node:lookup node:goodbye 6 0',
        'node:goodbye outcome:passed 6 0',
        'node:human outcome:failed 0 2',
      ].sort(),
    );
    expect(found.trend).toMatchObject({ weekly: 'stable' });
    expect(found.trend.daily_pass_rates).toHaveLength(40);
    expect(found.trend.daily_pass_rates[0].rate).toBeCloseTo(2 / 3, 10);
    // Two runs of nine end alike with about 6/9² + 3/9².
    expect(found.reliability_score).toBeCloseTo(5 / 9, 2);
    expect(found.health_score).toBeCloseTo(0.7 * (2 / 3) + 0.3 * 0.8125, 10);
  });

  const node = (
    node_id: string,
    node_name: string,
    [failed, runs]: readonly [number, number],
    stopped_count: number,
    elsewhere: number,
  ) => ({
    node_id,
    node_name,
    failure_count: failed,
    total_traversals: runs,
    failure_rate: failed / runs,
    lower: expect.any(Number),
    upper: expect.any(Number),
    stopped_count,
    failure_rate_elsewhere: expect.closeTo(elsewhere, 10),
    blame: expect.closeTo(Math.max(0, failed / runs - elsewhere), 10),
  });

  it('have no rates and no scores before the first run', async () => {
    expect(await analytics(`${quiet}/enhanced`)).toEqual({
      total_runs: 0,
      passed: 0,
      failed: 0,
      pass_rate: null,
      failure_rate: null,
      avg_score: null,
      runs: [],
      health_score: null,
      reliability_score: null,
      trend: { weekly: 'stable', daily_pass_rates: [] },
      node_failure_heatmap: [],
      weakest_link: null,
      sankey_data: { nodes: [], links: [] },
    });
  });

  it('are refused for an unknown pathway, and for days out of range', async () => {
    const { key } = tenants[0]!;
    const unknown = await api.get(`/v1/agent-testing/analytics/${randomUUID()}/enhanced`, key);
    expect([unknown.status, unknown.body.errors[0].error]).toEqual([404, 'NOT_FOUND']);
    for (const days of ['0', '366', 'x']) {
      const answer = await api.get(`/v1/agent-testing/analytics/${pathway}?days=${days}`, key);
      expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'days']);
    }
  });

  it('read only rows of the organization, pathway and days, by the index', async () => {
    const subject: AnalyticsSubject = {
      organizationId: tenants[0]!.organization,
      kind: 'pathway',
      id: otherRun,
    };
    const since = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
    const found = await api.get(`/v1/agent-testing/analytics/${otherRun}?days=6`, tenants[0]!.key);
    const expected = found.body.data.total_runs;
    for (const query of [daysQuery, flowQuery, latestQuery]) {
      const reads = await readsOf(query(subject, since));
      for (const { index, rows, removed } of reads) {
        expect(index).toBe('agent_test_runs_of_pathway');
        // Only cancelled runs, a tenth, are read and dropped.
        expect(removed).toBeLessThanOrEqual(expected / 8);
        expect(rows).toBeLessThanOrEqual(expected);
      }
      expect(reads.length).toBe(1);
    }
  });

  it(`answer within bounds for ${many} runs`, async () => {
    const spent: Record<string, number> = {};
    for (const path of ['?days=365', '/enhanced?days=365']) {
      const began = performance.now();
      await analytics(`${pathway}${path}`);
      spent[path] = Math.round(performance.now() - began);
    }
    if (process.env.DEMARC_TEST_RUNS !== undefined) console.log(spent);
    expect(Math.max(...Object.values(spent))).toBeLessThan(5_000);
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How a query reads the runs. */
async function readsOf(
  query: RawBuilder<unknown>,
): Promise<{ index: string; rows: number; removed: number }[]> {
  const { rows } = await sql<{
    'QUERY PLAN': { Plan: PlanNode }[];
  }>`explain (analyze, format json) ${query}`.execute(bench.database);
  const reads: { index: string; rows: number; removed: number }[] = [];
  const visit = (node: PlanNode): void => {
    if (node['Relation Name'] === 'agent_test_runs') {
      const index = node['Index Name'] ?? node.Plans?.[0]?.['Index Name'] ?? 'none';
      reads.push({ index, rows: node['Actual Rows'], removed: node['Rows Removed by Filter'] ?? 0 });
    }
    node.Plans?.forEach(visit);
  };
  visit(rows[0]!['QUERY PLAN'][0]!.Plan);
  return reads;
}
