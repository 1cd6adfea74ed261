import { notUnderstood } from '../conversation/channel.js';
import { type Evidence, speakerOf, type Verdict, verdictOf } from '../conversation/evidence.js';
import { says, wordsOf } from '../conversation/spoken-words.js';
import type { AssertionConfig } from '../schemas/assertion.js';
import { percentile } from '../statistics/percentile.js';
import { unheard } from './unheard.js';

/** All required phrases were said, and no forbidden one. */
export function phrases(
  { required, forbidden, target }: AssertionConfig<'PHRASES'>,
  evidence: Evidence,
): Verdict {
  const spoken = evidence.chat.flatMap((line, turn) =>
    target === 'transcript' || speakerOf(line) === target
      ? [{ turn, words: wordsOf(line.content.replaceAll(notUnderstood, ' ')) }]
      : [],
  );
  const lines = spoken.map(({ words }) => words);
  const missing = required.filter((phrase) => !says(lines, phrase));
  const said = forbidden.filter((phrase) => says(lines, phrase));
  const missed = target === 'caller' ? undefined : unheard(evidence);
  // Words that were not understood may be any; a forbidden phrase that was heard decides it.
  if (missed !== undefined && said.length === 0 && (missing.length > 0 || forbidden.length > 0))
    return missed;
  const quoted = (list: readonly string[]): string => list.map((phrase) => `“${phrase}”`).join(', ');
  const reasons = [
    ...(missing.length === 0 ? [] : [`Not said: ${quoted(missing)}.`]),
    ...(said.length === 0 ? [] : [`Said although forbidden: ${quoted(said)}.`]),
  ];
  const count = required.length + forbidden.length;
  return {
    ...verdictOf(
      reasons.length === 0,
      reasons.length === 0 ? 'All required phrases were said, and no forbidden one.' : reasons.join(' '),
      {
        expected: [
          ...(required.length === 0 ? [] : [quoted(required)]),
          ...(forbidden.length === 0 ? [] : [`not ${quoted(forbidden)}`]),
        ].join('; '),
      },
    ),
    score: (count - missing.length - said.length) / count,
    turns: spoken
      .filter(({ words }) => [...required, ...forbidden].some((phrase) => says([words], phrase)))
      .map(({ turn }) => turn),
  };
}

/** A percentile of the latencies of the answers to the caller; the greeting is not one. */
export function latency(
  { percentile: rank, maximum_ms: maximum }: AssertionConfig<'LATENCY'>,
  { chat, details }: Evidence,
): Verdict {
  const first = chat.findIndex(({ role }) => role === 'user');
  const values = details.flatMap(({ turn, latency_ms: value }) =>
    value === null || first === -1 || turn < first ? [] : [value],
  );
  const value = percentile(values, rank / 100);
  const text = (figure: number): string => `${figure.toLocaleString('en-US')} ms`;
  if (value === null)
    return { status: 'ERROR', score: null, reasoning: 'No answer to the caller has a measured latency.' };
  const name = rank === 100 ? 'highest latency' : `${rank}th percentile of the latency`;
  return {
    ...verdictOf(
      value <= maximum,
      `The ${name} of ${values.length} answers is ${text(value)}; at most ${text(maximum)} is required.`,
      { expected: `at most ${text(maximum)}`, actual: text(value) },
    ),
    turns: details
      .filter(({ turn, latency_ms: figure }) => turn >= first && figure !== null && figure > maximum)
      .map(({ turn }) => turn),
  };
}

const sides = { agent: 'the agent', caller: 'the caller', test: 'the test' } as const;

/** Who ended the conversation, and where the caller was transferred to. */
export function callOutcome(
  { ended_by: side, transfer, transfer_to: target }: AssertionConfig<'CALL_OUTCOME'>,
  { ending }: Evidence,
): Verdict {
  const error = (reasoning: string): Verdict => ({ status: 'ERROR', score: null, reasoning });
  if (ending === null) return error('A recorded conversation has no ending.');
  const isTransferWanted = target !== undefined || transfer === 'required';
  const expected = [
    ...(side === 'any' ? [] : [`ended by ${sides[side]}`]),
    ...(isTransferWanted ? [`transferred${target === undefined ? '' : ` to ${target}`}`] : []),
    ...(transfer === 'none' ? ['not transferred'] : []),
  ].join(', ');
  const where =
    ending.transfer === 'transferred' ? `transferred to ${ending.transferred_to}` : 'not transferred';
  const actual = `ended by ${sides[ending.ended_by]}${ending.transfer === 'unknown' ? '' : `, ${where}`}`;
  const isSideRight = side === 'any' || side === ending.ended_by;
  if (isSideRight && ending.transfer === 'unknown' && (isTransferWanted || transfer === 'none'))
    return error('It is not known whether the caller was transferred.');
  const isTransferred = ending.transfer === 'transferred';
  const isTransferRight =
    (!isTransferWanted || isTransferred) &&
    (transfer !== 'none' || !isTransferred) &&
    (target === undefined || isSameTarget(target, ending.transferred_to ?? ''));
  return verdictOf(isSideRight && isTransferRight, `The conversation was ${actual}; expected: ${expected}.`, {
    expected,
    actual,
  });
}

/** `+1 (415) 555-0100` and `tel:+14155550100` are the same target, and a number is the user of a SIP URI. */
function isSameTarget(expected: string, actual: string): boolean {
  const [wanted, found] = [expected, actual].map((text) =>
    text
      .trim()
      .toLowerCase()
      .replace(/^(tel|sips?):/, ''),
  );
  if (wanted === found) return true;
  const digits = (text: string): string => text.replaceAll(/[\s().-]/g, '');
  return !wanted!.includes('@') && digits(wanted!) === digits(found!.split(/[@;]/, 1)[0]!);
}
