/** What a check says of a bot. `problem`: calls fail or sound wrong; `note`: worth knowing. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'problem';
  readonly check: string;
  readonly text: string;
}

/** One line a finding, in the order of the checks. */
export const printed = ({ level, check, text }: Finding): string => `${level.padEnd(8)} ${check}: ${text}`;

/** What was seen of the bot's audio. */
export interface AudioSeen {
  /** Milliseconds from the start of the stream to the first audio; undefined: none came. */
  readonly firstMilliseconds: number | undefined;
  readonly audioMilliseconds: number;
  /** The most that was queued. */
  readonly longestQueueMilliseconds: number;
  readonly smallestOctets: number;
  readonly messages: number;
}

const slowMilliseconds = 2_000;

export function audioFindings(seen: AudioSeen): readonly Finding[] {
  const check = 'audio';
  const { firstMilliseconds: first } = seen;
  if (first === undefined)
    return [{ level: 'problem', check, text: 'the bot sent no audio; callers hear silence' }];
  const findings: Finding[] = [
    {
      level: first > slowMilliseconds ? 'note' : 'ok',
      check,
      text: `first audio ${Math.round(first)} ms after start${first > slowMilliseconds ? '; callers wait for it' : ''}`,
    },
  ];
  if (seen.longestQueueMilliseconds > 1_000)
    findings.push({
      level: 'note',
      check,
      text: `the bot sends up to ${(seen.longestQueueMilliseconds / 1_000).toFixed(1)} s ahead: it must send clear when the caller interrupts`,
    });
  if (seen.messages > 20 && seen.smallestOctets < 80)
    findings.push({
      level: 'note',
      check,
      text: `messages with ${seen.smallestOctets} octets of audio: pieces of 20 ms or more cost less`,
    });
  return findings;
}

/** What the bot did while the caller spoke over it. */
export interface BargeIn {
  /** The bot was speaking when the caller began. */
  readonly wasSpeaking: boolean;
  /** Milliseconds until `clear`; undefined: none came. */
  readonly clearMilliseconds: number | undefined;
  /** Milliseconds of the bot's audio that were still queued at the end. */
  readonly leftMilliseconds: number;
}

export function bargeInFinding({
  wasSpeaking,
  clearMilliseconds: clear,
  leftMilliseconds: left,
}: BargeIn): Finding {
  const check = 'interruption';
  if (!wasSpeaking) return { level: 'note', check, text: 'not checked: the bot was silent' };
  if (clear !== undefined)
    return {
      level: clear > 1_000 ? 'note' : 'ok',
      check,
      text: `clear ${Math.round(clear)} ms after the caller began to speak`,
    };
  if (left > 500)
    return {
      level: 'problem',
      check,
      text: `no clear, and ${(left / 1_000).toFixed(1)} s of audio still queued: the bot talks over the caller`,
    };
  return { level: 'note', check, text: 'no clear; the bot had little audio queued' };
}

/** The service drops audio of the caller that is so late. */
const lateMilliseconds = 400;
const stalledMilliseconds = 2_000;

/** @param slowest milliseconds from a ping to its pong, which a bot sends when it has read everything before */
export function readingFinding(slowest: number): Finding {
  const check = 'reading';
  const shown = slowest < 1_000 ? `${Math.round(slowest)} ms` : `${(slowest / 1_000).toFixed(1)} s`;
  if (slowest >= stalledMilliseconds)
    return {
      level: 'problem',
      check,
      text: `the bot did not read its stream for ${shown}: callers are not heard, and after 12 s the connection is cut`,
    };
  if (slowest >= lateMilliseconds)
    return {
      level: 'note',
      check,
      text: `the bot read up to ${shown} late: something blocks its loop, and the caller's words come late`,
    };
  return { level: 'ok', check, text: `the bot reads at once: pong after at most ${shown}` };
}

export const markFinding = (marks: number): Finding =>
  marks > 0
    ? { level: 'ok', check: 'marks', text: `sent and returned: ${marks}` }
    : {
        level: 'note',
        check: 'marks',
        text: 'the bot sent no mark: it cannot know what the caller has heard',
      };
