import type { ReceptionReport } from './rtcp.js';

/** A larger step ahead is a jump; up to this far back is a late packet and not a jump (RFC 3550 §A.1). */
const maximumDropout = 3_000;
const maximumMisorder = 100;
const sequenceNumbers = 0x1_0000;
const mostLost = 0x7f_ffff;
const mostDoubled = -0x80_0000;

/** Reception statistics of one source (RFC 3550 §6.4.1, §A.1, §A.3, §A.8). Times are monotonic, in milliseconds. */
export class Reception {
  private firstSequence: number;
  private highestSequence: number;
  private wraps = 0;
  /** After a jump: the sequence number that would confirm it. */
  private expectedAfterJump: number | undefined;
  private received = 0;
  private before = { expected: 0, received: 0 };
  private transit: number | undefined;
  private lastTimestamp: number | undefined;
  /** Scaled by 16, so that integers suffice. */
  private jitter = 0;
  private senderReport: { readonly middleOfNtp: number; readonly at: number } | undefined;

  constructor(
    private readonly source: number,
    firstSequence: number,
    private readonly clockRate: number,
  ) {
    this.firstSequence = firstSequence;
    this.highestSequence = firstSequence;
  }

  /** True: packets arrived since the last report. */
  get isHeard(): boolean {
    return this.received > this.before.received;
  }

  packet(sequence: number, timestamp: number, at: number): void {
    if (!this.follows(sequence)) return;
    this.received++;
    // All packets of a DTMF event carry the timestamp of its start (RFC 4733 §2.3.3), so they say nothing about jitter.
    if (timestamp === this.lastTimestamp) return;
    this.lastTimestamp = timestamp;
    const transit = (Math.floor((at * this.clockRate) / 1_000) - timestamp) | 0;
    if (this.transit !== undefined) {
      const difference = Math.abs((transit - this.transit) | 0);
      this.jitter += difference - Math.floor((this.jitter + 8) / 16);
    }
    this.transit = transit;
  }

  heardSenderReport(middleOfNtp: number, at: number): void {
    this.senderReport = { middleOfNtp, at };
  }

  /** Returns the current report block and resets the interval of the fraction lost. */
  report(at: number): ReceptionReport {
    const highestSequence = this.wraps * sequenceNumbers + this.highestSequence;
    const expected = highestSequence - this.firstSequence + 1;
    const expectedSince = expected - this.before.expected;
    const lostSince = expectedSince - (this.received - this.before.received);
    const lost = expected - this.received;
    this.before = { expected, received: this.received };
    const { senderReport } = this;
    return {
      source: this.source,
      fractionLost: lostSince <= 0 ? 0 : Math.min(255, Math.floor((lostSince * 256) / expectedSince)),
      packetsLost: Math.max(mostDoubled, Math.min(mostLost, lost)),
      highestSequence: highestSequence >>> 0,
      jitter: Math.floor(this.jitter / 16),
      lastSenderReport: senderReport?.middleOfNtp ?? 0,
      delay: senderReport === undefined ? 0 : Math.floor(((at - senderReport.at) * 65_536) / 1_000) >>> 0,
    };
  }

  /** False: judging by this packet alone, the sequence number belongs to another stream. */
  private follows(sequence: number): boolean {
    const ahead = (sequence - this.highestSequence) & 0xffff;
    if (ahead < maximumDropout) {
      if (sequence < this.highestSequence) this.wraps++;
      this.highestSequence = sequence;
    } else if (ahead <= sequenceNumbers - maximumMisorder) {
      if (sequence !== this.expectedAfterJump) {
        this.expectedAfterJump = (sequence + 1) & 0xffff;
        return false;
      }
      this.restart(sequence);
    }
    this.expectedAfterJump = undefined;
    return true;
  }

  private restart(sequence: number): void {
    this.firstSequence = sequence;
    this.highestSequence = sequence;
    this.wraps = 0;
    this.received = 0;
    this.before = { expected: 0, received: 0 };
    this.transit = undefined;
  }
}
