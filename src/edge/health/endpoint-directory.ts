import { type Endpoint, endpointName, endpointsOf } from '../../contract/health.js';
import { numberChannel, numberKey } from '../../contract/keys.js';
import type { Logger } from '../log.js';
import type { Redis } from '../redis.js';
import { readNumberDocument } from '../trunk/number-document.js';
import { warmUp } from '../trunk/warm-up.js';

export interface EndpointDirectoryParts {
  readonly redis: Redis;
  readonly log: Logger;
  /** Called after the set of endpoints may have changed. */
  readonly changed: () => void;
  /** Called with the messages of further channels. */
  readonly channels: Readonly<Record<string, (message: string) => void>>;
}

/** Changes of many numbers at once are read together. */
const gatherMilliseconds = 50;
const retryMilliseconds = 1_000;

/**
 * The servers that any number names for calls from us, each once. Kept up to date by the channel of changed numbers, read
 * anew after every reconnect; while Redis is away the last ones stay.
 */
export class EndpointDirectory {
  private readonly byNumber = new Map<string, readonly Endpoint[]>();
  private endpointsByName: ReadonlyMap<string, Endpoint> | undefined;
  private subscriber: Redis | undefined;
  private readonly waiting = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly parts: EndpointDirectoryParts) {}

  start(): void {
    const subscriber = this.parts.redis.duplicate({
      autoResubscribe: false,
      connectionName: 'demarc-edge-health',
    });
    this.subscriber = subscriber;
    subscriber.on('error', () => {});
    subscriber.on('ready', () => {
      subscriber.subscribe(numberChannel, ...Object.keys(this.parts.channels)).then(
        () => this.changed('*'),
        () => {
          if (!this.stopped) subscriber.disconnect(true);
        },
      );
    });
    subscriber.on('message', (channel: string, message: string) => {
      if (channel === numberChannel) this.changed(message);
      else this.parts.channels[channel]?.(message);
    });
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.subscriber?.disconnect();
  }

  /** By `endpointName`. */
  get endpoints(): ReadonlyMap<string, Endpoint> {
    if (this.endpointsByName === undefined) {
      const all = [...this.byNumber.values()].flat();
      this.endpointsByName = new Map(all.map((endpoint) => [endpointName(endpoint), endpoint]));
    }
    return this.endpointsByName;
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
        const json = raw[index];
        if (json === null || json === undefined) this.byNumber.delete(number);
        else this.take(number, json);
      });
    }
    this.endpointsByName = undefined;
    if (!this.stopped) this.parts.changed();
  }

  private async readAll(): Promise<void> {
    const seen = new Set<string>();
    let hasRevision = false;
    await warmUp({
      redis: this.parts.redis,
      maximum: Number.POSITIVE_INFINITY,
      isWanted: () => !this.stopped,
      take: (number, raw, revision) => {
        hasRevision ||= revision;
        seen.add(number);
        this.take(number, raw);
      },
    });
    // An empty Redis has lost its data: nobody detached everything.
    if (!hasRevision && seen.size === 0) return;
    for (const number of this.byNumber.keys()) {
      if (!seen.has(number)) this.byNumber.delete(number);
    }
  }

  private take(number: string, raw: string): void {
    const read = readNumberDocument(raw, number);
    // The store of numbers reports it; the earlier endpoints stay as the earlier document does.
    if (read.ok) this.byNumber.set(number, endpointsOf(read.document));
  }
}
