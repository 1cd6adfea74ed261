import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSession } from '../../../../src/control/agent-testing/tornado/session-storage.js';
import { until } from '../../../../src/testkit/waiting.js';
import {
  agentSays,
  asked,
  briefCaller,
  pricePathway,
  RuleModelBench,
  type Rules,
  staying,
} from './rule-model-bench.js';

let stack: RuleModelBench;
let count = 0;
beforeAll(async () => {
  stack = await RuleModelBench.start({ DEMARC_AGENT_TEST_LEASE_SECONDS: '5' });
});
afterAll(() => stack?.stop());

/** A pathway with a scenario for each word that the agent has to say. */
async function subject(...words: string[]) {
  const { id: pathway } = await stack.post('/pathways', pricePathway());
  const scenarios: string[] = [];
  for (const word of words) {
    const body = {
      name: `Says ${word} ${++count}`,
      pathway_id: pathway,
      tester_persona_prompt: 'You want the price.',
    };
    scenarios.push(
      (await stack.post('/agent-testing/scenarios', { ...body, assertions: [agentSays(word)] })).id,
    );
  }
  return { pathway, scenarios };
}
const analysis: Rules[number] = {
  when: { system: asked.analysis },
  answer: { root_cause: 'The prompt does not ask for the price.', suggestions: [] },
};
const fix = (path: string, value: string | null, more: object = {}) => ({
  type: 'prompt_edit',
  path,
  value,
  description: 'Name the price.',
  ...more,
});
const plan = (...fixes: object[]): Rules[number] => ({ when: { system: asked.plan }, answer: { fixes } });
const rules = (...own: Rules): void => {
  stack.model.setRules({
    rules: [
      ...briefCaller,
      staying,
      ...own,
      analysis,
      { when: { system: 'PRICE' }, answer: 'Five euro.' },
      { answer: 'Hello.' },
    ],
  });
};
const start = (pathway: string, more: object = {}) =>
  stack.post('/agent-testing/tornado/start', { pathway_id: pathway, ...more });
const status = (id: string) => `/agent-testing/tornado/${id}/status`;
const ended = (id: string) =>
  stack.eventually(status(id), (session: { status: string }) => session.status !== 'RUNNING', 30_000);

describe('tornado', () => {
  it('fixes a fork of the version until all scenarios pass, and leaves draft and live version alone', async () => {
    const { pathway, scenarios } = await subject('Five', 'euro');
    rules(plan(fix('nodes.greeting.prompt', 'Say the PRICE.')));
    const { session_id: id } = await start(pathway);
    const found = await ended(id);
    expect(found).toMatchObject({
      status: 'COMPLETED_ALL_PASSED',
      current_iteration: 2,
      total_scenarios: 2,
      passed_scenarios: 2,
      failed_scenarios: 0,
      unfixable_ids: [],
      forked_version: 2,
    });
    expect(found.iterations).toMatchObject([
      { version_number: 1, passed_ids: [], fix_plan: { priority_order: ['1-1'] } },
      { version_number: 2, failed_ids: [], fix_plan: null },
    ]);
    expect(found.iterations[0].failed_ids.sort()).toEqual([...scenarios].sort());
    expect(found.iterations[0].fix_plan.fixes[0]).toMatchObject({
      target_node: 'greeting',
      path: 'nodes.greeting.prompt',
      before: 'Greet the caller.',
      after: 'Say the PRICE.',
      is_applied: true,
    });
    expect(await stack.get(`/pathways/${pathway}`)).toMatchObject({
      current_production_version: null,
      current_draft_version: { version_number: 1, revision: 1 },
    });
    const diff = await stack.get(`/pathways/${pathway}/versions/2/diff?from=1`);
    expect(diff.changes).toMatchObject([{ id: 'greeting', field: 'prompt', after: 'Say the PRICE.' }]);
    expect(await stack.get(`/pathways/${pathway}/versions/2`)).toMatchObject({
      version_type: 'fork',
      forked_from: 1,
    });
    const batch = await stack.get(`/agent-testing/batches/${found.iterations[1].batch_id}`);
    expect(batch).toMatchObject({ trigger_source: 'tornado', status: 'PASSED' });
    const listed = await stack.get(`/agent-testing/tornado?pathway_id=${pathway}`);
    expect(listed.sessions).toMatchObject([
      { session_id: id, status: 'COMPLETED_ALL_PASSED', passed_scenarios: 2, forked_version: 2 },
    ]);
  });

  it('undoes a fix as long as its place is as the fix left it', async () => {
    const { pathway } = await subject('Five');
    rules(plan(fix('nodes.greeting.prompt', 'Say the PRICE.'), fix('settings.global_prompt', 'Be brief.')));
    const { session_id: id } = await start(pathway);
    await ended(id);
    const undo = (fixId: string) => `/agent-testing/tornado/${id}/fixes/${fixId}/undo`;
    const undone = await stack.post(undo('1-2'));
    expect(undone.iterations[0].fix_plan.fixes.map((fix: { is_applied: boolean }) => fix.is_applied)).toEqual(
      [true, false],
    );
    const { document, revision } = await stack.get(`/pathways/${pathway}/versions/2`);
    expect(document).toMatchObject({ settings: { global_prompt: null } });
    expect(document.nodes[0].prompt).toBe('Say the PRICE.');
    expect(await stack.refused(undo('1-2'))).toMatchObject({ status: 409, error: 'FIX_NOT_UNDONE' });
    document.nodes[0].prompt = 'By hand.';
    const put = await fetch(`${stack.api.url}/v1/pathways/${pathway}/versions/2`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ document, revision }),
    });
    expect(put.status).toBe(200);
    expect(await stack.refused(undo('1-1'))).toMatchObject({
      error: 'FIX_NOT_UNDONE',
      message: expect.stringContaining('nodes.greeting.prompt was changed since'),
    });
  });

  it('is STUCK when two fixes left an outcome as it was, and names the scenarios that it gave up', async () => {
    const { pathway, scenarios } = await subject('Five', 'moon');
    rules(
      { ...plan(fix('nodes.greeting.prompt', 'Say the PRICE.')), times: 1 },
      { ...plan(fix('nodes.greeting.prompt', 'Say the PRICE and the moon.')), times: 1 },
      plan(fix('nodes.greeting.prompt', 'Say the PRICE again.')),
    );
    const found = await ended((await start(pathway)).session_id);
    expect(found).toMatchObject({
      status: 'STUCK',
      current_iteration: 3,
      unfixable_count: 1,
      unfixable_ids: [scenarios[1]],
      passed_scenarios: 1,
    });
    expect(found.iterations[2].newly_unfixable_ids).toEqual([scenarios[1]]);
  });

  it('is partial at the limit of iterations', async () => {
    const { pathway } = await subject('Five', 'moon');
    rules(plan(fix('nodes.greeting.prompt', 'Say the PRICE.')));
    const found = await ended((await start(pathway, { max_iterations: 2 })).session_id);
    expect(found).toMatchObject({ status: 'COMPLETED_PARTIAL', passed_scenarios: 1, failed_scenarios: 1 });
  });

  it('applies no fix that conversations could not follow, or that is for people to decide', async () => {
    const { pathway } = await subject('moon');
    rules(
      plan(
        fix('nodes.greeting.prompt', 'Say {{price}}.'),
        fix('nodes.goodbye.transfer_to', '+14155550100'),
        fix(
          'nodes.hook',
          JSON.stringify({ name: 'x', type: 'webhook', webhook: { url: 'http://192.0.2.1/' } }),
        ),
        fix('edges.done.target', 'nowhere'),
      ),
    );
    const found = await ended((await start(pathway)).session_id);
    expect(found).toMatchObject({ status: 'STUCK', forked_version: null });
    expect(found.iterations[0].fix_plan.fixes.map((fix: { problem: string }) => fix.problem)).toEqual([
      expect.stringContaining('Node greeting uses price'),
      expect.stringContaining('transfer_to is decided by people'),
      'Fixes add only nodes of the types default and end.',
      'Edge done: there is no node nowhere.',
    ]);
    // Asked once more, with the reasons.
    const asks = stack.model.requests.filter(({ body }) =>
      body.messages?.at(-1).content.startsWith('None of your fixes'),
    );
    expect(asks).toHaveLength(1);
  });

  it('ends in ERROR when runs or the analyzer cannot do their work, and says why', async () => {
    const { pathway } = await subject('Five');
    rules({ when: { system: 'Greet' }, status: 500 });
    const runs = await ended((await start(pathway)).session_id);
    expect(runs).toMatchObject({ status: 'ERROR', error_message: expect.stringContaining('500') });
    rules({ when: { system: asked.plan }, answer: 'Just make it better.' });
    const planning = await ended((await start(pathway)).session_id);
    expect(planning).toMatchObject({
      status: 'ERROR',
      error_message: expect.stringContaining('not the JSON'),
    });
  });

  it('runs once for a pathway, is found as active, and ends with its runs when it is cancelled or late', async () => {
    const { pathway } = await subject('Five');
    rules({ when: { system: 'Greet' }, hang: true });
    const attempts = await Promise.all(
      Array.from({ length: 4 }, () =>
        stack.api.post('/v1/agent-testing/tornado/start', stack.key, { pathway_id: pathway }),
      ),
    );
    expect(attempts.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    const refused = attempts.find((answer) => answer.status === 409)!;
    expect(refused.body.errors[0].error).toBe('TORNADO_ACTIVE');
    const { session_id: id } = attempts.find((answer) => answer.status === 200)!.body.data;
    const active = `/agent-testing/tornado/active?pathway_id=${pathway}`;
    expect(await stack.get(active)).toMatchObject({ session_id: id, status: 'RUNNING', total_scenarios: 1 });
    await stack.eventually(
      status(id),
      (session: { iterations: unknown[] }) => session.iterations.length === 1,
    );
    expect(await stack.post(`/agent-testing/tornado/${id}/cancel`)).toEqual({ cancelled: true });
    const cancelled = await stack.get(status(id));
    expect(cancelled.status).toBe('CANCELLED');
    expect((await stack.api.get(`/v1${active}`, stack.key)).status).toBe(404);
    const batch = `/agent-testing/batches/${cancelled.iterations[0].batch_id}`;
    await stack.eventually(batch, (session: { status: string }) => session.status === 'CANCELLED');

    // Long enough for its first iteration to begin.
    const late = await ended((await start(pathway, { timeout_ms: 4_000 })).session_id);
    expect(late).toMatchObject({ status: 'TIMEOUT' });
    // Its ends are of two clocks, in whole milliseconds.
    expect(late.elapsed_ms).toBeGreaterThanOrEqual(3_990);
    const lateBatch = `/agent-testing/batches/${late.iterations[0].batch_id}`;
    await stack.eventually(lateBatch, (session: { status: string }) => session.status === 'CANCELLED');
  });

  it('continues in another process after kill -9, with no second fork and no repeated runs', async () => {
    const { pathway } = await subject('Five');
    // A session that waits for its driver; the process that drives it dies while the model plans.
    const fixing = plan(fix('nodes.greeting.prompt', 'Say the PRICE.'));
    rules({ ...fixing, latency_ms: 30_000, times: 1 }, fixing);
    const child = await stack.moveToChild();
    const session = await startSession(stack.bench.database, stack.bench.organization, randomUUID(), {
      pathway_id: pathway,
      max_iterations: 5,
      runs_per_scenario: 5,
      required_pass_rate: 0.5,
      timeout_ms: 110_000,
    });
    const asks = () =>
      stack.model.requests.filter(({ body }) => body.messages[0].content.startsWith('You improve the'));
    const before = asks().length;
    await until(async () => asks().length > before, 20_000, 'the model is asked for a plan');
    child.signal('SIGKILL');
    await child.exit(5_000);
    await stack.moveBack();
    const found = await ended(session.id);
    expect(found).toMatchObject({ status: 'COMPLETED_ALL_PASSED', current_iteration: 2, forked_version: 2 });
    const { versions } = await stack.get(`/pathways/${pathway}/versions`);
    expect(versions).toHaveLength(2);
    const { runs } = await stack.get(`/agent-testing/batches/${found.iterations[0].batch_id}`);
    expect(runs).toHaveLength(5);
    const attempts = await stack.get(`/agent-testing/runs/${runs[0].id}`);
    expect(attempts).toMatchObject({ attempts: 1, origin: 'tornado' });
  }, 150_000);

  it('is refused without scenarios, for scenarios of another pathway, and for a persona', async () => {
    const { id: empty } = await stack.post('/pathways', pricePathway());
    const { scenarios } = await subject('Five');
    const refused = (more: object) =>
      stack.refused('/agent-testing/tornado/start', { pathway_id: empty, ...more });
    expect(await refused({})).toMatchObject({ status: 400, path: 'pathway_id' });
    expect(await refused({ scenario_ids: scenarios })).toMatchObject({ status: 400, path: 'scenario_ids.0' });
    expect(await refused({ persona_id: empty })).toMatchObject({ status: 400, path: 'persona_id' });
    expect(await refused({ version_number: 9 })).toMatchObject({ status: 404 });
    const active = await stack.api.get(`/v1/agent-testing/tornado/active?persona_id=${empty}`, stack.key);
    expect(active.status).toBe(404);
  });
});
