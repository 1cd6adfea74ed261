import type { NgReply } from './ng-client.js';
import { type MediaSide, type Missed, readStream } from './rtp-statistics.js';

interface Reading {
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly packets: number;
  readonly source: number | undefined;
  /** Extended by the number of wrap-arounds; undefined: not reported by rtpengine. */
  readonly sequence: number | undefined;
}

/** A larger step begins another numbering: a peer that restarted, or was replaced. */
const longestStep = 3_000;
/** Packets a second of the packet times in use: 10, 20, 30, 40 and 60 ms. */
const usualRates = [100, 50, 100 / 3, 25, 50 / 3];
/** A clock that is this much too fast is still of that rate. */
const fastest = 1.02;
/** A side that sends less does not lose it: it sends nothing while it is silent. */
const leastShare = 0.7;
/** Shorter intervals say too little: a packet more or less is a percent in two seconds. */
const shortestEstimateMilliseconds = 3_000;

/**
 * Packets of one side that did not reach rtpengine, for sides whose other end sends no RTCP reports. Each reply about the session is
 * compared with the one before: from 26 on by the sequence numbers of the source, which is exact (a repeated packet counts as one that
 * came). 10.5 gives none: an estimate from packets and time. Loss before the first reply is not seen.
 */
class MissedOfSide {
  private before: Reading | undefined;
  private lost = 0;
  private expected = 0;
  private kind: Missed['source'] | undefined;
  private rate = 0;
  private suppressesSilence = false;

  /** Undefined: unknown. */
  get total(): Missed | undefined {
    if (this.kind === undefined || (this.kind === 'estimate' && this.suppressesSilence)) return undefined;
    return {
      lost: Math.max(0, Math.round(this.lost)),
      expected: Math.round(this.expected),
      source: this.kind,
    };
  }

  /** @param isFlowing both sides were to send since the reading before */
  note(reading: Reading, isFlowing: boolean): void {
    const { before } = this;
    if (before === undefined) {
      this.before = reading;
      return;
    }
    const packets = reading.packets - before.packets;
    if (reading.sequence !== undefined) this.compare(before, reading, packets);
    else if (!isFlowing || before.packets === 0) this.before = reading;
    else if (reading.at - before.at >= shortestEstimateMilliseconds) this.estimate(before, reading, packets);
  }

  private compare(before: Reading, { source, sequence }: Reading, packets: number): void {
    this.before = { ...before, source, sequence, packets: before.packets + packets };
    if (before.source !== source || before.sequence === undefined) return;
    const step = sequence! - before.sequence;
    if (step < 0 || step > packets + longestStep) return;
    this.lost += step - packets;
    this.expected += step;
    this.kind = 'sequence';
  }

  private estimate(before: Reading, reading: Reading, packets: number): void {
    this.before = reading;
    const seconds = (reading.at - before.at) / 1_000;
    const usual = usualRates.findLast((each) => packets / seconds <= each * fastest);
    this.rate = Math.max(this.rate, usual ?? 0);
    const expected = this.rate * seconds;
    if (packets < expected * leastShare) this.suppressesSilence = true;
    this.lost += expected - packets;
    this.expected += expected;
    this.kind = 'estimate';
  }
}

/** What rtpengine missed of both sides of a session. */
export class MissedPackets {
  private readonly sides = { trunk: new MissedOfSide(), agent: new MissedOfSide() };
  private wasFlowing = false;

  /**
   * @param reply to a query or deletion of the session
   * @param at monotonic milliseconds
   */
  note(reply: NgReply, isFlowing: boolean, at = performance.now()): void {
    for (const side of ['trunk', 'agent'] as const) {
      const stream = readStream(reply, side);
      if (stream !== undefined) this.sides[side].note({ at, ...stream }, isFlowing && this.wasFlowing);
    }
    this.wasFlowing = isFlowing;
  }

  /** Undefined: unknown. */
  of(side: MediaSide): Missed | undefined {
    return this.sides[side].total;
  }
}
