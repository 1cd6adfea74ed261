import type { Logger } from '../../base/log.js';
import type { MediaSession } from './media-session.js';
import type { NgReply } from './ng-client.js';
import { packetsFrom } from './rtp-statistics.js';

export type MediaLoss =
  | { readonly kind: 'silent'; readonly seconds: number }
  /** The node no longer knows the call, or has been down for the whole bound. */
  | { readonly kind: 'lost'; readonly detail: string }
  /** The agent sends no media and does not answer signaling either. */
  | { readonly kind: 'agent-lost'; readonly seconds: number; readonly detail: string };

/** How long silence may last, in milliseconds. */
export interface WatchBounds {
  /** RTP and RTCP of the trunk. */
  readonly trunk: number;
  /** RTP and RTCP of the agent, until the signaling check; 0: never. */
  readonly agent: number;
  /** Answers of the media node. */
  readonly node: number;
}

export interface MediaWatcher {
  /** Called once at most. */
  readonly onLoss: (loss: MediaLoss) => void;
  /** Called with each reply of the media node that has the session. */
  readonly onCount?: (reply: NgReply) => void;
  /** Checks the agent's signaling; resolves with what failed, undefined when it answered. Never rejects. */
  readonly askAgent?: () => Promise<string | undefined>;
}

/** Packets of one side. */
interface Flow {
  packets: number;
  /** Monotonic milliseconds: when the count was last seen to grow, or the hold ended. */
  since: number;
}

interface Watched extends MediaWatcher {
  readonly session: MediaSession;
  /** Monotonic milliseconds, as all times here. */
  nextCheck: number;
  readonly trunk: Flow;
  readonly agent: Flow;
  agentAskedAt: number;
  /** When the node last answered. */
  answeredAt: number;
  busy: boolean;
}

/** Precision of the watch; one timer serves all calls. */
const tickMilliseconds = 1_000;
/** A silent agent that answers is checked again after this long: many send nothing while they listen. */
const agentRepeatMilliseconds = 10_000;

/**
 * Finds calls whose trunk side has sent neither RTP nor RTCP for the bound, calls whose agent is gone, and calls whose media
 * node lost them. An agent's silence alone ends no call, because some runtimes send only while they speak: a signaling check
 * then decides. While a call is on hold the clocks are paused.
 */
export class MediaWatch {
  private readonly watched = new Set<Watched>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly bounds: WatchBounds,
    private readonly log: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get size(): number {
    return this.watched.size;
  }

  /** Starts the watch; the returned function ends it. */
  watch(session: MediaSession, watcher: MediaWatcher): () => void {
    const now = this.now();
    const entry: Watched = {
      ...watcher,
      session,
      trunk: { packets: 0, since: now },
      agent: { packets: 0, since: now },
      agentAskedAt: Number.NEGATIVE_INFINITY,
      answeredAt: now,
      nextCheck: 0,
      busy: false,
    };
    entry.nextCheck = now + this.intervalOf(entry);
    this.watched.add(entry);
    this.timer ??= setInterval(() => this.tick(), tickMilliseconds).unref();
    return () => this.forget(entry);
  }

  /** One round; called by the timer, and by tests. */
  tick(): void {
    const now = this.now();
    for (const entry of this.watched) {
      if (!entry.session.isFlowing) {
        entry.trunk.since = now;
        entry.agent.since = now;
        entry.answeredAt = now;
        entry.nextCheck = now + this.intervalOf(entry);
      } else if (now >= entry.nextCheck && !entry.busy) {
        void this.check(entry);
      }
    }
  }

  /**
   * Two checks in the trunk's bound. One in the agent's: its silence is found within twice the bound, which with the signaling
   * check is what the setting promises, and each check costs as much as all else that a held call needs in a minute.
   */
  private intervalOf(entry: Watched): number {
    const { trunk, agent } = this.bounds;
    return this.asksAgent(entry) ? Math.min(trunk / 2, agent) : trunk / 2;
  }

  private asksAgent(entry: Watched): boolean {
    return this.bounds.agent > 0 && entry.askAgent !== undefined;
  }

  private async check(entry: Watched): Promise<void> {
    entry.busy = true;
    try {
      const reply = await entry.session.count();
      if (!this.watched.has(entry) || reply === undefined) return;
      entry.answeredAt = this.now();
      if (reply.result !== 'ok') {
        this.report(entry, { kind: 'lost', detail: `rtpengine: ${reply['error-reason'] ?? reply.result}` });
        return;
      }
      entry.onCount?.(reply);
      this.judge(entry, reply);
    } catch (error) {
      // The node is down for now: whether the sides send is unknown.
      this.log.debug({ error: (error as Error).message }, 'Checking media failed.');
      const silentFor = this.now() - entry.answeredAt;
      if (silentFor >= this.bounds.node && this.watched.has(entry)) {
        const detail = `${(error as Error).message}, nor anything else for ${Math.round(silentFor / 1_000)} s`;
        this.report(entry, { kind: 'lost', detail });
      }
    } finally {
      entry.busy = false;
      entry.nextCheck = Math.max(entry.nextCheck, this.now() + tickMilliseconds);
    }
  }

  private judge(entry: Watched, reply: NgReply): void {
    const now = this.now();
    note(entry.trunk, packetsFrom(reply, 'trunk'), now);
    note(entry.agent, packetsFrom(reply, 'agent'), now);
    const silentFor = now - entry.trunk.since;
    if (silentFor >= this.bounds.trunk) {
      this.report(entry, { kind: 'silent', seconds: Math.round(silentFor / 1_000) });
      return;
    }
    entry.nextCheck = Math.min(now + this.intervalOf(entry), entry.trunk.since + this.bounds.trunk);
    if (!this.asksAgent(entry)) return;
    const agentDue = Math.max(
      entry.agent.since + this.bounds.agent,
      entry.agentAskedAt + agentRepeatMilliseconds,
    );
    if (now >= agentDue) void this.ask(entry);
    else entry.nextCheck = Math.min(entry.nextCheck, agentDue);
  }

  /** The agent is silent: it is lost if its signaling fails, unless it is heard meanwhile. */
  private async ask(entry: Watched): Promise<void> {
    entry.agentAskedAt = this.now();
    const { packets } = entry.agent;
    const failure = await entry.askAgent!();
    if (failure === undefined || !this.watched.has(entry) || !entry.session.isFlowing) return;
    const reply = await entry.session.count().catch(() => undefined);
    if (!this.watched.has(entry) || reply === undefined || packetsFrom(reply, 'agent') !== packets) return;
    const seconds = Math.round((this.now() - entry.agent.since) / 1_000);
    this.report(entry, { kind: 'agent-lost', seconds, detail: failure });
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

/** Compares counts, not timestamps: the node may run on another machine's clock. */
function note(flow: Flow, packets: number | undefined, now: number): void {
  if (packets === undefined || packets === flow.packets) return;
  flow.packets = packets;
  flow.since = now;
}
