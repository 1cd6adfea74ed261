import { randomBytes } from 'node:crypto';
import type { FramingError } from '../../sip/framing.js';
import type { SipMessage, SipRequest } from '../../sip/message.js';
import { parseMessage } from '../../sip/parse.js';
import { respondTo } from '../../sip/response.js';
import { serialize } from '../../sip/serialize.js';
import type { TransportCounters } from './counters.js';
import type { Flow, Received } from './flow.js';
import type { ReportNotice, WireObserver } from './observer.js';
import { markSource } from './via-source.js';
import type { WallClock } from './wall-clock.js';

export interface ReceiverParts {
  readonly counters: TransportCounters;
  readonly wallClock: WallClock;
  readonly report: ReportNotice;
  readonly observer: WireObserver | undefined;
  readonly deliver: (received: Received) => void;
  readonly answer: (flow: Flow, bytes: string) => void;
}

/** From octets to `Received`: parsing, the true source in the top Via, and a 400 for what cannot be read. */
export class MessageReceiver {
  constructor(private readonly parts: ReceiverParts) {}

  /** What one datagram holds. */
  datagram(bytes: Buffer, flow: Flow): void {
    const at = this.observe(bytes, flow);
    const parsed = parseMessage(bytes);
    if (parsed.ok) this.deliver(parsed.message, bytes.length, flow, at);
    else this.unreadable(flow, parsed.error, 400, parsed.salvage);
  }

  /** What a stream's framer cut out. */
  framed(message: SipMessage, bytes: Buffer, flow: Flow): void {
    this.deliver(message, bytes.length, flow, this.observe(bytes, flow));
  }

  /** The last words on a stream that cannot be trusted any more. */
  framingFailed(error: FramingError, flow: Flow): void {
    if (error.head !== undefined) this.observe(error.head, flow);
    this.unreadable(flow, error.message, error.status, error.salvage);
  }

  private observe(bytes: Buffer, flow: Flow): number {
    const at = this.parts.wallClock.now();
    this.parts.counters.messagesReceived++;
    this.parts.observer?.received(flow, bytes, at);
    return at;
  }

  private deliver(message: SipMessage, size: number, flow: Flow, at: number): void {
    if (message.kind === 'request') writeSource(message, flow);
    this.parts.deliver({ message, flow, size, at });
  }

  private unreadable(flow: Flow, why: string, status: number, request: SipRequest | undefined): void {
    this.parts.counters.malformed++;
    this.parts.report({ kind: 'malformed', text: why, remote: flow.remoteAddress });
    // An ACK is never answered (RFC 3261 §17.1.1.3).
    if (request === undefined || request.method === 'ACK') return;
    writeSource(request, flow);
    const toTag = randomBytes(6).toString('hex');
    this.parts.counters.malformedAnswered++;
    this.parts.answer(flow, serialize(respondTo(request, status, { reason: why, toTag })));
  }
}

function writeSource(request: SipRequest, flow: Flow): void {
  const via = request.headers.get('Via');
  if (via !== undefined) {
    request.headers.setFirst('Via', markSource(via, flow.remoteAddress, flow.remotePort));
  }
}
