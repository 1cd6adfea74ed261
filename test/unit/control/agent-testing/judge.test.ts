import { expect, it } from 'vitest';
import { judge } from '../../../../src/control/agent-testing/assertions/judge.js';
import type { Evidence } from '../../../../src/control/agent-testing/conversation/evidence.js';
import type { MeteredModel } from '../../../../src/control/agent-testing/conversation/metered-model.js';
import { assertionConfigs } from '../../../../src/control/agent-testing/schemas/assertion.js';

const evidence: Evidence = {
  chat: [{ role: 'assistant', content: 'Tuesday at nine.' }],
  variables: {},
  nodesVisited: [],
  nodeNames: {},
  webhooks: [
    {
      node_id: 'find_slot',
      url: '',
      arguments: { day: 'Tuesday' },
      status: 200,
      is_mocked: true,
      error: null,
      duration_ms: 0,
      turn: 0,
    },
  ],
  details: [],
  ending: null,
  tone: null,
  voice: null,
  isCalled: false,
  hidesTools: false,
};

it('gives the judge its rubric and examples as instructions, and the conversation as data', async () => {
  const asked: { readonly messages: readonly { readonly role: string; readonly content: string }[] }[] = [];
  const model = {
    name: 'judge',
    answer: async (request: (typeof asked)[number]) => {
      asked.push(request);
      return { reasoning: 'It did.', verdict: true };
    },
  } as unknown as MeteredModel;
  const config = assertionConfigs.LLM_JUDGE.parse({
    prompt: 'Did it name a time?',
    rubric: 'true: day and hour. false: one of them.',
    examples: [{ conversation: 'agent: On Monday.', verdict: 'false', reasoning: 'No hour.' }],
  });
  const verdict = await judge(model, config, evidence, AbortSignal.timeout(10_000));
  expect(verdict).toMatchObject({ status: 'PASSED', judgedBy: 'judge' });
  const [system, user] = asked[0]!.messages;
  expect(system!.content).toContain('Rubric:\ntrue: day and hour.');
  expect(system!.content).toContain('"conversation":"agent: On Monday."');
  expect(user!.content).toContain('Tuesday at nine.');
  expect(user!.content).toContain('{"name":"find_slot","arguments":{"day":"Tuesday"}');
  expect(system!.content).not.toContain('Tuesday at nine.');
});
