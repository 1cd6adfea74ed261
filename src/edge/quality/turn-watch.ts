import type { Logger } from '../../base/log.js';
import type { Turns } from '../../contract/turns.js';
import type { MediaSession } from '../media/media-session.js';
import { MediaTap, streamsOf } from '../media/media-tap.js';
import { failureText } from '../sip/messages.js';
import { TurnMeter } from './turn-meter.js';

/** A call whose turns can be measured. */
export interface MeasuredCall {
  readonly state: {
    readonly startedAt: number;
    readonly answeredAt: number | null;
    readonly newParties: { readonly agent: boolean };
  };
  readonly hasEnded: boolean;
  readonly media: MediaSession | undefined;
  /** Undefined: it was never measured. */
  turns: CallTurns | undefined;
}

/** The measurement of one call, also after it has stopped. */
export class CallTurns {
  private seconds = 0;
  private since: number | undefined;

  constructor(readonly meter: TurnMeter) {}

  resume(codecs: MediaTap['codecs'], now: number): void {
    this.since ??= now;
    this.meter.listen(codecs, now);
  }

  /** No audio arrives any more. */
  stop(now = performance.now()): void {
    if (this.since === undefined) return;
    this.seconds += (now - this.since) / 1_000;
    this.since = undefined;
    this.meter.finish(now);
  }

  /** Undefined: no reply was heard. @param now monotonic milliseconds */
  summary(now = performance.now()): Turns | undefined {
    const running = this.since === undefined ? 0 : (now - this.since) / 1_000;
    return this.meter.summary(this.seconds + running);
  }
}

interface Measuring {
  watchedUntil: number;
  /** Undefined: it is being opened, or failed to. */
  tap: MediaTap | undefined;
  /** Resolves when it is open, or has failed. */
  opening: Promise<void>;
  /** What is tapped, as `streamsOf` names it. */
  readonly streams: string;
}

const tickMilliseconds = 100;
/** As for samples: pages that watch a call ask for it every two seconds. */
const watchedMilliseconds = 15_000;
/** Calls measured at once: each costs a hundred packets a second. */
const mostMeasured = 20;

/** Measures how soon agents reply in calls that are watched, from a copy of their audio. */
export class TurnWatch {
  private readonly measured = new Map<MeasuredCall, Measuring>();
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(private readonly log: Logger) {}

  get size(): number {
    return this.measured.size;
  }

  /** A person or program is watching the call. */
  looked(call: MeasuredCall): void {
    const existing = this.measured.get(call);
    if (existing !== undefined) existing.watchedUntil = performance.now() + watchedMilliseconds;
    else if (!this.isOver && isMeasurable(call) && this.measured.size < mostMeasured)
      this.begin(call, call.media);
  }

  /**
   * Measures nothing any more; resolves when rtpengine sends no copy to this process. Before calls are left to another process: what is
   * unsubscribed later would be that one's.
   */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all([...this.measured].map(([call, measuring]) => this.end(call, measuring)));
  }

  /** One round; called by the timer. */
  tick(): void {
    const now = performance.now();
    for (const [call, measuring] of this.measured) {
      const isOver = call.hasEnded || now >= measuring.watchedUntil;
      // Packets of another codec than the tap's cannot be decoded; the next request for the call opens another tap.
      if (isOver || !isMeasurable(call) || streamsOf(call.media) !== measuring.streams)
        void this.end(call, measuring);
      else if (call.media.audio.isOnHold) call.turns?.meter.interrupt();
      else call.turns?.meter.advance(now);
    }
  }

  private begin(call: MeasuredCall, media: MediaSession): void {
    const address = media.localAddress;
    if (address === undefined) return;
    const measuring: Measuring = {
      watchedUntil: performance.now() + watchedMilliseconds,
      tap: undefined,
      opening: Promise.resolve(),
      streams: streamsOf(media),
    };
    this.measured.set(call, measuring);
    this.timer ??= setInterval(() => this.tick(), tickMilliseconds).unref();
    measuring.opening = this.open(call, media, address, measuring);
  }

  private async open(
    call: MeasuredCall,
    media: MediaSession,
    address: string,
    measuring: Measuring,
  ): Promise<void> {
    try {
      const tap = await MediaTap.open(media, address, {
        packet: (side, packet, at) => {
          if (measuring.tap !== undefined && !media.audio.isOnHold)
            call.turns?.meter.packet(side, packet, at);
        },
      });
      if (this.measured.get(call) !== measuring) {
        await tap.close();
        return;
      }
      const now = performance.now();
      const offset = (Date.now() - call.state.startedAt) / 1_000;
      call.turns ??= new CallTurns(new TurnMeter(now, offset));
      call.turns.resume(tap.codecs, now);
      measuring.tap = tap;
    } catch (error) {
      // Reopening the page retries: it stays in the table while the call is watched.
      this.log.debug({ error: failureText(error) }, 'Measuring the turns of a call failed.');
    }
  }

  private async end(call: MeasuredCall, measuring: Measuring): Promise<void> {
    call.turns?.stop();
    this.measured.delete(call);
    if (this.measured.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    await measuring.opening;
    await measuring.tap?.close();
  }
}

/** The parties talk, and the agent is the one that was called. */
const isMeasurable = (call: MeasuredCall): call is MeasuredCall & { readonly media: MediaSession } =>
  !call.hasEnded &&
  call.state.answeredAt !== null &&
  !call.state.newParties.agent &&
  call.media?.isFlowing === true &&
  !call.media.audio.hasRecentDigits;
