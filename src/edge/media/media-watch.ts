import type { Logger } from '../log.js';
import type { MediaSession } from './media-session.js';
import { packetsFrom } from './rtp-statistics.js';

export type MediaLoss =
  | { readonly kind: 'silent'; readonly seconds: number }
  /** The node no longer knows the call, or has been away for the whole bound. */
  | { readonly kind: 'lost'; readonly detail: string };

interface Watched {
  readonly session: MediaSession;
  readonly onLoss: (loss: MediaLoss) => void;
  /** Monotonic milliseconds. */
  nextCheck: number;
  /** When the trunk's packet count was last seen to grow, or the hold ended. */
  since: number;
  packets: number;
  busy: boolean;
}

/** Precision of the watch; one timer serves all calls. */
const tickMilliseconds = 1_000;

/**
 * Finds calls whose trunk side has sent neither RTP nor RTCP for the bound, and calls whose media node lost them. The
 * agent's silence alone ends no call: some runtimes send only while they speak. While a call is on hold the clock stands
 * still. A call shorter than half the bound costs no command.
 */
export class MediaWatch {
  private readonly watched = new Set<Watched>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly boundMilliseconds: number,
    private readonly log: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get size(): number {
    return this.watched.size;
  }

  /** Starts to watch; the function returned ends it. `onLoss` is called once at most. */
  watch(session: MediaSession, onLoss: (loss: MediaLoss) => void): () => void {
    const now = this.now();
    const nextCheck = now + this.boundMilliseconds / 2;
    const entry: Watched = { session, onLoss, nextCheck, since: now, packets: 0, busy: false };
    this.watched.add(entry);
    this.timer ??= setInterval(() => this.tick(), tickMilliseconds).unref();
    return () => this.forget(entry);
  }

  /** One round; called by the timer, and by tests. */
  tick(): void {
    const now = this.now();
    for (const entry of this.watched) {
      if (!entry.session.isFlowing) {
        entry.since = now;
        entry.nextCheck = now + this.boundMilliseconds / 2;
      } else if (now >= entry.nextCheck && !entry.busy) {
        void this.check(entry);
      }
    }
  }

  private async check(entry: Watched): Promise<void> {
    entry.busy = true;
    try {
      const reply = await entry.session.query();
      if (!this.watched.has(entry) || reply === undefined) return;
      if (reply.result !== 'ok') {
        this.report(entry, { kind: 'lost', detail: `rtpengine: ${reply['error-reason'] ?? reply.result}` });
        return;
      }
      this.judge(entry, packetsFrom(reply, 'trunk'));
    } catch (error) {
      // The node is away for now; it counts as silence until it is back.
      this.log.debug({ error: (error as Error).message }, 'Media could not be checked.');
      if (this.now() - entry.since >= 2 * this.boundMilliseconds) {
        this.report(entry, { kind: 'lost', detail: (error as Error).message });
      }
    } finally {
      entry.busy = false;
      entry.nextCheck = Math.max(entry.nextCheck, this.now() + tickMilliseconds);
    }
  }

  /** Counts and not time stamps are compared: the node's clock may be another machine's. */
  private judge(entry: Watched, packets: number | undefined): void {
    const now = this.now();
    if (packets !== undefined && packets !== entry.packets) {
      entry.packets = packets;
      entry.since = now;
    }
    const silentFor = now - entry.since;
    if (silentFor >= this.boundMilliseconds) {
      this.report(entry, { kind: 'silent', seconds: Math.round(silentFor / 1_000) });
      return;
    }
    entry.nextCheck = Math.min(now + this.boundMilliseconds / 2, entry.since + this.boundMilliseconds);
  }

  private report(entry: Watched, loss: MediaLoss): void {
    this.forget(entry);
    entry.onLoss(loss);
  }

  private forget(entry: Watched): void {
    this.watched.delete(entry);
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
