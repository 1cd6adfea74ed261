import type { SocketEnd } from './bot/bot-socket.js';

/** How an INVITE is refused whose bot did not take the call. */
export interface StreamRefusal {
  readonly status: number;
  /** For the Reason header and the record of the call. */
  readonly text: string;
}

/** RFC 3261 §21.4.24, §21.6.2: what a bot's server may say by the status of the handshake itself. */
const passedOn: ReadonlySet<number> = new Set([480, 486, 600, 603]);

export function refusalOf(end: SocketEnd): StreamRefusal {
  const text = `Bot: ${end.text}`;
  if (end.kind === 'forbidden') return { status: 403, text };
  if (end.kind === 'clean') return { status: 603, text: 'Bot: closed the stream before the answer' };
  const { httpStatus } = end;
  if (httpStatus === undefined) return { status: 503, text };
  if (passedOn.has(httpStatus)) return { status: httpStatus, text };
  return { status: httpStatus >= 500 || httpStatus === 429 ? 503 : 502, text };
}
