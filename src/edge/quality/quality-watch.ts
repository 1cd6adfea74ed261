import { sampleSeconds } from '../../contract/quality.js';
import type { MediaSession } from '../media/media-session.js';
import type { NgReply } from '../media/ng-client.js';
import { BoundedSamples } from './bounded-samples.js';
import { isBad, type QualityReading, qualityBetween, readQuality, rowOf } from './quality-reading.js';

/** A call whose quality can be sampled. */
export interface SampledCall {
  readonly state: { readonly startedAt: number };
  readonly hasEnded: boolean;
  readonly media: MediaSession | undefined;
  /** Its samples so far; undefined: it was never sampled. */
  samples: BoundedSamples | undefined;
  /** What a successor of this process needs has changed. */
  samplesChanged(): void;
}

/** A call that is being sampled. Times are monotonic milliseconds. */
interface Sampling {
  watchedUntil: number;
  badUntil: number;
  nextAt: number;
  busy: boolean;
  taken: number;
}

const tickMilliseconds = 500;
/** Pages that watch a call ask for it every two seconds. */
const watchedMilliseconds = 15_000;
/** A call is sampled this long after it was last bad. */
const badMilliseconds = 60_000;
/** Calls sampled at once; while the network fails for all, the first ones show it. */
const mostSampled = 200;
/** A successor of this process continues from samples that are at most this many behind. */
const samplesPerNote = 6;

/**
 * Samples the quality of calls that are watched or bad every five seconds; other calls cost nothing: whether they are bad shows in the
 * replies that the media watch gets anyway.
 */
export class QualityWatch {
  private readonly sampled = new Map<SampledCall, Sampling>();
  /** Of all calls that the media watch has checked. */
  private readonly readings = new WeakMap<SampledCall, QualityReading>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly intervalMilliseconds = sampleSeconds * 1_000,
  ) {}

  get size(): number {
    return this.sampled.size;
  }

  /** A person or program is watching the call. */
  looked(call: SampledCall): void {
    const sampling = this.sample(call);
    if (sampling !== undefined) sampling.watchedUntil = this.now() + watchedMilliseconds;
  }

  /** The media watch has got these counters of the call's present session. */
  counted(call: SampledCall, reply: NgReply): void {
    // The sampling itself sees more.
    if (!this.sampled.has(call)) this.note(call, reply);
  }

  /** One round; called by the timer, and by tests. Resolves when its samples are taken. */
  async tick(): Promise<void> {
    const now = this.now();
    const due: Promise<void>[] = [];
    for (const [call, sampling] of this.sampled) {
      if (call.hasEnded || now >= Math.max(sampling.watchedUntil, sampling.badUntil)) this.forget(call);
      else if (now >= sampling.nextAt && !sampling.busy) due.push(this.take(call, sampling));
    }
    await Promise.all(due);
  }

  stop(): void {
    this.sampled.clear();
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private sample(call: SampledCall): Sampling | undefined {
    const existing = this.sampled.get(call);
    if (existing !== undefined || call.hasEnded || call.media === undefined) return existing;
    if (this.sampled.size >= mostSampled) return undefined;
    const sampling: Sampling = {
      watchedUntil: Number.NEGATIVE_INFINITY,
      badUntil: Number.NEGATIVE_INFINITY,
      // The first one is what the second is compared with.
      nextAt: this.now(),
      busy: false,
      taken: 0,
    };
    this.sampled.set(call, sampling);
    this.timer ??= setInterval(() => void this.tick(), tickMilliseconds).unref();
    return sampling;
  }

  private async take(call: SampledCall, sampling: Sampling): Promise<void> {
    sampling.busy = true;
    sampling.nextAt = this.now() + this.intervalMilliseconds;
    try {
      const reply = await call.media?.count();
      if (reply?.result !== 'ok' || call.hasEnded || !this.sampled.has(call)) return;
      if (this.note(call, reply) && ++sampling.taken % samplesPerNote === 0) call.samplesChanged();
    } catch {
      // The node is silent for now: there is a gap.
    } finally {
      sampling.busy = false;
    }
  }

  /** True: there is a new sample. */
  private note(call: SampledCall, reply: NgReply): boolean {
    const { media } = call;
    if (media === undefined) return false;
    const before = this.readings.get(call);
    const reading = readQuality(reply, media.id, this.now(), (side) => media.missed.of(side));
    if (reading === undefined) return false;
    const quality = before && qualityBetween(before, reading, media.sideCodecs);
    if (before !== undefined && quality === undefined && before.session === reading.session) return false;
    this.readings.set(call, reading);
    if (quality === undefined) return false;
    const isTalking = media.isFlowing && !media.audio.isOnHold;
    if (isBad(quality.trunk, isTalking) || isBad(quality.agent, isTalking)) {
      const sampling = this.sample(call);
      if (sampling !== undefined) sampling.badUntil = this.now() + badMilliseconds;
    }
    if (!this.sampled.has(call)) return false;
    const seconds = (Date.now() - call.state.startedAt) / 1_000;
    call.samples ??= new BoundedSamples();
    call.samples.add({ trunk: rowOf(seconds, quality.trunk), agent: rowOf(seconds, quality.agent) });
    return true;
  }

  private forget(call: SampledCall): void {
    this.sampled.delete(call);
    if (this.sampled.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
