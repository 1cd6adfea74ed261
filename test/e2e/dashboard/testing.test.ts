import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstDocument } from '../../../src/dashboard/pages/pathways/first-document.js';
import type { Visitor } from '../browser.js';
import type { Body, RunningSystem } from '../running-system.js';
import { Visit } from './visit.js';

let visit: Visit;
let system: RunningSystem;
let noc: Visitor;
let pathwayId: string;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  system = visit.system;
  const pathway = { name: 'Appointments', document: firstDocument };
  pathwayId = (await system.ask('POST', '/v1/pathways', pathway)).data.id;
  await system.ask('POST', `/v1/pathways/${pathwayId}/versions/promote`, {});
  noc = await visit.visitor();
});
afterAll(() => visit?.end());

describe('a scenario', () => {
  it('comes from a template, has a form for each type of assertion, and shows a refusal at its assertion', async () => {
    const { page } = noc;
    await noc.open('/testing');
    await page.getByText('No scenarios').waitFor();
    await page.getByRole('link', { name: 'Templates' }).click();
    await expect.poll(() => page.getByRole('link', { name: /^Use / }).count()).toBe(15);
    await noc.expectAccessible('templates');
    await noc.picture('templates');
    await page.getByRole('link', { name: /^Use / }).first().click();
    await noc.heading('New scenario');
    await page.getByLabel('Name of the scenario').fill('Moves an appointment to Friday');
    await page.getByRole('combobox', { name: 'Pathway' }).selectOption({ label: 'Appointments' });
    await page.getByRole('button', { name: 'Create scenario' }).click();
    await noc.heading('Moves an appointment to Friday');

    const added = page.getByLabel('Add an assertion');
    const types = await added.locator('option').allTextContents();
    for (const label of types.slice(1)) await added.selectOption({ label });
    await noc.expectAccessibleEverywhere('assertion-forms');
    await page.reload();
    await noc.heading('Moves an appointment to Friday');
    await added.selectOption({ label: 'Regular expression' });
    await page.getByRole('textbox', { name: 'Pattern' }).fill('Friday');
    await page.getByLabel('Flags').fill('x');
    await page.getByRole('button', { name: 'Save scenario' }).click();
    const last = page.locator('.assertion').last();
    await last.locator('.field-problem').waitFor();
    await page.getByLabel('Flags').fill('i');
    await page.getByLabel('Must pass before').check();
    await page.getByRole('button', { name: 'Save scenario' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'Scenarios' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Moves an appointment to Friday' });
    await row.getByText('Required').waitFor();
    await row.getByRole('link', { name: 'Appointments' }).waitFor();
    expect(noc.problems).toEqual([]);
  });
});

describe('a run', () => {
  it('is watched live beside the graph, judged, analyzed, and counted in the analytics', async () => {
    const { page } = noc;
    const scenario = {
      name: 'Wants sympathy',
      pathway_id: pathwayId,
      tester_persona_prompt: 'You want sympathy.',
      assertions: [
        { type: 'LLM_JUDGE', name: 'Shows sympathy', config: { prompt: 'Did the agent show sympathy?' } },
        { type: 'NODE_REACHED', config: { node_id: 'goodbye' } },
      ],
    };
    const created: Body = await system.ask('POST', '/v1/agent-testing/scenarios', scenario);
    await noc.open(`/testing/scenarios/${created.data.id}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Good morning, how can I help you?').waitFor();
    await page.getByRole('region', { name: 'Result' }).getByText('Failed').waitFor();
    const graph = page.getByRole('region', { name: 'Graph with the visited nodes' });
    await graph.locator('.visited .node-name').getByText('Goodbye').waitFor();
    const assertions = page.getByRole('region', { name: 'Assertions' });
    await assertions.getByText('1 of 2 passed').waitFor();
    await assertions.getByText('The agent showed no sympathy.').waitFor();
    await assertions.getByText(/judged by rules/).waitFor();
    await page.getByText('No language model is configured.').waitFor();
    await page.getByRole('button', { name: 'Analyze this run' }).click();
    await page.getByText('No prompt asks for sympathy.').waitFor();
    await noc.expectAccessibleEverywhere('run');
    await noc.open(`/testing?pathway_id=${pathwayId}`);
    await noc.expectPageAccessible('testing');
    await page.getByLabel('Select Wants sympathy').check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await noc.heading('Batch');
    await page.getByRole('heading', { name: '0 of 1 passed' }).waitFor();
    await page.locator('.page-aside').getByText('Failed').waitFor();
    await noc.expectAccessible('batch');
    await noc.open(`/testing/analytics/${pathwayId}`);
    await page.getByText('Weakest node').waitFor();
    await page.getByRole('img', { name: /Flow of the runs/ }).waitFor();
    await noc.expectAccessibleEverywhere('analytics');
    expect(noc.problems).toEqual([]);
  });
});

describe('a recurring test', () => {
  it('is made of selected scenarios with a matrix and a budget, says when it runs next, and is changed and paused', async () => {
    const { page } = noc;
    const scenario = {
      name: 'Every morning',
      pathway_id: pathwayId,
      tester_persona_prompt: 'You want help.',
    };
    await system.ask('POST', '/v1/agent-testing/scenarios', scenario);
    await noc.open(`/testing?pathway_id=${pathwayId}`);
    await page.getByLabel('Select Every morning').check();
    await page.getByRole('button', { name: 'Repeat…' }).click();
    const form = page.getByRole('form', { name: 'Recurring test' });
    await form.getByLabel('Name').fill('Front desk');
    await form.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByText('Vary the caller').click();
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByRole('combobox', { name: 'Field 1' }).selectOption({ label: 'Most turns of the caller' });
    await page.getByLabel('Values of field 1').fill('4\n20');
    await form.getByLabel('Version').selectOption('draft');
    await form.getByLabel('Tokens at most').fill('100000');
    await page.getByRole('button', { name: 'Add recurring test' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Front desk' });
    await row.getByText('Every day at 06:30 (Europe/Berlin)').waitFor();
    await row.getByText('No result yet').waitFor();
    await row.getByText(/varied: max_turns/).waitFor();
    await row.getByRole('button', { name: 'Change' }).click();
    await page.getByText('Vary the caller').click();
    expect(await page.getByLabel('Values of field 1').inputValue()).toBe('4\n20');
    await page.getByRole('radio', { name: 'At intervals' }).check();
    await page.getByLabel(/^Hours between/).fill('0.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Every 30 minutes').waitFor();
    await row.getByRole('button', { name: 'Pause' }).click();
    await row.getByText('Paused', { exact: true }).waitFor();
    const { schedules } = (await system.ask('GET', '/v1/agent-testing/schedules')).data;
    expect(schedules).toMatchObject([
      {
        name: 'Front desk',
        recurrence: { type: 'interval', minutes: 30 },
        simulations_per_scenario: 5,
        required_pass_rate: 0.8,
        version: 'draft',
        matrix: { fields: { max_turns: [4, 20] }, seed: 1 },
        budget: { period: 'month', tokens: 100_000, cost: null },
        enabled: false,
      },
    ]);
    await noc.expectAccessibleEverywhere('recurring-tests');
    expect(noc.problems).toEqual([]);
  });
});

describe('a load test', () => {
  it('is started with scenarios, and shows each step in charts and a table', async () => {
    const { page } = noc;
    const scenario = {
      name: 'Many callers',
      pathway_id: pathwayId,
      tester_persona_prompt: 'You want help.',
    };
    await system.ask('POST', '/v1/agent-testing/scenarios', scenario);
    await system.ask('POST', '/v1/agent-testing/scenarios', { ...scenario, name: 'More callers' });
    await noc.open('/testing/load');
    await page.getByText('No load tests').waitFor();
    await page.getByRole('checkbox', { name: 'Many callers' }).check();
    await page.getByRole('checkbox', { name: 'More callers' }).check();
    await page.getByLabel('Callers at once in each step').fill('2, 900');
    await page.getByLabel('Callers of a step in all').fill('4');
    await page.getByRole('button', { name: 'Start load test' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Callers at once in each step').fill('2, 3');
    await page.getByRole('button', { name: 'Start load test' }).click();
    await noc.heading('Load test');
    await page.getByRole('heading', { name: 'Not reached, holds 3 callers at once' }).waitFor();
    await page.getByRole('img', { name: 'Success rate by callers at once' }).waitFor();
    const rows = page.getByRole('region', { name: 'Figures of each step' }).getByRole('row');
    await rows.filter({ hasText: '4 of 4' }).first().waitFor();
    expect(await rows.filter({ hasText: 'Held' }).count()).toBe(2);
    await noc.expectAccessibleEverywhere('load-test');
    await page.getByRole('link', { name: 'Load tests' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: '2 of 2' })
      .getByText('Not reached', { exact: true })
      .waitFor();
    await noc.expectAccessible('load tests');
    expect(noc.problems).toEqual([]);
  });
});
