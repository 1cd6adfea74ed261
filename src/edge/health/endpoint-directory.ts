import type { Redis } from '../../base/redis.js';
import { type Endpoint, endpointName, endpointsOf } from '../../contract/health.js';
import { readNumberDocument } from '../routing/number-document.js';
import { NumberWatch } from '../routing/number-watch.js';

/** One server, as several numbers may name it. */
export interface KnownEndpoint extends Endpoint {
  /** The distinct `tls_ca` values of the numbers; the absent one first. */
  readonly trusts: readonly (string | undefined)[];
}

/** More for one server are not tried. */
const maximumTrusts = 5;

export interface EndpointDirectoryParts {
  readonly redis: Redis;
  /** Called after the set of endpoints may have changed. */
  readonly changed: () => void;
  /** Called with the messages of further channels. */
  readonly channels: Readonly<Record<string, (message: string) => void>>;
}

/**
 * The servers that any number names for calls from us, each once. Kept up to date by the channel of changed numbers, read
 * again after every reconnect; while Redis is down the last known ones stay.
 */
export class EndpointDirectory {
  private readonly byNumber = new Map<string, readonly Endpoint[]>();
  private endpointsByName: ReadonlyMap<string, KnownEndpoint> | undefined;
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
  get endpoints(): ReadonlyMap<string, KnownEndpoint> {
    this.endpointsByName ??= this.gather();
    return this.endpointsByName;
  }

  private gather(): ReadonlyMap<string, KnownEndpoint> {
    const trusts = new Map<string, Set<string | undefined>>();
    const known = new Map<string, Endpoint>();
    for (const endpoint of [...this.byNumber.values()].flat()) {
      const name = endpointName(endpoint);
      known.set(name, endpoint);
      trusts.set(name, (trusts.get(name) ?? new Set()).add(endpoint.tls_ca));
    }
    const undefinedFirst = (one: string | undefined): number => (one === undefined ? 0 : 1);
    return new Map(
      [...known].map(([name, endpoint]) => {
        const all = [...trusts.get(name)!].toSorted(
          (one, other) => undefinedFirst(one) - undefinedFirst(other),
        );
        return [name, { ...endpoint, trusts: all.slice(0, maximumTrusts) }];
      }),
    );
  }

  private take(number: string, raw: string | undefined): void {
    if (raw === undefined) {
      this.byNumber.delete(number);
      return;
    }
    const read = readNumberDocument(raw, number);
    // The number store reports it; the earlier endpoints stay, like the earlier document.
    if (read.ok) this.byNumber.set(number, endpointsOf(read.document));
  }
}
