import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { Subscriber } from '../../base/subscriber.js';
import {
  liveBatchSchema,
  liveChannel,
  maximumNoticeLength,
  noticeChannel,
  noticeSchema,
} from '../../contract/live.js';
import { maximumSightingLength, sightingChannel, sightingSchema } from '../../contract/sighting.js';
import type { FleetReader } from '../fleet/fleet-reader.js';
import { type Visibility, viewOf } from '../sightings/index.js';
import type { Audience, Summaries } from './summaries.js';
import { Topic } from './topic.js';

export interface EventHubDeps {
  readonly redis: Redis;
  readonly fleet: FleetReader;
  readonly summaries: Summaries;
  readonly visibility: Pick<Visibility, 'matchOf'>;
  readonly log: Logger;
}

const refreshMilliseconds = 2_000;
/** A refresh waits for a component that hangs: one after another, the last of many would show it long after the first. */
const refreshedAtOnce = 16;
/** Reconnecting subscribers receive events missed in this time. */
const keptMilliseconds = 60_000;
/** Coalesces bursts of losses into one refresh. */
const coalesceMilliseconds = 1_000;

const nameOf = ({ organizationId, isOperator, scope }: Audience): string =>
  `${organizationId} ${isOperator} ${scope}`;

/** Relays live state to subscribers; idle without any. */
export class EventHub {
  readonly name = 'live events';
  private readonly topics = new Map<string, { readonly topic: Topic; leftAt: number }>();
  private timer: NodeJS.Timeout | undefined;
  private snapshotTimer: NodeJS.Timeout | undefined;
  private alive = '';
  /** Edges that sent events since the last look. */
  private readonly heard = new Set<string>();
  private readonly subscriber: Subscriber;
  private stopped = false;
  private refreshing: Promise<void> | undefined;

  constructor(private readonly deps: EventHubDeps) {
    this.subscriber = new Subscriber({
      redis: deps.redis,
      name: 'demarc-control-events',
      channels: {
        [liveChannel]: (text) => this.onMessage(liveChannel, () => this.onBatch(text)),
        [noticeChannel]: (text) => this.onMessage(noticeChannel, () => this.onNotice(text)),
        [sightingChannel]: (text) => this.onMessage(sightingChannel, () => this.onSighting(text)),
      },
      subscribed: () => this.sendSnapshots(),
    });
  }

  async start(): Promise<void> {
    this.subscriber.start();
    this.timer = setInterval(() => void this.refresh(), refreshMilliseconds);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    clearTimeout(this.snapshotTimer);
    this.subscriber.stop();
  }

  /** Open event streams. */
  get watching(): number {
    return [...this.topics.values()].reduce((sum, { topic }) => sum + topic.listeners.size, 0);
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    const detail = `${this.watching} streams${this.subscriber.isSubscribed ? '' : ', no events while Redis is down'}`;
    // Edges do not depend on it.
    return { ready: true, detail };
  }

  topicOf(audience: Audience): Topic {
    const name = nameOf(audience);
    let entry = this.topics.get(name);
    if (entry === undefined) {
      entry = { topic: new Topic(audience, this.deps.summaries), leftAt: performance.now() };
      this.topics.set(name, entry);
    }
    return entry.topic;
  }

  private onMessage(channel: string, read: () => void): void {
    if (this.topics.size === 0) return;
    try {
      read();
    } catch (error) {
      this.deps.log.warn({ channel, error: String(error).slice(0, 300) }, 'Received an invalid event.');
    }
  }

  private onNotice(text: string): void {
    if (text.length > maximumNoticeLength) return;
    const notice = noticeSchema.parse(JSON.parse(text));
    for (const { topic } of this.topics.values()) topic.notice(notice);
  }

  private onSighting(text: string): void {
    if (text.length > maximumSightingLength) return;
    const sighting = sightingSchema.parse(JSON.parse(text));
    for (const { topic } of this.topics.values()) {
      const { organizationId, scope } = topic.audience;
      if (topic.listeners.size === 0 || scope === 'fleet') continue;
      this.deps.visibility.matchOf(organizationId, sighting).then(
        (match) => {
          if (match !== undefined) topic.sighting(viewOf(sighting));
        },
        // The database is down: the page reads the sightings again later.
        () => {},
      );
    }
  }

  private onBatch(text: string): void {
    const { edge_id, events, lost } = liveBatchSchema.parse(JSON.parse(text));
    this.heard.add(edge_id);
    for (const event of events) {
      for (const { topic } of this.topics.values()) topic.call(event, edge_id);
    }
    if (lost) this.sendSnapshots();
  }

  /** Sends all subscribers a new snapshot soon, because events were lost. */
  private sendSnapshots(): void {
    if (this.topics.size === 0 || this.stopped) return;
    this.snapshotTimer ??= setTimeout(() => {
      this.snapshotTimer = undefined;
      for (const { topic } of this.topics.values()) topic.sendSnapshot().catch(() => {});
    }, coalesceMilliseconds).unref();
  }

  private async refresh(): Promise<void> {
    const now = performance.now();
    for (const [name, entry] of this.topics) {
      if (entry.topic.listeners.size > 0) entry.leftAt = now;
      else if (now - entry.leftAt > keptMilliseconds) this.topics.delete(name);
    }
    if (this.topics.size === 0) return;
    this.subscriber.ping();
    this.refreshing ??= this.refreshTopics().finally(() => {
      this.refreshing = undefined;
    });
    await Promise.all([this.watchEdges(), this.refreshing]);
  }

  private async refreshTopics(): Promise<void> {
    const left = [...this.topics.values()].filter(({ topic }) => topic.listeners.size > 0).values();
    const refreshOneByOne = async (): Promise<void> => {
      for (const { topic } of left) await topic.refresh();
    };
    await Promise.all(Array.from({ length: refreshedAtOnce }, refreshOneByOne));
  }

  /** A dead edge cannot report that its calls have ended. */
  private async watchEdges(): Promise<void> {
    const edges = await this.deps.fleet.edges().catch(() => undefined);
    if (edges === undefined) return;
    const living = edges.filter(({ isAlive }) => isAlive);
    const ids = new Set(living.map(({ heartbeat }) => heartbeat.edge_id));
    // An event is a sign of life: an edge that lived between two looks is missed, too.
    const gone = [...this.heard].filter((id) => !ids.has(id));
    this.heard.clear();
    const alive = [...living.map(({ owner }) => owner), ...gone.map((id) => `heard ${id}`)].sort().join();
    if (alive !== this.alive) this.sendSnapshots();
    this.alive = alive;
  }
}
