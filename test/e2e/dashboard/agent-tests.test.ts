import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstDocument } from '../../../src/dashboard/pages/pathways/first-document.js';
import { until } from '../../../src/testkit/waiting.js';
import { documentedExamples, runCommands } from '../../support/documented-examples.js';
import type { Visitor } from '../browser.js';
import type { Body, RunningSystem } from '../running-system.js';
import { inbound, Visit } from './visit.js';

/** Agent tests on their pages, from the real things: a real call, a model that answers by rules, and promotions that wait for tests. */
const called = '+13125550161';

let visit: Visit;
let system: RunningSystem;
let noc: Visitor;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  system = visit.system;
  await visit.attach(called, inbound());
  noc = await visit.visitor();
});
afterAll(() => visit?.end());

const post = async (path: string, body: object = {}): Promise<Body> => {
  const answer: Body = await system.ask('POST', `/v1${path}`, body);
  expect(answer.errors, JSON.stringify(answer)).toBeNull();
  return answer.data;
};

/** A pathway whose agent names the price only with a prompt that says so. */
const pathway = async (name: string): Promise<string> =>
  (await post('/pathways', { name, document: firstDocument })).id;

const says = (value: string) => ({
  type: 'STRING_CHECK',
  name: `Says ${value}`,
  config: { value, target: 'agent' },
});

const scenario = async (pathwayId: string, name: string, more: object = {}): Promise<string> =>
  (
    await post('/agent-testing/scenarios', {
      name,
      pathway_id: pathwayId,
      tester_persona_prompt: 'You want to know the price.',
      ...more,
    })
  ).id;

describe('a scenario by voice', () => {
  it('is written in the editor, calls the agent, and shows what was measured in the call', async () => {
    const { page } = noc;
    const agent = visit.operator.ready.demo.agent!.replace('agent@', 'talk-400@');
    await noc.open('/testing/new');
    await page.getByLabel('Name of the scenario').fill('Hours by telephone');
    await page.getByRole('radio', { name: 'Recorded lines' }).check();
    await page
      .getByLabel(/^Conversation, one line each/)
      .fill('caller: When are you open?\ncaller: Thank you, goodbye.');
    await page.getByRole('radio', { name: 'Own agent' }).check();
    await page.getByLabel('SIP URI, for runs by voice').fill(agent);
    await page.getByRole('radio', { name: 'By voice: a real call' }).check();
    await page.getByText('Settings of the call').click();
    await page.getByLabel('Number that the agent sees').fill('+13125550123');
    await page.getByLabel('Silence that ends the agent’s turn').fill('400');
    await page.getByLabel('Further instructions for the caller').fill('Speak slowly.');
    await page.getByLabel('Who speaks first').selectOption({ label: 'The agent' });
    await page.getByLabel('Metadata, JSON').fill('{');
    const added = page.getByLabel('Add an assertion');
    await added.selectOption({ label: 'Measurement of the call' });
    await page.getByLabel('Highest that passes').fill('8000');
    await noc.expectAccessibleEverywhere('scenario-by-voice');
    await page.getByRole('button', { name: 'Create scenario' }).click();
    await page.getByText(/Metadata is not valid JSON/).waitFor();
    await page.getByLabel('Metadata, JSON').fill('{"owner": "sales"}');
    await page.getByRole('button', { name: 'Create scenario' }).click();
    await noc.heading('Hours by telephone');
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { data: stored } = await system.ask('GET', `/v1/agent-testing/scenarios/${id}`);
    expect(stored).toMatchObject({
      channel: 'voice',
      scenario_type: 'REPLAY',
      first_speaker: 'agent',
      metadata: { owner: 'sales' },
      advanced_instructions: 'Speak slowly.',
      agent: { sip_uri: agent },
      voice: { caller_number: '+13125550123', end_of_turn_ms: 400, reply_timeout_ms: 10_000 },
    });

    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('Passed', { exact: true }).waitFor({ timeout: 90_000 });
    const call = page.getByRole('region', { name: 'The call' });
    const timeline = call.getByRole('region', { name: 'Timeline of the call' });
    await expect.poll(() => timeline.locator('rect.speech.tester').count()).toBe(2);
    expect(await timeline.locator('rect.speech.agent').count()).toBeGreaterThan(1);
    // The agent replies 400 ms after the caller; the busiest machine makes that later, never earlier.
    const latencies = await timeline.locator('.latency-text').allTextContents();
    expect(latencies.length).toBeGreaterThan(0);
    const { data: run } = await system.ask('GET', `/v1/agent-testing/runs/${page.url().split('/').at(-1)}`);
    expect(run.voice.p50_latency_ms).toBeGreaterThan(300);
    expect(run.voice).toMatchObject({ codec: 'PCMU', speech: 'espeak-ng', interruptions: 0 });
    await call.getByText('Latency, median').waitFor();
    const player = call.locator('audio');
    const heard = (field: 'duration' | 'currentTime'): Promise<number> =>
      player.evaluate((audio, name) => (audio as unknown as Record<typeof name, number>)[name], field);
    await expect.poll(() => heard('duration')).toBeCloseTo(run.recording.duration_ms / 1_000, 1);
    const last = run.voice.turns.at(-1);
    await call
      .getByRole('button', { name: /^Play from/ })
      .last()
      .click();
    await expect.poll(() => heard('currentTime')).toBeGreaterThanOrEqual(last.from_ms / 1_000 - 0.1);
    await page.getByRole('region', { name: 'Assertions' }).getByText('1 of 1 passed').waitFor();
    await noc.expectAccessibleEverywhere('run-by-voice');
    await call.getByRole('link', { name: 'SIP messages and media' }).click();
    await page.getByText('INVITE').first().waitFor();
    expect(noc.problems).toEqual([]);
  });
});

describe('a run', () => {
  it('is cancelled from its page while the caller thinks', async () => {
    const { page } = noc;
    const id = await scenario(await pathway('Slow'), 'Thinks for ever', {
      tester_persona_prompt: 'You think for ever.',
    });
    await noc.open(`/testing/scenarios/${id}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Good morning, how can I help you?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('Cancelled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run again' }).waitFor();
    expect(noc.problems).toEqual([]);
  });
});

describe('a promotion', () => {
  it('is refused by its gate on the page, with the reason of each scenario', async () => {
    const { page } = noc;
    const pathwayId = await pathway('Gated');
    const required = { is_required_for_promotion: true };
    await scenario(pathwayId, 'Names the moon', { ...required, assertions: [says('moon')] });
    await scenario(pathwayId, 'Begins nowhere', {
      ...required,
      start_node_id: 'nowhere',
      assertions: [says('help')],
    });
    await scenario(pathwayId, 'Is greeted', { ...required, assertions: [says('Good morning')] });
    await noc.open(`/pathways/${pathwayId}/versions/1`);
    await page.getByRole('button', { name: 'Promote version 1' }).click();
    const promotion = page.getByRole('region', { name: 'Promotion' });
    await promotion.getByText('Not promoted').waitFor();
    await promotion.getByText(/Scenario “Names the moon” failed: 0 of 5 runs passed .*Says moon/).waitFor();
    await promotion.getByText(/Scenario “Begins nowhere” could not be run: Invalid start_node_id/).waitFor();
    await promotion.getByText(/Scenario “Is greeted” used the stand-in/).waitFor();
    await page.locator('.page-aside').getByText('Draft').waitFor();
    await noc.expectAccessibleEverywhere('promotion-refused');
    await promotion.getByRole('link', { name: 'Results' }).click();
    await page.getByRole('heading', { name: '5 of 15 passed' }).waitFor();
    expect(noc.problems).toEqual([]);
  });

  it('of a persona is refused the same way', async () => {
    const { page } = noc;
    const persona = await post('/personas', { name: 'Front desk', orchestration_prompt: 'Answer.' });
    await post('/agent-testing/scenarios', {
      name: 'Is understood',
      persona_id: persona.id,
      is_required_for_promotion: true,
      tester_persona_prompt: 'You want help.',
      assertions: [says('help')],
    });
    await noc.open(`/personas/${persona.id}`);
    await page.getByRole('button', { name: 'Promote', exact: true }).click();
    const draft = page.getByRole('region', { name: 'Draft, version 1' });
    await draft.getByText('Not promoted').waitFor();
    // The model of these tests does not answer a persona with the JSON that it is asked for.
    await draft.getByText(/Scenario “Is understood” could not be run: .*unusable answer/).waitFor();
    expect(noc.problems).toEqual([]);
  });
});

describe('tornado', () => {
  it('is watched while it fixes a fork, whose changes are read as differences and undone', async () => {
    const { page } = noc;
    const pathwayId = await pathway('Prices');
    await scenario(pathwayId, 'Asks for the price', { assertions: [says('five euro')] });
    await noc.open(`/testing/tornado/start/${pathwayId}`);
    await page.getByLabel('Most iterations').fill('3');
    await noc.expectAccessible('tornado-start');
    await page.getByRole('button', { name: 'Start tornado' }).click();
    await page.locator('.page-aside').getByText('Running').waitFor();
    await page.getByRole('heading', { name: 'Iteration 1', exact: true }).waitFor();
    const first = page.getByRole('region', { name: 'Iteration 1', exact: true });
    await first.getByRole('link', { name: 'Asks for the price' }).waitFor();
    await first.locator('ins').getByText('PRICE').waitFor();
    await page.locator('.page-aside').getByText('All scenarios pass').waitFor();
    await page
      .getByRole('region', { name: 'Iteration 2', exact: true })
      .getByText('1 passed, 0 failed')
      .waitFor();
    await noc.expectAccessibleEverywhere('tornado-fixed');
    await first.getByRole('button', { name: 'Undo' }).click();
    await first.getByText('Not applied').waitFor();
    const { data: fork } = await system.ask('GET', `/v1/pathways/${pathwayId}/versions/2`);
    expect(fork.document.nodes[0].prompt).toBe(firstDocument.nodes[0]!.prompt);
    await noc.open('/testing/tornado');
    const row = page.getByRole('row').filter({ hasText: 'Prices' });
    await row.getByText('All scenarios pass').waitFor();
    await noc.expectAccessible('tornado-sessions');
    expect(noc.problems).toEqual([]);
  });
});

describe('a scenario from a call', () => {
  it('is generated from the messages that its agent stored, and from a transcript of another call', async () => {
    const { page } = noc;
    const calls = async (): Promise<Body[]> =>
      (await system.ask('GET', `/v1/sip/calls?phone_number=${encodeURIComponent(called)}`)).data.calls;
    // The digit 0 makes the demo agent store a message in the memory of the contact.
    await system.phone(called, 4, '--from', '+13125550142', '--digits', '0').exit(40_000);
    await until(async () => (await calls()).length === 1, 15_000, 'the call in the history');
    const [remembered] = await calls();
    await noc.open(`/calls/${remembered.call_id}`);
    await page.getByRole('link', { name: 'Create test scenario' }).click();
    await page.getByText(/^Generated from a call by rules/).waitFor();
    expect(await page.getByLabel('Name of the scenario').inputValue()).toBe('Moves a delivery');

    await system.phone(called, 1, '--from', '+13125550143').exit(40_000);
    await until(async () => (await calls()).length === 2, 15_000, 'the second call');
    const nextCall = (await calls()).find(({ call_id: id }) => id !== remembered.call_id);
    await noc.open(`/testing/new?call_id=${nextCall.call_id}`);
    const transcript = page.getByRole('region', { name: 'What was said in the call' });
    await transcript
      .getByLabel('Transcript, one line each')
      .fill('agent: Good morning.\ncaller: Friday please, call +1 312 555 0143.');
    await noc.expectAccessible('scenario-from-transcript');
    await transcript.getByRole('button', { name: 'Generate scenario' }).click();
    await page.getByText(/^Generated from a call by rules/).waitFor();
    await page.getByRole('radio', { name: 'Recorded lines' }).check();
    const lines = await page.getByLabel(/^Conversation, one line each/).inputValue();
    expect(lines).toBe('agent: Good morning.\ncaller: Friday please, call [removed].');
    const pathwayId = await pathway('Deliveries');
    await page.reload();
    await transcript.getByLabel('Transcript, one line each').fill('caller: Friday please.\nagent: Yes.');
    await transcript.getByRole('button', { name: 'Generate scenario' }).click();
    await page.getByText(/^Generated from a call by rules/).waitFor();
    await page.getByRole('combobox', { name: 'Pathway' }).selectOption(pathwayId);
    await page.getByRole('button', { name: 'Create scenario' }).click();
    await noc.heading('Moves a delivery');
    expect(noc.problems).toEqual([]);
  });
});

describe('scenarios for a persona', () => {
  it('are generated from its prompt, and created with the assertions that a person selects', async () => {
    const { page } = noc;
    const { id } = await post('/personas', {
      name: 'Ski school',
      orchestration_prompt: 'Greet with "Welcome to the ski school". Never promise a refund.',
    });
    await noc.open(`/testing/generate?persona_id=${id}`);
    await page.getByRole('option', { name: 'Ski school' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    await page.getByText('Never promise a refund.', { exact: true }).first().waitFor();
    await noc.expectAccessible('suite-from-persona');
    await page.getByRole('checkbox', { name: /^Keeps to its rule/ }).uncheck();
    await page.getByRole('button', { name: 'Create 1 scenario', exact: true }).click();
    await page.getByText('1 scenario created.').waitFor();
    const { data } = await system.ask('GET', `/v1/agent-testing/scenarios?persona_id=${id}`);
    expect(data.scenarios).toMatchObject([
      { assertions: [{ config: { required: ['Welcome to the ski school'] } }] },
    ]);
    expect(noc.problems).toEqual([]);
  });
});

describe('the example of docs/agent-testing-voice.md', () => {
  it('works as a reader copies it', async () => {
    const { stateDirectory, ready } = visit.operator;
    const commands = (await documentedExamples('docs/agent-testing-voice.md')).map((text) =>
      text.replaceAll('./.demarc', stateDirectory),
    );
    const folder = await mkdtemp(join(tmpdir(), 'demarc-test-'));
    const key = system.ready.http.apiKey;
    const shell = runCommands([...commands, 'echo $RUN'], { url: ready.http.url, key, folder });
    expect(await shell.exit(30_000), shell.output).toBe(0);
    const id = shell.output.trim().split('\n').at(-1)!;
    expect(id, shell.output).toMatch(/^[0-9a-f-]{36}$/);
    const shown = async (): Promise<Body> => (await system.ask('GET', `/v1/agent-testing/runs/${id}`)).data;
    await until(async () => (await shown()).completed_at !== null, 60_000, 'the run');
    // On a busy machine the reply may come later than the example allows.
    expect((await shown()).status).toMatch(/^(PASSED|FAILED)$/);
    expect((await shown()).voice.turns.length).toBeGreaterThan(2);
    await rm(folder, { recursive: true });
  });
});

/** Last: its budget stops all tests of the organization for a while. */
describe('many runs', () => {
  it('are simulated with a histogram, listed, and bounded by the token budget', async () => {
    const { page } = noc;
    const pathwayId = await pathway('Simulated');
    const score = { prompt: 'How CLEAR is the agent?', output_type: 'score', threshold: 0.5 };
    const clear = { type: 'LLM_JUDGE', name: 'Is clear', config: score };
    await scenario(pathwayId, 'Clear or not', { assertions: [clear] });
    await noc.open(`/testing?pathway_id=${pathwayId}`);
    await page.getByLabel('Select Clear or not').check();
    await page.getByLabel('Runs of each scenario').fill('4');
    await page.getByText('Vary the caller').click();
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByRole('combobox', { name: 'Field 1' }).selectOption({ label: 'Most turns of the caller' });
    await page.getByLabel('Values of field 1').fill('4\n20');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByRole('heading', { name: '8 of 8 runs ended' }).waitFor({ timeout: 60_000 });
    await page.getByRole('cell', { name: 'max_turns = 4', exact: true }).waitFor();
    await page.getByRole('cell', { name: 'max_turns = 20', exact: true }).waitFor();
    await page.getByText('Flaky', { exact: true }).waitFor();
    const histogram = page.getByRole('img', { name: 'Scores of 8 runs' });
    // The style of another page's charts must not shrink it.
    expect((await histogram.boundingBox())?.width).toBeGreaterThan(250);
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { data: set } = await system.ask('GET', `/v1/agent-testing/simulation-sets/${id}`);
    const [statistics] = Object.values(set.statistics.per_scenario) as Body[];
    // Every third judgement is low.
    expect(statistics).toMatchObject({ passed: 6, failed: 2, scores: { min: 0.2, max: 0.9 } });
    await noc.expectAccessibleEverywhere('simulation-histogram');
    await noc.open('/testing');
    for (const name of ['Simulations', 'Batches']) {
      await page.getByRole('navigation', { name: 'Testing' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 2, name }).waitFor();
      await page.getByRole('table').waitFor();
    }
    await noc.expectAccessible('list-of-batches');
    await noc.open('/testing/runs');
    const prices = page.getByRole('region', { name: 'Prices of models' });
    await prices.getByLabel(/^Sent of (?!another)/).fill('0.5');
    await prices.getByLabel(/^Received of (?!another)/).fill('2');
    await prices.getByRole('button', { name: 'Set prices' }).click();
    await expect
      .poll(async () => (await system.ask('GET', '/v1/agent-testing/prices')).data.models)
      .toMatchObject([{ prompt_price: 0.5, completion_price: 2 }]);
    const tokens = page.getByRole('region', { name: 'Tokens and cost' });
    await tokens.getByLabel('USD per run').fill('3');
    await tokens.getByLabel('Limit per day').fill('10');
    await tokens.getByRole('button', { name: 'Set limits' }).click();
    await tokens.getByText('The budget is used up').waitFor();
    expect((await system.ask('GET', '/v1/agent-testing/budget')).data).toMatchObject({ cost_per_run: 3 });
    await noc.expectPageAccessible('testing-runs');
    await noc.open(`/testing?pathway_id=${pathwayId}`);
    await page.getByLabel('Select Clear or not').check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText(/^Token budget used up: [\d,]+ of 10 tokens of this day/).waitFor();
    await noc.open('/testing/runs');
    await tokens.getByLabel('Limit per day').fill('');
    await tokens.getByRole('button', { name: 'Set limits' }).click();
    await tokens.getByText('The budget is used up').waitFor({ state: 'hidden' });
    expect(noc.problems).toEqual([]);
  });
});
