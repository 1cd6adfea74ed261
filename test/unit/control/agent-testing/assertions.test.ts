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
      status: 200,
      is_mocked: false,
      error: null,
      duration_ms: 3,
      turn: 1,
    },
    {
      node_id: 'end',
      url: 'https://crm.example.com/book',
      status: null,
      is_mocked: false,
      error: 'x',
      duration_ms: 3,
      turn: 2,
    },
  ],
  tone: null,
  voice: null,
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
  ])('%s %j: %s', (type, config, expected) => {
    expect(checked(type, config)).toBe(expected);
  });

  const voice = { call_id: 'c', transcription: 'tones' } as Evidence['voice'];
  const inCall = (...lines: string[]): Evidence => ({
    ...evidence,
    voice,
    nodeNames: {},
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
  ])('gives no verdict on words that were not understood: %s %j', (type, config, expected) => {
    expect(checked(type, config, inCall('Hello.', notUnderstood))).toBe(expected);
  });

  it.each<[CheckedType, object]>([
    ['VARIABLE_EXTRACTED', { variable_name: 'day' }],
    ['NODE_REACHED', { node_id: 'end' }],
    ['NODES_VISITED', { node_ids: ['end'] }],
    ['WEBHOOK_TRIGGERED', {}],
    ['TRAVERSAL_MATCH', { reference_path: ['start'], mode: 'exact', threshold: 1 }],
    ['STRING_CHECK', { value: 'x', target: 'variable', variable_name: 'day' }],
  ])('gives no verdict on what a call does not show: %s', (type, config) => {
    expect(checked(type, config, inCall('Hello.'))).toBe('ERROR null');
  });

  it('tells the author of a scenario by voice what its runs cannot evaluate', () => {
    const assertions = [
      { type: 'STRING_CHECK' as const, name: 'Price', config: { value: 'x', target: 'agent' } },
      { type: 'STRING_CHECK' as const, name: 'Asked', config: { value: 'x', target: 'caller' } },
      { type: 'NODE_REACHED' as const, name: null, config: { node_id: 'end' } },
      { type: 'VOICE_METRIC' as const, name: 'Fast', config: {} },
    ];
    expect(unheardWarnings({ channel: 'text', assertions }, false)).toEqual([]);
    expect(unheardWarnings({ channel: 'voice', assertions }, false)).toMatchObject(
      [/^Price: /, /^NODE_REACHED: /].map((pattern) => expect.stringMatching(pattern)),
    );
    expect(unheardWarnings({ channel: 'voice', assertions }, true)).toHaveLength(1);
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
      const begun = performance.now();
      expect(matches(text)).toBeUndefined();
      return performance.now() - begun;
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
