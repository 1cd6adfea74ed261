import { type Evidence, type Verdict, verdictOf } from '../conversation/evidence.js';
import type { AssertionConfig } from '../schemas/assertion.js';
import type { TriggeredWebhook } from '../schemas/run.js';
import { type ArgumentVerdict, matchArgument } from './argument-match.js';
import { traversalScore } from './traversal.js';
import { unknownTools, unseen } from './unheard.js';

type ToolCalled = AssertionConfig<'TOOL_CALLED'>;

/** Enough calls, and not too many, with these arguments. */
export function toolCalled(config: ToolCalled, evidence: Evidence): Verdict {
  const unknown = unknownTools(evidence);
  if (unknown !== undefined) return unknown;
  if (
    (config.from_turn ?? config.to_turn) !== undefined &&
    evidence.webhooks.some(({ turn }) => turn === null)
  )
    return unseen('turns of the tool calls');
  const { min_count: least, max_count: most } = config;
  const calls = evidence.webhooks.filter((call) => isMeant(call, config, evidence));
  const judged = calls.map((call) => ({ call, ...argumentsOf(call, config.arguments) }));
  const count = judged.filter(({ result }) => result === 'holds').length;
  const possible = judged.filter(({ result }) => result !== 'differs').length;
  const expected = `${most === undefined ? `at least ${least}` : least === most ? `exactly ${least}` : `${least} to ${most}`} ${least === 1 && most === undefined ? 'call' : 'calls'}${wantedArguments(config.arguments)}`;
  const actual = judged.map(({ call, differences }) => callText(call, differences)).join('; ');
  const passes = (number: number): boolean => number >= least && (most === undefined || number <= most);
  // Calls whose arguments are not known may count or not.
  const isDecided =
    possible === count ||
    possible < least ||
    (most !== undefined && count > most) ||
    (passes(count) && passes(possible));
  if (!isDecided)
    return {
      status: 'ERROR',
      score: null,
      reasoning: `The arguments of ${possible - count} calls are masked or were not kept, so that they cannot be compared.`,
      expected,
      actual: actual === '' ? null : actual.slice(0, 500),
    };
  const what =
    calls.length === 0 ? 'The tool was not called' : `${count} of ${calls.length} calls of the tool count`;
  return verdictOf(passes(count), `${what}; expected: ${expected}.`, { expected, actual });
}

/** Whether the call is of the tool, in the turns, and with the answer that the assertion is about. */
function isMeant(call: TriggeredWebhook, config: ToolCalled, { chat }: Evidence): boolean {
  const turn = chat.slice(0, call.turn ?? 0).filter(({ role }) => role === 'user').length;
  return (
    (config.node_id === undefined || call.node_id === config.node_id) &&
    (config.url === undefined || call.url.includes(config.url)) &&
    turn >= (config.from_turn ?? 0) &&
    turn <= (config.to_turn ?? Number.POSITIVE_INFINITY) &&
    (!config.must_succeed || (call.status !== null && call.status >= 200 && call.status < 300))
  );
}

function argumentsOf(
  { arguments: given }: TriggeredWebhook,
  checks: ToolCalled['arguments'],
): { readonly result: ArgumentVerdict['result']; readonly differences: readonly string[] } {
  if (checks.length === 0) return { result: 'holds', differences: [] };
  // Earlier releases kept none.
  if (given === null || given === undefined)
    return { result: 'unknown', differences: ['arguments not kept'] };
  const verdicts = checks.map((check) => matchArgument(check, given));
  const of = (result: ArgumentVerdict['result']): string[] =>
    verdicts.filter((verdict) => verdict.result === result).map(({ actual }) => actual);
  const differing = of('differs');
  if (differing.length > 0) return { result: 'differs', differences: differing };
  const hidden = of('unknown');
  return hidden.length > 0
    ? { result: 'unknown', differences: hidden }
    : { result: 'holds', differences: of('holds') };
}

const wantedArguments = (checks: ToolCalled['arguments']): string =>
  checks.length === 0
    ? ''
    : ` with ${checks
        .map(({ path, operator, value }) =>
          [
            path === '' ? 'arguments' : path,
            operator,
            ...(value === undefined ? [] : [JSON.stringify(value)]),
          ].join(' '),
        )
        .join(', ')}`;

const callText = ({ node_id: id, status, error }: TriggeredWebhook, differences: readonly string[]): string =>
  `${id} ${status ?? error ?? 'no answer'}${differences.length === 0 ? '' : `: ${differences.join(', ')}`}`;

/** The tools were called in this order. */
export function toolOrder(
  { node_ids: wanted, mode }: AssertionConfig<'TOOL_ORDER'>,
  evidence: Evidence,
): Verdict {
  const unknown = unknownTools(evidence);
  if (unknown !== undefined) return unknown;
  const called = evidence.webhooks.map(({ node_id: id }) => id);
  const score = traversalScore(called, wanted, mode);
  const passed = score === 1;
  return {
    ...verdictOf(
      passed,
      passed ? 'The tools were called in this order.' : 'The tools were not called in this order.',
      { expected: wanted.join(' → '), actual: called.join(' → ') },
    ),
    score,
  };
}
