import type { Socket } from 'node:net';
import { traceFrameType, traceRoute } from '../../hep/trace-frame.js';
import { canonical } from '../../sip/canonical.js';
import { Headers } from '../../sip/headers.js';
import { newRequest, type SipMessage, type SipRequest } from '../../sip/message.js';
import { serialize } from '../../sip/serialize.js';
import type { Application, DeliveredRequest, DeliveredResponse } from '../dialog/application.js';
import { transportReason } from '../dialog/transport-reason.js';
import { type Flow, isReliable } from '../transport/flow.js';
import type { CallTraces, TraceTaker } from './call-trace.js';
import { encodeFrame } from './frame.js';
import { type FrameKind, FrameQueue, type Urgency } from './frame-queue.js';
import { metaBlock } from './meta.js';

export interface AppConnectionSettings {
  /** Octets that may wait for an application that does not read; beyond, its connection is closed. */
  readonly maximumBacklog: number;
  newMessageId(): string;
  /** Unix time, milliseconds with a fraction. */
  time(): number;
  /** Monotonic milliseconds. */
  now(): number;
  readonly traces: CallTraces;
}

/**
 * An application that asks for this route gets the 100s to its INVITEs like other provisional responses: an extension of the
 * wire protocol. The colon keeps it apart from methods; drachtio-server takes any route and has no use for this one.
 */
const tryingVerb = 'response:100';

/**
 * An application that asks for this route is notified of closed connections that carried its bindings at registrars: as an
 * unsolicited REGISTER, the one that was accepted, with the reason why its binding is lost. An extension too.
 */
const lostFlowVerb = 'flow:lost';

/**
 * An application that asks for the route `owner:<name>` has a name that outlives its connection, under which the dialogs that it
 * marks are kept and adopted: an extension as well.
 */
const ownerPrefix = 'owner:';

/**
 * An application that asks for this route gets all frames at once: its code is ready for the response when that is read together
 * with the reply to its request. Others get a pause in between.
 */
const adjacentVerb = 'frames:adjacent';

/**
 * The reply to an application's message repeats it as it was sent. An application that asks for this route gets of its headers only those
 * that dialogs, and further requests, are made of.
 */
const shortRepliesVerb = 'replies:short';

/** The extensions that the engine announces when an application authenticates. */
export const extensionVerbs = [tryingVerb, lostFlowVerb, adjacentVerb, shortRepliesVerb, traceRoute];

/**
 * A further field of the reply to `authenticate`: an application that sends `alive`, and the next one as soon as it has read the
 * reply, proves that it works and that both directions of its connection do. From the first one on, its silence counts.
 */
export const aliveFeature = 'alive';

/** Four times the interval of our own edges. */
const silentMilliseconds = 2_000;

/** Octets of traces that may wait for an application that does not read. */
const maximumTraceBacklog = 4 * 1024 * 1024;

/** The frames towards one application. Frames of one turn of the event loop leave in one write. */
export class AppConnection implements Application, TraceTaker {
  readonly verbs = new Set<string>();
  tags: readonly string[] = [];
  isAuthenticated = false;
  private readonly frames: FrameQueue;
  private isClosed = false;
  private wantsTraces = false;
  /** Monotonic milliseconds of the last `alive`; undefined: it has sent none. */
  private aliveAt: number | undefined;
  /** Of frames that nothing on the network waits for. */
  leisure: Urgency = 'now';

  constructor(
    private readonly socket: Socket,
    private readonly settings: AppConnectionSettings,
  ) {
    this.frames = new FrameQueue(
      (bytes) => this.write(bytes),
      (entries) => encodeFrame(`${this.settings.newMessageId()}|${traceFrameType}\r\n${entries}`),
    );
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 45_000);
  }

  get isOpen(): boolean {
    return !this.isClosed;
  }

  get isSilent(): boolean {
    return this.aliveAt !== undefined && this.settings.now() - this.aliveAt > silentMilliseconds;
  }

  /** It has shown that it works a moment ago. */
  get isResponsive(): boolean {
    return this.aliveAt !== undefined && !this.isSilent;
  }

  isAlive(): void {
    this.aliveAt = this.settings.now();
  }

  get owner(): string | undefined {
    for (const verb of this.verbs) if (verb.startsWith(ownerPrefix)) return verb.slice(ownerPrefix.length);
    return undefined;
  }

  get wantsTrying(): boolean {
    return this.verbs.has(tryingVerb);
  }

  get wantsLostFlows(): boolean {
    return this.verbs.has(lostFlowVerb);
  }

  get wantsShortReplies(): boolean {
    return this.verbs.has(shortRepliesVerb);
  }

  /** A route of this connection was added or removed. */
  routesChanged(): void {
    this.frames.isAdjacent = this.verbs.has(adjacentVerb);
    // Written with what comes next, they would be read with it.
    this.leisure = this.frames.isAdjacent ? 'soon' : 'now';
    this.wantsTraces = this.verbs.has(traceRoute);
    if (this.wantsTraces) this.settings.traces.add(this);
    else this.settings.traces.remove(this);
  }

  trace(entries: string): boolean {
    if (this.isClosed) return false;
    const waiting = this.socket.writableLength + this.frames.traceBytes;
    if (waiting + entries.length > maximumTraceBacklog) return false;
    this.frames.addTrace(entries);
    return true;
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
      `sip|${meta}|${transactionId}|${dialogId}${tail}\r\n${serialize(canonical(message))}`,
      callIdOf(message),
      dialogId === '' ? 'plain' : 'follows',
      message.method === 'ACK' ? this.leisure : 'now',
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
    // A response follows the reply to its request and, when it makes a dialog, also opens one.
    const isSuccess = response.status >= 200 && response.status < 300;
    const opens = dialogId !== '' && isSuccess;
    // Other responses may be passed on to a peer that waits for them.
    const isLast = response.status === 100 || (isSuccess && hasMethod(response, 'BYE'));
    this.queue(
      `sip|${meta}|${transactionId}|${dialogId}|\r\n${serialize(canonical(response))}`,
      callIdOf(response),
      opens ? 'follows-and-opens' : 'follows',
      isLast ? this.leisure : 'now',
    );
  }

  flowLost(register: SipRequest, flow: Flow): void {
    const why = flow.closedBecause?.message ?? 'the connection was closed';
    const headers = Headers.from(register.headers).add('Reason', transportReason('closed', why));
    this.unsolicited(newRequest('REGISTER', register.uri, headers), flow, '');
  }

  unsolicited(request: SipRequest, flow: Flow | undefined, dialogId: string): void {
    const bytes = serialize(request);
    const isLocal = flow !== undefined && !isReliable(flow.protocol);
    const meta = metaBlock(
      'application',
      bytes.length,
      flow?.protocol ?? 'udp',
      (isLocal ? flow.localAddress : flow?.remoteAddress) ?? '',
      (isLocal ? flow.localPort : flow?.remotePort) ?? 0,
      this.time(),
    );
    this.queue(`sip|${meta}|unsolicited|${dialogId}|\r\n${bytes}`, callIdOf(request), 'follows');
  }

  /** Traces of the call go to this application from now on. */
  takePart(callId: string): void {
    if (this.wantsTraces) this.settings.traces.own(callId, this);
  }

  /** Adds a frame; `payload` without the message id, `callId` of the message that it brings. */
  queue(payload: string, callId = '', kind: FrameKind = 'plain', urgency: Urgency = 'now'): void {
    if (this.isClosed) return;
    if (this.wantsTraces && callId !== '') this.settings.traces.own(callId, this);
    this.frames.add(encodeFrame(`${this.settings.newMessageId()}|${payload}`), callId, kind, urgency);
  }

  /** Writes the queue and ends the connection. */
  end(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.frames.finish();
    this.socket.end();
  }

  /** The connection is closed or closing. */
  destroy(): void {
    this.isClosed = true;
    this.frames.clear();
    this.socket.destroy();
  }

  private write(bytes: string): void {
    this.socket.write(bytes, 'latin1');
    if (this.socket.writableLength > this.settings.maximumBacklog) this.socket.destroy();
  }
}

/** By its CSeq. */
export const hasMethod = (message: SipMessage, method: string): boolean =>
  message.headers.get('CSeq')?.endsWith(method) === true;

export const callIdOf = (message: SipMessage): string => message.headers.get('Call-ID') ?? '';

/** The address a message came in on, also when the listener is bound to all. */
function boundAddress(flow: Flow): string {
  const { address } = flow.listener;
  return address === '0.0.0.0' || address === '::' ? flow.localAddress : address;
}
