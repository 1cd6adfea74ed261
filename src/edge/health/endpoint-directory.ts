import { type Endpoint, endpointName, endpointsOf } from '../../contract/health.js';
import type { Redis } from '../redis.js';
import { readNumberDocument } from '../trunk/number-document.js';
import { NumberWatch } from '../trunk/number-watch.js';

export interface EndpointDirectoryParts {
  readonly redis: Redis;
  /** Called after the set of endpoints may have changed. */
  readonly changed: () => void;
  /** Called with the messages of further channels. */
  readonly channels: Readonly<Record<string, (message: string) => void>>;
}

/**
 * The servers that any number names for calls from us, each once. Kept up to date by the channel of changed numbers, read
 * anew after every reconnect; while Redis is away the last ones stay.
 */
export class EndpointDirectory {
  private readonly byNumber = new Map<string, readonly Endpoint[]>();
  private endpointsByName: ReadonlyMap<string, Endpoint> | undefined;
  private readonly watch: NumberWatch;

  constructor({ redis, changed, channels }: EndpointDirectoryParts) {
    this.watch = new NumberWatch({
      redis,
      name: 'demarc-edge-health',
      take: (number, raw) => this.take(number, raw),
      known: () => this.byNumber.keys(),
      changed: () => {
        this.endpointsByName = undefined;
        changed();
      },
      channels,
    });
  }

  start(): void {
    this.watch.start();
  }

  stop(): void {
    this.watch.stop();
  }

  /** By `endpointName`. */
  get endpoints(): ReadonlyMap<string, Endpoint> {
    if (this.endpointsByName === undefined) {
      const all = [...this.byNumber.values()].flat();
      this.endpointsByName = new Map(all.map((endpoint) => [endpointName(endpoint), endpoint]));
    }
    return this.endpointsByName;
  }

  private take(number: string, raw: string | undefined): void {
    if (raw === undefined) {
      this.byNumber.delete(number);
      return;
    }
    const read = readNumberDocument(raw, number);
    // The store of numbers reports it; the earlier endpoints stay as the earlier document does.
    if (read.ok) this.byNumber.set(number, endpointsOf(read.document));
  }
}
