import { describe, expect, it } from 'vitest';
import { type CheckedType, check, checks } from '../../../../src/control/agent-testing/assertions/checks.js';
import {
  linearPattern,
  patternProblem,
} from '../../../../src/control/agent-testing/assertions/linear-pattern.js';
import { outcomeOf } from '../../../../src/control/agent-testing/assertions/outcome.js';
import {
  commonSubsequenceLength,
  traversalScore,
} from '../../../../src/control/agent-testing/assertions/traversal.js';
import { unheardWarnings } from '../../../../src/control/agent-testing/assertions/unheard.js';
import { notUnderstood } from '../../../../src/control/agent-testing/conversation/channel.js';
import type { Evidence } from '../../../../src/control/agent-testing/conversation/evidence.js';
import { assertionConfigs } from '../../../../src/control/agent-testing/schemas/assertion.js';
import { processorMilliseconds } from '../../../support/processor-use.js';

const evidence: Evidence = {
  chat: [
    { role: 'assistant', content: 'Good morning, how can I help?' },
    { role: 'user', content: 'I live in Straße 5.' },
    { role: 'assistant', content: 'Thank you.' },
  ],
  variables: { day: 'Tuesday', guests: 4, empty: '', gone: null },
  nodesVisited: ['start', 'ask', 'ask', 'end'],
  nodeNames: { start: 'Start' },
  webhooks: [
    {
      node_id: 'ask',
      url: 'https://crm.example.com/find',
      arguments: { name: 'Ada', city: 'Graz' },
      status: 200,
      is_mocked: false,
      error: null,
      duration_ms: 3,
      turn: 1,
    },
    {
      node_id: 'end',
      url: 'https://crm.example.com/book',
      arguments: {
        day: '2026-12-01',
        guests: 4,
        tags: ['window', 'quiet'],
        guest: { name: 'Ada', token: '[masked]' },
        note: 'Bearer [masked]',
      },
      status: null,
      is_mocked: false,
      error: 'x',
      duration_ms: 3,
      turn: 2,
    },
  ],
  details: [
    { turn: 0, node_id: 'start', latency_ms: 9_000, extracted: [] },
    { turn: 1, node_id: null, latency_ms: null, extracted: [] },
    { turn: 2, node_id: 'ask', latency_ms: 800, extracted: [] },
  ],
  ending: { ended_by: 'agent', transfer: 'transferred', transferred_to: 'sip:+14155550100@pbx.example.com' },
  tone: null,
  voice: null,
  isCalled: false,
  hidesTools: false,
};
/** Status and score of a check with the defaults of its configuration. */
function checked(type: CheckedType, config: object, evidenceOfRun: Evidence = evidence) {
  const parsed = assertionConfigs[type].parse(config);
  const { status, score } = (
    checks[type] as (config: unknown, evidence: Evidence) => { status: string; score: number | null }
  )(parsed, evidenceOfRun);
  return `${status} ${score}`;
}
const passed = 'PASSED 1';
const failed = 'FAILED 0';

it.each([
  [199, failed],
  [200, passed],
  [299, passed],
  [300, failed],
  [null, failed],
])('counts a tool call with status %s as successful or not', (status, verdict) => {
  const webhooks = evidence.webhooks.slice(0, 1).map((call) => ({ ...call, status }));
  for (const type of ['TOOL_CALLED', 'WEBHOOK_TRIGGERED'] as const)
    expect(checked(type, { must_succeed: true }, { ...evidence, webhooks })).toBe(verdict);
});

describe('an assertion without a model', () => {
  it.each<[CheckedType, object, string]>([
    ['VARIABLE_EXTRACTED', { variable_name: 'day' }, passed],
    ['VARIABLE_EXTRACTED', { variable_name: 'day', expected_value: 'tuesday' }, passed],
    ['VARIABLE_EXTRACTED', { variable_name: 'day', expected_value: 'tuesday', match: 'exact' }, failed],
    ['VARIABLE_EXTRACTED', { variable_name: 'day', expected_value: 'UES', match: 'contains' }, passed],
    ['VARIABLE_EXTRACTED', { variable_name: 'day', expected_value: '^T.*y$', match: 'regex' }, passed],
    ['VARIABLE_EXTRACTED', { variable_name: 'guests', expected_value: 4 }, passed],
    ['VARIABLE_EXTRACTED', { variable_name: 'empty' }, failed],
    ['VARIABLE_EXTRACTED', { variable_name: 'gone' }, failed],
    ['VARIABLE_EXTRACTED', { variable_name: 'toString' }, failed],
    ['NODE_REACHED', { node_id: 'ask' }, passed],
    ['NODE_REACHED', { node_id: 'other' }, failed],
    ['NODES_VISITED', { node_ids: ['start', 'end'] }, passed],
    ['NODES_VISITED', { node_ids: ['start', 'other'] }, 'FAILED 0.5'],
    ['NODES_VISITED', { node_ids: ['start', 'other'], mode: 'any' }, passed],
    ['WEBHOOK_TRIGGERED', {}, passed],
    ['WEBHOOK_TRIGGERED', { url: '/book' }, passed],
    ['WEBHOOK_TRIGGERED', { url: '/book', must_succeed: true }, failed],
    ['WEBHOOK_TRIGGERED', { min_count: 3 }, failed],
    ['REGEX_MATCH', { pattern: '^caller: i live', flags: 'im' }, passed],
    ['REGEX_MATCH', { pattern: 'help', target: 'caller' }, failed],
    ['REGEX_MATCH', { pattern: 'password', must_match: false }, passed],
    ['REGEX_MATCH', { pattern: '^\\d$', target: 'variable', variable_name: 'guests' }, passed],
    ['STRING_CHECK', { value: 'GOOD MORNING' }, passed],
    ['STRING_CHECK', { value: 'GOOD MORNING', case_sensitive: true }, failed],
    ['STRING_CHECK', { value: 'thank you.', operator: 'equals', target: 'agent' }, passed],
    ['STRING_CHECK', { value: 'thank', operator: 'equals', target: 'agent' }, failed],
    ['STRING_CHECK', { value: 'insult', operator: 'not_contains' }, passed],
    ['STRING_CHECK', { value: '4', operator: 'equals', target: 'variable', variable_name: 'guests' }, passed],
    ['STRING_CHECK', { value: '4', target: 'variable', variable_name: 'none' }, failed],
    ['TRAVERSAL_MATCH', { reference_path: ['start', 'ask', 'ask', 'end'] }, passed],
    ['TRAVERSAL_MATCH', { reference_path: ['start', 'end'], mode: 'subsequence' }, passed],
    ['TRAVERSAL_MATCH', { reference_path: ['start', 'end'], threshold: 0.6 }, `PASSED ${4 / 6}`],
    ['VOICE_METRIC', { metric: 'first_audio_ms', maximum: 500 }, 'ERROR null'],
    ['SERVICE_TONE', {}, 'ERROR null'],
    ['TOOL_CALLED', { node_id: 'end' }, passed],
    ['TOOL_CALLED', { node_id: 'end', must_succeed: true }, failed],
    ['TOOL_CALLED', { node_id: 'other', min_count: 0, max_count: 0 }, passed],
    ['TOOL_CALLED', { node_id: 'end', min_count: 0, max_count: 0 }, failed],
    ['TOOL_CALLED', { min_count: 2, max_count: 2 }, passed],
    ['TOOL_CALLED', { max_count: 1 }, failed],
    ['TOOL_CALLED', { node_id: 'end', from_turn: 1 }, passed],
    ['TOOL_CALLED', { node_id: 'end', from_turn: 2 }, failed],
    ['TOOL_CALLED', { node_id: 'end', to_turn: 1 }, passed],
    ['TOOL_CALLED', { node_id: 'ask', to_turn: 0, must_succeed: true }, passed],
    ['TOOL_CALLED', { min_count: 2 }, passed],
    ['TOOL_CALLED', { min_count: 3 }, failed],
    ['TOOL_CALLED', { max_count: 2 }, passed],
    ['TOOL_CALLED', { node_id: 'end', to_turn: 0 }, failed],
    ['TOOL_CALLED', { url: '/book', arguments: [{ path: 'day', value: '2026-12-01' }] }, passed],
    ['TOOL_CALLED', { url: '/find', arguments: [{ path: 'day', value: '2026-12-01' }] }, failed],
    ['TOOL_CALLED', { url: '/find', arguments: [{ value: { city: 'Graz', name: 'Ada' } }] }, passed],
    ['TOOL_CALLED', { url: '/find', arguments: [{ value: { name: 'Ada' } }] }, failed],
    ['TOOL_CALLED', { url: '/find', arguments: [{ operator: 'contains', value: { name: 'Ada' } }] }, passed],
    ['TOOL_CALLED', { arguments: [{ path: 'guests', value: '4' }] }, failed],
    ['TOOL_CALLED', { arguments: [{ path: 'tags.1', value: 'quiet' }] }, passed],
    ['TOOL_CALLED', { arguments: [{ path: 'tags', operator: 'contains', value: 'window' }] }, passed],
    ['TOOL_CALLED', { arguments: [{ path: 'tags', operator: 'contains', value: 'win' }] }, failed],
    ['TOOL_CALLED', { arguments: [{ path: 'day', operator: 'contains', value: '12-' }] }, passed],
    ['TOOL_CALLED', { arguments: [{ path: 'day', operator: 'matches', value: '^2026-1[12]-' }] }, passed],
    ['TOOL_CALLED', { arguments: [{ path: 'toString', operator: 'present' }] }, failed],
    ['TOOL_CALLED', { arguments: [{ path: 'guest.name', operator: 'present' }] }, passed],
    ['TOOL_CALLED', { url: '/book', arguments: [{ path: 'iban', operator: 'absent' }] }, passed],
    ['TOOL_CALLED', { url: '/book', arguments: [{ path: 'guest.token', value: 'x' }] }, 'ERROR null'],
    ['TOOL_CALLED', { url: '/book', arguments: [{ path: 'guest.token', operator: 'present' }] }, passed],
    [
      'TOOL_CALLED',
      {
        url: '/book',
        arguments: [
          { path: 'note', value: 'x' },
          { path: 'day', value: 'never' },
        ],
      },
      failed,
    ],
    ['TOOL_ORDER', { node_ids: ['ask', 'end'] }, passed],
    ['TOOL_ORDER', { node_ids: ['end', 'ask'] }, 'FAILED 0.5'],
    ['TOOL_ORDER', { node_ids: ['end'] }, passed],
    ['TOOL_ORDER', { node_ids: ['end'], mode: 'exact' }, `FAILED ${2 / 3}`],
    ['PHRASES', { required: ['good morning how', 'THANK YOU!'] }, passed],
    ['PHRASES', { required: ['good evening', 'thank you'] }, 'FAILED 0.5'],
    ['PHRASES', { required: ['help thank'] }, failed],
    ['PHRASES', { required: ['strasse'], target: 'caller' }, failed],
    ['PHRASES', { required: ['in straße 5'], target: 'caller' }, passed],
    ['PHRASES', { forbidden: ['elp', 'straße'] }, passed],
    ['PHRASES', { forbidden: ['help'] }, failed],
    ['PHRASES', { forbidden: ['straße'], target: 'transcript' }, failed],
    ['LATENCY', { maximum_ms: 800 }, passed],
    ['LATENCY', { percentile: 50, maximum_ms: 799 }, failed],
    ['CALL_OUTCOME', { ended_by: 'agent' }, passed],
    ['CALL_OUTCOME', { ended_by: 'caller' }, failed],
    ['CALL_OUTCOME', { transfer: 'required' }, passed],
    ['CALL_OUTCOME', { transfer: 'none' }, failed],
    ['CALL_OUTCOME', { transfer_to: '+1 (415) 555-0100' }, passed],
    ['CALL_OUTCOME', { transfer_to: 'sip:+14155550100@other.example.com' }, failed],
    ['CALL_OUTCOME', { ended_by: 'agent', transfer_to: '+14155550199' }, failed],
  ])('%s %j: %s', (type, config, expected) => {
    expect(checked(type, config)).toBe(expected);
  });

  const voice = { call_id: 'c', transcription: 'tones' } as Evidence['voice'];
  const inCall = (...lines: string[]): Evidence => ({
    ...evidence,
    voice,
    isCalled: true,
    hidesTools: true,
    nodeNames: {},
    webhooks: [],
    variables: {},
    chat: lines.map((content) => ({ role: 'assistant', content })),
  });

  it.each<[CheckedType, object, string]>([
    ['STRING_CHECK', { value: 'price', target: 'agent' }, 'ERROR null'],
    ['STRING_CHECK', { value: 'price', target: 'agent', operator: 'not_contains' }, 'ERROR null'],
    ['STRING_CHECK', { value: 'price', target: 'transcript' }, 'ERROR null'],
    ['STRING_CHECK', { value: 'speech', target: 'agent' }, 'ERROR null'],
    ['STRING_CHECK', { value: 'hello', target: 'agent' }, passed],
    ['STRING_CHECK', { value: 'hello', target: 'agent', operator: 'not_contains' }, failed],
    ['STRING_CHECK', { value: 'price', target: 'caller' }, failed],
    ['REGEX_MATCH', { pattern: 'pri.e', target: 'agent' }, 'ERROR null'],
    ['REGEX_MATCH', { pattern: 'understood', target: 'agent', must_match: false }, 'ERROR null'],
    ['REGEX_MATCH', { pattern: 'H.llo', target: 'agent' }, passed],
    ['PHRASES', { required: ['price'] }, 'ERROR null'],
    ['PHRASES', { required: ['hello'] }, passed],
    ['PHRASES', { forbidden: ['price'] }, 'ERROR null'],
    ['PHRASES', { required: ['price'], forbidden: ['hello'] }, failed],
    ['PHRASES', { required: ['price'], target: 'caller' }, failed],
  ])('gives no verdict on words that were not understood: %s %j', (type, config, expected) => {
    expect(checked(type, config, inCall('Hello.', notUnderstood))).toBe(expected);
  });

  it.each<[CheckedType, object]>([
    ['VARIABLE_EXTRACTED', { variable_name: 'day' }],
    ['NODE_REACHED', { node_id: 'end' }],
    ['NODES_VISITED', { node_ids: ['end'] }],
    ['WEBHOOK_TRIGGERED', {}],
    ['TRAVERSAL_MATCH', { reference_path: ['start'], mode: 'exact', threshold: 1 }],
    ['TOOL_CALLED', {}],
    ['TOOL_ORDER', { node_ids: ['end'] }],
    ['STRING_CHECK', { value: 'x', target: 'variable', variable_name: 'day' }],
  ])('gives no verdict on what a call does not show: %s', (type, config) => {
    expect(checked(type, config, inCall('Hello.'))).toBe('ERROR null');
  });

  it('gives no verdict on an unknown transfer, on a recorded ending, and on arguments that were not kept', () => {
    const unknown = { ended_by: 'caller', transfer: 'unknown', transferred_to: null } as const;
    const ended = (ending: Evidence['ending']) => ({ ...evidence, ending });
    expect(checked('CALL_OUTCOME', { transfer: 'none' }, ended(unknown))).toBe('ERROR null');
    expect(checked('CALL_OUTCOME', { ended_by: 'caller' }, ended(unknown))).toBe(passed);
    expect(checked('CALL_OUTCOME', { ended_by: 'agent', transfer: 'none' }, ended(unknown))).toBe(failed);
    expect(checked('CALL_OUTCOME', { ended_by: 'agent' }, ended(null))).toBe('ERROR null');
    const lost = { ...evidence, webhooks: evidence.webhooks.map((call) => ({ ...call, arguments: null })) };
    const day = { arguments: [{ path: 'day', value: '2026-12-01' }] };
    expect(checked('TOOL_CALLED', day, lost)).toBe('ERROR null');
    expect(checked('TOOL_CALLED', { ...day, min_count: 3 }, lost)).toBe(failed);
    expect(checked('TOOL_CALLED', { ...day, min_count: 0 }, lost)).toBe(passed);
    expect(checked('LATENCY', { maximum_ms: 800 }, { ...evidence, details: [] })).toBe('ERROR null');
  });

  it('says which arguments differ', () => {
    const config = assertionConfigs.TOOL_CALLED.parse({
      url: '/book',
      arguments: [{ path: 'day', value: 'x' }],
    });
    const { reasoning, actual } = checks.TOOL_CALLED(config, evidence);
    expect(reasoning).toBe('0 of 1 calls of the tool count; expected: at least 1 call with day equals "x".');
    expect(actual).toBe('end x: day is "2026-12-01"');
  });

  it.each([
    ['TOOL_CALLED', { min_count: 2, max_count: 1 }],
    ['TOOL_CALLED', { arguments: [{ path: 'day' }] }],
    ['TOOL_CALLED', { arguments: [{ path: 'day', operator: 'present', value: 1 }] }],
    ['TOOL_CALLED', { arguments: [{ path: 'day', operator: 'matches', value: 4 }] }],
    ['PHRASES', {}],
    ['PHRASES', { required: ['?!'] }],
    ['CALL_OUTCOME', {}],
    ['CALL_OUTCOME', { transfer: 'none', transfer_to: '+14155550100' }],
  ] as const)('is refused when it says nothing or contradicts itself: %s %j', (type, config) => {
    expect(assertionConfigs[type].safeParse(config).success).toBe(false);
  });

  it('tells the author of a scenario by voice what its runs cannot evaluate', () => {
    const assertions = [
      { type: 'STRING_CHECK' as const, name: 'Price', config: { value: 'x', target: 'agent' } },
      { type: 'STRING_CHECK' as const, name: 'Asked', config: { value: 'x', target: 'caller' } },
      { type: 'NODE_REACHED' as const, name: null, config: { node_id: 'end' } },
      { type: 'VOICE_METRIC' as const, name: 'Fast', config: {} },
      { type: 'TOOL_CALLED' as const, name: 'Books', config: {} },
    ];
    const scenario = { channel: 'voice' as const, agent: null, webhook_mocks: [], assertions };
    expect(unheardWarnings({ ...scenario, channel: 'text' }, false)).toEqual([]);
    expect(unheardWarnings(scenario, false)).toMatchObject(
      [/^Price: /, /^NODE_REACHED: /, /^Books: /].map((pattern) => expect.stringMatching(pattern)),
    );
    expect(unheardWarnings(scenario, true)).toHaveLength(2);
    const own = { ...scenario, channel: 'text' as const, agent: { url: 'https://agent.example.com' } };
    expect(unheardWarnings(own, true)).toMatchObject([expect.stringMatching(/^Books: .*tool_calls/)]);
    expect(unheardWarnings({ ...own, webhook_mocks: [{}] }, true)).toEqual([]);
  });

  it('compares what was measured in a call with both bounds', () => {
    const voice = {
      call_id: 'c',
      first_audio_ms: 400,
      mean_latency_ms: null,
      p95_latency_ms: null,
      maximum_latency_ms: null,
      interruptions: 0,
      longest_silence_ms: null,
      talk_over_ms: 0,
    };
    const measured = { ...evidence, voice } as Evidence;
    expect(checked('VOICE_METRIC', { metric: 'first_audio_ms', maximum: 500 }, measured)).toBe(passed);
    expect(checked('VOICE_METRIC', { metric: 'first_audio_ms', minimum: 500 }, measured)).toBe(failed);
    expect(checked('VOICE_METRIC', { metric: 'mean_latency_ms', maximum: 500 }, measured)).toBe('ERROR null');
  });

  it('names what was measured in words, with its unit', () => {
    const voice = { call_id: 'c', p95_latency_ms: 1_820, talk_over_share: 0.125, interruptions: 3 };
    const judge = (config: object) => {
      const parsed = assertionConfigs.VOICE_METRIC.parse(config);
      const { reasoning, expected, actual } = checks.VOICE_METRIC(parsed, { ...evidence, voice } as Evidence);
      return [reasoning, expected, actual];
    };
    expect(judge({ metric: 'p95_latency_ms', maximum: 1_500 })).toEqual([
      'Latency, 95th percentile: 1,820 ms; at most 1,500 ms is required.',
      'at most 1,500 ms',
      '1,820 ms',
    ]);
    expect(judge({ metric: 'talk_over_share', maximum: 0.1 })[0]).toBe(
      'Share of talk-over: 12.5 %; at most 10 % is required.',
    );
    expect(judge({ metric: 'interruptions', maximum: 2 })[0]).toBe(
      'Interruptions of the caller: 3; at most 2 is required.',
    );
    expect(judge({ metric: 'jitter_ms', maximum: 30 })[0]).toBe(
      'Jitter: not measured, because the call gave no value.',
    );
  });

  it('is an ERROR when its pattern is too large for the text', () => {
    const chat = [{ role: 'assistant' as const, content: 'x'.repeat(40_000) }];
    const withChat = { ...evidence, chat };
    const pattern = '(?:.{0,30}[x-z]?){30}[0-9]$';
    const { status, reasoning } = check('REGEX_MATCH', { pattern }, withChat);
    expect(status).toBe('ERROR');
    expect(reasoning).toMatch(
      /^The pattern is too large for this text: 1,864 instructions × 40,007 characters/,
    );
    const config = { variable_name: 'long', match: 'regex', expected_value: pattern };
    const long = { ...evidence, variables: { long: 'x'.repeat(40_000) } };
    expect(check('VARIABLE_EXTRACTED', config, long).status).toBe('ERROR');
  });

  it('is refused with a pattern that RE2 does not have, or that is too large', () => {
    expect(patternProblem('a(?=b)')).toContain('RE2');
    expect(patternProblem('(?:.{0,30}[x-z]?){30}[0-9]$')).toBeUndefined();
    expect(patternProblem('.{0,1000}'.repeat(6))).toContain('12,002 instructions, at most 10,000');
  });
});

describe('patterns of customers', () => {
  it('take time that grows with the text alone, also those that other engines never finish', () => {
    const matches = linearPattern('^(a+)+$');
    const milliseconds = (length: number): number => {
      const text = `${'a'.repeat(length)}!`;
      return processorMilliseconds(() => expect(matches(text)).toBeUndefined());
    };
    // A backtracking engine needs 2^n steps: at 40 letters already hours.
    milliseconds(50_000);
    const small = Math.max(2, milliseconds(50_000));
    expect(milliseconds(500_000)).toBeLessThan(60 * small);
  });
});

describe('the longest common subsequence', () => {
  it.each([
    ['ABCBDAB', 'BDCABA', 4],
    ['AGGTAB', 'GXTXAYB', 4],
    ['', 'A', 0],
    ['AAA', 'AA', 2],
  ])('of %s and %s has length %i', (left, right, length) => {
    expect(commonSubsequenceLength([...left], [...right])).toBe(length);
    expect(commonSubsequenceLength([...right], [...left])).toBe(length);
  });

  it('scores order: the reversed path does not match', () => {
    expect(traversalScore(['c', 'b', 'a'], ['a', 'b', 'c'], 'exact')).toBeCloseTo(1 / 3);
    expect(traversalScore([], ['a'], 'subsequence')).toBe(0);
  });
});

describe('the outcome of a run', () => {
  const result = (status: 'PASSED' | 'FAILED' | 'ERROR', more: object = {}) => ({
    type: 'LLM_JUDGE' as const,
    name: null,
    status,
    is_required: true,
    weight: 1,
    reasoning: 'why',
    score: status === 'ERROR' ? null : Number(status === 'PASSED'),
    ...more,
  });
  it('is PASSED only when every required assertion passed', () => {
    expect(outcomeOf([result('PASSED'), result('FAILED', { is_required: false })]).status).toBe('PASSED');
    expect(outcomeOf([result('PASSED'), result('FAILED')]).status).toBe('FAILED');
    expect(outcomeOf([])).toMatchObject({ status: 'PASSED', overallScore: null });
  });
  it('is ERROR when one could not be evaluated, required or not', () => {
    const outcome = outcomeOf([result('FAILED'), result('ERROR', { is_required: false })]);
    expect(outcome).toMatchObject({ status: 'ERROR', errorMessage: expect.stringContaining('why') });
  });
  it('has the weighted mean of the scores', () => {
    const results = [result('PASSED', { weight: 3 }), result('FAILED'), result('ERROR', { weight: 100 })];
    expect(outcomeOf(results).overallScore).toBe(0.75);
    expect(outcomeOf([result('PASSED', { weight: 0 })]).overallScore).toBeNull();
  });
});
