import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { Subscriber } from '../../base/subscriber.js';
import { within } from '../../base/within.js';
import type { TrunkSettings } from '../../config/edge-settings.js';
import { numberBarrierChannel, numberChannel, numberKey, numberRevisionKey } from '../../contract/keys.js';
import { type NumberDocument, numberDigits } from '../../contract/number.js';
import { DemarcError } from '../../errors.js';
import { confirmChanges } from './confirm-changes.js';
import { KeptNumbers } from './kept-numbers.js';
import { readNumberDocument } from './number-document.js';
import { TrunkCache } from './trunk-cache.js';
import { warmUp } from './warm-up.js';

export interface TrunkStoreParts {
  readonly settings: TrunkSettings;
  /** For reads; duplicated for the invalidation channel. */
  readonly redis: Redis;
  /** The name under which this process takes orders. */
  readonly edge: string;
  readonly log: Logger;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** An unusable document; the last good one, if any, stays in force. */
export interface TrunkProblem {
  readonly number: string;
  readonly message: string;
  /** ISO 8601. */
  readonly since: string;
  /** True when an earlier copy is used instead. */
  readonly servesEarlier: boolean;
}

/** How long a silent subscription is trusted: a dead peer without RST would otherwise hide every change. */
const heartbeatMilliseconds = 10_000;
/**
 * Least bound of the wait of a call that would be refused without an answer, or handled by a configuration that is known to be
 * replaced: on a busy machine, a Redis that is well may take that long.
 */
const longWaitMilliseconds = 1_000;

interface Reading {
  readonly startedAt: number;
  readonly done: Promise<void>;
  /** An invalidation came during the read: its result may be outdated. */
  outdated: boolean;
}

type Found =
  | { readonly known: true; readonly document: NumberDocument | undefined }
  | { readonly known: false };

/**
 * The numbers' configurations, read through from Redis. A call is answered from memory unless the number is new or was
 * changed; it waits for Redis at most `waitMilliseconds` (longer for a number of which there is no copy, or whose change was announced), and gets the last
 * good copy when Redis is down, slow, emptied, or holds an unusable document.
 */
export class TrunkStore {
  private readonly cache: TrunkCache;
  private readonly readings = new Map<string, Reading>();
  /** Announced since the running preload began, `*` for all: what it has read of them may be outdated. */
  private changedWhilePreloading: Set<string> | undefined;
  private readonly now: () => number;
  private readonly subscriber: Subscriber;
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly kept: KeptNumbers;
  private malformedCount = 0;
  private stopped = false;

  constructor(private readonly parts: TrunkStoreParts) {
    this.now = parts.now ?? (() => performance.now());
    this.cache = new TrunkCache(parts.settings.maximumCached);
    this.kept = new KeptNumbers({
      path: parts.settings.keptFile,
      documents: () => this.goodDocuments(),
      delayMilliseconds: parts.settings.keepMilliseconds,
      log: parts.log,
    });
    this.subscriber = new Subscriber({
      redis: parts.redis,
      name: 'demarc-edge-changes',
      channels: {
        [numberChannel]: (number) => this.invalidate(number),
        [numberBarrierChannel]: (token) => void confirmChanges(parts.redis, parts.edge, token),
      },
      subscribed: () => void this.subscribed(),
      failed: ({ message }) => parts.log.warn({ error: message }, 'Subscribing to number changes failed.'),
    });
  }

  /** What an earlier process kept on disk. Never rejects. */
  keptNumbers(): ReturnType<KeptNumbers['read']> {
    return this.kept.read();
  }

  /** Loads what an earlier process kept and subscribes to changes; without Redis it retries in the background. */
  async start(): Promise<void> {
    for (const [digits, raw] of await this.kept.read()) this.takeKept(digits, raw);
    this.subscriber.start();
    this.heartbeat = setInterval(() => this.subscriber.ping(), heartbeatMilliseconds);
    this.heartbeat.unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.heartbeat);
    this.subscriber.stop();
    await this.kept.stop();
  }

  /**
   * The document of a called user; undefined when the user is not a number or the number has none.
   * Throws `DemarcError` `configuration_unavailable` when Redis does not answer in time and there is no copy.
   */
  async find(user: string): Promise<NumberDocument | undefined> {
    const digits = numberDigits(user);
    if (digits === undefined) return undefined;
    const now = this.now();
    const entry = this.cache.get(digits);
    if (entry !== undefined && !entry.isStale && this.subscriber.isSubscribed) {
      if (now - entry.checkedAt > this.parts.settings.revalidateMilliseconds) void this.read(digits, now);
      if (entry.document !== undefined) return entry.document;
    } else if (entry === undefined && this.subscriber.isSubscribed && this.cache.isUnknown(digits, now)) {
      return undefined;
    }
    const { waitMilliseconds } = this.parts.settings;
    const hasValidCopy = entry?.document !== undefined && !entry.isNamed;
    const patience = hasValidCopy ? waitMilliseconds : Math.max(waitMilliseconds, longWaitMilliseconds);
    const isInTime = this.isConnected && (await this.refresh(digits, patience));
    const found = this.recall(digits, isInTime);
    if (found.known) return found.document;
    const problem = this.cache.get(digits)?.problem;
    throw new DemarcError('configuration_unavailable', {
      operatorDetail: problem?.message ?? `Redis did not answer in time whether ${digits} exists.`,
    });
  }

  /** Documents now ignored because they do not match the schema. */
  problems(): readonly TrunkProblem[] {
    const problems: TrunkProblem[] = [];
    for (const [number, entry] of this.cache.entries()) {
      if (entry.problem === undefined) continue;
      const { message, since } = entry.problem;
      problems.push({ number, message, since, servesEarlier: entry.document !== undefined });
    }
    return problems;
  }

  /** Number of malformed documents since start; each change counts once. */
  get malformed(): number {
    return this.malformedCount;
  }

  get isConnected(): boolean {
    return this.parts.redis.status === 'ready';
  }

  /** For `/readyz`: without Redis the edge is fit for the numbers it knows. */
  state(): { readonly ready: boolean; readonly detail: string } {
    const malformed = this.cache.malformed === 0 ? '' : `, ${this.cache.malformed} malformed`;
    if (this.isConnected && this.subscriber.isSubscribed) {
      return { ready: true, detail: `connected, ${this.cache.size} numbers in memory${malformed}` };
    }
    const ready = this.cache.size > 0;
    return {
      ready,
      detail: ready ? `down, serving ${this.cache.size} numbers from memory${malformed}` : 'down',
    };
  }

  /** The number changed, or `*`: all. */
  private invalidate(number: string): void {
    this.changedWhilePreloading?.add(number);
    if (number === '*') {
      this.cache.invalidateAll();
      for (const reading of this.readings.values()) reading.outdated = true;
      return;
    }
    this.cache.invalidate(number);
    const reading = this.readings.get(number);
    if (reading !== undefined) reading.outdated = true;
  }

  private async subscribed(): Promise<void> {
    // Changes made while disconnected are unknown: all documents are read again.
    this.invalidate('*');
    const changed = new Set<string>();
    this.changedWhilePreloading = changed;
    await warmUp({
      redis: this.parts.redis,
      maximum: this.parts.settings.maximumCached,
      isWanted: () =>
        this.subscriber.isSubscribed && !this.stopped && this.changedWhilePreloading === changed,
      take: (digits, raw, hasRevision) => {
        const outdated = changed.has(digits) || changed.has('*') || this.changedWhilePreloading !== changed;
        if (!this.readings.has(digits)) this.store(digits, raw, hasRevision, outdated);
      },
    }).catch((error: Error) => {
      if (!this.stopped) this.parts.log.warn({ error: error.message }, 'Preloading numbers failed.');
    });
    if (this.changedWhilePreloading === changed) this.changedWhilePreloading = undefined;
  }

  /** One read per number at a time, shared by all calls that need it. Never rejects. */
  private read(digits: string, now: number): Reading {
    const running = this.readings.get(digits);
    if (running !== undefined && !running.outdated) return running;
    const reading: Reading = { startedAt: now, done: this.fetch(digits, () => reading), outdated: false };
    this.readings.set(digits, reading);
    return reading;
  }

  private async fetch(digits: string, self: () => Reading): Promise<void> {
    try {
      const [raw, revision] = await this.parts.redis.mget(numberKey(digits), numberRevisionKey);
      this.store(digits, raw ?? null, revision !== null, self().outdated);
    } catch {
      // The connection reports its own loss; the copy in memory is used.
    } finally {
      if (this.readings.get(digits) === self()) this.readings.delete(digits);
    }
  }

  /** True when Redis answered within so many milliseconds and no later change outdated the answer. */
  private async refresh(digits: string, patience: number): Promise<boolean> {
    const deadline = this.now() + patience;
    for (;;) {
      const now = this.now();
      const reading = this.read(digits, now);
      const left = Math.min(deadline, reading.startedAt + patience) - now;
      if (left <= 0) return false;
      const isDone = await within(
        left,
        reading.done.then(() => true),
      );
      if (isDone !== true) return false;
      if (!reading.outdated) return true;
    }
  }

  private recall(digits: string, isInTime: boolean): Found {
    const entry = this.cache.get(digits);
    if (entry !== undefined) {
      return entry.document === undefined ? { known: false } : { known: true, document: entry.document };
    }
    return isInTime && this.cache.isUnknown(digits, this.now())
      ? { known: true, document: undefined }
      : { known: false };
  }

  /** Stale: Redis is read before the first use once it is reachable. */
  private takeKept(digits: string, raw: string): void {
    const read = readNumberDocument(raw, digits);
    if (!read.ok) return;
    const { document } = read;
    this.cache.set(digits, { raw, document, checkedAt: this.now(), isStale: true, isNamed: false });
  }

  private *goodDocuments(): Generator<readonly [string, string]> {
    for (const [digits, { raw, document, problem }] of this.cache.entries()) {
      if (document === undefined) continue;
      yield [digits, problem === undefined ? raw : JSON.stringify(document)];
    }
  }

  private store(digits: string, raw: string | null, hasRevision: boolean, outdated: boolean): void {
    const entry = this.cache.get(digits);
    const now = this.now();
    if (raw === null) {
      if (outdated) return;
      // Missing without an announcement, and the revision with it: Redis lost its data; the number was not deleted.
      const isLoss = !hasRevision && entry?.document !== undefined && !entry.isNamed;
      if (isLoss) this.cache.confirm(digits, now, false);
      else this.cache.setUnknown(digits, now + this.parts.settings.negativeMilliseconds);
      if (!isLoss && entry !== undefined) this.kept.changed();
      return;
    }
    if (entry !== undefined && entry.raw === raw) {
      this.cache.confirm(digits, now, outdated);
      return;
    }
    const read = readNumberDocument(raw, digits);
    if (read.ok) {
      if (entry?.problem !== undefined)
        this.parts.log.info({ number: digits }, 'Number document is valid again.');
      this.cache.set(digits, {
        raw,
        document: read.document,
        checkedAt: now,
        isStale: outdated,
        isNamed: false,
      });
      this.kept.changed();
      return;
    }
    this.malformedCount++;
    this.parts.log.error(
      { number: digits, problem: read.problem, servesEarlier: entry?.document !== undefined },
      'Number document is malformed and ignored.',
    );
    const problem = {
      message: `Number document is malformed: ${read.problem}`,
      since: new Date().toISOString(),
    };
    this.cache.set(digits, {
      raw,
      document: entry?.document,
      problem,
      checkedAt: now,
      isStale: outdated,
      isNamed: false,
    });
  }
}
