import { voiceMetricNames, voiceMetricText } from '../../../contract/voice-metrics.js';
import { notUnderstood } from '../conversation/channel.js';
import {
  type Evidence,
  speakerOf,
  textOf,
  transcriptOf,
  type Verdict,
  verdictOf,
} from '../conversation/evidence.js';
import { type AssertionConfig, type AssertionType, assertionConfigs } from '../schemas/assertion.js';
import { callOutcome, latency, phrases } from './conversation-checks.js';
import { linearPattern, TooLarge } from './linear-pattern.js';
import { toolCalled, toolOrder } from './tool-checks.js';
import { traversalScore } from './traversal.js';
import { isUnseen, unheard, unknownTools, unseen } from './unheard.js';

/** A variable that an agent which was called did not report. */
const isUnknownVariable = (
  { target, variable_name: name }: { readonly target: string; readonly variable_name?: string | undefined },
  evidence: Evidence,
): boolean => target === 'variable' && isUnseen(evidence) && !Object.hasOwn(evidence.variables, name ?? '');

/** Types that are evaluated without a model. */
export type CheckedType = Exclude<AssertionType, 'LLM_JUDGE' | 'CUSTOM_LLM'>;

/** Evaluates each type that needs no model; of SERVICE_TONE, a score that a model gave before. */
export const checks: {
  readonly [Type in CheckedType]: (config: AssertionConfig<Type>, evidence: Evidence) => Verdict;
} = {
  SERVICE_TONE: ({ threshold }, { tone }) => {
    if (tone === null) return { status: 'ERROR', score: null, reasoning: 'The tone was not scored.' };
    const { overall_tone_score: score, issues } = tone;
    const passed = score >= threshold;
    return {
      status: passed ? 'PASSED' : 'FAILED',
      score,
      reasoning: `The tone score is ${round(score)}, and ${threshold} is required.${issues.length > 0 ? ` ${issues.join(' ')}` : ''}`,
      expected: `at least ${threshold}`,
      actual: String(round(score)),
    };
  },

  VARIABLE_EXTRACTED: ({ variable_name: name, expected_value: expected, match }, evidence) => {
    const { variables } = evidence;
    // An agent that is called may report some of its variables.
    if (isUnseen(evidence) && !Object.hasOwn(variables, name)) return unseen('variables');
    const value = variables[name];
    const isSet = Object.hasOwn(variables, name) && value !== null && value !== undefined && value !== '';
    if (!isSet)
      return verdictOf(false, `The variable ${name} was not extracted.`, {
        expected: expected === undefined ? 'any value' : String(expected),
      });
    const actual = textOf(value);
    if (expected === undefined) return verdictOf(true, `The variable ${name} was extracted.`, { actual });
    const passed = matches(actual, String(expected), match);
    const said = passed ? 'has the expected value' : 'has another value than expected';
    return verdictOf(passed, `The variable ${name} ${said} (${match}).`, {
      expected: String(expected),
      actual,
    });
  },

  NODE_REACHED: ({ node_id: id }, evidence) => {
    if (isUnseen(evidence)) return unseen('nodes');
    const { nodesVisited, nodeNames } = evidence;
    const passed = nodesVisited.includes(id);
    return verdictOf(
      passed,
      `The conversation ${passed ? 'visited' : 'did not visit'} ${named(id, nodeNames)}.`,
      {
        expected: id,
        actual: nodesVisited.join(' → '),
      },
    );
  },

  NODES_VISITED: ({ node_ids: ids, mode }, evidence) => {
    if (isUnseen(evidence)) return unseen('nodes');
    const { nodesVisited, nodeNames } = evidence;
    const visited = ids.filter((id) => nodesVisited.includes(id));
    const missing = ids.filter((id) => !nodesVisited.includes(id));
    const passed = mode === 'all' ? missing.length === 0 : visited.length > 0;
    const list = (nodes: readonly string[]): string => nodes.map((id) => named(id, nodeNames)).join(', ');
    const reasoning =
      missing.length === 0
        ? 'All nodes were visited.'
        : `Not visited: ${list(missing)}.${visited.length > 0 ? ` Visited: ${list(visited)}.` : ''}`;
    return {
      ...verdictOf(passed, reasoning, {
        expected: `${mode} of ${ids.join(', ')}`,
        actual: nodesVisited.join(' → '),
      }),
      score: mode === 'all' ? visited.length / ids.length : Number(passed),
    };
  },

  WEBHOOK_TRIGGERED: ({ url, node_id: nodeId, min_count: least, must_succeed: mustSucceed }, evidence) => {
    const unknown = unknownTools(evidence);
    if (unknown !== undefined) return unknown;
    const { webhooks } = evidence;
    const counted = webhooks.filter(
      (call) =>
        (url === undefined || call.url.includes(url)) &&
        (nodeId === undefined || call.node_id === nodeId) &&
        (!mustSucceed || (call.status !== null && call.status >= 200 && call.status < 300)),
    );
    const wanted = [
      ...(url === undefined ? [] : [`to ${url}`]),
      ...(nodeId === undefined ? [] : [`of node ${nodeId}`]),
      ...(mustSucceed ? ['answered with 2xx'] : []),
    ].join(' ');
    const what = `webhook calls${wanted === '' ? '' : ` ${wanted}`}`;
    return verdictOf(counted.length >= least, `${counted.length} ${what}; at least ${least} required.`, {
      expected: `at least ${least}`,
      actual: webhooks.map((call) => `${call.url} ${call.status ?? call.error ?? 'no answer'}`).join(', '),
    });
  },

  REGEX_MATCH: ({ pattern, flags, must_match: mustMatch, ...place }, evidence) => {
    if (isUnknownVariable(place, evidence)) return unseen('variables');
    const text = textAt(place, evidence);
    const found = text === undefined ? undefined : linearPattern(pattern, flags)(text);
    if (found === undefined && isUnheard(place, evidence)) return unheard(evidence)!;
    const passed = (found !== undefined) === mustMatch;
    const where = placeName(place);
    const reasoning =
      found === undefined
        ? `Nothing in ${where} matches the pattern.`
        : `${capital(where)} matches the pattern.`;
    return verdictOf(passed, reasoning, {
      expected: `${mustMatch ? '' : 'no match of '}/${pattern}/${flags}`,
      actual: found ?? null,
    });
  },

  STRING_CHECK: ({ value, operator, case_sensitive: isExact, ...place }, evidence) => {
    if (isUnknownVariable(place, evidence)) return unseen('variables');
    const text = textAt(place, evidence);
    const folded = (word: string): string => (isExact ? word : word.toLowerCase()).normalize('NFC');
    const where = placeName(place);
    if (text === undefined)
      return verdictOf(operator === 'not_contains', `${capital(where)} has no value.`, { expected: value });
    const [whole, part] = [folded(text), folded(value)];
    const contains = whole.includes(part);
    if (!contains && isUnheard(place, evidence)) return unheard(evidence)!;
    if (operator === 'equals') {
      const lines =
        place.target === 'variable' ? [whole.trim()] : linesAt(place.target, evidence).map(folded);
      const passed = lines.includes(part.trim());
      return verdictOf(passed, `${capital(where)} ${passed ? 'equals' : 'does not equal'} the value.`, {
        expected: value,
        actual: place.target === 'variable' ? text : null,
      });
    }
    const passed = contains === (operator === 'contains');
    return {
      ...verdictOf(passed, `${capital(where)} ${contains ? 'contains' : 'does not contain'} the value.`, {
        expected: `${operator === 'contains' ? '' : 'not '}${value}`,
        actual: place.target === 'variable' ? text : null,
      }),
      ...(place.target === 'variable'
        ? {}
        : { turns: turnsWith(place.target, evidence, (line) => folded(line).includes(part)) }),
    };
  },

  TRAVERSAL_MATCH: ({ reference_path: reference, mode, threshold }, evidence) => {
    if (isUnseen(evidence)) return unseen('nodes');
    const { nodesVisited } = evidence;
    const score = traversalScore(nodesVisited, reference, mode);
    return {
      ...verdictOf(
        score >= threshold,
        `The path matches the reference by ${round(score)}; ${threshold} is required (${mode}).`,
        {
          expected: reference.join(' → '),
          actual: nodesVisited.join(' → '),
        },
      ),
      score,
    };
  },

  VOICE_METRIC: ({ metric, minimum, maximum }, { voice }) => {
    const value = voice?.[metric];
    const name = voiceMetricNames[metric];
    if (value === undefined || value === null)
      return {
        status: 'ERROR',
        score: null,
        reasoning: `${name}: not measured, because ${voice === null ? 'the run was by text' : 'the call gave no value'}.`,
      };
    const passed = (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum);
    const shown = (figure: number): string => voiceMetricText(metric, figure);
    const bounds = [
      ...(minimum === undefined ? [] : [`at least ${shown(minimum)}`]),
      ...(maximum === undefined ? [] : [`at most ${shown(maximum)}`]),
    ].join(' and ');
    return verdictOf(passed, `${name}: ${shown(value)}; ${bounds} is required.`, {
      expected: bounds,
      actual: shown(value),
    });
  },

  TOOL_CALLED: toolCalled,
  TOOL_ORDER: toolOrder,
  PHRASES: phrases,
  LATENCY: latency,
  CALL_OUTCOME: callOutcome,
};

/**
 * Evaluates one assertion; `ERROR` when its pattern is too large for the text. To be used in a worker thread: texts of agents and patterns of
 * customers decide how long it takes.
 */
export function check<Type extends CheckedType>(type: Type, config: unknown, evidence: Evidence): Verdict {
  try {
    return checks[type](assertionConfigs[type].parse(config) as AssertionConfig<Type>, evidence);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return { status: 'ERROR', score: null, reasoning: error.message };
  }
}

function matches(
  actual: string,
  expected: string,
  how: AssertionConfig<'VARIABLE_EXTRACTED'>['match'],
): boolean {
  const [value, wanted] = [actual.trim().toLowerCase(), expected.trim().toLowerCase()];
  switch (how) {
    case 'exact':
      return actual === expected;
    case 'case_insensitive':
      return value === wanted;
    case 'contains':
      return value.includes(wanted);
    case 'regex':
      return linearPattern(expected)(actual) !== undefined;
  }
}

/** What was found in the words that were understood counts; what was not found may be in the others. */
const isUnheard = ({ target }: Place, evidence: Evidence): boolean =>
  (target === 'agent' || target === 'transcript') && unheard(evidence) !== undefined;

interface Place {
  readonly target: 'transcript' | 'agent' | 'caller' | 'variable';
  readonly variable_name?: string | undefined;
}

const turnsWith = (
  target: Exclude<Place['target'], 'variable'>,
  { chat }: Evidence,
  has: (line: string) => boolean,
): number[] =>
  chat.flatMap((line, turn) =>
    (target === 'transcript' || speakerOf(line) === target) && has(line.content) ? [turn] : [],
  );

function linesAt(target: Exclude<Place['target'], 'variable'>, { chat }: Evidence): string[] {
  return chat
    .filter((line) => target === 'transcript' || speakerOf(line) === target)
    .map(({ content }) => content.replaceAll(notUnderstood, '').trim());
}

/** Undefined: the variable has no value. */
function textAt({ target, variable_name: name = '' }: Place, evidence: Evidence): string | undefined {
  if (target === 'transcript') return transcriptOf(evidence.chat).replaceAll(notUnderstood, '');
  if (target !== 'variable') return linesAt(target, evidence).join('\n');
  const value = Object.hasOwn(evidence.variables, name) ? evidence.variables[name] : undefined;
  return value === undefined || value === null ? undefined : textOf(value);
}

const placeName = ({ target, variable_name: name }: Place): string => {
  if (target === 'variable') return `the variable ${name}`;
  return target === 'transcript' ? 'the transcript' : `what the ${target} said`;
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const round = (value: number): number => Math.round(value * 1_000) / 1_000;
const named = (id: string, names: Readonly<Record<string, string>>): string =>
  names[id] === undefined ? id : `${names[id]} (${id})`;
