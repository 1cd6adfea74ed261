import { setTimeout as sleep } from 'node:timers/promises';
import { Leases } from '../../base/leases.js';
import type { Redis } from '../../base/redis.js';
import {
  type Discovery,
  discoveryBoundMilliseconds,
  discoveryChannel,
  discoveryKeptMilliseconds,
  discoveryKey,
  discoveryLeaseKey,
  discoveryOfKey,
  discoverySchema,
} from '../../contract/discovery.js';
import { readJson } from '../../contract/read-json.js';
import { DemarcError } from '../../errors.js';
import { unlessRedisDown } from '../calls/index.js';
import { newId } from '../organizations/identifiers.js';

export interface WantedDiscovery {
  readonly host: string;
  readonly port: number | undefined;
  readonly transport: Discovery['transport'] | undefined;
  readonly tls_ca: Discovery['tls_ca'];
}

/** An edge acknowledges a discovery within a round trip. */
const takeUpMilliseconds = 1_500;
const lookMilliseconds = 100;
const repeatMilliseconds = 500;
/** Longer than the edge's own limit: by then the edge has died. */
const graceMilliseconds = 10_000;

/** Longer than an edge's acknowledgement plus one command timeout. */
const lockMilliseconds = 5_000;

/** Discoveries as control sees them: asked for here, done by an edge, kept in Redis for ten minutes. */
export class Discoveries {
  constructor(private readonly redis: Redis) {}

  /**
   * Returns the discovery as soon as an edge has taken it up, or failed when none does.
   * Throws `DemarcError` `DISCOVERY_RUNNING` or `DISCOVERY_UNAVAILABLE`; nothing is left locked then.
   */
  async start(organization: string, wanted: WantedDiscovery): Promise<Discovery> {
    const id = newId('disc');
    try {
      return await unlessRedisDown(() => this.run(id, organization, wanted), 'DISCOVERY_UNAVAILABLE');
    } catch (error) {
      // A hung Redis may still execute the earlier command; this one arrives after it.
      new Leases(this.redis, id, lockMilliseconds).release([discoveryOfKey(organization)]).catch(() => {});
      throw error;
    }
  }

  private async run(
    id: string,
    organization: string,
    { host, port, transport, tls_ca }: WantedDiscovery,
  ): Promise<Discovery> {
    const lock = discoveryOfKey(organization);
    // Short until an edge takes it, so that a hang of this process or Redis does not block other discoveries for long.
    if ((await this.redis.set(lock, id, 'PX', lockMilliseconds, 'NX')) === null) {
      const running = await this.redis.get(lock);
      throw new DemarcError('DISCOVERY_RUNNING', running ?? undefined);
    }
    const discovery: Discovery = {
      discovery_id: id,
      organization,
      status: 'running',
      failure: null,
      detail: null,
      host,
      port: port ?? null,
      transport: transport ?? null,
      ...(tls_ca === undefined ? {} : { tls_ca }),
      progress: { done: 0, total: 0 },
      resolved_addresses: [],
      srv_records: [],
      attempts: [],
      recommended: null,
      started_at: new Date().toISOString(),
      completed_at: null,
    };
    await this.save(discovery);
    if (await this.isTakenUp(id)) {
      // The edge deletes the lock when it is done, possibly already.
      await this.redis.pexpire(lock, discoveryBoundMilliseconds + graceMilliseconds);
      return (await this.read(organization, id)) ?? discovery;
    }
    const failed: Discovery = {
      ...discovery,
      status: 'failed',
      failure: 'no_edge',
      detail: 'No edge is available',
      completed_at: new Date().toISOString(),
    };
    await this.save(failed);
    await this.redis.del(lock);
    return failed;
  }

  /** Undefined when the organization has no such discovery, or not any more. Throws `DemarcError` `DISCOVERY_UNAVAILABLE`. */
  find(organization: string, id: string): Promise<Discovery | undefined> {
    return unlessRedisDown(() => this.read(organization, id), 'DISCOVERY_UNAVAILABLE');
  }

  private async read(organization: string, id: string): Promise<Discovery | undefined> {
    const data = readJson(discoverySchema, await this.redis.get(discoveryKey(id)));
    return data?.organization === organization ? unlessInterrupted(data, Date.now()) : undefined;
  }

  private async isTakenUp(id: string): Promise<boolean> {
    const end = performance.now() + takeUpMilliseconds;
    let askedAt = Number.NEGATIVE_INFINITY;
    while (performance.now() < end) {
      if (performance.now() - askedAt >= repeatMilliseconds) {
        askedAt = performance.now();
        await this.redis.publish(discoveryChannel, id);
      }
      await sleep(lookMilliseconds);
      if ((await this.redis.exists(discoveryLeaseKey(id))) === 1) return true;
    }
    return false;
  }

  private async save(discovery: Discovery): Promise<void> {
    const json = JSON.stringify(discovery);
    await this.redis.set(discoveryKey(discovery.discovery_id), json, 'PX', discoveryKeptMilliseconds);
  }
}

/** A discovery that runs for longer than an edge lets it was interrupted. */
export function unlessInterrupted(discovery: Discovery, now: number): Discovery {
  const age = now - Date.parse(discovery.started_at);
  if (discovery.status !== 'running' || age < discoveryBoundMilliseconds + graceMilliseconds)
    return discovery;
  return {
    ...discovery,
    status: 'failed',
    failure: 'interrupted',
    detail: 'The edge that ran the discovery died',
  };
}
