import type { Logger } from '../../base/log.js';
import { OutageLog } from '../../base/outage-log.js';
import type { HepForwardSettings } from '../../config/edge-settings.js';
import type { CallRecord } from '../../contract/call-record.js';
import type { HepPacket } from '../../hep/decode.js';
import { type HepContent, HepEncoder } from '../../hep/encoder.js';
import { ipProtocol, payloadType } from '../../hep/format.js';
import { type CollectorLink, linkTo } from './collector-link.js';
import { recordPackets } from './record-packets.js';
import { redact } from './redaction.js';

interface Held {
  readonly packets: { readonly packet: HepPacket; readonly bytes: Buffer }[];
  /** Monotonic milliseconds of the first one. */
  readonly since: number;
}

interface Correlation {
  readonly callId: string;
  /** Monotonic milliseconds; infinite while the call is active. */
  until: number;
}

/** A message arrives before the edge knows which call it belongs to; a stranger's never belongs to one. */
const holdMilliseconds = 1_000;
const maximumHeld = 2_000;
/** The last messages of a call come after its end. */
const lingerMilliseconds = 60_000;
const maximumCorrelations = 50_000;
const sweepMilliseconds = 500;
const collectorTexts = {
  down: 'The HEP collector is unreachable.',
  up: 'The HEP collector is reachable again.',
};
/** The failure of a datagram is reported with the next one, and a connection may be accepted only to be closed. */
const quietMilliseconds = 10_000;

/**
 * Forwards signaling and call records to a collector such as Homer. Every message of a call, on whichever leg, has the
 * call's own id as its correlation id; messages without a call have their Call-ID there. Secrets are removed as in traces.
 */
export class HepForwarder {
  readonly counters = { sent: 0, dropped: 0 };
  private readonly link: CollectorLink;
  private readonly encoder: HepEncoder;
  private readonly held = new Map<string, Held>();
  private heldCount = 0;
  private readonly correlations = new Map<string, Correlation>();
  private readonly sweeper: NodeJS.Timeout;

  constructor(settings: HepForwardSettings, log: Logger) {
    this.encoder = new HepEncoder(settings);
    this.link = linkTo(settings, new OutageLog(log, collectorTexts, quietMilliseconds));
    this.sweeper = setInterval(() => this.sweep(), sweepMilliseconds);
    this.sweeper.unref();
  }

  /** One whole message. */
  message(sipCallId: string, packet: HepPacket, bytes: Buffer): void {
    const correlation = this.correlations.get(sipCallId);
    if (correlation !== undefined) {
      this.sendMessage(packet, bytes, correlation.callId);
      return;
    }
    let held = this.held.get(sipCallId);
    if (held === undefined) {
      held = { packets: [], since: performance.now() };
      this.held.set(sipCallId, held);
    }
    held.packets.push({ packet, bytes });
    this.heldCount++;
    if (this.heldCount > maximumHeld) {
      const [oldest] = this.held.keys();
      if (oldest !== undefined) this.letGo(oldest, oldest);
    }
  }

  /** Says which call a Call-ID belongs to. */
  correlate(sipCallId: string, callId: string): void {
    this.correlations.delete(sipCallId);
    this.correlations.set(sipCallId, { callId, until: Number.POSITIVE_INFINITY });
    if (this.correlations.size > maximumCorrelations) {
      const [oldest] = this.correlations.keys();
      this.correlations.delete(oldest!);
    }
    this.letGo(sipCallId, callId);
  }

  /** The call with that Call-ID has ended. */
  ended(sipCallId: string): void {
    const correlation = this.correlations.get(sipCallId);
    if (correlation !== undefined) correlation.until = performance.now() + lingerMilliseconds;
  }

  /** The record of a call, and the statistics of its RTP streams. */
  record(record: CallRecord): void {
    for (const content of recordPackets(record)) this.send(content);
  }

  stop(): void {
    clearInterval(this.sweeper);
    for (const sipCallId of [...this.held.keys()]) this.letGo(sipCallId, sipCallId);
    this.link.stop();
  }

  private letGo(sipCallId: string, correlationId: string): void {
    const held = this.held.get(sipCallId);
    if (held === undefined) return;
    this.held.delete(sipCallId);
    this.heldCount -= held.packets.length;
    for (const { packet, bytes } of held.packets) this.sendMessage(packet, bytes, correlationId);
  }

  private sendMessage(packet: HepPacket, bytes: Buffer, correlationId: string): void {
    this.send({
      // sofia-sip says 22 for TLS, which isn't an IP protocol.
      ipProtocol: packet.ipProtocol === ipProtocol.udp ? ipProtocol.udp : ipProtocol.tcp,
      sourceAddress: packet.sourceAddress,
      sourcePort: packet.sourcePort,
      destinationAddress: packet.destinationAddress,
      destinationPort: packet.destinationPort,
      at: packet.at,
      payloadType: payloadType.sip,
      correlationId,
      payload: redact(bytes.toString('latin1')),
    });
  }

  private send(content: HepContent): void {
    const packet = this.encoder.encode(content);
    if (packet !== undefined && this.link.send(packet)) this.counters.sent++;
    else this.counters.dropped++;
  }

  private sweep(): void {
    const now = performance.now();
    for (const [sipCallId, { since }] of this.held) {
      if (now - since < holdMilliseconds) break;
      this.letGo(sipCallId, sipCallId);
    }
    for (const [sipCallId, { until }] of this.correlations)
      if (until < now) this.correlations.delete(sipCallId);
  }
}
