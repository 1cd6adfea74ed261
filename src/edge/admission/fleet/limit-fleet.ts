import { EventEmitter } from 'node:events';
import { RecurringTask } from '../../../base/recurring-task.js';
import type { Redis } from '../../../base/redis.js';
import { RedisScript } from '../../../base/redis-script.js';
import { Subscriber } from '../../../base/subscriber.js';
import { within } from '../../../base/within.js';
import { heldCallsMilliseconds } from '../../../contract/held-call.js';
import { limitRateKey, limitRecallChannel, limitSharersKey, limitSlotsKey } from '../../../contract/keys.js';

const clock = '../../outbound/pacing/lua/clock.lua';
const live = new RedisScript<[sharers: string]>('liveSharer', import.meta.url, [clock, 'lua/live.lua']);
const leaseSlots = new RedisScript<[slots: string, sharers: string]>('leaseLimitSlots', import.meta.url, [
  clock,
  'lua/sharers.lua',
  'lua/slots.lua',
]);
const leaseTokens = new RedisScript<[rate: string, sharers: string]>('leaseLimitTokens', import.meta.url, [
  clock,
  'lua/sharers.lua',
  'lua/rate.lua',
]);

export interface LimitFleetDeps {
  readonly redis: Redis;
  /** Edge id and a random part. */
  readonly holder: string;
  readonly leaseMilliseconds: number;
  readonly renewMilliseconds: number;
  /** Upper bound of a call's wait for Redis. */
  readonly waitMilliseconds: number;
}

export interface SlotRequest {
  readonly limit: number;
  readonly used: number;
  readonly kept: number;
  readonly needed: number;
  readonly inAdvance: boolean;
  /** An edge that is gone, and how many of its calls are counted here now. */
  readonly adopted: { readonly holder: string; readonly calls: number } | undefined;
}

export interface TokenRequest {
  readonly perSecond: number;
  readonly burst: number;
  readonly returned: number;
  readonly kept: number;
  readonly needed: number;
  readonly inAdvance: boolean;
}

export interface Grant {
  readonly granted: number;
  /** Fewer than needed were granted, and other edges have been asked to return theirs. */
  readonly mayComeBack: boolean;
  /** Of a rate: until there is a token. */
  readonly waitMilliseconds: number;
}

export interface LimitFleetEvents {
  /** What this edge does not use of it is needed elsewhere. */
  recall: [kind: 'slots' | 'rate', limit: string];
  /** Redis may not know what this edge has. */
  back: [];
  /** Once per renewal. */
  renewed: [];
}

/** Within this time, all calls of an edge that is gone have been adopted. */
const adoptionMilliseconds = 1_000;
/** Leased tokens are not used after this long; their hash in Redis lives longer, so that no bucket is full while some are leased. */
export const tokenMilliseconds = 60_000;

/**
 * The edges that share limits, and their shares in Redis. An edge leases a part of a limit in advance, so that most calls are
 * admitted without Redis; when too little is free, the others return what they do not use. A share counts while its edge renews
 * one lease for all of them.
 */
export class LimitFleet extends EventEmitter<LimitFleetEvents> {
  /** Live edges and the place of this one among them, as last known. */
  private edges = 1;
  private rank = 0;
  /** Monotonic milliseconds; until then our shares count at the other edges. */
  private validUntil = Number.NEGATIVE_INFINITY;
  private isKnown = false;
  private readonly goneHolders = new Set<string>();
  private readonly subscriber: Subscriber;
  private readonly task: RecurringTask;
  private readonly renewAtOnce = (): void => void this.task.next();

  constructor(private readonly deps: LimitFleetDeps) {
    super();
    const { redis, renewMilliseconds } = deps;
    this.subscriber = new Subscriber({
      redis,
      name: 'demarc-edge-limits',
      channels: { [limitRecallChannel]: (message) => this.onRecall(message) },
    });
    this.task = new RecurringTask(() => this.renew(), {
      everyMilliseconds: renewMilliseconds,
      retryMilliseconds: renewMilliseconds,
    });
  }

  /** Waits for Redis as long as a call does. */
  async start(): Promise<void> {
    this.subscriber.start();
    this.deps.redis.on('ready', this.renewAtOnce);
    await within(this.deps.waitMilliseconds, this.task.next());
  }

  /** Our calls have ended or continue at another edge. */
  async stop(): Promise<void> {
    const { redis, holder } = this.deps;
    this.subscriber.stop();
    redis.off('ready', this.renewAtOnce);
    await this.task.stop();
    if (redis.status === 'ready') await redis.zrem(limitSharersKey, holder).catch(() => {});
  }

  /** Upper bound of a call's wait for Redis, and for what other edges return. */
  get waitMilliseconds(): number {
    return this.deps.waitMilliseconds;
  }

  /** False: each edge applies its part of every limit alone. */
  get isUp(): boolean {
    return this.isKnown && performance.now() < this.validUntil;
  }

  /** The calls of a limit that are ours while Redis is down; at least one, so that no number is cut off. */
  shareOf(limit: number): number {
    const share = Math.floor(limit / this.edges) + (this.rank < limit % this.edges ? 1 : 0);
    return Math.min(limit, Math.max(1, share));
  }

  /** The part of each rate that is ours while Redis is down, and the least of one that is short. */
  get part(): number {
    return 1 / this.edges;
  }

  /** That edge is known to be gone: what is left of its slots when its calls have been adopted is free before its lease ends. */
  gone(holder: string): void {
    if (this.goneHolders.has(holder)) return;
    this.goneHolders.add(holder);
    const free = (): void => {
      this.goneHolders.delete(holder);
      this.deps.redis.zrem(limitSharersKey, holder).catch(() => {});
    };
    setTimeout(free, adoptionMilliseconds).unref();
  }

  /** Undefined: Redis is down. Never rejects. */
  async leaseSlots(limit: string, request: SlotRequest): Promise<Grant | undefined> {
    const { redis, holder } = this.deps;
    return this.lease(() =>
      leaseSlots.run(
        redis,
        [limitSlotsKey(limit), limitSharersKey],
        ...[holder, request.limit, request.used, request.kept, request.needed, request.inAdvance ? 1 : 0],
        ...[limitRecallChannel, `slots ${limit}`, heldCallsMilliseconds],
        ...[request.adopted?.holder ?? '', request.adopted?.calls ?? 0],
      ),
    );
  }

  /** Undefined: Redis is down. Never rejects. */
  async leaseTokens(limit: string, request: TokenRequest): Promise<Grant | undefined> {
    const { redis, holder } = this.deps;
    const { perSecond, burst, returned, kept, needed, inAdvance } = request;
    const refilled = (burst / perSecond) * 1_000;
    return this.lease(() =>
      leaseTokens.run(
        redis,
        [limitRateKey(limit), limitSharersKey],
        ...[holder, perSecond, burst, returned, kept, needed, inAdvance ? 1 : 0],
        ...[limitRecallChannel, `rate ${limit}`, Math.ceil(2 * tokenMilliseconds + refilled)],
      ),
    );
  }

  private async lease(ask: () => Promise<unknown>): Promise<Grant | undefined> {
    const { waitMilliseconds } = this.deps;
    let answer = (await within(waitMilliseconds, ask())) as number[] | null | undefined;
    if (answer === null) {
      // Redis does not know this edge (any more): what it got would not count.
      await within(waitMilliseconds, this.task.next());
      answer = (await within(waitMilliseconds, ask())) as number[] | null | undefined;
    }
    if (answer == null) {
      // Calls do not wait again before Redis answers a renewal.
      this.isKnown = false;
      return undefined;
    }
    const [granted = 0, loose = 0, untilToken = 0] = answer;
    return { granted, mayComeBack: loose > 0, waitMilliseconds: untilToken };
  }

  private onRecall(message: string): void {
    const [kind, ...limit] = message.split(' ');
    if (kind === 'slots' || kind === 'rate') this.emit('recall', kind, limit.join(' '));
  }

  private async renew(): Promise<void> {
    const { redis, holder, leaseMilliseconds, waitMilliseconds } = this.deps;
    const sentAt = performance.now();
    const asked = live.run(redis, [limitSharersKey], holder, leaseMilliseconds);
    const answer = (await within(waitMilliseconds, asked)) as string[] | undefined;
    if (answer === undefined) {
      this.isKnown = false;
      throw new Error('Redis is down.');
    }
    const [stood, ...names] = answer;
    this.edges = Math.max(1, names.length);
    this.rank = Math.max(0, names.sort().indexOf(holder));
    const wasUp = this.isUp;
    this.validUntil = sentAt + leaseMilliseconds;
    this.isKnown = true;
    if (stood !== '1' || !wasUp) this.emit('back');
    this.emit('renewed');
  }
}
