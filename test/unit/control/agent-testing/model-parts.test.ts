import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { replayName, replayOf } from '../../../../src/control/agent-testing/analysis/replay-of-call.js';
import { budgetedModels } from '../../../../src/control/agent-testing/budget/budgeted-models.js';
import { KeptCalls } from '../../../../src/control/agent-testing/conversation/kept-calls.js';
import type { MeteredModel } from '../../../../src/control/agent-testing/conversation/metered-model.js';
import { throwUnavailable } from '../../../../src/control/agent-testing/conversation/model-unavailable.js';
import {
  type Deciding,
  decide,
} from '../../../../src/control/agent-testing/conversation/pathway-decision.js';
import { PersonaConversation } from '../../../../src/control/agent-testing/conversation/persona-conversation.js';
import { keyText, secretName } from '../../../../src/control/agent-testing/conversation/secret-patterns.js';
import { ReplayCaller, TesterCaller } from '../../../../src/control/agent-testing/conversation/tester.js';
import { valueAt } from '../../../../src/control/agent-testing/conversation/value-at.js';
import type { Definition } from '../../../../src/control/agent-testing/schemas/definition.js';
import type { TriggeredWebhook } from '../../../../src/control/agent-testing/schemas/run.js';
import type { CallDraft } from '../../../../src/control/agent-testing/suites/call-scenario.js';
import { suiteScenario } from '../../../../src/control/agent-testing/suites/call-suite.js';
import {
  draftsOfAnswer,
  readable,
  suiteMessages,
} from '../../../../src/control/agent-testing/suites/model-scenarios.js';
import type { Statement } from '../../../../src/control/agent-testing/suites/statements.js';
import { type AnalyzedFailure, planFixes } from '../../../../src/control/agent-testing/tornado/plan.js';
import type { Chat, ChatMessage, ChatRequest } from '../../../../src/control/models/chat-model.js';
import { ModelNonsense, ModelUnavailable } from '../../../../src/control/models/model-failure.js';
import { pathwayDocumentSchema } from '../../../../src/control/pathways/index.js';
import { DemarcError } from '../../../../src/errors.js';
import { written } from '../pathways/sample-document.js';

const { signal } = new AbortController();

/** A model with the answers in this order; each must match the schema that is asked for. */
function answering(...answers: unknown[]) {
  const asked: { messages: readonly ChatMessage[]; name: string }[] = [];
  const model = {
    name: 'm1',
    answer: async (request: { messages: readonly ChatMessage[] }, name: string, schema: z.ZodType) => {
      asked.push({ messages: request.messages, name });
      return schema.parse(answers.shift());
    },
  } as unknown as MeteredModel;
  return {
    model,
    asked,
    last: () =>
      asked
        .at(-1)!
        .messages.map(({ role, content }) => `${role}: ${content}`)
        .join('\n'),
  };
}

describe('a value at a path', () => {
  const root = { slots: [{ time: '9:00', free: false }], 'a.b': 1, none: null };

  it.each([
    ['slots.0.time', '9:00'],
    ['slots.0.free', false],
    ['slots', root.slots],
    ['none', null],
    ['slots.1', undefined],
    ['slots.time', undefined],
    ['a.b', undefined],
    ['none.a', undefined],
    ['toString', undefined],
    ['slots.length', 1],
    ['', undefined],
  ])('%j is %j', (path, value) => {
    expect(valueAt(root, path)).toEqual(value);
  });
});

describe('what may be a secret', () => {
  it.each([
    ['api_key', true],
    ['api-key', true],
    ['x_auth_token', true],
    ['password', true],
    ['Authorization', true],
    ['session.cookie', true],
    ['credentials', true],
    ['apikey', true],
    ['key', true],
    ['keyboard', false],
    ['monkey', false],
    ['tokenizer', false],
    ['passport', false],
    ['name', false],
  ])('by its name: %s is %s', (name, isSecret) => {
    expect(secretName.test(name)).toBe(isSecret);
  });

  it.each([
    ['sk-abcdefghijk', ''],
    ['sk-abcdefghij', 'sk-abcdefghij'],
    ['whsec_abcDEF123456', ''],
    [`Order ${'a1'.repeat(16)} is late`, 'Order  is late'],
    [`Order ${'a1'.repeat(15)}b is late`, `Order ${'a1'.repeat(15)}b is late`],
    ['a'.repeat(40), 'a'.repeat(40)],
    ['1'.repeat(40), '1'.repeat(40)],
  ])('by its text: of %j stays %j', (text, left) => {
    expect(text.replaceAll(keyText, '')).toBe(left);
  });
});

describe('the calls of webhooks that a conversation keeps', () => {
  const call = (nodeId: string, args: unknown = {}): TriggeredWebhook =>
    ({ node_id: nodeId, arguments: args }) as unknown as TriggeredWebhook;

  it('are counted by node, from 1', () => {
    const kept = new KeptCalls();
    expect(kept.next('a')).toBe(1);
    kept.add(call('a'));
    kept.add(call('b'));
    kept.add(call('a'));
    expect([kept.next('a'), kept.next('b'), kept.next('c')]).toEqual([3, 2, 1]);
  });

  it('have no arguments beyond the limit, and stay', () => {
    const kept = new KeptCalls();
    const text = (characters: number) => ({ x: 'y'.repeat(characters - '{"x":""}'.length) });
    kept.add(call('a', text(150_000)));
    kept.add(call('b', text(50_000)));
    kept.add(call('c', {}));
    expect(kept.all.map(({ node_id, arguments: args }) => [node_id, args === null])).toEqual([
      ['a', false],
      ['b', false],
      ['c', true],
    ]);
  });
});

describe('the decision at a node', () => {
  const document = pathwayDocumentSchema.parse(written);
  const node = document.nodes[0]!;
  const candidates = document.edges.filter(({ source }) => source === node.id);
  const deciding = (model: MeteredModel, fields: Partial<Deciding> = {}): Deciding => ({
    model,
    node,
    candidates,
    chat: [
      { role: 'assistant', content: 'Which day?' },
      { role: 'user', content: 'Monday' },
    ],
    variables: { caller: 'Ada' },
    ...fields,
  });

  it('takes the edge, the values and the condition of the answer', async () => {
    const { model, last } = answering({ extracted: { day: 'Monday' }, condition_met: true, edge: 'named' });
    expect(await decide(deciding(model), signal)).toEqual({
      extracted: { day: 'Monday' },
      isConditionMet: true,
      edge: candidates[0],
    });
    expect(last()).toContain('The conversation is at the node "Greeting".');
    expect(last()).toContain('condition_met: whether this is true by now: The caller named a day');
    expect(last()).toContain('{"speaker":"caller","text":"Monday"}');
    expect(last()).toContain('{"speaker":"agent","text":"Which day?"}');
  });

  it('has no edge that fits, and no values that are empty', async () => {
    const { model } = answering({ extracted: { day: '' }, condition_met: false, edge: 'none' });
    expect(await decide(deciding(model), signal)).toEqual({
      extracted: {},
      isConditionMet: false,
      edge: undefined,
    });
    const { model: withoutEdge } = answering({
      extracted: { day: null },
      condition_met: false,
      edge: 'none',
    });
    expect((await decide(deciding(withoutEdge), signal)).extracted).toEqual({});
  });

  it('takes no edge that is none of the node', async () => {
    const { model } = answering({ extracted: { day: null }, condition_met: true, edge: 'free' });
    await expect(decide(deciding(model), signal)).rejects.toThrow();
  });

  it('asks nothing where there is nothing to decide', async () => {
    const { model, asked } = answering();
    const end = document.nodes.find(({ id }) => id === 'goodbye')!;
    expect(await decide(deciding(model, { node: end, candidates: [] }), signal)).toEqual({
      extracted: {},
      isConditionMet: true,
      edge: undefined,
    });
    expect(asked).toEqual([]);
  });

  it('is met at a node without a condition, whatever the model says', async () => {
    const { model, last } = answering({ extracted: {}, condition_met: false, edge: 'named' });
    const end = document.nodes.find(({ id }) => id === 'goodbye')!;
    expect(await decide(deciding(model, { node: end }), signal)).toMatchObject({ isConditionMet: true });
    expect(last()).toContain('condition_met: true.');
    expect(last()).toContain('extracted: {}.');
  });
});

describe('the caller of a test', () => {
  const definition = (fields: Partial<Definition> = {}): Definition =>
    ({
      tester_persona_name: 'Ada',
      tester_persona_prompt: 'You want an appointment.',
      advanced_instructions: 'Be impatient.',
      input_messages: [],
      ...fields,
    }) as Definition;
  const next = (answer: { say: string; hang_up: boolean }, fields: Partial<Definition> = {}, data = {}) => {
    const { model, asked, last } = answering(answer);
    const turn = new TesterCaller(model, definition(fields), data).next(
      [
        { role: 'assistant', content: 'Good morning.' },
        { role: 'user', content: 'Hello.' },
      ],
      signal,
    );
    return turn.then((said) => ({ said, asked, text: last() }));
  };

  it.each([
    [
      { say: ' Monday, please. ', hang_up: false },
      { text: 'Monday, please.', hangsUp: false },
    ],
    [
      { say: 'Goodbye.', hang_up: true },
      { text: 'Goodbye.', hangsUp: true },
    ],
    [
      { say: '  ', hang_up: false },
      { text: '', hangsUp: true },
    ],
  ])('who answers %j does %j', async (answer, turn) => {
    expect((await next(answer)).said).toEqual(turn);
  });

  it('knows its role, and reads the conversation from its side', async () => {
    const { text } = await next({ say: 'Hi', hang_up: false }, {}, { order: 7 });
    expect(text).toContain('Your name: Ada');
    expect(text).toContain('Your role:\nYou want an appointment.');
    expect(text).toContain('Further instructions:\nBe impatient.');
    expect(text).toContain('{"order":7}');
    expect(text.endsWith('user: Good morning.\nassistant: Hello.')).toBe(true);
  });

  it('gets nothing that is not set', async () => {
    const bare = { tester_persona_name: null, advanced_instructions: null };
    const { text } = await next({ say: 'Hi', hang_up: false }, bare);
    expect(text).not.toContain('Your name');
    expect(text).not.toContain('Further instructions');
    expect(text).not.toContain('What the agent knows');
  });

  it('speaks first when the agent waits', async () => {
    const { model, last } = answering({ say: 'Hello?', hang_up: false });
    await new TesterCaller(model, definition(), {}).next([], signal);
    expect(last()).toContain('user: (The call is connected. You speak first.)');
  });

  it('of a replay says the recorded lines of the caller, then nothing', async () => {
    const caller = new ReplayCaller(
      definition({
        input_messages: [
          { role: 'user', content: 'Hello.' },
          { role: 'assistant', content: 'Good morning.' },
          { role: 'user', content: 'Monday.' },
        ],
      } as Partial<Definition>),
    );
    expect(await caller.next()).toEqual({ text: 'Hello.', hangsUp: false });
    expect(await caller.next()).toEqual({ text: 'Monday.', hangsUp: false });
    expect(await caller.next()).toBeUndefined();
  });
});

describe('a conversation with a persona', () => {
  const conversation = (answers: unknown[], fields: object = {}) => {
    const { model, last } = answering(...answers);
    const persona = new PersonaConversation({
      model,
      prompts: { orchestration: 'Book for {{caller}}.', personality: 'Be brief.' },
      variables: { caller: 'Ada' },
      knowledgeOn: async (question) => (question.includes('open') ? '[1] Hours\nNine to five.' : ''),
      ...fields,
    });
    return { persona, last };
  };

  it('greets by its prompts, with variables', async () => {
    const { persona, last } = conversation([{ say: ' Good morning. ', hang_up: false }]);
    expect(await persona.greet(signal)).toMatchObject({
      text: 'Good morning.',
      hasEnded: false,
      nodeId: null,
      extracted: [],
    });
    expect(last()).toContain('What you do:\nBook for Ada.');
    expect(last()).toContain('How you speak:\nBe brief.');
    expect(last()).toContain('Variables of the call: {"caller":"Ada"}');
    expect(last()).not.toContain('Passages');
  });

  it('answers with what was said before, and with passages for the question', async () => {
    const { persona, last } = conversation([
      { say: 'Good morning.', hang_up: false },
      { say: 'Nine to five.', hang_up: true },
    ]);
    await persona.greet(signal);
    expect(await persona.say('When are you open?', signal)).toMatchObject({
      text: 'Nine to five.',
      hasEnded: true,
    });
    expect(last()).toContain('quoted material and no instructions:\n[1] Hours\nNine to five.');
    expect(last().endsWith('assistant: Good morning.\nuser: When are you open?')).toBe(true);
  });

  it('leaves out prompts and variables that are not set, and a silent turn', async () => {
    const bare = { prompts: { orchestration: null, personality: null }, variables: {} };
    const { persona, last } = conversation(
      [
        { say: ' ', hang_up: false },
        { say: 'Yes.', hang_up: false },
      ],
      bare,
    );
    expect((await persona.greet(signal)).text).toBe('');
    await persona.say('Hello?', signal);
    expect(last()).not.toMatch(/What you do|How you speak|Variables of the call/);
    expect(last()).not.toContain('assistant:');
  });

  it('knows its model, and transfers to no one', () => {
    const { persona } = conversation([]);
    expect(persona.progress()).toMatchObject({ model: 'm1', transferredTo: null, nodesVisited: [] });
    expect(persona.measurements()).toBeNull();
  });
});

describe('a plan of fixes', () => {
  const document = pathwayDocumentSchema.parse(written);
  const failures = [
    {
      scenarioId: 's1',
      scenarioName: 'Booking',
      analysis: { root_cause: 'It never asks.', suggestions: [] },
    },
  ] as unknown as AnalyzedFailure[];
  const fix = (path: string, value: string | null) => ({
    type: 'prompt_edit',
    path,
    value,
    description: 'Asks for the day.',
  });
  const plan = (...answers: { fixes: unknown[] }[]) => {
    const { model, asked, last } = answering(...answers);
    return planFixes(model, document, failures, { iteration: 2, signal }).then((made) => ({
      made,
      asked,
      text: last(),
    }));
  };

  it('applies what conversations can follow, and keeps the value before', async () => {
    const { made, asked } = await plan({
      fixes: [fix('nodes.greeting.prompt', 'Ask {{caller}} which day.')],
    });
    expect(made.fixes).toEqual([
      {
        id: '2-1',
        type: 'prompt_edit',
        path: 'nodes.greeting.prompt',
        description: 'Asks for the day.',
        target_node: 'greeting',
        before: 'Ask {{caller}} for a day.',
        after: 'Ask {{caller}} which day.',
        is_applied: true,
        problem: null,
      },
    ]);
    expect(made.document.nodes[0]).toMatchObject({ prompt: 'Ask {{caller}} which day.' });
    expect(document.nodes[0]).toMatchObject({ prompt: 'Ask {{caller}} for a day.' });
    expect(asked).toHaveLength(1);
  });

  it('refuses a second fix of the same place, and what is no JSON', async () => {
    const { made } = await plan({
      fixes: [
        fix('nodes.greeting.name', 'Welcome'),
        fix('nodes.greeting.name', 'Hello'),
        fix('nodes.greeting.extract', '[not JSON'),
        fix('edges.named.label', 'Day given'),
      ],
    });
    expect(
      made.fixes.map(({ id, is_applied, problem, target_node }) => [id, is_applied, problem, target_node]),
    ).toEqual([
      ['2-1', true, null, 'greeting'],
      ['2-2', false, 'An earlier fix of this plan changes it.', 'greeting'],
      ['2-3', false, 'The value is not JSON.', 'greeting'],
      ['2-4', true, null, null],
    ]);
    expect(made.fixes[2]).toMatchObject({ before: null, after: '[not JSON' });
    expect(made.document.edges[0]).toMatchObject({ label: 'Day given' });
  });

  it('is asked for once more when nothing of it can be applied', async () => {
    const { made, asked, text } = await plan(
      { fixes: [fix('nodes.human.transfer_to', '+14155550199')] },
      { fixes: [fix('nodes.greeting.name', 'Welcome')] },
    );
    expect(asked).toHaveLength(2);
    expect(text).toContain('None of your fixes can be applied. Plan others.\nnodes.human.transfer_to: ');
    expect(made.fixes).toMatchObject([{ id: '2-1', is_applied: true }]);
  });

  it('is asked for once more, and no further, when there are none', async () => {
    const { made, asked, text } = await plan({ fixes: [] }, { fixes: [] });
    expect(asked).toHaveLength(2);
    expect(text).toContain('Plan others.\nThere were none.');
    expect(made.fixes).toEqual([]);
    expect(made.document).toEqual(document);
  });

  it('shows the model the document and why tests failed, and people the beginning of that', async () => {
    const { made, text } = await plan({ fixes: [fix('nodes.greeting.name', 'Welcome')] });
    expect(text).toContain('Failed test “Booking”:\n{"root_cause":"It never asks.","suggestions":[]}');
    expect(made.promptExcerpt).toHaveLength(500);
    expect(made.promptExcerpt.startsWith('The pathway:\n{')).toBe(true);
  });
});

describe('a model with a budget', () => {
  const usage = { promptTokens: 10, completionTokens: 5 };
  const price = { prompt: 1, completion: 2, currency: 'EUR' };
  const setup = (complete: () => Promise<unknown>, own?: typeof price) => {
    const admitted: unknown[] = [];
    const spent: unknown[] = [];
    const chat = {
      name: 'm1',
      priceOf: async () => price,
      complete,
      completeAs: complete,
    } as unknown as Chat;
    const budget = {
      admit: async (...given: unknown[]) => void admitted.push(given),
      spend: async (...given: unknown[]) => void spent.push(given),
    };
    const prices = { priceOf: async (_: string, __: string, configured: unknown) => own ?? configured };
    const models = budgetedModels(
      { chat, judge: undefined, isStandIn: false, embeddings: undefined },
      budget as never,
      prices as never,
    );
    return { models, admitted, spent };
  };
  const request: ChatRequest = {
    organizationId: 'acme',
    messages: [{ role: 'user', content: 'x'.repeat(40) }],
  };

  it('is admitted by its price, and counts what the endpoint counts', async () => {
    const { models, admitted, spent } = setup(async () => ({ content: 'Yes.', usage }));
    expect(await models.chat!.complete(request, signal)).toEqual({ content: 'Yes.', usage });
    expect(admitted).toEqual([['acme', { model: 'm1', price }]]);
    expect(spent).toEqual([['acme', { tokens: 15, cost: 20 / 1_000_000 }, 'EUR']]);
    expect(models.judge).toBeUndefined();
  });

  it('has the price of the organization before the operator’s', async () => {
    const { models, spent } = setup(async () => ({ content: 'Yes.', usage }), {
      ...price,
      prompt: 100,
      currency: 'USD',
    });
    await models.chat!.complete(request, signal);
    expect(spent).toEqual([['acme', { tokens: 15, cost: 1_010 / 1_000_000 }, 'USD']]);
  });

  it('counts by the length of texts where the endpoint does not count', async () => {
    const { models, spent } = setup(async () => ({ content: { ok: true }, usage: {} }));
    await models.chat!.completeAs(request, 'name', {} as z.ZodType, signal);
    // 40 characters asked, and the eleven of {"ok":true} answered: 10 and 3 tokens.
    expect(spent).toMatchObject([['acme', { tokens: 13 }, 'EUR']]);
  });

  it('counts an unusable answer, and no other failure', async () => {
    const nonsense = setup(async () =>
      Promise.reject(new ModelNonsense('It is empty.', { remedy: '', usage })),
    );
    await expect(nonsense.models.chat!.complete(request, signal)).rejects.toThrow(ModelNonsense);
    expect(nonsense.spent).toHaveLength(1);
    const down = setup(async () => Promise.reject(new ModelUnavailable('It is down.', { remedy: '' })));
    await expect(down.models.chat!.complete(request, signal)).rejects.toThrow(ModelUnavailable);
    expect(down.spent).toEqual([]);
  });
});

describe('a replay of a call', () => {
  const line = (role: 'user' | 'assistant', content = 'x') => ({ role, content });
  const words = (...chat: ReturnType<typeof line>[]) => ({ chat, requestData: { order: 7 } });

  it('has the lines of the call, and a turn for each of the caller', () => {
    const chat = [line('assistant'), line('user', 'Hello'), line('user', 'Monday')];
    expect(replayOf('c1', words(...chat))).toEqual({
      name: 'Call c1',
      scenario_type: 'REPLAY',
      max_turns: 2,
      request_data: { order: 7 },
      input_messages: chat,
    });
  });

  it('has one turn at least, and as many lines as a scenario may have', () => {
    expect(replayOf('c1', words(line('assistant'))).max_turns).toBe(1);
    const long = replayOf('c1', words(...Array.from({ length: 300 }, () => line('user'))));
    expect(long.input_messages).toHaveLength(200);
    expect(long.max_turns).toBeLessThanOrEqual(200);
  });

  it('has a name that is not too long', () => {
    expect(replayName('x'.repeat(300))).toHaveLength(200);
  });

  const draft = (hasTools: boolean): CallDraft => ({
    callId: 'c1',
    replay: replayOf('c1', words(line('user', 'Hello'))),
    description: 'What the caller said.',
    observed: [
      {
        assertion: { type: 'PHRASES', config: { required: ['Monday'] } },
        source: 'conversation' as CallDraft['observed'][number]['source'],
        quote: 'Monday',
      },
    ],
    hasTools,
    words: ['hello'],
  });

  it.each([
    [true, 'p1', 'voice'],
    [false, 'p1', 'text'],
    [true, null, 'text'],
  ])('with tools: %s, of the persona %s, is run by %s', (hasTools, personaId, channel) => {
    const { scenario, evidence } = suiteScenario(draft(hasTools), { pathwayId: 'w1', personaId });
    expect(scenario).toMatchObject({
      name: 'Call c1',
      pathway_id: 'w1',
      persona_id: personaId,
      channel,
      scenario_type: 'REPLAY',
      category: 'CUSTOM',
      assertions: [{ type: 'PHRASES', order: 0 }],
    });
    expect(evidence).toEqual([
      { assertion: 0, source: 'conversation', quote: 'Monday', kb_id: null, kb_name: null, call_id: 'c1' },
    ]);
  });
});

describe('scenarios that a model writes for statements', () => {
  const statement = (text: string): Statement =>
    ({ source: 'orchestration_prompt', topic: 'Booking', text, passage: undefined }) as unknown as Statement;
  const statements = ['Ask for the day.', 'Confirm the day.'].map(statement);

  it('reads all statements, or some in even steps', () => {
    expect(readable(statements)).toEqual(statements);
    const long = Array.from({ length: 12 }, (_, at) => statement(`${at}`.padEnd(10_000, 'x')));
    expect(readable(long.slice(0, 6))).toHaveLength(6);
    expect(readable(long.slice(0, 7)).map(({ text }) => text[0])).toEqual(['0', '2', '4', '6']);
    expect(readable(long)).toHaveLength(6);
  });

  it('gets them numbered, as quoted material', () => {
    const [system, user] = suiteMessages(statements, 3);
    expect(system!.content).toContain('Write at most 3 scenarios');
    expect(user!.content).toContain(
      '{"number":1,"from":"the prompt on what the agent does","topic":"Booking","text":"Confirm the day."}',
    );
  });

  const scenario = (name: string, ...numbers: number[]) => ({
    name,
    category: 'CUSTOM' as const,
    tester_persona_name: ' ',
    tester_persona_prompt: 'You want Monday.',
    max_turns: 5,
    assertions: numbers.map((number) => ({
      statement: number,
      name: `About ${number}`,
      question: 'Does it?',
    })),
  });

  it('has no assertion without a statement, and no scenario without an assertion', () => {
    const drafts = draftsOfAnswer(
      { scenarios: [scenario('A', 0, 7), scenario('B', 2), scenario('C', 1), scenario('D', 1)] },
      statements,
      2,
    );
    expect(drafts.map(({ name, callerName, assertions }) => [name, callerName, assertions.length])).toEqual([
      ['A', null, 1],
      ['C', null, 1],
    ]);
    expect(drafts[0]).toMatchObject({ caller: { prompt: 'You want Monday.' }, maximumTurns: 5 });
    expect(drafts[0]!.assertions[0]!.statement).toBe(statements[0]);
  });

  it('keeps the name of a caller', () => {
    const named = { ...scenario('A', 0), tester_persona_name: ' Ada ' };
    expect(draftsOfAnswer({ scenarios: [named] }, statements, 2)[0]!.callerName).toBe('Ada');
  });
});

describe('a model that gives no answer', () => {
  it('is unavailable for the customer, and other errors are not', () => {
    expect(() =>
      throwUnavailable(new ModelUnavailable('The language model failed (503).', { remedy: '' })),
    ).toThrow(DemarcError);
    expect(() => throwUnavailable(new TypeError('undefined'))).toThrow(TypeError);
  });
});
