import { describe, expect, it } from 'vitest';
import { matchArgument } from '../../../../src/control/agent-testing/assertions/argument-match.js';
import {
  callOutcome,
  latency,
  phrases,
} from '../../../../src/control/agent-testing/assertions/conversation-checks.js';
import { outcomeOf } from '../../../../src/control/agent-testing/assertions/outcome.js';
import { toolCalled, toolOrder } from '../../../../src/control/agent-testing/assertions/tool-checks.js';
import {
  type Evidence,
  shown,
  transcriptOf,
  verdictOf,
} from '../../../../src/control/agent-testing/conversation/evidence.js';
import { says, wordsOf } from '../../../../src/control/agent-testing/conversation/spoken-words.js';
import { assertionConfigs } from '../../../../src/control/agent-testing/schemas/assertion.js';
import type { RunEnding, TriggeredWebhook } from '../../../../src/control/agent-testing/schemas/run.js';

const evidence = (fields: Partial<Evidence> = {}): Evidence => ({
  chat: [
    { role: 'assistant', content: 'Good morning.' },
    { role: 'user', content: 'Monday at nine, please.' },
    { role: 'assistant', content: 'Monday at nine it is.' },
    { role: 'user', content: 'Thank you.' },
    { role: 'assistant', content: 'Goodbye.' },
  ],
  variables: {},
  nodesVisited: [],
  nodeNames: {},
  webhooks: [],
  details: [],
  ending: { ended_by: 'agent', transfer: 'none', transferred_to: null },
  tone: null,
  voice: null,
  isCalled: false,
  hidesTools: false,
  ...fields,
});

describe('the verdict on phrases', () => {
  const on = (config: object, fields?: Partial<Evidence>) =>
    phrases(assertionConfigs.PHRASES.parse(config), evidence(fields));

  it('names what was not said and what was said although forbidden, and scores each phrase', () => {
    expect(on({ required: ['Monday', 'Tuesday'], forbidden: ['goodbye', 'price'], target: 'agent' })).toEqual(
      {
        status: 'FAILED',
        score: 0.5,
        reasoning: 'Not said: “Tuesday”. Said although forbidden: “goodbye”.',
        expected: '“Monday”, “Tuesday”; not “goodbye”, “price”',
        actual: null,
        turns: [2, 4],
      },
    );
  });

  it('says so when all is well', () => {
    expect(on({ required: ['Monday'], target: 'agent' })).toMatchObject({
      status: 'PASSED',
      score: 1,
      reasoning: 'All required phrases were said, and no forbidden one.',
      expected: '“Monday”',
      turns: [2],
    });
    expect(on({ forbidden: ['price'], target: 'agent' })).toMatchObject({
      status: 'PASSED',
      expected: 'not “price”',
      turns: [],
    });
  });

  it.each([
    ['agent', 'FAILED'],
    ['caller', 'PASSED'],
    ['transcript', 'PASSED'],
  ])('looks for the words of the %s: %s', (target, status) => {
    expect(on({ required: ['Thank you'], target }).status).toBe(status);
  });
});

describe('words that were spoken', () => {
  it.each([
    ['  Good   morning! ', ' good morning '],
    ['ＡＢＣ-1', ' abc 1 '],
    ['…', '  '],
    ["It's", ' it s '],
  ])('%j are %j', (text, words) => {
    expect(wordsOf(text)).toBe(words);
  });

  it.each([
    [['I say yes.'], 'yes', true],
    [['Yesterday.'], 'yes', false],
    [['Good', 'morning'], 'good morning', false],
    [['GOOD, morning'], 'good morning', true],
    [['営業時間は九時からです'], '営業時間', true],
    [[], 'yes', false],
  ])('%j have %s: %s', (lines, phrase, said) => {
    expect(says(lines.map(wordsOf), phrase)).toBe(said);
  });
});

describe('the verdict on latency', () => {
  const detail = (turn: number, latency_ms: number | null) => ({
    turn,
    node_id: null,
    latency_ms,
    extracted: [],
  });
  const on = (config: object, ...details: ReturnType<typeof detail>[]) =>
    latency(assertionConfigs.LATENCY.parse(config), evidence({ details }));

  it('leaves the greeting out, and names the turns that are too slow', () => {
    expect(
      on({ percentile: 100, maximum_ms: 1_000 }, detail(0, 5_000), detail(2, 1_500), detail(4, 800)),
    ).toEqual({
      status: 'FAILED',
      score: 0,
      reasoning: 'The highest latency of 2 answers is 1,500 ms; at most 1,000 ms is required.',
      expected: 'at most 1,000 ms',
      actual: '1,500 ms',
      turns: [2],
    });
  });

  it('passes at the limit', () => {
    expect(on({ percentile: 100, maximum_ms: 1_000 }, detail(2, 1_000))).toMatchObject({
      status: 'PASSED',
      turns: [],
    });
    expect(on({ percentile: 100, maximum_ms: 1_000 }, detail(2, 1_001))).toMatchObject({
      status: 'FAILED',
      turns: [2],
    });
  });

  it('counts what follows the first line of the caller, from that line on', () => {
    expect(on({ percentile: 100, maximum_ms: 1_000 }, detail(1, 2_000))).toMatchObject({
      status: 'FAILED',
      turns: [1],
    });
  });

  it('names a percentile as such', () => {
    const details = Array.from({ length: 20 }, (_, at) => detail(2 + at, (at + 1) * 100));
    expect(on({ percentile: 50, maximum_ms: 5_000 }, ...details).reasoning).toMatch(
      /^The 50th percentile of the latency of 20 answers is /,
    );
  });

  it('is none without a measured answer', () => {
    const none = {
      status: 'ERROR',
      score: null,
      reasoning: 'No answer to the caller has a measured latency.',
    };
    expect(on({ maximum_ms: 1_000 })).toEqual(none);
    expect(on({ maximum_ms: 1_000 }, detail(2, null))).toEqual(none);
    expect(on({ maximum_ms: 1_000 }, detail(0, 100))).toEqual(none);
    const config = assertionConfigs.LATENCY.parse({ maximum_ms: 1_000 });
    expect(latency(config, evidence({ chat: [], details: [detail(0, 100)] }))).toEqual(none);
  });
});

describe('the verdict on how a call ended', () => {
  const on = (config: object, ending: Partial<RunEnding> | null = {}) =>
    callOutcome(
      assertionConfigs.CALL_OUTCOME.parse(config),
      evidence({
        ending: ending && { ended_by: 'agent', transfer: 'none', transferred_to: null, ...ending },
      }),
    );
  const to = (target: string) => ({ transfer: 'transferred', transferred_to: target }) as const;

  it.each<[object, Partial<RunEnding>, string, string]>([
    [
      { ended_by: 'agent' },
      {},
      'PASSED',
      'The conversation was ended by the agent, not transferred; expected: ended by the agent.',
    ],
    [
      { ended_by: 'caller' },
      {},
      'FAILED',
      'The conversation was ended by the agent, not transferred; expected: ended by the caller.',
    ],
    [
      { ended_by: 'test' },
      { ended_by: 'test', transfer: 'unknown' },
      'PASSED',
      'The conversation was ended by the test; expected: ended by the test.',
    ],
    [
      { ended_by: 'caller', transfer: 'none' },
      { transfer: 'unknown' },
      'FAILED',
      'The conversation was ended by the agent; expected: ended by the caller, not transferred.',
    ],
    [
      { transfer: 'required' },
      to('+14155550100'),
      'PASSED',
      'The conversation was ended by the agent, transferred to +14155550100; expected: transferred.',
    ],
    [
      { transfer: 'required' },
      {},
      'FAILED',
      'The conversation was ended by the agent, not transferred; expected: transferred.',
    ],
    [
      { transfer: 'none' },
      {},
      'PASSED',
      'The conversation was ended by the agent, not transferred; expected: not transferred.',
    ],
    [
      { transfer: 'none' },
      to('+14155550100'),
      'FAILED',
      'The conversation was ended by the agent, transferred to +14155550100; expected: not transferred.',
    ],
    [
      { transfer_to: '+14155550100' },
      to('+14155550100'),
      'PASSED',
      'The conversation was ended by the agent, transferred to +14155550100; expected: transferred to +14155550100.',
    ],
    [
      { transfer_to: '+14155550100' },
      to('+14155550199'),
      'FAILED',
      'The conversation was ended by the agent, transferred to +14155550199; expected: transferred to +14155550100.',
    ],
    [
      { transfer_to: '+14155550100' },
      {},
      'FAILED',
      'The conversation was ended by the agent, not transferred; expected: transferred to +14155550100.',
    ],
  ])('%j after %j has %s', (config, ending, status, reasoning) => {
    expect(on(config, ending)).toMatchObject({ status, reasoning, score: status === 'PASSED' ? 1 : 0 });
  });

  it.each([
    ['+1 (415) 555-0100', 'tel:+14155550100', 'PASSED'],
    ['+14155550100', 'sip:+14155550100@pbx.example', 'PASSED'],
    ['+14155550100', 'sips:+14155550100;ext=1@pbx.example', 'PASSED'],
    ['sip:desk@pbx.example', 'SIP:Desk@pbx.example', 'PASSED'],
    ['sip:desk@pbx.example', 'sip:desk@other.example', 'FAILED'],
    ['desk', 'sip:desk@pbx.example', 'PASSED'],
    [' desk ', 'desk', 'PASSED'],
    ['14155550100', 'sip:+14155550100@pbx.example', 'FAILED'],
  ])('takes %s and %s for the same target: %s', (target, actual, status) => {
    expect(on({ transfer_to: target }, to(actual)).status).toBe(status);
  });

  it('is none on a transfer that is not known, or a recorded conversation', () => {
    expect(on({ transfer: 'none' }, { transfer: 'unknown' })).toEqual({
      status: 'ERROR',
      score: null,
      reasoning: 'It is not known whether the caller was transferred.',
    });
    expect(on({ transfer: 'required' }, { transfer: 'unknown' }).status).toBe('ERROR');
    expect(on({ ended_by: 'agent' }, null).reasoning).toBe('A recorded conversation has no ending.');
  });
});

describe('the arguments of a tool call', () => {
  const given = {
    day: '2026-12-01',
    guests: 4,
    vip: false,
    none: null,
    tags: ['window', ['a', 'b']],
    guest: { name: 'Ada', home: { city: 'Graz', zip: '8010' } },
    note: 'Bearer [masked]',
  };
  const result = (path: string, operator: string, value?: unknown) =>
    matchArgument({ path, operator, value } as Parameters<typeof matchArgument>[0], given).result;

  it.each<[string, string, unknown, string]>([
    ['day', 'equals', '2026-12-01', 'holds'],
    ['guests', 'equals', 4, 'holds'],
    ['guests', 'equals', '4', 'differs'],
    ['none', 'equals', null, 'holds'],
    ['vip', 'equals', false, 'holds'],
    ['tags', 'equals', ['window', ['a', 'b']], 'holds'],
    ['tags', 'equals', [['a', 'b'], 'window'], 'differs'],
    ['tags', 'equals', ['window'], 'differs'],
    ['tags', 'equals', 'window', 'differs'],
    ['tags.1', 'equals', { 0: 'a', 1: 'b' }, 'differs'],
    ['guest', 'equals', { home: { zip: '8010', city: 'Graz' }, name: 'Ada' }, 'holds'],
    ['guest', 'equals', { name: 'Ada' }, 'differs'],
    ['guest', 'equals', { name: 'Ada', home: { city: 'Graz', zip: '8010' }, age: 7 }, 'differs'],
    ['guest', 'equals', { name: 'Ada', house: { city: 'Graz', zip: '8010' } }, 'differs'],
    ['guest', 'equals', 'Ada', 'differs'],
    ['day', 'equals', { 0: '2' }, 'differs'],
    ['absent', 'equals', null, 'differs'],
    ['day', 'contains', '2026', 'holds'],
    ['guest.name', 'contains', 'AD', 'holds'],
    ['guests', 'contains', 4, 'holds'],
    ['guests', 'contains', 5, 'differs'],
    ['tags', 'contains', 'window', 'holds'],
    ['tags', 'contains', ['a', 'b'], 'holds'],
    ['tags', 'contains', 'win', 'differs'],
    ['guest', 'contains', { name: 'Ada' }, 'holds'],
    ['guest', 'contains', { home: { city: 'Graz' } }, 'holds'],
    ['guest', 'contains', { home: { city: 'Rome' } }, 'differs'],
    ['guest', 'contains', { home: 'Graz' }, 'differs'],
    ['guest', 'contains', { age: 7 }, 'differs'],
    ['guest', 'contains', { name: 'Ada', age: 7 }, 'differs'],
    ['guest', 'contains', 'Ada', 'differs'],
    ['none', 'contains', 'null', 'differs'],
    ['guest', 'contains', {}, 'holds'],
    ['day', 'matches', '^2026-', 'holds'],
    ['day', 'matches', '^-', 'differs'],
    ['guests', 'matches', '^4$', 'holds'],
    ['day', 'present', undefined, 'holds'],
    ['vip', 'present', undefined, 'holds'],
    ['none', 'present', undefined, 'differs'],
    ['missing', 'present', undefined, 'differs'],
    ['none', 'absent', undefined, 'holds'],
    ['missing', 'absent', undefined, 'holds'],
    ['day', 'absent', undefined, 'differs'],
    ['note', 'equals', 'Bearer x', 'unknown'],
    ['note', 'contains', 'Bearer', 'holds'],
    ['note', 'present', undefined, 'holds'],
    ['', 'contains', { guests: 4 }, 'holds'],
    ['', 'contains', { guests: 5 }, 'unknown'],
  ])('%j %s %j: %s', (path, operator, value, expected) => {
    expect(result(path, operator, value)).toBe(expected);
  });

  it('are quoted for people', () => {
    const actual = (path: string) => matchArgument({ path, operator: 'present' }, { day: 'Monday' }).actual;
    expect(actual('day')).toBe('day is "Monday"');
    expect(actual('hour')).toBe('hour absent');
    expect(actual('')).toBe('arguments is {"day":"Monday"}');
  });
});

describe('the verdict on tool calls', () => {
  const call = (fields: Partial<TriggeredWebhook> = {}): TriggeredWebhook =>
    ({
      node_id: 'book',
      url: 'https://crm.example/book',
      arguments: { day: 'Monday' },
      status: 200,
      is_mocked: false,
      error: null,
      duration_ms: 1,
      turn: 2,
      ...fields,
    }) as TriggeredWebhook;
  const on = (config: object, ...webhooks: TriggeredWebhook[]) =>
    toolCalled(assertionConfigs.TOOL_CALLED.parse(config), evidence({ webhooks }));
  const monday = [{ path: 'day', value: 'Monday' }];

  it('says what was called, and what was expected', () => {
    expect(on({ node_id: 'book', arguments: monday }, call())).toEqual({
      status: 'PASSED',
      score: 1,
      reasoning: '1 of 1 calls of the tool count; expected: at least 1 call with day equals "Monday".',
      expected: 'at least 1 call with day equals "Monday"',
      actual: 'book 200: day is "Monday"',
    });
    expect(on({ node_id: 'book' })).toMatchObject({
      status: 'FAILED',
      reasoning: 'The tool was not called; expected: at least 1 call.',
    });
  });

  it.each<[object, string]>([
    [{}, 'at least 1 call'],
    [{ min_count: 2 }, 'at least 2 calls'],
    [{ min_count: 0, max_count: 0 }, 'exactly 0 calls'],
    [{ min_count: 1, max_count: 1 }, 'exactly 1 calls'],
    [{ min_count: 1, max_count: 3 }, '1 to 3 calls'],
    [
      {
        arguments: [
          { operator: 'present', path: 'day' },
          { operator: 'matches', value: '^x' },
        ],
      },
      'at least 1 call with day present, arguments matches "^x"',
    ],
  ])('%j expects %s', (config, expected) => {
    expect(on(config, call())).toMatchObject({ expected });
  });

  it.each<[string, object, TriggeredWebhook[], string]>([
    ['another tool does not count', { node_id: 'find' }, [call()], 'FAILED'],
    ['another address does not count', { url: '/find' }, [call()], 'FAILED'],
    ['a part of the address is enough', { url: 'crm.example' }, [call()], 'PASSED'],
    ['a failed call counts', {}, [call({ status: 500 })], 'PASSED'],
    [
      'a failed call does not count where it must succeed',
      { must_succeed: true },
      [call({ status: 500 })],
      'FAILED',
    ],
    ['299 has succeeded', { must_succeed: true }, [call({ status: 299 })], 'PASSED'],
    ['300 has not', { must_succeed: true }, [call({ status: 300 })], 'FAILED'],
    ['199 has not', { must_succeed: true }, [call({ status: 199 })], 'FAILED'],
    ['200 has succeeded', { must_succeed: true }, [call({ status: 200 })], 'PASSED'],
    ['no answer has not', { must_succeed: true }, [call({ status: null })], 'FAILED'],
    ['too few', { min_count: 2 }, [call()], 'FAILED'],
    ['enough', { min_count: 2 }, [call(), call()], 'PASSED'],
    ['as many as there may be', { max_count: 2 }, [call(), call()], 'PASSED'],
    ['too many', { max_count: 1 }, [call(), call()], 'FAILED'],
    ['none, as it should be', { min_count: 0, max_count: 0 }, [], 'PASSED'],
    ['before the first turn of the caller', { from_turn: 1 }, [call({ turn: 0 })], 'FAILED'],
    ['after the first turn of the caller', { from_turn: 1 }, [call({ turn: 2 })], 'PASSED'],
    ['after the turn that is the last', { to_turn: 1 }, [call({ turn: 4 })], 'FAILED'],
    ['in the turn that is the last', { to_turn: 1 }, [call({ turn: 2 })], 'PASSED'],
    ['with other arguments', { arguments: [{ path: 'day', value: 'Friday' }] }, [call()], 'FAILED'],
    ['with masked arguments', { arguments: monday }, [call({ arguments: { day: '[masked]' } })], 'ERROR'],
    ['with arguments that were not kept', { arguments: monday }, [call({ arguments: null })], 'ERROR'],
    ['with enough beside masked ones', { arguments: monday }, [call(), call({ arguments: null })], 'PASSED'],
    [
      'with too many beside masked ones',
      { arguments: monday, max_count: 1 },
      [call(), call(), call({ arguments: null })],
      'FAILED',
    ],
    [
      'with perhaps too many',
      { arguments: monday, max_count: 1 },
      [call(), call({ arguments: null })],
      'ERROR',
    ],
    [
      'with too few, masked ones included',
      { arguments: monday, min_count: 3 },
      [call(), call({ arguments: null })],
      'FAILED',
    ],
  ])('%s', (_, config, calls, status) => {
    expect(on(config, ...calls).status).toBe(status);
  });

  it('says how many calls cannot be compared', () => {
    expect(on({ arguments: monday }, call({ arguments: null }), call({ arguments: null }))).toMatchObject({
      reasoning: 'The arguments of 2 calls are masked or were not kept, so that they cannot be compared.',
      actual: 'book 200: arguments not kept; book 200: arguments not kept',
    });
  });

  it('quotes a call by its status, else its error', () => {
    expect(on({}, call({ status: null, error: 'timed out' }), call({ status: null })).actual).toBe(
      'book timed out; book no answer',
    );
  });

  it('needs the turns of calls only where it asks for turns', () => {
    expect(on({}, call({ turn: null })).status).toBe('PASSED');
    expect(on({ to_turn: 3 }, call({ turn: null })).status).toBe('ERROR');
  });

  it('on their order names both', () => {
    const config = assertionConfigs.TOOL_ORDER.parse({ node_ids: ['find', 'book'] });
    const verdict = (...names: string[]) =>
      toolOrder(config, evidence({ webhooks: names.map((node_id) => call({ node_id })) }));
    expect(verdict('find', 'book')).toMatchObject({
      status: 'PASSED',
      score: 1,
      reasoning: 'The tools were called in this order.',
      expected: 'find → book',
      actual: 'find → book',
    });
    expect(verdict('book', 'find')).toMatchObject({
      status: 'FAILED',
      reasoning: 'The tools were not called in this order.',
      actual: 'book → find',
    });
  });

  it('is none where the agent may call tools unseen', () => {
    const config = assertionConfigs.TOOL_CALLED.parse({});
    expect(toolCalled(config, evidence({ hidesTools: true })).status).toBe('ERROR');
    const order = assertionConfigs.TOOL_ORDER.parse({ node_ids: ['find'] });
    expect(toolOrder(order, evidence({ hidesTools: true })).status).toBe('ERROR');
  });
});

describe('what the results of a run say', () => {
  const result = (status: 'PASSED' | 'FAILED' | 'ERROR', name: string | null, isRequired = true) => ({
    type: 'PHRASES' as const,
    name,
    status,
    is_required: isRequired,
    weight: 1,
    score: status === 'PASSED' ? 1 : 0,
    reasoning: `Because of ${name}.`,
  });
  const reasoning = (...results: ReturnType<typeof result>[]) => outcomeOf(results).reasoning;

  it('names what failed, and what failed beside it', () => {
    expect(reasoning()).toBe('The conversation was completed; the scenario has no assertions.');
    expect(reasoning(result('PASSED', 'A'))).toBe('Every required assertion passed.');
    expect(
      reasoning(result('PASSED', 'A'), result('FAILED', 'B', false), result('FAILED', null, false)),
    ).toBe('Every required assertion passed. Not required: B, PHRASES failed.');
    expect(
      reasoning(
        result('FAILED', 'A'),
        result('FAILED', null),
        result('FAILED', 'C', false),
        result('PASSED', 'D', false),
      ),
    ).toBe('A: Because of A. PHRASES: Because of null. Not required: C failed.');
  });

  it('says what could not be evaluated', () => {
    expect(outcomeOf([result('FAILED', 'A'), result('ERROR', null, false)])).toMatchObject({
      status: 'ERROR',
      reasoning: 'PHRASES could not be evaluated: Because of null.',
      errorMessage: 'PHRASES could not be evaluated: Because of null.',
    });
  });
});

describe('a verdict', () => {
  it('quotes at most 500 characters', () => {
    expect(shown('x'.repeat(500))).toBe('x'.repeat(500));
    expect(shown('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
    expect(verdictOf(true, 'Yes.', { expected: 'x'.repeat(501) })).toEqual({
      status: 'PASSED',
      score: 1,
      reasoning: 'Yes.',
      expected: `${'x'.repeat(500)}…`,
      actual: null,
    });
    expect(verdictOf(false, 'No.')).toEqual({
      status: 'FAILED',
      score: 0,
      reasoning: 'No.',
      expected: null,
      actual: null,
    });
  });

  it('may quote the conversation', () => {
    expect(transcriptOf(evidence().chat.slice(0, 2))).toBe(
      'agent: Good morning.\ncaller: Monday at nine, please.',
    );
  });
});
