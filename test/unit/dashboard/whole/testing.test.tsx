import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MonitorsPage } from '../../../../src/dashboard/pages/testing/monitors-page.js';
import { SchedulesPage } from '../../../../src/dashboard/pages/testing/schedules-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

const at = '2026-11-20T10:00:00Z';

describe('the monitors of real calls', () => {
  const open = (): Promise<OpenedPage> => OpenedPage.open(api, '/testing/monitors', MonitorsPage);
  const monitors = (...list: object[]): void =>
    api.answer('listTestMonitors', (data) => ({
      monitors: list.map((fields, index) => ({
        ...data.monitors[0],
        id: `m${index + 1}`,
        number: '+14155550100',
        share: 0.1,
        enabled: true,
        state: null,
        state_since: null,
        drift: null,
        problem: null,
        unheard_calls: 0,
        recent: { passed: 0, failed: 0, pass_rate: null },
        earlier: { passed: 0, failed: 0, pass_rate: null },
        usage_this_month: { tokens: 0, cost: null },
        ...fields,
      })),
    }));
  const rows = async (): Promise<readonly string[]> => (await open()).all('tr').slice(1);

  it('say how the calls of each stand', async () => {
    monitors(
      {},
      { state: 'passing', state_since: at, drift: 'better' },
      { state: 'failing', problem: 'Only half passes.' },
      { enabled: false, state: 'failing' },
    );
    const [unjudged, passing, failing, paused] = await rows();
    expect(unjudged).toContain('No call judged yet');
    expect(unjudged).not.toMatch(/since|Better/);
    expect(passing).toMatch(/Passing\s*since .*Better than before/);
    expect(failing).toContain('FailingOnly half passes.');
    expect(paused).toContain('Paused');
    expect(paused).not.toContain('Failing');
  });

  it('count the latest calls, and those before where there are some', async () => {
    monitors(
      {
        number: null,
        recent: { passed: 3, failed: 1, pass_rate: 0.75 },
        earlier: { passed: 9, failed: 1, pass_rate: 0.9 },
        unheard_calls: 2,
        usage_this_month: { tokens: 12_000, cost: { amount: 0.5, currency: 'USD' } },
      },
      {},
    );
    const [judged, fresh] = await rows();
    expect(judged).toContain('Calls of a persona, 10 % of the calls');
    expect(judged).toMatch(
      /75 % of 4 calls\s*Before: 90 % of 10\s*2 calls without messages\s*This month: 12.000 tokens/,
    );
    expect(fresh).toContain('+14155550100, 10 % of the calls');
    expect(fresh).not.toMatch(/Before:|without messages|This month/);
  });

  it('are paused, resumed and deleted one at a time', async () => {
    monitors({ enabled: false }, {});
    const page = await open();
    await page.press('Resume');
    await page.press('Pause');
    await page.press('Delete');
    expect(api.changesSent.map(({ operation, url, body }) => [operation, url, body])).toEqual([
      ['updateTestMonitor', '/v1/agent-testing/monitors/m1', { enabled: true }],
      ['updateTestMonitor', '/v1/agent-testing/monitors/m2', { enabled: false }],
      ['deleteTestMonitor', '/v1/agent-testing/monitors/m1', undefined],
    ]);
    expect(api.sent.filter(({ operation }) => operation === 'listTestMonitors')).toHaveLength(4);
    api.refuse('deleteTestMonitor', 503, 'X', 'PostgreSQL is slow.');
    await page.press('Delete');
    expect(page.all('.problem')).toEqual(['Not changed PostgreSQL is slow.']);
  });

  it('are not changed by a session that may only read', async () => {
    signInAs({ scopes: ['agent-testing:read'] });
    monitors({});
    const page = await open();
    for (const name of ['Pause', 'Delete', 'Add monitor'])
      await expect(page.press(name)).rejects.toThrow('disabled');
  });

  it('are added for a number or for a persona', async () => {
    monitors();
    api.answer('listTestScenarios', (data) => ({
      ...data,
      scenarios: [{ ...data.scenarios[0], id: 's1', name: 'Hours' }],
    }));
    api.answer('listPersonas', (data) => ({ personas: [{ ...data.personas[0], id: 'p1', name: 'Desk' }] }));
    const page = await open();
    expect(page.all('.empty-title')).toEqual(['No monitors']);
    await page.fill('Name', ' Front desk ');
    await page.fill('Number', ' +14155550100 ');
    await page.fill('Share of calls', '12.5');
    await page.press('Add monitor');
    await page.fill('Calls of', 'p1');
    expect(page.all('label').some((text) => text.startsWith('Number'))).toBe(false);
    await page.tick('Notify', false);
    await page.press('Add monitor');
    const body = { name: 'Front desk', scenario_id: 's1', share: 0.125, required_pass_rate: 0.8 };
    expect(api.changesSent.map((sent) => sent.body)).toEqual([
      { ...body, number: '+14155550100', notify_contacts: true },
      { ...body, persona_id: 'p1', notify_contacts: false },
    ]);
  });
});

describe('the recurring tests', () => {
  const open = (query = ''): Promise<OpenedPage> =>
    OpenedPage.open(api, '/testing/schedules', SchedulesPage, `/testing/schedules${query}`);
  const schedules = (...list: object[]): void =>
    api.answer('listTestSchedules', (data) => ({
      schedules: list.map((fields, index) => ({
        ...data.schedules[0],
        id: `t${index + 1}`,
        enabled: true,
        state: null,
        state_since: null,
        problem: null,
        lowest_pass_rate: null,
        matrix: null,
        budget: null,
        last_simulation_set_id: null,
        next_run_at: at,
        usage: { period: 'day', tokens: 0, cost: null },
        ...fields,
      })),
    }));
  const rows = async (): Promise<readonly string[]> => (await open()).all('tr').slice(1);

  it('say how often they run', async () => {
    schedules(
      { recurrence: { type: 'daily', time: '02:00', time_zone: 'Europe/Berlin' } },
      { recurrence: { type: 'interval', minutes: 30 } },
      { recurrence: { type: 'interval', minutes: 60 } },
      { recurrence: { type: 'interval', minutes: 360 }, next_run_at: null },
    );
    const [daily, half, hour, hours] = await rows();
    expect(daily).toContain('Every day at 02:00 (Europe/Berlin)');
    expect(half).toContain('Every 30 minutes');
    expect(hour).toContain('Every hour');
    expect(hours).toContain('Every 6 hours');
    expect([half!.includes('Paused'), hours!.includes('Paused')]).toEqual([false, true]);
  });

  it('say how they stand, and what they took', async () => {
    schedules(
      {},
      { state: 'passing', state_since: at, lowest_pass_rate: 0.9, last_simulation_set_id: 'x1' },
      {
        state: 'failing',
        problem: 'Below 80 %.',
        lowest_pass_rate: 0.5,
        usage: { period: 'day', tokens: 1_500, cost: { amount: 2, currency: 'USD' } },
        budget: { tokens: 2_000, cost: 3 },
      },
      { usage: { period: 'month', tokens: 7, cost: null } },
      { budget: { tokens: null, cost: null } },
    );
    const [fresh, passing, failing, counted, budgeted] = await rows();
    expect(fresh).toContain('No result yet');
    expect(fresh).not.toMatch(/since|Lowest|This day|Last runs/);
    expect(passing).toMatch(/Passing\s*since .*Lowest pass rate 90 %\s*Last runs/);
    expect(failing).toMatch(/Failing\s*Below 80 %\.\s*This day: 1.500 of 2.000 tokens, .* of 3/);
    expect(failing).not.toContain('Lowest');
    expect(counted).toMatch(/This month: 7 tokens/);
    expect(budgeted).toMatch(/This day: 0 tokens/);
  });

  it('are paused, resumed and deleted one at a time', async () => {
    schedules({}, { enabled: false });
    const page = await open();
    await page.press('Pause');
    await page.press('Resume');
    await page.press('Delete');
    expect(api.changesSent.map(({ url, body }) => [url.split('/').at(-1), body])).toEqual([
      ['t1', { enabled: false }],
      ['t2', { enabled: true }],
      ['t1', undefined],
    ]);
  });

  it('are added for the scenarios of the address, and changed in the same form', async () => {
    schedules({ name: 'Nightly', scenario_ids: ['s9'] });
    expect((await open()).all('h2')).toEqual(['Recurring tests']);
    const page = await open('?scenarios=s1,s2');
    expect(page.all('h2')).toEqual(['Recurring tests', 'Add recurring test']);
    await page.press('Change');
    expect(page.all('h2')).toEqual(['Recurring tests', 'Change Nightly']);
    await page.press('Cancel');
    expect(page.all('h2')).toEqual(['Recurring tests', 'Add recurring test']);
  });

  it('lead to the scenarios where there are none', async () => {
    schedules();
    expect((await open()).all('.empty-title')).toEqual(['No recurring tests']);
  });
});
