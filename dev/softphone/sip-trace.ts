import { labelOf, ladderOf } from '../../src/contract/ladder.js';
import { readMessage } from '../../src/sip/read.js';

/** One SIP message as sent or received by a softphone. */
export interface TracedMessage {
  readonly protocol: string;
  /** `address:port`. */
  readonly source: string;
  readonly destination: string;
  /** The whole message, lines ended by LF. */
  readonly text: string;
  /** `INVITE` or `200 OK`. */
  readonly summary: string;
  readonly method: string;
  /** Undefined for requests. */
  readonly status: number | undefined;
}

/** baresip's `-s` prints each message between two escape sequences for colour. */
const tracedMessage = /\x1b\[36;1m#\n(\S+) (\S+) -> (\S+)\n([\s\S]*?)\x1b\[;m/g;

/** The SIP messages in baresip's output, in order. */
export function readBaresipTrace(output: string): TracedMessage[] {
  return [...output.matchAll(tracedMessage)].map(
    ([, protocol = '', source = '', destination = '', message = '']) => {
      const text = message.replaceAll('\r\n', '\n');
      const { summary, method, status } = readMessage(text);
      return { protocol, source, destination, text, summary, method, status };
    },
  );
}

/** A ladder of two columns, the phone's on the left; an arrow starts at the source of its message. */
export function ladder(
  messages: readonly TracedMessage[],
  ours: ReadonlySet<string>,
  names: { readonly left: string; readonly right: string },
): string {
  const { steps } = ladderOf(
    messages.map(({ protocol, source, destination, summary, text }) => ({
      at: '',
      leg: 'trunk' as const,
      protocol,
      source,
      destination,
      summary,
      message: text,
      direction: ours.has(source) ? ('received' as const) : ('sent' as const),
    })),
    'inbound',
  );
  const width = Math.max(34, ...steps.map((step) => labelOf(step).length + 8));
  const rows = steps.map((step) => {
    const text = ` ${labelOf(step)} `;
    const left = Math.floor((width - 1 - text.length) / 2);
    const line = '─'.repeat(left) + text + '─'.repeat(width - 1 - text.length - left);
    return `    │${step.from < step.to ? `${line}►` : `◄${line}`}│`;
  });
  const gap = ' '.repeat(Math.max(1, width + 2 - names.left.length - names.right.length + 4));
  return [`  ${names.left}${gap}${names.right}`, ...rows].join('\n');
}
