import { setTimeout as sleep } from 'node:timers/promises';
import { isRedisDown, type Redis } from '../../base/redis.js';
import { type EndpointHealth, endpointHealthSchema, healthKey, probeChannel } from '../../contract/health.js';
import { readJson } from '../../contract/read-json.js';

/** Longer than a probe takes, shorter than clients and proxies wait. */
const waitMilliseconds = 8_000;
const lookMilliseconds = 100;
/** A request that no edge heard, because it just takes the endpoint over, is made again. */
const repeatMilliseconds = 1_000;

/** Asks the edge that probes an endpoint to do it now. */
export class ProbeRequests {
  constructor(private readonly redis: Redis) {}

  /** Resolves with the new checks by endpoint; without those that no edge made in time, and none while Redis is down. */
  async probe(endpoints: readonly string[]): Promise<ReadonlyMap<string, EndpointHealth>> {
    const found = new Map<string, EndpointHealth>();
    if (endpoints.length === 0) return found;
    try {
      await this.wait(endpoints, found);
    } catch (error) {
      if (!isRedisDown(error)) throw error;
    }
    return found;
  }

  private async wait(endpoints: readonly string[], found: Map<string, EndpointHealth>): Promise<void> {
    const before = await this.read(endpoints);
    const end = performance.now() + waitMilliseconds;
    let askedAt = Number.NEGATIVE_INFINITY;
    while (performance.now() < end) {
      const missing = endpoints.filter((endpoint) => !found.has(endpoint));
      if (missing.length === 0) return;
      if (performance.now() - askedAt >= repeatMilliseconds) {
        askedAt = performance.now();
        await Promise.all(missing.map((endpoint) => this.redis.publish(probeChannel, endpoint)));
      }
      await sleep(lookMilliseconds);
      for (const [endpoint, health] of await this.read(missing)) {
        // Machine clocks differ, so only compare whether it is another check.
        if (health.checked_at !== before.get(endpoint)?.checked_at) found.set(endpoint, health);
      }
    }
  }

  private async read(endpoints: readonly string[]): Promise<Map<string, EndpointHealth>> {
    const raw = await this.redis.mget(...endpoints.map(healthKey));
    const healths = new Map<string, EndpointHealth>();
    endpoints.forEach((endpoint, index) => {
      const health = readJson(endpointHealthSchema, raw[index]);
      if (health !== undefined) healths.set(endpoint, health);
    });
    return healths;
  }
}
