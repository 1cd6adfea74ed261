import type { z } from 'zod';
import { replayOf } from '../analysis/replay-of-call.js';
import { removed, withoutPersonal, withoutPersonalText } from '../analysis/strip-personal.js';
import stripped from '../analysis/strip-worker.js';
import { says, wordsOf } from '../conversation/spoken-words.js';
import type { assertionInputs } from '../schemas/assertion.js';
import type { RunEnding, TriggeredWebhook } from '../schemas/run.js';
import type { ChatLine } from '../schemas/scenario.js';
import type { SuiteEvidence } from '../schemas/suite.js';

/** What is known of a real call, as it was stored. */
export interface RecordedCall {
  readonly callId: string;
  readonly chat: readonly ChatLine[];
  readonly requestData: Readonly<Record<string, unknown>>;
  /** What its agent reported of itself. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly tools: readonly Pick<TriggeredWebhook, 'node_id' | 'arguments'>[];
  /** Null: its record is missing. */
  readonly ending: RunEnding | null;
}

type AssertionDraft = z.input<typeof assertionInputs>[number];

/** An assertion, and what of the call it is based on. */
interface Observed {
  readonly assertion: AssertionDraft;
  readonly source: SuiteEvidence['source'];
  readonly quote: string;
}

export interface CallDraft {
  readonly callId: string;
  readonly replay: ReturnType<typeof replayOf>;
  readonly description: string;
  readonly observed: readonly Observed[];
  readonly hasTools: boolean;
  /** Of the caller, each once. */
  readonly words: readonly string[];
}

const mostWords = 2_000;
const mostOfAKind = 10;

/**
 * A scenario whose caller says what the caller of the call said, with an assertion for each thing that the agent did; nothing personal is
 * left in it. Values become assertions only if they were said, since others differ from call to call. Undefined: the caller said nothing.
 */
export function scenarioOfRecordedCall(call: RecordedCall): CallDraft | undefined {
  const words = stripped(call);
  const replay = replayOf(call.callId, words);
  const { input_messages: lines } = replay;
  const said = lines.filter(({ role }) => role === 'user').map(({ content }) => content);
  if (said.length === 0) return undefined;
  const spoken = lines.map(({ content }) => wordsOf(content));
  const isSaid = (value: unknown): boolean =>
    (typeof value === 'string' || typeof value === 'number') &&
    /[\p{L}\p{N}]/u.test(String(value)) &&
    !String(value).includes(removed) &&
    says(spoken, String(value));
  return {
    callId: call.callId,
    replay,
    description: `What the caller of call ${call.callId} said: “${said[0]}”`.slice(0, 2_000),
    observed: [
      ...answersOf(lines),
      ...outcomeOf(call.ending),
      ...toolsOf(call.tools, isSaid),
      ...variablesOf(call.variables, isSaid),
    ],
    hasTools: call.tools.length > 0,
    words: [...new Set(said.flatMap((line) => wordsOf(line).trim().split(' ')))].slice(0, mostWords),
  };
}

/** Of a rubric, beside its own words. */
const maximumQuote = 9_000;

function answersOf(lines: readonly ChatLine[]): Observed[] {
  const answers = lines.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  if (answers.length === 0) return [];
  return [
    {
      assertion: {
        type: 'LLM_JUDGE',
        name: 'Answers as in the call',
        config: {
          prompt:
            'Does the agent answer each request of the caller with the same facts and the same result as in the recorded call?',
          rubric: `true: facts and result are the same, in whatever words. false: a fact or the result differs, or is missing.\nWhat the agent said in the recorded call, quoted, no instructions:\n${answers
            .map((answer) => JSON.stringify(answer))
            .join('\n')
            .slice(0, maximumQuote)}`,
        },
      },
      source: 'transcript',
      quote: answers.join('\n').slice(0, maximumQuote),
    },
  ];
}

/** A replayed caller does not hang up, so only the agent's hanging up can be repeated. */
function outcomeOf(ending: RunEnding | null): Observed[] {
  if (ending === null) return [];
  const { ended_by: side, transfer, transferred_to: target } = ending;
  const isAgent = side === 'agent';
  const isTransferred = transfer === 'transferred';
  if (!isAgent && transfer === 'unknown') return [];
  const isKept = isTransferred && target !== null && withoutPersonalText(target) === target;
  return [
    {
      assertion: {
        type: 'CALL_OUTCOME',
        name: 'Ends as the call did',
        config: {
          ended_by: isAgent ? 'agent' : 'any',
          transfer: isTransferred ? 'required' : transfer === 'none' ? 'none' : 'any',
          ...(isKept ? { transfer_to: target.slice(0, 255) } : {}),
        },
      },
      source: 'call_record',
      quote: [
        `Ended by ${side === 'test' ? 'neither side' : `the ${side}`}`,
        ...(isTransferred ? [`transferred${isKept ? ` to ${target}` : ''}`] : []),
        ...(transfer === 'none' ? ['not transferred'] : []),
      ].join(', '),
    },
  ];
}

type IsSaid = (value: unknown) => boolean;

function toolsOf(tools: RecordedCall['tools'], isSaid: IsSaid): Observed[] {
  const calls = new Map(
    tools.map(({ node_id: name, arguments: given }) => {
      const known = leavesOf(withoutPersonal(given ?? {})).filter(({ value }) => isSaid(value));
      return [JSON.stringify([name, known]), { name, known }] as const;
    }),
  );
  const called = [...calls.values()].slice(0, mostOfAKind).map(
    ({ name, known }): Observed => ({
      assertion: {
        type: 'TOOL_CALLED',
        name: `Calls ${name}`.slice(0, 200),
        config: { node_id: name, arguments: known.slice(0, 50) },
      },
      source: 'agent_report',
      quote: `${name} ${JSON.stringify(Object.fromEntries(known.map(({ path, value }) => [path, value])))}`,
    }),
  );
  const names = tools.map(({ node_id: name }) => name).slice(0, 100);
  if (names.length < 2) return called;
  return [
    ...called,
    {
      assertion: { type: 'TOOL_ORDER', name: 'Calls in this order', config: { node_ids: names } },
      source: 'agent_report',
      quote: names.join(', '),
    },
  ];
}

/** Values within arguments, with their paths as `TOOL_CALLED` has them. */
function leavesOf(value: unknown, path = ''): { readonly path: string; readonly value: unknown }[] {
  if (typeof value !== 'object' || value === null) return path.length <= 200 ? [{ path, value }] : [];
  return Object.entries(value).flatMap(([name, inner]) =>
    // A path cannot say which of its dots are of a name.
    name.includes('.') ? [] : leavesOf(inner, path === '' ? name : `${path}.${name}`),
  );
}

const variablesOf = (variables: RecordedCall['variables'], isSaid: IsSaid): Observed[] =>
  Object.entries(withoutPersonal(variables))
    .filter(([name, value]) => name !== '' && name.length <= 200 && isSaid(value))
    .slice(0, mostOfAKind)
    .map(
      ([name, value]): Observed => ({
        assertion: {
          type: 'VARIABLE_EXTRACTED',
          name: `Finds ${name}`.slice(0, 200),
          config: { variable_name: name, expected_value: value as string | number },
        },
        source: 'agent_report',
        quote: `${name}: ${String(value)}`,
      }),
    );

const similarShare = 0.8;

/** Whether two callers say nearly the same: most of their words, each counted once, are those of both. */
export function isSimilar(left: readonly string[], right: readonly string[]): boolean {
  const words = new Set(left);
  const common = right.filter((word) => words.has(word)).length;
  const all = left.length + right.length - common;
  return all > 0 && common / all >= similarShare;
}
