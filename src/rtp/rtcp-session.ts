import { randomBytes } from 'node:crypto';
import { payloadLengthOf } from './packet.js';
import { Reception } from './reception.js';
import { maximumReceptions, ntpTime, type Report, readSenderReports, writeReport } from './rtcp.js';

const clockRate = 8_000;
/** RFC 3550 §6.2: the minimum interval, which is enough for a session of two; the first report is sent after half of it. */
const intervalMilliseconds = 5_000;
/**
 * Delay of the report after the peer's first sender report. The 5 s are only recommended (§6.2), and this gives short calls
 * figures too: rtpengine ignores reports until it has measured a round trip.
 */
const soonMilliseconds = 500;
/** e − 3/2 (RFC 3550 §6.3.1); timer reconsideration is omitted, because two members cannot flood a session. */
const compensation = Math.E - 1.5;

/** Destination of reports, and their parameters. */
export interface RtcpParts {
  readonly source: number;
  readonly send: (compound: Buffer) => void;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/**
 * The reports about a sent stream at 8000 Hz and the received one: when they are due (RFC 3550 §6.3) and their content (§6.4).
 */
export class RtcpSession {
  private readonly receptions = new Map<number, Reception>();
  /** RFC 7022 §4.2: a new CNAME for each session, so that it identifies no person. */
  private readonly canonicalName = randomBytes(12).toString('base64');
  private readonly random: () => number;
  private readonly counts = { packets: 0, octets: 0 };
  /** Number of packets sent before the last report and before the previous one. */
  private reportedPackets: readonly [last: number, before: number] = [0, 0];
  private sampled: { timestamp: number; at: number } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private hasReported = false;
  private hasHeardReport = false;

  constructor(private readonly parts: RtcpParts) {
    this.random = parts.random ?? Math.random;
  }

  /** Starts reporting; a second call has no effect. */
  start(): void {
    if (this.timer === undefined) this.later(intervalMilliseconds / 2);
  }

  /** Records a sent packet, whether sampled just now or echoed with a timestamp from the peer. @param at monotonic milliseconds */
  sent(packet: Buffer, at = performance.now()): void {
    const timestamp = packet.readUInt32BE(4);
    this.counts.packets++;
    // RFC 3550 §6.4.1: without header and padding.
    this.counts.octets += payloadLengthOf(packet) ?? 0;
    const { sampled } = this;
    if (sampled === undefined) this.sampled = { timestamp, at };
    else if (timestamp !== sampled.timestamp) {
      sampled.timestamp = timestamp;
      sampled.at = at;
    }
  }

  /** @param at monotonic milliseconds of its arrival */
  received(packet: Buffer, at = performance.now()): void {
    const source = packet.readUInt32BE(8);
    const sequence = packet.readUInt16BE(2);
    let reception = this.receptions.get(source);
    if (reception === undefined) {
      if (this.receptions.size >= maximumReceptions) return;
      reception = new Reception(source, sequence, clockRate);
      this.receptions.set(source, reception);
    }
    reception.packet(sequence, packet.readUInt32BE(4), at);
  }

  /** @param at monotonic milliseconds of its arrival */
  receivedReport(compound: Buffer, at = performance.now()): void {
    for (const { source, middleOfNtp } of readSenderReports(compound)) {
      const reception = this.receptions.get(source);
      reception?.heardSenderReport(middleOfNtp, at);
      if (reception === undefined || this.hasHeardReport || this.timer === undefined) continue;
      this.hasHeardReport = true;
      clearTimeout(this.timer);
      this.later(soonMilliseconds);
    }
  }

  /** Ends the reports; sends BYE if any packet was sent before (RFC 3550 §6.3.7). */
  leave(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.hasReported || this.counts.packets > 0) this.report(true);
  }

  private later(milliseconds: number): void {
    const wait = (milliseconds * (this.random() + 0.5)) / compensation;
    this.timer = setTimeout(() => {
      this.report(false);
      this.later(intervalMilliseconds);
    }, wait);
  }

  private report(isLast: boolean): void {
    const [last, before] = this.reportedPackets;
    const isSender = this.counts.packets > (isLast ? last : before);
    this.reportedPackets = [this.counts.packets, last];
    this.hasReported = true;
    const { source } = this.parts;
    const sender = isSender ? this.sender() : undefined;
    const receptions = this.heard();
    this.parts.send(
      writeReport({ source, sender, receptions, canonicalName: this.canonicalName, isLast } satisfies Report),
    );
  }

  private sender(): Report['sender'] {
    const now = performance.now();
    const { timestamp, at } = this.sampled!;
    return {
      ntp: ntpTime(performance.timeOrigin + now),
      timestamp: (timestamp + Math.round(((now - at) * clockRate) / 1_000)) >>> 0,
      ...this.counts,
    };
  }

  /** Drops silent sources without a last report, so that a peer can change its SSRC any number of times. */
  private heard(): Report['receptions'] {
    const now = performance.now();
    return [...this.receptions].flatMap(([source, reception]) => {
      if (reception.isHeard) return [reception.report(now)];
      this.receptions.delete(source);
      return [];
    });
  }
}
