import type { Redis } from '../../base/redis.js';
import { Subscriber } from '../../base/subscriber.js';
import { numberChannel, numberKey } from '../../contract/keys.js';
import { warmUp } from './warm-up.js';

export interface NumberWatchParts {
  readonly redis: Redis;
  /** Of the connection to Redis. */
  readonly name: string;
  /** The document of a number was added or changed; undefined: it was removed. */
  readonly take: (number: string, raw: string | undefined) => void;
  /** The numbers given to `take` whose removal matters. */
  readonly known: () => Iterable<string>;
  /** Called after every round of `take`. */
  readonly changed: () => void;
  /** Called with the messages of further channels. */
  readonly channels: Readonly<Record<string, (message: string) => void>>;
}

/** Changes of many numbers at once are read together. */
const gatherMilliseconds = 50;
const retryMilliseconds = 1_000;

/**
 * Follows the documents of all numbers: reads them at start and after each reconnect, then the changed ones that the channel
 * announces. While Redis is down nothing changes.
 */
export class NumberWatch {
  private readonly subscriber: Subscriber;
  private readonly waiting = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly parts: NumberWatchParts) {
    const { redis, name, channels } = parts;
    this.subscriber = new Subscriber({
      redis,
      name,
      channels: { ...channels, [numberChannel]: (number) => this.changed(number) },
      subscribed: () => this.changed('*'),
    });
  }

  start(): void {
    this.subscriber.start();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.subscriber.stop();
  }

  private changed(number: string): void {
    this.waiting.add(number);
    this.schedule(gatherMilliseconds);
  }

  private schedule(milliseconds: number): void {
    if (this.timer !== undefined || this.stopped) return;
    this.timer = setTimeout(() => {
      const numbers = [...this.waiting];
      this.waiting.clear();
      this.read(numbers)
        .catch(() => {
          for (const number of numbers) this.waiting.add(number);
        })
        .finally(() => {
          this.timer = undefined;
          if (this.waiting.size > 0) this.schedule(retryMilliseconds);
        });
    }, milliseconds);
    this.timer.unref();
  }

  private async read(numbers: readonly string[]): Promise<void> {
    if (numbers.includes('*')) await this.readAll();
    else {
      const raw = await this.parts.redis.mget(...numbers.map(numberKey));
      numbers.forEach((number, index) => {
        this.parts.take(number, raw[index] ?? undefined);
      });
    }
    if (!this.stopped) this.parts.changed();
  }

  private async readAll(): Promise<void> {
    const { redis, take, known } = this.parts;
    const seen = new Set<string>();
    let hasRevision = false;
    await warmUp({
      redis,
      maximum: Number.POSITIVE_INFINITY,
      isWanted: () => !this.stopped,
      take: (number, raw, revision) => {
        hasRevision ||= revision;
        seen.add(number);
        take(number, raw);
      },
    });
    // An empty Redis has lost its data; the numbers were not all detached.
    if (!hasRevision && seen.size === 0) return;
    for (const number of [...known()]) {
      if (!seen.has(number)) take(number, undefined);
    }
  }
}
