import { createKey } from '../../../../src/control/organizations/keys.js';
import { RuleModel } from '../../../../src/rule-model/rule-model.js';
import { until } from '../../../../src/testkit/waiting.js';
import { startControlProcess } from '../../../support/control-process.js';
import type { TestProcess } from '../../../support/processes.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';

export type Rules = Parameters<RuleModel['setRules']>[0]['rules'];

/** Who asks the model, by the beginning of the system prompt. */
export const asked = {
  tester: '^You play the caller',
  decision: '^You decide how a telephone conversation continues',
  analysis: '^You improve telephone agents',
  plan: '^You improve the pathway',
  judge: '^You judge a test',
} as const;

/** A caller who says one sentence and hangs up after the answer. */
export const briefCaller: Rules = [
  { when: { system: asked.tester, turn: 1 }, answer: { say: 'What does it cost?', hang_up: false } },
  { when: { system: asked.tester }, answer: { say: 'Goodbye.', hang_up: true } },
];

/** Control with the rule model as its language model. */
export class RuleModelBench {
  private constructor(
    readonly bench: ControlBench,
    readonly model: RuleModel,
    public api: ApiUnderTest,
    readonly key: string,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<RuleModelBench> {
    const [bench, model] = await Promise.all([ControlBench.start(), RuleModel.start({ rules: [] })]);
    const own = { ...modelEnvironment(model), ...environment };
    const api = await startApi(bench, own);
    const { key } = await createKey(bench.database, bench.organization, 'test');
    return new RuleModelBench(bench, model, api, key, own);
  }

  /** The data of an answer that is no error. */
  async post(path: string, body: object = {}) {
    const answer = await this.api.post(`/v1${path}`, this.key, body);
    if (answer.body.errors !== null) throw new Error(`${path}: ${answer.text}`);
    return answer.body.data;
  }

  async get(path: string) {
    const answer = await this.api.get(`/v1${path}`, this.key);
    if (answer.body.errors !== null) throw new Error(`${path}: ${answer.text}`);
    return answer.body.data;
  }

  /** Status and first error of a refusal. */
  async refused(path: string, body: object = {}) {
    const { status, body: answer } = await this.api.post(`/v1${path}`, this.key, body);
    return { status, ...answer.errors?.[0] };
  }

  /** What a path answers once it is as wanted. */
  async eventually(path: string, isWanted: (data: never) => boolean, milliseconds = 20_000) {
    await until(async () => isWanted((await this.get(path)) as never), milliseconds, `${path} is as wanted`);
    return this.get(path);
  }

  /** `demarc control` as a separate process, in place of the one in this process. */
  async moveToChild(): Promise<TestProcess> {
    await this.api.stop();
    return (await startControlProcess(this.bench, this.environment)).child;
  }

  /** `demarc control` in this process again. */
  async moveBack(): Promise<void> {
    this.api = await startApi(this.bench, this.environment);
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.model.stop();
    await this.bench.stop();
  }
}

export const modelEnvironment = (model: RuleModel): Record<string, string> => ({
  DEMARC_LLM_URL: model.url,
  DEMARC_LLM_MODEL: 'rules',
  DEMARC_LLM_STAND_IN: 'true',
  DEMARC_MODEL_RETRIES: '0',
  DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
  DEMARC_AGENT_TEST_STARTS_PER_MINUTE: '1000',
});

/** A pathway whose first node speaks by a prompt. */
export const pricePathway = (prompt = 'Greet the caller.') => ({
  name: 'Prices',
  document: {
    start_node_id: 'greeting',
    nodes: [
      { id: 'greeting', name: 'Greeting', type: 'default', prompt },
      { id: 'goodbye', name: 'Goodbye', type: 'end', text: 'Goodbye.' },
    ],
    edges: [{ id: 'done', source: 'greeting', target: 'goodbye', label: 'The caller says goodbye' }],
  },
});

/** Stays at the node. */
export const staying: Rules[number] = {
  when: { system: asked.decision },
  answer: { extracted: {}, condition_met: true, edge: 'none' },
};

export const agentSays = (value: string, more: object = {}) => ({
  type: 'STRING_CHECK',
  name: `Says ${value}`,
  config: { value, target: 'agent' },
  ...more,
});
