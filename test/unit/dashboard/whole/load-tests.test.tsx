import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  BatchesPage,
  SimulationsPage,
  TornadoSessionsPage,
} from '../../../../src/dashboard/pages/testing/lists-page.js';
import { LoadTestPage } from '../../../../src/dashboard/pages/testing/load-test-page.js';
import { LoadTestsPage } from '../../../../src/dashboard/pages/testing/load-tests-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

const noLatency = { p50: null, p95: null, p99: null };
const step = {
  concurrency: 5,
  status: 'COMPLETED',
  breaks: null,
  attempts: 1,
  callers: 20,
  planned_callers: 20,
  passed: 18,
  failed: 1,
  agent_errors: 1,
  test_errors: 2,
  limit_refusals: 0,
  success_rate: 0.9,
  success_rate_interval: { lower: 0.7, upper: 0.97 },
  reasons: [],
  is_stand_in: false,
  latency_ms: { p50: 100, p95: 200, p99: 300 },
  answer_ms: noLatency,
};

describe('a load test', () => {
  const open = (): Promise<OpenedPage> =>
    OpenedPage.open(api, '/testing/load/:id', LoadTestPage, '/testing/load/l1');
  const test = (fields: object, ...steps: object[]): void =>
    api.answer('getLoadTest', (data) => ({
      ...data,
      id: 'l1',
      status: 'COMPLETED',
      breaks_at: null,
      break_reason: null,
      holds_at: null,
      maximum_latency_ms: null,
      error_message: null,
      completed_steps: steps.length,
      steps: steps.map((each) => ({ ...step, ...each })),
      ...fields,
    }));

  it.each([
    [
      { breaks_at: 10, break_reason: 'success_rate', holds_at: 5 },
      /^The agent breaks at 10 callers at once by its .*, holds 5 callers$/,
    ],
    [
      { breaks_at: 1, break_reason: 'latency', holds_at: null },
      /^The agent breaks at 1 caller at once by its [^,]*$/,
    ],
    [{ status: 'RUNNING', holds_at: 5 }, /^Not broken so far$/],
    [{ holds_at: 5 }, /^Not reached, holds 5 callers at once$/],
    [{ holds_at: null }, /^Nothing was shown$/],
  ])('of %j says what it shows', async (fields, result) => {
    test(fields, {});
    expect((await open()).all('h2')[0]).toMatch(result);
  });

  it('can be canceled while it runs', async () => {
    test({ status: 'RUNNING' }, {});
    const page = await open();
    api.refuse('cancelLoadTest', 409, 'X', 'It has ended.');
    await page.press('Cancel');
    expect(page.all('.field-problem')).toEqual(['It has ended.']);
    api.answer('cancelLoadTest', (data) => data);
    await page.press('Cancel');
    expect(api.sent.filter(({ operation }) => operation === 'getLoadTest')).toHaveLength(2);
    test({ status: 'COMPLETED' }, {});
    expect((await open()).elements('button').map(({ text }) => text)).not.toContain('Cancel');
  });

  it('counts the callers of each step', async () => {
    test(
      { maximum_latency_ms: 800 },
      {},
      { concurrency: 10, breaks: 'success_rate', attempts: 2, success_rate: null },
      { concurrency: 20, limit_refusals: 3 },
      { concurrency: 40, status: 'SKIPPED', callers: 0, limit_refusals: 3 },
    );
    const page = await open();
    const rows = page.all('tr').filter((text) => /^(?:5|10|20|40) /.test(text));
    expect(rows[0]).toMatch(/^5 Held 90 % .*20 of 20 18, 1, 3, 0 100 ms 200 ms 300 ms/);
    expect(rows[1]).toMatch(/^10 Breaks: .* begun 2 times – /);
    expect(rows[2]).toMatch(/^20 Limited /);
    expect(rows[3]).toMatch(/^40 Not run /);
    expect(page.text).toContain('Latency at most 800 ms');
    // Those of all steps.
    expect(page.text).toContain('Callers 60');
  });

  it('says why callers did not pass, and whose fault that was', async () => {
    const reason = { reason: 'No answer', kind: 'agent', sip_status: null, callers: 2 };
    test(
      {},
      { reasons: [reason, { ...reason, kind: 'test' }, { ...reason, kind: 'limit', sip_status: 503 }] },
      { concurrency: 10, callers: 0, reasons: [{ ...reason, reason: 'Never begun' }] },
    );
    const rows = (await open()).all('tr').filter((text) => /No answer|Never begun/.test(text));
    expect(rows).toEqual([
      '5 No answer 2',
      '5 No answer not the agent 2',
      expect.stringMatching(/^5 No answer SIP 503 limit of Demarc, not the agent 2$/),
    ]);
    test({}, {});
    expect((await open()).all('h2')).not.toContain('Why callers did not pass');
  });

  it('shows no charts before it has begun, and says when a stand-in answered', async () => {
    test({}, { callers: 0 });
    expect((await open()).all('h2')).not.toContain('Latency');
    test({}, { is_stand_in: true });
    const page = await open();
    expect(page.all('h2')).toContain('Latency');
    expect(page.text).toMatch(/stand-in/i);
  });
});

describe('a new load test', () => {
  it('is started with what is filled in', async () => {
    api.answer('listTestScenarios', (data) => ({
      ...data,
      scenarios: ['s1', 's2'].map((id) => ({ ...data.scenarios[0], id, name: `Scenario ${id}` })),
    }));
    api.answer('startLoadTest', (data) => ({ ...data, load_test_id: 'l9' }));
    const page = await OpenedPage.open(api, '/testing/load', LoadTestsPage);
    expect(page.text).toContain('4 steps, until the agent breaks.');
    await page.tick('Scenario s2', true);
    await page.fill('Callers at once', ' 1, 5 10 ');
    expect(page.text).toContain('3 steps, until the agent breaks.');
    await page.press('Start load test');
    await page.fill('Callers of a step', '40');
    await page.fill('Channel', 'voice');
    await page.fill('Must pass', '75');
    await page.fill('Latency at most', '900');
    await page.fill('Tokens at most', '5000');
    await page.fill('Cost at most', '0.5');
    await page.press('Start load test');
    const least = { scenario_ids: ['s2'], concurrency: [1, 5, 10], required_success_rate: 0.9 };
    expect(api.changesSent.map(({ body }) => body)).toEqual([
      least,
      {
        ...least,
        required_success_rate: 0.75,
        channel: 'voice',
        callers_per_step: 40,
        maximum_latency_ms: 900,
        token_budget: 5_000,
        cost_budget: 0.5,
      },
    ]);
    expect(page.led).toEqual(['/testing/load/l9', '/testing/load/l9']);
  });
});

describe.each([
  ['load tests', '/testing/load', LoadTestsPage, 'listLoadTests', 'load_tests'],
  ['batches', '/testing/batches', BatchesPage, 'listTestBatches', 'batches'],
  ['simulations', '/testing/simulations', SimulationsPage, 'listSimulationSets', 'simulation_sets'],
  ['tornado sessions', '/testing/tornado', TornadoSessionsPage, 'listTornadoSessions', 'sessions'],
] as const)('the list of %s', (name, path, component, operation, list) => {
  const links = (page: OpenedPage): string[] =>
    page
      .elements('nav')
      .flatMap(({ within }) => within.map((link) => `${link.text} ${link.getAttribute('href')}`))
      .filter((text) => /^(?:First|Next) /.test(text));

  it('is shown in pages', async () => {
    api.answer(operation, (data) => data, 'n1');
    expect(links(await OpenedPage.open(api, path, component, path))).toEqual([`Next ${path}?after=n1`]);
    expect(links(await OpenedPage.open(api, path, component, `${path}?after=a`))).toEqual([
      `First ${path}`,
      `Next ${path}?after=n1`,
    ]);
    expect(
      api.sent.filter((sent) => sent.operation === operation).map(({ url }) => /after=a/.test(url)),
    ).toEqual([false, true]);
  });

  it('without any is explained', async () => {
    api.answer(operation, (data) => ({ ...data, [list]: [] }));
    const page = await OpenedPage.open(api, path, component, path);
    expect(page.all('.empty-title')).toEqual([`No ${name}`]);
    expect(links(page)).toEqual([]);
  });
});

describe('a list of what was run', () => {
  it('names the first scenario, how many more, and how many passed', async () => {
    api.answer('listTestBatches', (data) => ({
      batches: [
        {
          ...data.batches[0],
          scenarios: [{ name: 'Hours' }, { name: 'Prices' }, { name: 'Returns' }],
          passed_scenarios: 2,
          failed_scenarios: 1,
          total_scenarios: 3,
          trigger_source: 'gate',
        },
        { ...data.batches[0], scenarios: [{ name: 'Hours' }] },
        { ...data.batches[0], scenarios: [] },
      ],
    }));
    const [, several, single, none] = (await OpenedPage.open(api, '/testing/batches', BatchesPage)).all('tr');
    expect(several).toMatch(/Hours and 2 more 2 of 3 passed .*Promotion/);
    expect(single).toMatch(/Hours (?!and)/);
    expect(none).toContain('–');
  });

  it('counts the failed runs of simulations by those that ended', async () => {
    api.answer('listSimulationSets', (data) => ({
      simulation_sets: [
        {
          ...data.simulation_sets[0],
          passed_runs: 3,
          completed_runs: 5,
          total_runs: 10,
          simulations_per_scenario: 7,
        },
      ],
    }));
    const page = await OpenedPage.open(api, '/testing/simulations', SimulationsPage);
    expect(page.all('tr')[1]).toMatch(/3 of 10 passed 7 /);
  });
});
