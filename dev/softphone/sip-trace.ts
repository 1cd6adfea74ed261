/** One SIP message as a softphone saw it. */
export interface TracedMessage {
  readonly protocol: string;
  /** `address:port`. */
  readonly source: string;
  readonly destination: string;
  /** Whole message, lines ended by LF. */
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
      return { protocol, source, destination, text, ...describe(text) };
    },
  );
}

function describe(text: string): Pick<TracedMessage, 'summary' | 'method' | 'status'> {
  const startLine = text.slice(0, text.indexOf('\n'));
  const cseqMethod = /^CSeq:\s*\d+\s+(\S+)/im.exec(text)?.[1] ?? '';
  const answer = /^SIP\/2\.0 (\d{3}) ?(.*)$/.exec(startLine);
  if (answer === null) {
    const method = startLine.split(' ')[0] ?? '';
    return { summary: method, method, status: undefined };
  }
  return { summary: `${answer[1]} ${answer[2]}`, method: cseqMethod, status: Number(answer[1]) };
}

/** A ladder of two columns, ours to the left; an arrow starts at its message's source. */
export function ladder(
  messages: readonly TracedMessage[],
  ours: ReadonlySet<string>,
  names: { readonly left: string; readonly right: string },
): string {
  const width = Math.max(34, ...messages.map((message) => label(message).length + 8));
  const rows = messages.map((message) => {
    const text = ` ${label(message)} `;
    const left = Math.floor((width - 1 - text.length) / 2);
    const line = '─'.repeat(left) + text + '─'.repeat(width - 1 - text.length - left);
    return `    │${ours.has(message.source) ? `${line}►` : `◄${line}`}│`;
  });
  const gap = ' '.repeat(Math.max(1, width + 2 - names.left.length - names.right.length + 4));
  return [`  ${names.left}${gap}${names.right}`, ...rows].join('\n');
}

/** What each message says beyond its first line: whether it carries SDP, which request an answer is for. */
function label({ summary, status, method, text }: TracedMessage): string {
  const body = /^Content-Type:\s*application\/sdp/im.test(text) ? ', SDP' : '';
  return status === undefined ? `${summary}${body}` : `${summary} (${method}${body})`;
}
