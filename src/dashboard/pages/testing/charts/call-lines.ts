import type { Run } from '../../../api/runs.js';

type Voice = NonNullable<Run['voice']>;

/** A line of the transcript where it is on the time axis of the call, with the assertions that it decides. */
export interface CallLine {
  readonly speaker: 'caller' | 'agent';
  readonly from_ms: number;
  readonly to_ms: number;
  readonly text: string;
  readonly assertions: readonly { readonly name: string; readonly status: 'PASSED' | 'FAILED' | 'ERROR' }[];
}

/**
 * Who said what when. Turns of the call have times and lines of the conversation have assertions: each line of the caller is one turn, and
 * a line of the agent are its turns until the caller's next line.
 */
export function callLines(
  { turns }: Pick<Voice, 'turns'>,
  chat: Run['chat_history'],
  results: Run['assertion_results'],
): readonly CallLine[] {
  const callers = chat.flatMap(({ role }, line) => (role === 'user' ? [line] : []));
  let spoken = 0;
  return turns.map(({ speaker, from_ms, to_ms, text, is_barge_in: isBargeIn }) => {
    const isLine = speaker === 'caller' && !isBargeIn;
    // The agent's line follows the caller's last one.
    const line = isLine
      ? callers[spoken]
      : speaker === 'agent'
        ? agentLine(chat, callers, spoken)
        : undefined;
    if (isLine) spoken++;
    return {
      speaker,
      from_ms,
      to_ms,
      text: text ?? 'Not understood',
      assertions:
        line === undefined
          ? []
          : results
              .filter(({ turns: decisive }) => decisive?.includes(line))
              .map(({ name, type, status }) => ({ name: name ?? type, status })),
    };
  });
}

/** Position of the agent's line after so many lines of the caller; undefined: it has none. */
function agentLine(
  chat: Run['chat_history'],
  callers: readonly number[],
  spoken: number,
): number | undefined {
  const line = spoken === 0 ? 0 : callers[spoken - 1]! + 1;
  return chat[line]?.role === 'assistant' ? line : undefined;
}

/** The last line that has begun; undefined: none. */
export function lineAt(lines: readonly CallLine[], milliseconds: number): CallLine | undefined {
  return lines.findLast(({ from_ms }) => from_ms <= milliseconds);
}
