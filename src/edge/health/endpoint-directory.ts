import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { type Endpoint, endpointName } from '../../contract/health.js';
import { indexedServerSchema, indexedServersKey } from '../../contract/number-index.js';
import { readJson } from '../../contract/read-json.js';
import { NumberIndexWatch } from '../routing/number-index-watch.js';

/** One server, as several numbers may name it. */
export interface KnownEndpoint extends Endpoint {
  /** The distinct `tls_ca` values of the numbers; the absent one first. */
  readonly trusts: readonly (string | undefined)[];
}

/** More for one server are not tried. */
const maximumTrusts = 5;
/** Servers of one reply of Redis. */
const scanned = 500;

export interface EndpointDirectoryDeps {
  readonly redis: Redis;
  /** Called after the set of endpoints may have changed. */
  readonly changed: () => void;
  /** Called with the messages of further channels. */
  readonly channels: Readonly<Record<string, (message: string) => void>>;
  readonly log: Logger;
}

/**
 * The servers that any number names for calls from us, each once. Read from the index of the numbers, so that it takes as much as
 * there are servers, however many numbers name them; while Redis is down the last known ones stay.
 */
export class EndpointDirectory {
  private byName: ReadonlyMap<string, KnownEndpoint> = new Map();
  private readonly watch: NumberIndexWatch;

  constructor(private readonly deps: EndpointDirectoryDeps) {
    const { redis, channels, log } = deps;
    this.watch = new NumberIndexWatch({
      redis,
      name: 'demarc-edge-health',
      read: async (wanted, isComplete) => {
        if (wanted === undefined || wanted.has('servers')) await this.read(isComplete);
      },
      channels,
      log,
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
    return this.byName;
  }

  private async read(isComplete: boolean): Promise<void> {
    const found = new Map<string, Endpoint[]>();
    // A field may come twice.
    const seen = new Set<string>();
    let cursor = '0';
    do {
      const [next, fields] = await this.deps.redis.hscan(indexedServersKey, cursor, 'COUNT', scanned);
      cursor = next;
      for (let at = 0; at < fields.length; at += 2) {
        const endpoint = readJson(indexedServerSchema, fields[at + 1]);
        if (endpoint === undefined || seen.has(fields[at]!)) continue;
        seen.add(fields[at]!);
        const name = endpointName(endpoint);
        const sameName = found.get(name);
        if (sameName === undefined) found.set(name, [endpoint]);
        else sameName.push(endpoint);
      }
    } while (cursor !== '0');
    const read = new Map([...found].map(([name, all]) => [name, merged(all)]));
    this.byName = isComplete ? read : new Map([...this.byName, ...read]);
    this.deps.changed();
  }
}

function merged(endpoints: readonly Endpoint[]): KnownEndpoint {
  const trusts = new Set(endpoints.map(({ tls_ca }) => tls_ca));
  // Sorting always puts undefined last.
  const absent = trusts.delete(undefined) ? [undefined] : [];
  return { ...endpoints[0]!, trusts: [...absent, ...trusts].slice(0, maximumTrusts) };
}
