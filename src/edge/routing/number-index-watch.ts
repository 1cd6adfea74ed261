import type { Logger } from '../../base/log.js';
import { PacedTask } from '../../base/paced-task.js';
import type { Redis } from '../../base/redis.js';
import { Subscriber } from '../../base/subscriber.js';
import { numberRevisionKey } from '../../contract/keys.js';
import {
  numberIndexChannel,
  numberIndexVersion,
  numberIndexVersionKey,
} from '../../contract/number-index.js';

export interface NumberIndexWatchDeps {
  readonly redis: Redis;
  /** Of the connection to Redis. */
  readonly name: string;
  /**
   * Reads what is wanted. `wanted`: the messages of the channel since the last read; undefined: all. `isComplete` is false while
   * control fills a Redis that was emptied: what is absent then is not gone. May reject: it is called again.
   */
  readonly read: (wanted: ReadonlySet<string> | undefined, isComplete: boolean) => Promise<void>;
  /** Called with the messages of further channels. */
  readonly channels: Readonly<Record<string, (message: string) => void>>;
  readonly log: Logger;
}

/** Changes of this time are read together. */
const gatherMilliseconds = 200;
const retryMilliseconds = 1_000;

/**
 * Follows the index of the numbers (`contract/number-index.ts`): all of it at the start and after each reconnect, then what the
 * channel announces. While Redis is down nothing changes.
 */
export class NumberIndexWatch {
  private readonly subscriber: Subscriber;
  private readonly pace = new PacedTask(() => void this.readWanted(), gatherMilliseconds);
  private wanted = new Set<string>();
  private reading = false;
  private retry: NodeJS.Timeout | undefined;
  private isStopped = false;
  private hasWarned = false;

  constructor(private readonly deps: NumberIndexWatchDeps) {
    const { redis, name, channels } = deps;
    this.subscriber = new Subscriber({
      redis,
      name,
      channels: { ...channels, [numberIndexChannel]: (message) => this.want(message) },
      subscribed: () => this.want('*'),
    });
  }

  start(): void {
    this.subscriber.start();
  }

  stop(): void {
    this.isStopped = true;
    this.pace.stop();
    clearTimeout(this.retry);
    this.subscriber.stop();
  }

  private want(message: string): void {
    this.wanted.add(message);
    this.pace.request();
  }

  private async readWanted(): Promise<void> {
    if (this.reading || this.isStopped) return;
    this.reading = true;
    const wanted = this.wanted;
    this.wanted = new Set();
    try {
      const isKnown = await this.isKnown();
      if (isKnown !== undefined) await this.deps.read(wanted.has('*') ? undefined : wanted, isKnown);
      else this.again(wanted);
    } catch {
      this.again(wanted);
    }
    this.reading = false;
    if (this.wanted.size > 0 && this.retry === undefined) this.pace.request();
  }

  /** Whether the index is complete; undefined where an earlier control keeps none. */
  private async isKnown(): Promise<boolean | undefined> {
    const [version, revision] = await this.deps.redis.mget(numberIndexVersionKey, numberRevisionKey);
    if (version === numberIndexVersion) return true;
    if (revision === null) return false;
    if (!this.hasWarned) {
      this.deps.log.warn(
        'Redis holds numbers without an index: update control, which writes it at its start.',
      );
      this.hasWarned = true;
    }
    return undefined;
  }

  private again(wanted: ReadonlySet<string>): void {
    for (const message of wanted) this.wanted.add(message);
    if (this.isStopped) return;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => {
      this.retry = undefined;
      this.pace.request();
    }, retryMilliseconds);
    this.retry.unref();
  }
}
