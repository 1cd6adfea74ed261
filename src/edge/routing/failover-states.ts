import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { RedisScript } from '../../base/redis-script.js';
import { within } from '../../base/within.js';
import {
  type FailoverTrigger,
  failoverKey,
  failoverSeconds,
  inOrderOfUse,
  outageField,
  outageIndexKey,
  readOutages,
  recoveryField,
  type ServerOutage,
} from '../../contract/failover.js';
import { callEvidenceKey, type EndpointHealth } from '../../contract/health.js';
import { type OutboundRoute, routeOf, type TrunkServer } from './targets.js';
import type { TrunkStore } from './trunk-store.js';

export interface FailoverStatesParts {
  readonly redis: Redis;
  readonly trunks: Pick<TrunkStore, 'find'>;
  readonly log: Logger;
  /** Successful probes in a row after which a server is used again (failback `auto`). */
  readonly failbackProbes: number;
  /** Upper bound of a call's wait for Redis. */
  readonly waitMilliseconds: number;
}

type Outages = ReadonlyMap<string, ServerOutage>;

const noOutages: Outages = new Map();
const maximumRemembered = 10_000;

type OutageKeys = [outages: string, index: string];
const markOutage = new RedisScript<OutageKeys>('markOutage', import.meta.url, ['mark-outage.lua']);
const countHealthyProbe = new RedisScript<OutageKeys>('countHealthyProbe', import.meta.url, [
  'count-healthy-probe.lua',
]);

/**
 * Which servers of a number are bypassed, shared by all edges: a failed call bypasses a server, successful probes (or a person,
 * with failback `manual`) restore it. While Redis is down, this edge uses its last known state.
 */
export class FailoverStates {
  private readonly remembered = new Map<string, Outages>();

  constructor(private readonly parts: FailoverStatesParts) {}

  /** The route's servers, bypassed ones last. Never rejects; its wait is bounded. */
  async order(number: string, route: OutboundRoute): Promise<readonly TrunkServer[]> {
    if (route.servers.length < 2) return route.servers;
    return inOrderOfUse(route.servers, ({ name }) => name, await this.outages(number));
  }

  /** A call bypassed the server. Never rejects. */
  async failed(
    number: string,
    { name }: TrunkServer,
    trigger: FailoverTrigger,
    detail: string,
  ): Promise<void> {
    const { redis, log } = this.parts;
    const outage = { since: new Date().toISOString(), trigger, detail: detail.slice(0, 300) };
    const outages = this.remembered.get(number) ?? noOutages;
    if (!outages.has(name))
      log.warn({ number, server: name, ...outage }, 'Server out of use; calls go to the next one.');
    this.remember(number, new Map([...outages, [name, { ...outage, healthyProbes: 0 }]]));
    try {
      // Earlier answered calls no longer prove that it is up.
      if (trigger !== 'auth_failure') await redis.del(callEvidenceKey(name));
      await markOutage.run(
        redis,
        [failoverKey(number), outageIndexKey(name)],
        ...[name, JSON.stringify(outage), number, failoverSeconds],
      );
    } catch {
      // Other edges notice the failure with their own calls.
    }
  }

  /** A bypassed server answered a call. Never rejects. */
  async answered(number: string, { name }: TrunkServer): Promise<void> {
    const outages = this.remembered.get(number);
    if (outages === undefined || !outages.has(name)) return;
    this.remember(number, new Map([...outages].filter(([server]) => server !== name)));
    await this.parts.redis
      .multi()
      .hdel(failoverKey(number), outageField(name), recoveryField(name))
      .srem(outageIndexKey(name), number)
      .exec()
      .catch(() => {});
  }

  /** Takes the result of each probe. Never rejects. */
  async probed({ endpoint, status }: Pick<EndpointHealth, 'endpoint' | 'status'>): Promise<void> {
    const { redis, log } = this.parts;
    try {
      for (const number of await redis.smembers(outageIndexKey(endpoint))) {
        if (status !== 'healthy') await redis.hdel(failoverKey(number), recoveryField(endpoint));
        else if (await this.recovered(number, endpoint))
          log.info({ number, server: endpoint }, 'Server back in use.');
      }
    } catch (error) {
      log.debug({ endpoint, error: String(error) }, 'Writing a check to the failover state failed.');
    }
  }

  private async recovered(number: string, endpoint: string): Promise<boolean> {
    const { redis, trunks, failbackProbes } = this.parts;
    const document = await trunks.find(number);
    const route = document === undefined ? undefined : routeOf(document);
    const isNamed = route?.servers.some(({ name }) => name === endpoint) === true;
    if (isNamed && route.failback === 'manual') return false;
    const enough = isNamed ? failbackProbes : 0;
    const keys: OutageKeys = [failoverKey(number), outageIndexKey(endpoint)];
    return (await countHealthyProbe.run(redis, keys, endpoint, number, enough)) === 1;
  }

  private async outages(number: string): Promise<Outages> {
    const { redis, waitMilliseconds } = this.parts;
    const hash = await within(waitMilliseconds, redis.hgetall(failoverKey(number)));
    if (hash === undefined) return this.remembered.get(number) ?? noOutages;
    const outages = readOutages(hash);
    this.remember(number, outages);
    return outages;
  }

  private remember(number: string, outages: Outages): void {
    this.remembered.delete(number);
    if (outages.size === 0) return;
    if (this.remembered.size >= maximumRemembered)
      this.remembered.delete(this.remembered.keys().next().value!);
    this.remembered.set(number, outages);
  }
}
