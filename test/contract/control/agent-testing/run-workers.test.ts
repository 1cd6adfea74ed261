import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey } from '../../../../src/contract/secret.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { RuleModel } from '../../../../src/rule-model/rule-model.js';
import { until } from '../../../../src/testkit/waiting.js';
import { type ControlProcess, startControlProcess } from '../../../support/control-process.js';
import type { TestProcess } from '../../../support/processes.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';

let bench: ControlBench;
let model: RuleModel;
let environment: Record<string, string>;
let api: ApiUnderTest | undefined;
let key: string;
let persona: string;
const children: TestProcess[] = [];

const caller = { system: 'You play the caller' };
/** For longer than it takes to see that a run has begun, and to kill its process. */
const slow = { when: caller, latency_ms: 30_000, answer: { say: 'Bye.', hang_up: true } };
const quick = [
  { when: caller, answer: { say: 'Bye.', hang_up: true } },
  { when: { system: 'You are the agent' }, answer: { say: 'Hello.', hang_up: false } },
  { when: {}, answer: { reasoning: 'As the rules say.', verdict: true } },
];

beforeAll(async () => {
  bench = await ControlBench.start();
  model = await RuleModel.start({ rules: quick });
  environment = {
    DEMARC_SECRET_KEY: generateSecretKey(),
    DEMARC_LLM_URL: model.url,
    DEMARC_LLM_MODEL: 'rules',
    // A process that is silent for so long is dead.
    DEMARC_AGENT_TEST_LEASE_SECONDS: '5',
    DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.stop()));
  await api?.stop();
  await model?.stop();
  await bench?.stop();
});

async function control(): Promise<ControlProcess> {
  const started = await startControlProcess(bench, environment);
  children.push(started.child);
  return started;
}

const rowOf = (id: string) =>
  bench.database.selectFrom('agent_test_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('a worker that is killed', () => {
  it('leaves a run that another process repeats once, and that counts once', async () => {
    const { child, url } = await control();
    // biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of an answer.
    const post = async (path: string, body: object): Promise<any> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return ((await answer.json()) as { data: unknown }).data;
    };
    persona = (await post('/v1/personas', { name: 'Front desk' })).id;
    const judged = { type: 'LLM_JUDGE', config: { prompt: 'Polite?' } };
    const { id: scenario } = await post('/v1/agent-testing/scenarios', {
      name: 'Killed',
      persona_id: persona,
      tester_persona_prompt: 'You say goodbye.',
      assertions: [judged],
    });
    model.setRules({ rules: [slow, ...quick] });
    const batch = await post('/v1/agent-testing/batch-run', {
      scenario_ids: [scenario],
      webhook_url: `${model.url}/hook`,
    });
    const id = batch.runs[0].run_id;
    // It waits for the caller's words, after the agent's.
    const hasBegun = async (): Promise<boolean> => {
      const { rows } = await sql`select 1 from agent_test_conversations
        where run_id = ${id} and jsonb_array_length(chat_history) = 1`.execute(bench.database);
      return rows.length === 1;
    };
    await until(hasBegun, 10_000, 'the conversation begins');
    child.signal('SIGKILL');
    await child.exit(5_000);
    model.setRules({ rules: quick });
    api = await startApi(bench, environment);
    await until(async () => (await rowOf(id)).completed_at !== null, 15_000, 'the repeated run');
    const run = (await api.get(`/v1/agent-testing/runs/${id}`, key)).body.data;
    expect(run).toMatchObject({ status: 'PASSED', attempts: 2 });
    expect(run.chat_history).toHaveLength(2);
    expect(run.assertion_results).toHaveLength(1);
    const { data } = (await api.get(`/v1/agent-testing/batches/${batch.batch_id}`, key)).body;
    expect(data).toMatchObject({ status: 'PASSED', total_scenarios: 1, passed_scenarios: 1 });
    const { rows } = await sql`select id from deliveries where subject = ${batch.batch_id}`.execute(
      bench.database,
    );
    expect(rows).toHaveLength(1);
  }, 120_000);

  it('is taken for the cause after the second time', async () => {
    const listed = await api!.get('/v1/agent-testing/scenarios', key);
    const [{ id: scenario }] = listed.body.data.scenarios;
    model.setRules({ rules: [{ ...slow, latency_ms: 3_000 }, ...quick] });
    const started = await api!.post(`/v1/agent-testing/scenarios/${scenario}/run`, key, {});
    const id = started.body.data.run_id;
    await until(async () => (await rowOf(id)).status === 'RUNNING', 5_000, 'it runs');
    // As if two processes had died with it; this one takes it up once it has lost it.
    await sql`update agent_test_runs set attempts = 2, lease_until = now() - interval '1 second'
      where id = ${id}`.execute(bench.database);
    await until(async () => (await rowOf(id)).completed_at !== null, 10_000, 'its end');
    const run = (await api!.get(`/v1/agent-testing/runs/${id}`, key)).body.data;
    expect(run).toMatchObject({
      status: 'ERROR',
      error_message: expect.stringContaining('interrupted 2 times'),
    });
    expect(run.assertion_results).toEqual([]);
  });
});

describe('the stand-in', () => {
  it('runs every template without a model, and every result says so', async () => {
    const { DEMARC_LLM_URL: _, DEMARC_LLM_MODEL: __, ...rest } = environment;
    // Only one process runs tests from here.
    await api!.stop();
    const alone = await startApi(bench, {
      ...rest,
      DEMARC_LLM_STAND_IN: 'true',
      DEMARC_LLM_TIMEOUT_MS: '5000',
      DEMARC_MODEL_RETRIES: '0',
    });
    api = alone;
    const { templates } = (await alone.get('/v1/agent-testing/templates', key)).body.data;
    const scenario_ids: string[] = [];
    for (const { id } of templates) {
      const cloned = await alone.post(`/v1/agent-testing/templates/${id}/clone`, key, {
        persona_id: persona,
      });
      scenario_ids.push(cloned.body.data.scenario.id);
    }
    const started = await alone.post('/v1/agent-testing/batch-run', key, { scenario_ids });
    const path = `/v1/agent-testing/batches/${started.body.data.batch_id}`;
    await until(
      async () => (await alone.get(path, key)).body.data.completed_at !== null,
      30_000,
      'the batch',
    );
    const { runs } = (await alone.get(path, key)).body.data;
    expect(runs).toHaveLength(15);
    for (const { status, models, error_message: error } of runs) {
      expect(error).toBeNull();
      expect(['PASSED', 'FAILED']).toContain(status);
      expect(models).toMatchObject({ agent: 'stand-in', judge: 'stand-in', is_stand_in: true });
    }
    const run = (await alone.get(`/v1/agent-testing/runs/${runs[0].id}`, key)).body.data;
    // Every template has a question for the judge; the first assertion may be of another type.
    const reasons = run.assertion_results.map(({ reasoning }: { reasoning: string }) => reasoning);
    expect(reasons).toContainEqual(expect.stringContaining('no model has judged'));
    const question = { messages: [{ role: 'user', content: 'When do you open?' }] };
    const chat = await alone.post('/v1/knowledge/chat', key, question);
    expect(chat.text).not.toContain('stand-in');
  }, 120_000);

  it.each([
    ['fail', 'FAILED', /no model has judged/],
    ['garbage', 'ERROR', /not the JSON/],
    ['refuse', 'ERROR', /refused to answer/],
    ['hang', 'ERROR', /did not answer within/],
    ['429', 'ERROR', /429/],
  ])('shows a judgement that ends with %s as %s', async (path, status, reasoning) => {
    const scenario = await judgedScenario(path);
    const started = await api!.post(`/v1/agent-testing/scenarios/${scenario}/run`, key, {});
    const run = await endOf(started.body.data.run_id);
    expect(run).toMatchObject({ status, reasoning: expect.stringMatching(reasoning) });
  });

  it('shows a flaky judgement: every second run fails', async () => {
    const scenario = await judgedScenario('flaky');
    const statuses: string[] = [];
    for (let index = 0; index < 4; index++) {
      const started = await api!.post(`/v1/agent-testing/scenarios/${scenario}/run`, key, {});
      statuses.push((await endOf(started.body.data.run_id)).status);
    }
    expect(statuses).toEqual(['PASSED', 'FAILED', 'PASSED', 'FAILED']);
  });
});

async function judgedScenario(path: string): Promise<string> {
  const assertions = [{ type: 'LLM_JUDGE', config: { prompt: `Was it polite? [${path}]` } }];
  const values = { name: path, persona_id: persona, tester_persona_prompt: 'You say goodbye.', assertions };
  const created = await api!.post('/v1/agent-testing/scenarios', key, { ...values, max_turns: 1 });
  return created.body.data.id;
}

async function endOf(id: string) {
  await until(async () => (await rowOf(id)).completed_at !== null, 10_000, 'the run ends');
  return (await api!.get(`/v1/agent-testing/runs/${id}`, key)).body.data;
}
