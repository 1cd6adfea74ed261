import { decodingTable, encodeALaw, encodeMuLaw, type G711, samplesPerPacket } from '../../rtp/g711.js';
import { shorten, shortenedFrom } from './shorten.js';

/** A place in the bot's audio that the caller has come to, or never will. */
export interface PlayedMark {
  readonly name: string;
  /** False: cleared before. */
  readonly isPlayed: boolean;
  /** Audio that the caller has been sent since the call began, ms. */
  readonly playedMilliseconds: number;
  /** It ends a sound of this number, and is no mark of the bot. */
  readonly sound?: number | undefined;
}

export interface PlayoutOptions {
  readonly codec: G711;
  /** Audio that waits at most. */
  readonly maximumMilliseconds: number;
  /** What is gathered after a pause before it is played: bots' clocks are uneven. */
  readonly prebufferMilliseconds?: number;
}

const octetsPerMillisecond = 8;
const leastCapacity = 4_096;
const maximumMarks = 1_000;
const defaultPrebuffer = 60;
/** A bot that sends nothing for longer has paused: what is left is played, although it is no whole frame. */
const pauseMilliseconds = 20;
/** 2.5 ms: without it the cut would click; the silence is to begin within the packet. */
const fadeOctets = 20;
/** The lead of a bot that never pauses is judged over such a time. */
const leadWindowMilliseconds = 4_000;
const largestLeadMilliseconds = 100;
/** Audio ÷ time that has passed: a bot that sends more, or that has sent what it says at once, means to be ahead. */
const pacedShare = { least: 0.85, largest: 1.15 } as const;
/** Less than 2 % of the audio: at most 20 ms are left out at a time. */
const shortenMilliseconds = 1_000;
/** Peak of a frame that counts as silence: -44 dBFS. */
const silentPeak = 200;

interface PendingMark {
  readonly name: string;
  /** Count of octets after which it is due. */
  readonly at: number;
  readonly sound: number | undefined;
}

/** What a bot has sent and its caller has not heard: a ring of G.711 octets, with the marks that wait in it. */
export class PlayoutQueue {
  private ring = new Uint8Array(leastCapacity);
  /** Octets since the call began: taken or cleared, and added. Positions in the ring are their remainders. */
  private taken = 0;
  private added = 0;
  /** Octets that were cleared, and not heard. */
  private unheard = 0;
  private marks: PendingMark[] = [];
  private markHead = 0;
  private due: PlayedMark[] = [];
  private isPlaying = false;
  private firstPushAt = 0;
  private lastPushAt = 0;
  /** The last frame was audio, and the next one fades out of it. */
  private fade: Uint8Array | undefined;
  private readonly silence: number;
  private readonly samples: Int16Array;
  private readonly encode: (sample: number) => number;
  private readonly maximumOctets: number;
  private readonly prebufferOctets: number;
  private lead = { since: 0, least: Number.POSITIVE_INFINITY, added: 0, hadSilence: false };
  private isTrimming = false;
  /** When audio without silence, as music, is shortened next; undefined: it is not. */
  private shortenAt: number | undefined;
  droppedMilliseconds = 0;
  /** Audio that was left out, so that the bot's lead does not stay for ever. */
  trimmedMilliseconds = 0;

  constructor({ codec, maximumMilliseconds, prebufferMilliseconds = defaultPrebuffer }: PlayoutOptions) {
    this.maximumOctets = maximumMilliseconds * octetsPerMillisecond;
    this.prebufferOctets = prebufferMilliseconds * octetsPerMillisecond;
    this.encode = codec === 'PCMU' ? encodeMuLaw : encodeALaw;
    this.silence = this.encode(0);
    this.samples = decodingTable(codec);
  }

  get queuedMilliseconds(): number {
    return (this.added - this.taken) / octetsPerMillisecond;
  }

  /** Audio of the bot that the caller has been sent. */
  get playedMilliseconds(): number {
    return (this.taken - this.unheard) / octetsPerMillisecond;
  }

  /** Returns how many octets did not fit: the queue is full, and what is new is dropped. */
  push(octets: Uint8Array, now: number): number {
    const room = this.maximumOctets - (this.added - this.taken);
    const length = Math.min(octets.length, Math.max(0, room));
    if (length > 0) {
      if (this.added === this.taken) this.firstPushAt = now;
      this.lastPushAt = now;
      this.reserve(this.added - this.taken + length);
      const at = this.added % this.ring.length;
      const first = Math.min(length, this.ring.length - at);
      this.ring.set(first === octets.length ? octets : octets.subarray(0, first), at);
      if (first < length) this.ring.set(octets.subarray(first, length), 0);
      this.added += length;
      this.lead.added += length;
    }
    const dropped = octets.length - length;
    this.droppedMilliseconds += dropped / octetsPerMillisecond;
    return dropped;
  }

  /** Due when what is queued now has been taken. Returns it when nothing is queued: it is due at once. */
  mark(name: string, sound?: number): PlayedMark | undefined {
    if (this.added === this.taken && this.marks.length === this.markHead)
      return { name, sound, isPlayed: true, playedMilliseconds: this.playedMilliseconds };
    // A bot that sends so many waits for none of them; the oldest is answered as if it had been reached.
    if (this.marks.length - this.markHead >= maximumMarks) this.reach(this.marks[this.markHead++]!, true);
    this.marks.push({ name, sound, at: this.added });
    return undefined;
  }

  /** Empties the queue. Returns the marks that waited; they are not played. */
  clear(): PlayedMark[] {
    const queued = this.added - this.taken;
    if (this.isPlaying && queued > 0) {
      const length = Math.min(fadeOctets, queued);
      this.fade = Uint8Array.from({ length }, (_, index) => this.at(this.taken + index));
    }
    const played = this.playedMilliseconds;
    this.unheard += queued;
    this.taken = this.added;
    const cleared = this.marks
      .slice(this.markHead)
      .map(({ name, sound }) => ({ name, sound, isPlayed: false, playedMilliseconds: played }));
    this.marks = [];
    this.markHead = 0;
    this.becomeIdle();
    return cleared;
  }

  /** Writes one frame of 160 octets. False: silence, because nothing is queued or not enough after a pause. */
  take(into: Uint8Array, now: number): boolean {
    const queued = this.added - this.taken;
    if (this.fade !== undefined) {
      this.fadeOut(into, this.fade);
      this.fade = undefined;
      return true;
    }
    if (!this.isPlaying && queued > 0) {
      const isReady = queued >= this.prebufferOctets;
      const isOld = now - this.firstPushAt >= this.prebufferOctets / octetsPerMillisecond;
      if (isReady || isOld) {
        this.isPlaying = true;
        this.lead = { since: now, least: Number.POSITIVE_INFINITY, added: 0, hadSilence: false };
        this.isTrimming = false;
        this.shortenAt = undefined;
      }
    }
    const isPart = queued < samplesPerPacket;
    if (!this.isPlaying || queued === 0 || (isPart && now - this.lastPushAt < pauseMilliseconds)) {
      into.fill(this.silence, 0, samplesPerPacket);
      if (queued === 0 && this.isPlaying && now - this.lastPushAt >= pauseMilliseconds) this.becomeIdle();
      this.reachDue();
      return false;
    }
    this.watchLead(now, queued);
    if (this.takeShortened(into, now)) return true;
    const length = Math.min(samplesPerPacket, queued);
    const first = this.taken % this.ring.length;
    const run = Math.min(length, this.ring.length - first);
    into.set(this.ring.subarray(first, first + run));
    if (run < length) into.set(this.ring.subarray(0, length - run), run);
    if (length < samplesPerPacket) into.fill(this.silence, length, samplesPerPacket);
    this.taken += length;
    if (this.isTrimming) this.trim();
    this.reachDue();
    return true;
  }

  /** Marks that were reached since the last call. */
  dueMarks(): readonly PlayedMark[] {
    if (this.due.length === 0) return none;
    const { due } = this;
    this.due = [];
    return due;
  }

  private at(position: number): number {
    return this.ring[position % this.ring.length]!;
  }

  private reach({ name, sound }: PendingMark, isPlayed: boolean): void {
    this.due.push({ name, sound, isPlayed, playedMilliseconds: this.playedMilliseconds });
  }

  private reachDue(): void {
    if (this.markHead === this.marks.length) return;
    while (this.markHead < this.marks.length && this.marks[this.markHead]!.at <= this.taken)
      this.reach(this.marks[this.markHead++]!, true);
    if (this.markHead === this.marks.length) {
      this.marks = [];
      this.markHead = 0;
    }
  }

  private becomeIdle(): void {
    this.isPlaying = false;
    if (this.ring.length > leastCapacity * 4) this.ring = new Uint8Array(leastCapacity);
  }

  private reserve(octets: number): void {
    if (octets <= this.ring.length) return;
    let capacity = this.ring.length;
    while (capacity < octets) capacity *= 2;
    const ring = new Uint8Array(capacity);
    // In runs that neither ring breaks: a minute of audio is half a million octets.
    for (let position = this.taken; position < this.added; ) {
      const from = position % this.ring.length;
      const to = position % capacity;
      const run = Math.min(this.added - position, this.ring.length - from, capacity - to);
      ring.set(this.ring.subarray(from, from + run), to);
      position += run;
    }
    this.ring = ring;
  }

  private fadeOut(into: Uint8Array, tail: Uint8Array): void {
    into.fill(this.silence, 0, samplesPerPacket);
    for (let index = 0; index < tail.length; index++) {
      const share = 1 - (index + 1) / tail.length;
      into[index] = this.encode(Math.round(this.samples[tail[index]!]! * share));
    }
  }

  /** A queue that never empties although the bot keeps pace is a delay that stays: silence in it is left out, or else it is shortened. */
  private watchLead(now: number, queued: number): void {
    const { lead } = this;
    if (queued < lead.least) lead.least = queued;
    const elapsed = now - lead.since;
    if (elapsed < leadWindowMilliseconds) return;
    const share = lead.added / octetsPerMillisecond / elapsed;
    const isPaced = share >= pacedShare.least && share <= pacedShare.largest;
    const isLeading = isPaced && lead.least > largestLeadMilliseconds * octetsPerMillisecond;
    // A whole time without silence to leave out.
    if (!isLeading || !this.isTrimming || lead.hadSilence) this.shortenAt = undefined;
    else this.shortenAt ??= now;
    this.isTrimming = isLeading;
    this.lead = { since: now, least: Number.POSITIVE_INFINITY, added: 0, hadSilence: false };
  }

  /** A frame that stands for up to two, where the waveform allows it. */
  private takeShortened(into: Uint8Array, now: number): boolean {
    if (!this.isTrimming || this.shortenAt === undefined || now < this.shortenAt) return false;
    if (this.added - this.taken < this.prebufferOctets + shortenedFrom) return false;
    const shortened = shorten(
      Int16Array.from({ length: shortenedFrom }, (_, index) => this.samples[this.at(this.taken + index)]!),
    );
    if (shortened === undefined) return false;
    for (const [index, sample] of shortened.frame.entries()) into[index] = this.encode(sample);
    this.taken += samplesPerPacket + shortened.leftOut;
    this.trimmedMilliseconds += shortened.leftOut / octetsPerMillisecond;
    this.shortenAt = now + shortenMilliseconds;
    this.reachDue();
    return true;
  }

  private trim(): void {
    const queued = this.added - this.taken;
    if (queued <= this.prebufferOctets + samplesPerPacket) {
      this.isTrimming = false;
      return;
    }
    for (let index = 0; index < samplesPerPacket; index++)
      if (Math.abs(this.samples[this.at(this.taken + index)]!) > silentPeak) return;
    this.taken += samplesPerPacket;
    this.lead.hadSilence = true;
    this.trimmedMilliseconds += samplesPerPacket / octetsPerMillisecond;
  }
}

const none: readonly PlayedMark[] = [];
