import { decodingTable, encodeALaw, encodeMuLaw, type G711, samplesPerPacket } from './g711.js';

/** Samples, at 8 per millisecond. */
const perMillisecond = 8;
/** A power of two: positions are masked. Holds more than the largest delay and a packet of 60 ms. */
const capacity = 4_096;
const firstDelay = 40 * perMillisecond;
const largestDelay = 200 * perMillisecond;
/** A packet this far from where it is expected belongs to another timeline. */
const largestJump = capacity - 1_024;
/** An older packet this far behind was on its way for long; beyond it, the sender has begun again. */
const longestWayPackets = 150;
/** So many late packets in a row: all take a longer way now. */
const longerWayPackets = 5;
/** What should be left when the packet with the longest way arrives. */
const leastMargin = 20 * perMillisecond;
const windowMilliseconds = 1_000;
/** What late packets have added to the margin falls to this share in each window without one. */
const kept = 0.5;
/** Concealment fades over these. */
const fadeFrames = 3;

export type Heard = 'voice' | 'concealed' | 'silence';

/**
 * The caller's packets as an even stream: a timeline of samples in which packets of any length and order find their place, and a
 * head that moves by 20 ms with each frame. Grows when packets come too late, and shrinks again when they no longer do, so that a
 * stall does not leave a delay behind.
 */
export class JitterBuffer {
  private readonly octets = new Uint8Array(capacity);
  private readonly isPresent = new Uint8Array(capacity);
  /** RTP timestamp of the next sample to be taken; undefined: nothing has arrived. */
  private head: number | undefined;
  private source = 0;
  private sequence = 0;
  private takenAt = 0;
  private floor = leastMargin;
  private window = newWindow(0);
  /** The largest margin of the window before: how long a packet without delay on its way waits. */
  private mostBefore = 0;
  private lateInRow = 0;
  /** Frames that the head waits, or hurries. */
  private owed = 0;
  private concealed = 0;
  private readonly last = new Uint8Array(samplesPerPacket);
  private readonly samples: Int16Array;
  private readonly encode: (sample: number) => number;
  private readonly silence: number;
  readonly counts = { received: 0, late: 0, lost: 0, concealed: 0, duplicate: 0 };

  constructor(codec: G711) {
    this.encode = codec === 'PCMU' ? encodeMuLaw : encodeALaw;
    this.silence = this.encode(0);
    this.samples = decodingTable(codec);
    this.last.fill(this.silence);
  }

  /** True: a second frame is to be taken in this tick, so that the delay shrinks. To be asked once in a tick. */
  catchesUp(): boolean {
    if (this.owed <= 0) return false;
    this.owed--;
    return true;
  }

  /** Of a packet that would arrive now and be heard as soon as all before it: the least of the last second, ms. */
  get delayMilliseconds(): number {
    return this.floor / perMillisecond;
  }

  /** @param at monotonic milliseconds of its arrival. `payload` is copied. */
  put(sequence: number, timestamp: number, source: number, payload: Uint8Array, at: number): void {
    const length = payload.length;
    if (length === 0 || length > 100 * perMillisecond) return;
    this.counts.received++;
    if (this.head === undefined || source !== this.source) this.restart(timestamp, source, sequence, at);
    else this.count(sequence);
    let offset = (timestamp - this.head!) | 0;
    if (offset > largestJump || offset < -largestJump) {
      const behind = (this.sequence - sequence) & 0xffff;
      if (offset < 0 && behind > 0 && behind <= longestWayPackets) {
        this.counts.late++;
        return;
      }
      this.restart(timestamp, source, sequence, at);
      offset = firstDelay;
    }
    // The head moves on with the next frame: until then what begins at it is in time.
    this.measure(offset + samplesPerPacket - Math.round((at - this.takenAt) * perMillisecond), at);
    if (offset + length <= 0) {
      this.counts.late++;
      return;
    }
    const skip = offset < 0 ? -offset : 0;
    const start = timestamp >>> 0;
    if (this.isPresent[(start + skip) & (capacity - 1)] === 1) {
      this.counts.duplicate++;
      return;
    }
    const first = start & (capacity - 1);
    if (skip === 0 && first + length <= capacity && offset + length <= capacity) {
      this.octets.set(payload, first);
      this.isPresent.fill(1, first, first + length);
      return;
    }
    for (let index = skip; index < length && offset + index < capacity; index++) {
      const place = (start + index) & (capacity - 1);
      this.octets[place] = payload[index]!;
      this.isPresent[place] = 1;
    }
  }

  /** Writes one frame of 160 octets, at the cadence that the caller keeps. */
  take(into: Uint8Array, now: number): Heard {
    this.takenAt = now;
    const { head } = this;
    if (head === undefined) {
      into.fill(this.silence, 0, samplesPerPacket);
      return 'silence';
    }
    if (this.owed < 0) {
      // The head waits: what is missing now comes with the next frames.
      this.owed++;
      return this.conceal(into);
    }
    if (this.takeWhole(into, head & (capacity - 1))) return 'voice';
    let present = 0;
    for (let index = 0; index < samplesPerPacket; index++) {
      const place = (head + index) & (capacity - 1);
      if (this.isPresent[place] === 1) {
        into[index] = this.octets[place]!;
        this.isPresent[place] = 0;
        present++;
      } else into[index] = this.silence;
    }
    this.head = (head + samplesPerPacket) >>> 0;
    if (present === 0) return this.conceal(into);
    this.last.set(into.subarray(0, samplesPerPacket));
    this.concealed = 0;
    return 'voice';
  }

  /** The usual frame: nothing of it is missing, and it is in one piece. */
  private takeWhole(into: Uint8Array, first: number): boolean {
    const end = first + samplesPerPacket;
    if (end > capacity) return false;
    const missing = this.isPresent.indexOf(0, first);
    if (missing >= 0 && missing < end) return false;
    const frame = this.octets.subarray(first, end);
    into.set(frame);
    this.last.set(frame);
    this.isPresent.fill(0, first, end);
    this.head = (this.head! + samplesPerPacket) >>> 0;
    this.concealed = 0;
    return true;
  }

  private restart(timestamp: number, source: number, sequence: number, at: number): void {
    this.isPresent.fill(0);
    this.head = (timestamp - firstDelay) >>> 0;
    this.source = source;
    this.sequence = sequence;
    this.takenAt = at;
    this.owed = 0;
    this.window = newWindow(at);
    this.mostBefore = 0;
  }

  private count(sequence: number): void {
    const ahead = (sequence - this.sequence) & 0xffff;
    if (ahead === 0 || ahead > 0x8000) {
      // It was counted as lost when a later one came.
      if (ahead !== 0 && this.counts.lost > 0) this.counts.lost--;
      return;
    }
    if (ahead < 1_000) this.counts.lost += ahead - 1;
    this.sequence = sequence;
  }

  /** @param margin samples that are left until the packet is to be heard */
  private measure(margin: number, at: number): void {
    const { window } = this;
    if (margin < window.least) window.least = margin;
    if (margin > window.most) window.most = margin;
    if (margin < 0) {
      window.wasLate = true;
      if (++this.lateInRow === longerWayPackets) {
        window.most = margin;
        this.mostBefore = margin;
      }
      const missing = Math.min(largestDelay, this.floor - margin);
      const frames = Math.ceil(-margin / samplesPerPacket);
      const room = largestDelay - Math.max(window.most, this.mostBefore);
      this.floor = missing;
      if (this.owed >= 0) this.owed = -Math.max(0, Math.min(frames, Math.floor(room / samplesPerPacket)));
    } else this.lateInRow = 0;
    if (at - window.since < windowMilliseconds) return;
    if (!window.wasLate) this.floor = leastMargin + Math.floor((this.floor - leastMargin) * kept);
    const surplus = window.least - this.floor;
    if (surplus > samplesPerPacket) this.owed = Math.floor(surplus / samplesPerPacket);
    this.mostBefore = window.most;
    this.window = newWindow(at);
  }

  /** The last frame again, softer each time, then silence. */
  private conceal(into: Uint8Array): Heard {
    if (this.concealed >= fadeFrames) {
      into.fill(this.silence, 0, samplesPerPacket);
      return 'silence';
    }
    this.concealed++;
    this.counts.concealed++;
    for (let index = 0; index < samplesPerPacket; index++) {
      const share = 1 - (this.concealed - 1 + index / samplesPerPacket) / fadeFrames;
      into[index] = this.encode(Math.round(this.samples[this.last[index]!]! * share));
    }
    return 'concealed';
  }
}

interface Window {
  readonly since: number;
  least: number;
  most: number;
  wasLate: boolean;
}

const newWindow = (since: number): Window => ({
  since,
  least: Number.POSITIVE_INFINITY,
  most: Number.NEGATIVE_INFINITY,
  wasLate: false,
});
