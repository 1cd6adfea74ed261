import { decode, type G711, packetMilliseconds, samplesPerPacket } from './g711.js';
import type { RtpPacket } from './packet.js';
import { leastSilenceFrames, levelOf, SpeechDetector } from './speech-detector.js';

/** A stretch of speech, in milliseconds since the answer. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** From a moment on, frames come so much later than the times of the speech in them; milliseconds. */
export interface FrameDelay {
  readonly from: number;
  readonly by: number;
}

/** Speech of the agent until a silence that ends its turn. */
export interface HeardTurn extends Stretch {
  /** 8000 Hz. */
  readonly samples: Int16Array;
}

export interface ReceivedPackets {
  readonly received: number;
  readonly lost: number;
  /** Came after they were due. */
  readonly late: number;
  /** Interarrival jitter (RFC 3550 §6.4.1): the highest. */
  readonly jitterMilliseconds: number;
}

export interface HeardEvents {
  readonly began: (at: number) => void;
  readonly turn: (turn: HeardTurn) => void;
  /** Each frame in its order; undefined: nothing came. */
  readonly frame?: (samples: Int16Array | undefined) => void;
}

export interface HearingOptions {
  /** Of silence, which ends a turn. */
  readonly endOfTurnMilliseconds: number;
  /** False: turns have no samples, and neither they nor stretches of speech are kept: nothing of the audio remains. */
  readonly isRecorded?: boolean;
  /**
   * For a listener that advances with every frame, after all packets that have arrived: those read longer after that than this may have
   * arrived at any time since, because its process was stalled. Default: packets arrive when they are read.
   */
  readonly stallMilliseconds?: number;
}

/**
 * Packets may come this much out of time; a longer wait would delay the caller's replies. A later packet after as much silence begins a new
 * stretch of the sender's clock.
 */
const patienceFrames = 3;
/** For listeners that advance with every frame: more than a late timer. */
export const stallMilliseconds = 60;
/** A longer step of the transit time is a stop of the sender's clock, and no jitter. */
const talkspurtMilliseconds = 100;
const samplesPerMillisecond = 8;
const maximumGap = 50;
const futureFrames = 3_000;
/** Audio before the detected beginning that belongs to a turn. */
const leadFrames = 5;
/** Ten minutes: an agent that never pauses. */
const longestTurnFrames = 30_000;

/** The sender's clock since its last restart. */
interface SenderClock {
  readonly source: number;
  /** Where its first packet is placed, and that packet's timestamp. */
  readonly begin: number;
  readonly firstTimestamp: number;
  /** How much later than the fastest packet the first one came, so far. */
  lateness: number;
  sequence: number;
  /** Of the last packet. */
  arrival: number;
}

/** A moment as it was placed, and the clock that placed it, whose fastest packet may still come. */
interface PlacedMoment {
  readonly at: number;
  readonly clock: SenderClock | undefined;
}

interface PlacedStretch {
  readonly from: PlacedMoment;
  readonly to: PlacedMoment;
}

/**
 * The agent's audio on the caller's clock: packets are placed by their timestamps, so that jitter moves no edge of speech. The first
 * packet may have been a slow one: what is placed relative to it is corrected by the fastest. Times are milliseconds since the
 * answer.
 */
export class HeardAudio {
  private readonly detector = new SpeechDetector();
  private readonly frames = new Map<number, Int16Array>();
  private readonly lostFrames = new Set<number>();
  private readonly stretches: PlacedStretch[] = [];
  private readonly placedTurns: PlacedStretch[] = [];
  private readonly clocks: SenderClock[] = [];
  /** Longer losses than what is known in time. */
  private readonly losses: PlacedStretch[] = [];
  /** The next frame to be judged. */
  private next: number;
  /** The frame that the detector counts as 0. */
  private readonly first: number;
  private level: number | undefined;
  private clock: SenderClock | undefined;
  /** What is judged may have been placed by it. */
  private clockBefore: SenderClock | undefined;
  private speechFrom: PlacedMoment | undefined;
  private turnFrom: PlacedMoment | undefined;
  private turnTo: PlacedMoment = { at: 0, clock: undefined };
  private recorded: Int16Array[] = [];
  private readonly counts = { received: 0, lost: 0, late: 0 };
  private jitter = 0;
  private highestJitter = 0;
  private transit: number | undefined;
  private readonly endOfTurnMilliseconds: number;
  private readonly isRecorded: boolean;
  private readonly stallMilliseconds: number;
  private advancedAt: number;

  /**
   * @param startsAt milliseconds since the answer; negative with early media
   */
  constructor(
    private readonly codec: G711,
    startsAt: number,
    {
      endOfTurnMilliseconds,
      isRecorded = true,
      stallMilliseconds = Number.POSITIVE_INFINITY,
    }: HearingOptions,
    private readonly events: HeardEvents,
  ) {
    this.endOfTurnMilliseconds = endOfTurnMilliseconds;
    this.isRecorded = isRecorded;
    this.stallMilliseconds = stallMilliseconds;
    this.advancedAt = startsAt;
    this.first = Math.floor(startsAt / packetMilliseconds);
    this.next = this.first;
  }

  /** Speech that a loss of packets or a stall of the sender interrupts is one stretch. */
  get speech(): readonly Stretch[] {
    const whole: Stretch[] = [];
    for (const placed of this.stretches) {
      const stretch = corrected(placed);
      const before = whole.at(-1);
      // On the clock of a sender that was stalled there was no silence: it sends afterwards what was due during the stall.
      const isOne =
        before !== undefined &&
        (stretch.from - before.to < leastSilenceFrames * packetMilliseconds ||
          this.wasLost(before.to, stretch.from));
      if (isOne) whole[whole.length - 1] = { from: before.from, to: stretch.to };
      else whole.push(stretch);
    }
    return whole;
  }

  /** Of the turns that were reported, as far as it is known by now: faster packets may have come since. */
  get turns(): readonly Stretch[] {
    return this.placedTurns.map(corrected);
  }

  /** In the order of the moments. */
  get delays(): readonly FrameDelay[] {
    return this.clocks.map(({ begin, lateness }) => ({ from: begin, by: lateness }));
  }

  get isSpeaking(): boolean {
    return this.speechFrom !== undefined;
  }

  get packets(): ReceivedPackets {
    return { ...this.counts, jitterMilliseconds: Math.round(this.highestJitter * 10) / 10 };
  }

  /** @param read milliseconds since the answer */
  packet({ source, sequence, timestamp, isMarked, payload }: RtpPacket, read: number): void {
    this.counts.received++;
    const arrival = this.arrivalOf({ source, timestamp }, read);
    const at = this.timeOf({ source, sequence, timestamp, isMarked }, arrival);
    this.note(timestamp, arrival);
    const samples = decode(this.codec, payload);
    let isLate = samples.length > 0;
    const position = Math.round(at * samplesPerMillisecond);
    for (let index = 0; index < samples.length; ) {
      const frame = Math.floor((position + index) / samplesPerPacket);
      const offset = position + index - frame * samplesPerPacket;
      const count = Math.min(samplesPerPacket - offset, samples.length - index);
      if (frame >= this.next && frame < this.next + futureFrames) {
        isLate = false;
        this.frameAt(frame).set(samples.subarray(index, index + count), offset);
      }
      index += count;
    }
    if (isLate) this.counts.late++;
  }

  /** Judges what was due. @param now milliseconds since the answer */
  advance(now: number): void {
    this.advancedAt = now;
    const until = Math.floor((now + this.lateness) / packetMilliseconds) - patienceFrames;
    while (this.next < until) this.judge();
  }

  /** The end of the call: what was heard until then. */
  finish(now: number): void {
    const until = Math.ceil((now + this.lateness) / packetMilliseconds);
    while (this.next < until) this.judge();
    this.changed(this.detector.finish());
    this.endTurn();
  }

  private wasLost(from: number, to: number): boolean {
    const border = 2 * packetMilliseconds;
    return this.losses.some((placed) => {
      const loss = corrected(placed);
      return loss.from <= from + border && loss.to >= to - border;
    });
  }

  private judge(): void {
    const frame = this.next++;
    const heard = this.frames.get(frame);
    this.frames.delete(frame);
    const wasLost = this.lostFrames.delete(frame);
    // A lost packet within speech is no pause.
    if (heard !== undefined) this.level = levelOf(heard);
    else if (!wasLost) this.level = undefined;
    this.record(heard);
    this.events.frame?.(heard);
    this.changed(this.detector.push(this.level));
    if (this.turnFrom === undefined || this.speechFrom !== undefined) return;
    if ((frame + 1) * packetMilliseconds - this.turnTo.at >= this.endOfTurnMilliseconds) this.endTurn();
  }

  private changed(change: ReturnType<SpeechDetector['push']>): void {
    if (change === undefined) return;
    const frame = this.first + change.frame;
    if (change.kind === 'began') {
      this.speechFrom = { at: frame * packetMilliseconds, clock: this.clockOf(frame) };
      this.turnFrom ??= this.speechFrom;
      this.events.began(correctedMoment(this.speechFrom));
    } else if (this.speechFrom !== undefined) {
      // The last frame of the speech is the one before.
      const to = { at: frame * packetMilliseconds, clock: this.clockOf(frame - 1) };
      if (this.isRecorded) this.stretches.push({ from: this.speechFrom, to });
      this.speechFrom = undefined;
      this.turnTo = to;
    }
  }

  /** The clock that placed a frame. */
  private clockOf(frame: number): SenderClock | undefined {
    const { clock, clockBefore } = this;
    if (clock === undefined || clockBefore === undefined) return clock;
    return (frame + 1) * packetMilliseconds > clock.begin ? clock : clockBefore;
  }

  private record(samples: Int16Array | undefined): void {
    if (!this.isRecorded || (this.turnFrom !== undefined && this.recorded.length >= longestTurnFrames))
      return;
    this.recorded.push(samples ?? new Int16Array(samplesPerPacket));
    if (this.turnFrom === undefined && this.recorded.length > leadFrames) this.recorded.shift();
  }

  private endTurn(): void {
    if (this.turnFrom === undefined) return;
    const placed = { from: this.turnFrom, to: this.turnTo };
    const turn = corrected(placed);
    if (this.isRecorded) this.placedTurns.push(placed);
    const samples = new Int16Array(this.recorded.length * samplesPerPacket);
    for (const [index, frame] of this.recorded.entries()) samples.set(frame, index * samplesPerPacket);
    this.turnFrom = undefined;
    this.recorded = [];
    this.events.turn({ ...turn, samples });
  }

  private frameAt(number: number): Int16Array {
    const existing = this.frames.get(number);
    if (existing !== undefined) return existing;
    const frame = new Int16Array(samplesPerPacket);
    this.frames.set(number, frame);
    return frame;
  }

  private get lateness(): number {
    return this.clock?.lateness ?? 0;
  }

  /** After a stall: as the sender's clock predicts, as far as that is possible. */
  private arrivalOf({ source, timestamp }: Pick<RtpPacket, 'source' | 'timestamp'>, read: number): number {
    const { clock, advancedAt, stallMilliseconds } = this;
    if (clock === undefined || clock.source !== source || read - advancedAt <= stallMilliseconds) return read;
    return Math.min(read, Math.max(advancedAt, placeOf(timestamp, clock) - clock.lateness));
  }

  /** Where the packet's first sample is placed: as its timestamp says, on the sender's clock. */
  private timeOf(
    {
      source,
      sequence,
      timestamp,
      isMarked,
    }: Pick<RtpPacket, 'source' | 'sequence' | 'timestamp' | 'isMarked'>,
    arrival: number,
  ): number {
    const { clock } = this;
    if (clock === undefined || clock.source !== source)
      return this.beginClock(source, sequence, timestamp, arrival);
    const at = placeOf(timestamp, clock);
    const isBehind = at - clock.lateness < arrival - patienceFrames * packetMilliseconds;
    const wasSilent = arrival - clock.arrival > patienceFrames * packetMilliseconds;
    // An agent may stop its clock while it is silent, and one that was stalled sends what is judged as silence by now.
    const isNewSpurt = isBehind && (isMarked || wasSilent);
    if (isNewSpurt || at > arrival + futureFrames * packetMilliseconds)
      return this.beginClock(source, sequence, timestamp, arrival);
    const step = (sequence - clock.sequence) & 0xffff;
    if (step > 1 && step <= maximumGap) this.lose(step - 1, at);
    else if (step > 0x8000) this.counts.lost = Math.max(0, this.counts.lost - 1);
    clock.lateness = Math.max(clock.lateness, at - arrival);
    if (step < 0x8000) {
      clock.sequence = sequence;
      clock.arrival = arrival;
    }
    return at;
  }

  /** What was placed before stays where it is. */
  private beginClock(source: number, sequence: number, timestamp: number, arrival: number): number {
    const { lateness } = this;
    const begin = arrival + lateness;
    this.clockBefore = this.clock;
    this.clock = { source, begin, firstTimestamp: timestamp, lateness, sequence, arrival };
    if (this.isRecorded) this.clocks.push(this.clock);
    return begin;
  }

  private lose(packets: number, before: number): void {
    this.counts.lost += packets;
    const frame = Math.round(before / packetMilliseconds);
    if (this.isRecorded)
      this.losses.push({
        from: { at: before - packets * packetMilliseconds, clock: this.clock },
        to: { at: before, clock: this.clock },
      });
    for (let back = 1; back <= packets; back++)
      if (frame - back >= this.next) this.lostFrames.add(frame - back);
  }

  private note(timestamp: number, arrival: number): void {
    const transit = (Math.round(arrival * samplesPerMillisecond) - timestamp) | 0;
    if (this.transit !== undefined) {
      const difference = Math.abs((transit - this.transit) | 0) / samplesPerMillisecond;
      // A stop of the sender's clock is no jitter.
      if (difference < talkspurtMilliseconds) this.jitter += (difference - this.jitter) / 16;
      this.highestJitter = Math.max(this.highestJitter, this.jitter);
    }
    this.transit = transit;
  }
}

const placeOf = (timestamp: number, { begin, firstTimestamp }: SenderClock): number =>
  begin + ((timestamp - firstTimestamp) | 0) / samplesPerMillisecond;

const correctedMoment = ({ at, clock }: PlacedMoment): number => Math.round(at - (clock?.lateness ?? 0));

const corrected = ({ from, to }: PlacedStretch): Stretch => ({
  from: correctedMoment(from),
  to: correctedMoment(to),
});
