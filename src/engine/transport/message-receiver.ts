import { randomBytes } from 'node:crypto';
import { defaultPort } from '../../naming/target-resolver.js';
import type { FramingError } from '../../sip/framing.js';
import type { SipMessage, SipRequest } from '../../sip/message.js';
import { parseMessage } from '../../sip/parse.js';
import { respondTo } from '../../sip/response.js';
import { serialize } from '../../sip/serialize.js';
import { topVia } from '../../sip/via.js';
import type { TransportCounters } from './counters.js';
import type { Flow, Received } from './flow.js';
import type { ReportNotice, WireObserver } from './observer.js';
import { UdpFlow } from './udp-listener.js';
import { markSource } from './via-source.js';
import type { WallClock } from './wall-clock.js';

export interface ReceiverParts {
  /** Octets of start line and headers, as on streams (`FramingLimits`). */
  readonly maximumHeaderBytes: number;
  readonly counters: TransportCounters;
  readonly wallClock: WallClock;
  readonly report: ReportNotice;
  readonly observer: WireObserver | undefined;
  readonly deliver: (received: Received) => void;
  readonly answer: (flow: Flow, bytes: string) => void;
}

/** From octets to `Received`: parsing, the actual source in the top Via, and a 400 for unreadable messages. */
export class MessageReceiver {
  constructor(private readonly parts: ReceiverParts) {}

  /** The content of one datagram. */
  datagram(bytes: Buffer, flow: Flow): void {
    const at = this.observe(bytes, flow);
    const parsed = parseMessage(bytes);
    if (!parsed.ok) this.unreadable(flow, parsed.error, 400, parsed.salvage);
    else if (this.hasLongHead(bytes)) {
      const { message } = parsed;
      this.unreadable(flow, 'Message Too Large', 513, message.kind === 'request' ? message : undefined);
    } else this.deliver(parsed.message, bytes.length, flow, at);
  }

  /** A message from a stream's framer. */
  framed(message: SipMessage, bytes: Buffer, flow: Flow): void {
    this.deliver(message, bytes.length, flow, this.observe(bytes, flow));
  }

  /** The last response on a stream that can no longer be trusted. */
  framingFailed(error: FramingError, flow: Flow): void {
    if (error.head !== undefined) this.observe(error.head, flow);
    this.unreadable(flow, error.message, error.status, error.salvage);
  }

  private hasLongHead(bytes: Buffer): boolean {
    const { maximumHeaderBytes } = this.parts;
    if (bytes.length <= maximumHeaderBytes) return false;
    // Line ends before a message are not part of it (RFC 3261 §7.5).
    const start = bytes.findIndex((octet) => octet !== 13 && octet !== 10);
    const end = bytes.indexOf('\r\n\r\n', start, 'latin1');
    return end < 0 || end + 4 - start > maximumHeaderBytes;
  }

  private observe(bytes: Buffer, flow: Flow): number {
    const at = this.parts.wallClock.now();
    this.parts.counters.messagesReceived++;
    this.parts.observer?.received(flow, bytes, at);
    return at;
  }

  private deliver(message: SipMessage, size: number, flow: Flow, at: number): void {
    if (message.kind !== 'request') this.parts.deliver({ message, flow, size, at });
    else {
      writeSource(message, flow);
      const responseFlow = responseFlowTo(message, flow);
      this.parts.deliver({ message, flow, size, at, ...(responseFlow !== flow && { responseFlow }) });
    }
  }

  private unreadable(flow: Flow, why: string, status: number, request: SipRequest | undefined): void {
    this.parts.counters.malformed++;
    this.parts.report({ kind: 'malformed', text: why, remote: flow.remoteAddress });
    // An ACK is never answered (RFC 3261 §17.1.1.3).
    if (request === undefined || request.method === 'ACK') return;
    writeSource(request, flow);
    const toTag = randomBytes(6).toString('hex');
    this.parts.counters.malformedAnswered++;
    this.parts.answer(
      responseFlowTo(request, flow),
      serialize(respondTo(request, status, { reason: why, toTag })),
    );
  }
}

function writeSource(request: SipRequest, flow: Flow): void {
  const via = request.headers.get('Via');
  if (via !== undefined) {
    const isForced = flow instanceof UdpFlow && flow.listener.forceRport;
    request.headers.setFirst('Via', markSource(via, flow.remoteAddress, flow.remotePort, isForced));
  }
}

/**
 * RFC 3261 §18.2.2: without `rport`, responses over UDP go to the source address and the port that sent-by names. `maddr` is
 * not followed: it would let any sender direct our responses anywhere.
 */
function responseFlowTo(request: SipRequest, flow: Flow): Flow {
  if (!(flow instanceof UdpFlow)) return flow;
  const via = topVia(request);
  if (via === undefined || via.parameters.has('rport')) return flow;
  const port = via.port ?? defaultPort('udp');
  return port === flow.remotePort || port === 0 ? flow : flow.listener.flowTo(flow.remoteAddress, port);
}
