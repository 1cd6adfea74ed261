import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { fromText, type SipMessage, type SipRequest, type SipResponse } from '../../src/sip/message.js';
import { parseMessage } from '../../src/sip/parse.js';
import { Inbox } from '../../src/testkit/inbox.js';
import { within } from '../../src/testkit/waiting.js';

/** Header lines for an app frame; values are ordinary text. */
export type HeaderLines = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** One length-prefixed message from the engine. All text is a byte string. */
export interface Frame {
  readonly id: string;
  /** `sip`, `response` or `cdr:…`. */
  readonly type: string;
  /** The leader split at `|`. */
  readonly fields: readonly string[];
  /** What follows the leader, as received. */
  readonly text: string;
  readonly message: SipMessage | undefined;
  /** Octets of the payload. */
  readonly size: number;
  readonly at: number;
}

/** A `sip` frame: field positions of the wire protocol §5.2. */
export interface SipFrame<M extends SipMessage = SipMessage> extends Frame {
  readonly message: M;
}

export const meta = (frame: Frame, from = 2) => ({
  source: frame.fields[from],
  bytes: Number(frame.fields[from + 1]),
  protocol: frame.fields[from + 2],
  address: frame.fields[from + 3],
  port: Number(frame.fields[from + 4]),
  time: frame.fields[from + 5],
});

/** Transaction id of a `sip` frame. */
export const transactionOf = (frame: Frame): string => frame.fields[8] ?? '';
/** Dialog id of a `sip` frame. */
export const dialogOf = (frame: Frame): string => frame.fields[9] ?? '';

export const isRequestFrame = (frame: Frame): frame is SipFrame<SipRequest> =>
  frame.type === 'sip' && frame.message?.kind === 'request';
export const isResponseFrame = (frame: Frame): frame is SipFrame<SipResponse> =>
  frame.type === 'sip' && frame.message?.kind === 'response';

function describeFrame(frame: Frame): string {
  return `${frame.fields.slice(1).join('|')} ${frame.text.split('\r\n', 1)[0] ?? ''}`;
}

/** SIP text for an app frame, ended by the blank line; the length header is the caller's business, as with the library. */
export function sipText(startLine: string, headers: HeaderLines = {}, body = ''): string {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  let text = `${startLine}\r\n`;
  for (const [name, value] of pairs) text += `${name}: ${value}\r\n`;
  return `${text}Content-Length: ${fromText(body).length}\r\n\r\n${body}`;
}

/** The app's side of the wire protocol, without any library: what it sends is exactly what the test says. */
export class WireClient {
  readonly frames: Inbox<Frame> = new Inbox(describeFrame);
  /** Every frame in order, whether asked for or not. */
  readonly everything: Frame[] = [];
  /** Octets the parser could not read as a frame; must stay empty. */
  framingDefect: string | undefined;
  readonly closed: Promise<void>;
  private isClosed = false;
  private buffered: Buffer = Buffer.alloc(0);

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isClosed = true;
        resolve();
      });
    });
  }

  /** A connection that has not authenticated yet. */
  static async connect(address: { host: string; port: number }): Promise<WireClient> {
    const socket = connect(address.port, address.host);
    await within(
      new Promise<void>((resolve, reject) => {
        socket.once('connect', () => resolve());
        socket.once('error', reject);
      }),
      5_000,
      'connection to the engine',
    );
    return new WireClient(socket);
  }

  get isOpen(): boolean {
    return !this.isClosed;
  }

  /** Writes octets as they are. */
  write(bytes: Buffer | string): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes);
  }

  /** The octets of a frame with a new message id. `leader` is what follows the id; `sip` is ordinary text. */
  static frame(leader: string, sip?: string, id: string = randomUUID()): { id: string; bytes: Buffer } {
    const payload = Buffer.from(`${id}|${leader}${sip === undefined ? '' : `\r\n${sip}`}`, 'utf8');
    return { id, bytes: Buffer.concat([Buffer.from(`${payload.length}#`), payload]) };
  }

  /** Sends a frame and returns its message id. */
  post(leader: string, sip?: string): string {
    const { id, bytes } = WireClient.frame(leader, sip);
    this.write(bytes);
    return id;
  }

  /** Sends a frame and waits for the reply to it. */
  async command(leader: string, sip?: string, milliseconds = 5_000): Promise<Frame> {
    return this.reply(this.post(leader, sip), milliseconds, leader.split('\r\n', 1)[0]);
  }

  reply(id: string, milliseconds = 5_000, what = ''): Promise<Frame> {
    return this.frames.take(
      (frame) => frame.type === 'response' && frame.fields[2] === id,
      milliseconds,
      `reply to ${what || id}`,
    );
  }

  async authenticate(secret: string, tags = ''): Promise<Frame> {
    return this.command(`authenticate|${secret}|${tags}`);
  }

  async route(...verbs: string[]): Promise<void> {
    for (const verb of verbs) {
      const reply = await this.command(`route|${verb}`);
      if (reply.fields[3] !== 'OK') throw new Error(`route ${verb}: ${describeFrame(reply)}`);
    }
  }

  /** Sends a new request (§6.2) and gives the reply. */
  newRequest(
    startLine: string,
    headers: HeaderLines = {},
    body = '',
    nextHop?: string,
    milliseconds?: number,
  ): Promise<Frame> {
    const leader = nextHop === undefined ? 'sip||' : `sip|||${nextHop}`;
    return this.command(leader, sipText(startLine, headers, body), milliseconds);
  }

  /** Sends a request inside a dialog (§6.3) and gives the reply. The library's placeholder stands for the target. */
  inDialog(dialogId: string, method: string, headers: HeaderLines = {}, body = ''): Promise<Frame> {
    return this.command(`sip||${dialogId}`, sipText(`${method} sip:placeholder SIP/2.0`, headers, body));
  }

  cancel(transactionId: string, uri: string, headers: HeaderLines = {}): Promise<Frame> {
    return this.command(`sip|${transactionId}|`, sipText(`CANCEL ${uri} SIP/2.0`, headers));
  }

  /** Answers a received request (§6.7) and gives the reply. */
  respond(
    to: Frame,
    status: number,
    options: { reason?: string; headers?: HeaderLines; body?: string } = {},
  ): Promise<Frame> {
    const line = `SIP/2.0 ${status} ${options.reason ?? (status < 200 ? 'Progress' : 'Done')}`;
    return this.command(`sip|${transactionOf(to)}|`, sipText(line, options.headers, options.body));
  }

  /** The next request from the network with that method. */
  async expectRequest(method: string, milliseconds = 5_000): Promise<SipFrame<SipRequest>> {
    const frame = await this.frames.take(
      (each) => isRequestFrame(each) && each.message.method === method && each.fields[2] === 'network',
      milliseconds,
      `${method} from the network`,
    );
    return frame as SipFrame<SipRequest>;
  }

  /** The next response frame, of that transaction and status where given. */
  async expectResponse(
    criteria: { status?: number; transaction?: string; method?: string } = {},
    milliseconds = 5_000,
  ): Promise<SipFrame<SipResponse>> {
    const frame = await this.frames.take(
      (each) =>
        isResponseFrame(each) &&
        (criteria.status === undefined || each.message.status === criteria.status) &&
        (criteria.transaction === undefined || transactionOf(each) === criteria.transaction) &&
        (criteria.method === undefined || (each.message.headers.get('CSeq') ?? '').endsWith(criteria.method)),
      milliseconds,
      `response frame ${JSON.stringify(criteria)}`,
    );
    return frame as SipFrame<SipResponse>;
  }

  /** The BYE with which the engine itself ended a dialog (§5.5). */
  async expectUnsolicited(milliseconds = 5_000): Promise<SipFrame<SipRequest>> {
    const frame = await this.frames.take(
      (each) => isRequestFrame(each) && transactionOf(each) === 'unsolicited',
      milliseconds,
      'an unsolicited request',
    );
    return frame as SipFrame<SipRequest>;
  }

  /** Fails when a `sip` frame that matches is there or comes within that time. */
  noFrame(matches: (frame: Frame) => boolean, milliseconds: number, what: string): Promise<void> {
    return this.frames.none((frame) => frame.type === 'sip' && matches(frame), milliseconds, what);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.socket.end();
    await within(this.closed, 500, 'The connection is closed').catch(() => undefined);
    this.socket.destroy();
  }

  /** Breaks the connection off without a farewell. */
  abort(): void {
    this.socket.resetAndDestroy();
  }

  private receive(chunk: Buffer): void {
    this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
    for (;;) {
      const mark = this.buffered.indexOf(0x23);
      if (mark < 0) return;
      const digits = this.buffered.toString('latin1', 0, mark);
      if (!/^\d+$/.test(digits)) {
        this.framingDefect ??= `length "${digits.slice(0, 40)}"`;
        this.socket.destroy();
        return;
      }
      const end = mark + 1 + Number(digits);
      if (this.buffered.length < end) return;
      this.accept(this.buffered.subarray(mark + 1, end));
      this.buffered = this.buffered.subarray(end);
    }
  }

  private accept(payload: Buffer): void {
    const whole = payload.toString('latin1');
    const lineEnd = whole.indexOf('\r\n');
    const leader = lineEnd < 0 ? whole : whole.slice(0, lineEnd);
    const text = lineEnd < 0 ? '' : whole.slice(lineEnd + 2);
    const fields = leader.split('|');
    const parsed = text === '' ? undefined : parseMessage(Buffer.from(text, 'latin1'));
    const frame: Frame = {
      id: fields[0] ?? '',
      type: fields[1] ?? '',
      fields,
      text,
      message: parsed?.ok === true ? parsed.message : undefined,
      size: payload.length,
      at: Date.now(),
    };
    this.everything.push(frame);
    this.frames.put(frame);
  }
}
