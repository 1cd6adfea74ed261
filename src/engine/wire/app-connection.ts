import type { Socket } from 'node:net';
import { withQuotedNames } from '../../sip/address.js';
import type { SipMessage, SipRequest } from '../../sip/message.js';
import { serialize } from '../../sip/serialize.js';
import type { Application, DeliveredRequest, DeliveredResponse } from '../dialog/application.js';
import { type Flow, isReliable } from '../transport/flow.js';
import { encodeFrame } from './frame.js';
import { metaBlock } from './meta.js';

/**
 * How a frame relates to its neighbours. The application's code runs after the library has read a whole segment, so what
 * `follows` upon a frame that `opens` a transaction or dialog goes into a later write: else a response is there before the
 * listener for it, or a BYE before the code that waits for the call (WIRE §13.1, hazard 12).
 */
export type FrameKind = 'plain' | 'opens' | 'follows';

/**
 * How long a frame that nobody waits for may stay: with many calls up, most of these leave in the write of another frame, and
 * each write saved is one read less for the application too.
 */
const patienceMilliseconds = 5;

export interface AppConnectionSettings {
  /** Octets that may wait for an application that does not read; beyond, its connection is closed. */
  readonly maximumBacklog: number;
  newMessageId(): string;
  /** Unix time, milliseconds with a fraction. */
  time(): number;
}

/** The frames towards one application. Frames of one turn of the event loop leave in one write. */
export class AppConnection implements Application {
  readonly verbs = new Set<string>();
  tags: readonly string[] = [];
  isAuthenticated = false;
  private batches: string[] = [];
  private batch = '';
  private batchOpens = false;
  private isScheduled = false;
  private laterFlush: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly socket: Socket,
    private readonly settings: AppConnectionSettings,
  ) {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 45_000);
  }

  get isOpen(): boolean {
    return !this.isClosed;
  }

  get remote(): string {
    return `${this.socket.remoteAddress ?? ''}:${this.socket.remotePort ?? 0}`;
  }

  time(): number {
    return this.settings.time();
  }

  request({ received, transactionId, dialogId, isInitial }: DeliveredRequest): void {
    const { message, flow, size, at } = received;
    const meta = metaBlock('network', size, flow.protocol, flow.remoteAddress, flow.remotePort, at);
    const { listener } = flow;
    const tail = isInitial ? `|${boundAddress(flow)}|${listener.port}|` : '|';
    this.queue(
      `sip|${meta}|${transactionId}|${dialogId}${tail}\r\n${deliverable(message)}`,
      dialogId === '' ? 'plain' : 'follows',
    );
  }

  response({ response, received, transactionId, dialogId }: DeliveredResponse): void {
    const meta =
      received === undefined
        ? metaBlock('network', 0, 'udp', '', 0, this.time())
        : metaBlock(
            'network',
            received.size,
            received.flow.protocol,
            received.flow.remoteAddress,
            received.flow.remotePort,
            received.at,
          );
    this.queue(`sip|${meta}|${transactionId}|${dialogId}|\r\n${deliverable(response)}`, 'follows');
    if (dialogId !== '' && response.status >= 200 && response.status < 300) this.batchOpens = true;
  }

  unsolicited(bye: SipRequest, flow: Flow | undefined, dialogId: string): void {
    const bytes = serialize(bye);
    const isLocal = flow !== undefined && !isReliable(flow.protocol);
    const meta = metaBlock(
      'application',
      bytes.length,
      flow?.protocol ?? 'udp',
      (isLocal ? flow.localAddress : flow?.remoteAddress) ?? '',
      (isLocal ? flow.localPort : flow?.remotePort) ?? 0,
      this.time(),
    );
    this.queue(`sip|${meta}|unsolicited|${dialogId}|\r\n${bytes}`, 'follows');
  }

  /** Adds a frame; `payload` without the message id. Unless `canWait`, it leaves at the end of this turn. */
  queue(payload: string, kind: FrameKind = 'plain', canWait = false): void {
    if (this.isClosed) return;
    if (kind === 'follows' && this.batchOpens) this.turnBatch();
    this.batch += encodeFrame(`${this.settings.newMessageId()}|${payload}`);
    if (kind === 'opens') this.batchOpens = true;
    if (!canWait) this.schedule();
    else this.laterFlush ??= setTimeout(() => this.flush(), patienceMilliseconds);
  }

  /** Writes what is queued and ends the connection. */
  end(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.laterFlush);
    this.turnBatch();
    for (const batch of this.batches) this.socket.write(batch, 'latin1');
    this.batches = [];
    this.socket.end();
  }

  /** The connection is gone, or is to be. */
  destroy(): void {
    this.isClosed = true;
    clearTimeout(this.laterFlush);
    this.batch = '';
    this.batches = [];
    this.socket.destroy();
  }

  private turnBatch(): void {
    if (this.batch !== '') this.batches.push(this.batch);
    this.batch = '';
    this.batchOpens = false;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.flush());
  }

  private flush(): void {
    this.isScheduled = false;
    clearTimeout(this.laterFlush);
    this.laterFlush = undefined;
    if (this.isClosed) return;
    if (this.batches.length === 0) this.turnBatch();
    const next = this.batches.shift();
    if (next === undefined) return;
    this.socket.write(next, 'latin1');
    if (this.socket.writableLength > this.settings.maximumBacklog) {
      this.socket.destroy();
      return;
    }
    if (this.batches.length > 0 || this.batch !== '') this.schedule();
  }
}

/** The text of a message as the application's parser reads it safely: canonical names, quoted display names (WIRE §13.1). */
function deliverable(message: SipMessage): string {
  const { headers } = message;
  for (const name of ['From', 'To'] as const) {
    const value = headers.get(name);
    if (value === undefined) continue;
    const quoted = withQuotedNames(value);
    if (quoted === value) continue;
    const copy = headers.clone();
    copy.set(name, quoted);
    return deliverable({ ...message, headers: copy });
  }
  return serialize(message);
}

/** The address a message came in on, also when the listener is bound to all. */
function boundAddress(flow: Flow): string {
  const { address } = flow.listener;
  return address === '0.0.0.0' || address === '::' ? flow.localAddress : address;
}
