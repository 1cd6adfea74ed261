import { Leases } from '../../base/leases.js';
import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { Subscriber } from '../../base/subscriber.js';
import type { DiscoverySettings } from '../../config/edge-settings.js';
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
import type { Endpoint } from '../../contract/health.js';
import { readJson } from '../../contract/read-json.js';
import { isAddress } from '../../naming/address.js';
import type { EgressPolicy } from '../../naming/egress.js';
import { servicePrefix, type TargetResolver } from '../../naming/target-resolver.js';
import { sendOptions } from '../routing/send-options.js';
import type { EngineLink } from '../sip/engine-link.js';
import type { ReceivedResponse } from '../sip/messages.js';
import { capabilitiesOf, userAgentOf } from './analysis.js';

export interface DiscoveryParts {
  readonly settings: DiscoverySettings;
  readonly redis: Redis;
  readonly engine: Pick<EngineLink, 'request' | 'isUp'>;
  readonly names: Pick<TargetResolver, 'addressesOf' | 'servicesOf'>;
  readonly egress: EgressPolicy;
  /** Different for every process. */
  readonly holder: string;
  readonly log: Logger;
}

const transports = ['tls', 'tcp', 'udp'] as const;
type Transport = (typeof transports)[number];
const usualPorts = [5060, 5061, 5080];
/** Per name; further ones are the same server at other sites. */
const maximumAddresses = 2;
const maximumServices = 4;
const atOnce = 6;

interface Candidate {
  readonly address: string;
  readonly port: number;
  readonly transport: Transport;
  readonly isService: boolean;
}

interface Tried {
  readonly candidate: Candidate;
  readonly response: ReceivedResponse | undefined;
  readonly isMutualTls: boolean;
}

/** Runs the discoveries that control orders: the first edge to claim one runs it. */
export class DiscoveryRunner {
  private readonly leases: Leases;
  private readonly subscriber: Subscriber;
  private stopped = false;
  private runningCount = 0;

  constructor(private readonly parts: DiscoveryParts) {
    const { redis, holder, log } = parts;
    this.leases = new Leases(redis, holder, discoveryBoundMilliseconds);
    const hear = (id: string): void => {
      this.takeUp(id).catch((error: Error) => {
        log.warn({ discovery: id, error: error.message }, 'A discovery failed.');
      });
    };
    this.subscriber = new Subscriber({
      redis,
      name: 'demarc-edge-discovery',
      channels: { [discoveryChannel]: hear },
    });
  }

  start(): void {
    this.subscriber.start();
  }

  stop(): void {
    this.stopped = true;
    this.subscriber.stop();
  }

  get size(): number {
    return this.runningCount;
  }

  private async takeUp(id: string): Promise<void> {
    const { redis, engine } = this.parts;
    if (!engine.isUp || this.stopped) return;
    const key = discoveryLeaseKey(id);
    if (!(await this.leases.take([key])).has(key)) return;
    const wanted = readJson(discoverySchema, await redis.get(discoveryKey(id)));
    if (wanted?.status !== 'running') return;
    this.runningCount++;
    try {
      const found = await this.discover(wanted);
      await this.save({ ...found, completed_at: new Date().toISOString() });
    } finally {
      this.runningCount--;
      await redis.del(discoveryOfKey(wanted.organization)).catch(() => {});
    }
  }

  private async save(discovery: Discovery): Promise<void> {
    const json = JSON.stringify(discovery);
    await this.parts.redis.set(discoveryKey(discovery.discovery_id), json, 'PX', discoveryKeptMilliseconds);
  }

  private async discover(wanted: Discovery): Promise<Discovery> {
    const { names, egress } = this.parts;
    const { host } = wanted;
    const chosen = wanted.transport === null ? transports : [wanted.transport];
    const records = await this.servicesOf(wanted, chosen);
    const own = isAddress(host) ? [host] : await names.addressesOf(host).catch(() => []);
    const candidates: Candidate[] = [];
    const resolved = new Set(own);
    for (const { transport, record } of records) {
      const addresses = await names.addressesOf(record.name).catch(() => []);
      for (const address of addresses.slice(0, maximumAddresses)) {
        resolved.add(address);
        candidates.push({ address, port: record.port, transport, isService: true });
      }
    }
    for (const transport of chosen) {
      for (const port of wanted.port === null ? usualPorts : [wanted.port]) {
        for (const address of own.slice(0, maximumAddresses)) {
          candidates.push({ address, port, transport, isService: false });
        }
      }
    }
    const begun: Discovery = {
      ...wanted,
      resolved_addresses: [...resolved],
      srv_records: records.map(({ service, record }) => ({
        service,
        target: record.name,
        port: record.port,
        priority: record.priority,
        weight: record.weight,
      })),
    };
    const unique = new Map<string, Candidate>();
    for (const candidate of candidates) {
      const { address, port, transport } = candidate;
      const key = `${transport} ${address} ${port}`;
      const isAllowed = egress.allows({ address, port, protocol: transport });
      if (isAllowed && !unique.has(key)) unique.set(key, candidate);
    }
    if (candidates.length === 0) {
      return { ...begun, status: 'failed', failure: 'dns', detail: `${host} has no address` };
    }
    if (unique.size === 0) {
      const detail = `${host} resolves only to addresses that discovery must not contact`;
      return { ...begun, status: 'failed', failure: 'forbidden_address', detail };
    }
    return this.tryAll(begun, [...unique.values()]);
  }

  private async servicesOf({ host, port }: Discovery, chosen: readonly Transport[]) {
    if (isAddress(host) || port !== null) return [];
    const found = await Promise.all(
      chosen.map(async (transport) => {
        const service = servicePrefix[transport] + host;
        const records = await this.parts.names.servicesOf(service).catch(() => []);
        return records.slice(0, maximumServices).map((record) => ({ transport, service, record }));
      }),
    );
    return found.flat();
  }

  private async tryAll(begun: Discovery, candidates: readonly Candidate[]): Promise<Discovery> {
    const attempts: Discovery['attempts'] = [];
    const tried: Tried[] = [];
    const waiting = [...candidates];
    const progress = (): Discovery => ({
      ...begun,
      progress: { done: attempts.length, total: candidates.length },
      attempts,
    });
    await this.save(progress());
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && !this.stopped; next = waiting.shift()) {
        const { attempt, result } = await this.attempt(begun, next);
        attempts.push(attempt);
        tried.push(result);
        await this.save(progress());
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (this.stopped) return { ...progress(), status: 'failed', failure: 'interrupted' };
    return { ...progress(), status: 'completed', recommended: recommend(tried) };
  }

  private async attempt(
    { host, tls_ca }: Pick<Discovery, 'host' | 'tls_ca'>,
    candidate: Candidate,
  ): Promise<{ attempt: Discovery['attempts'][number]; result: Tried }> {
    const { engine, settings } = this.parts;
    const { address, port, transport, isService } = candidate;
    const endpoint: Endpoint = { host, transport, tls_ca, ...(isService ? {} : { port }) };
    const { timeoutMilliseconds } = settings;
    const outcome = await sendOptions({ engine, timeoutMilliseconds }, endpoint, { address, port });
    const response = outcome.kind === 'answered' ? outcome.response : undefined;
    const failed = outcome.kind === 'failed' ? outcome : undefined;
    return {
      attempt: {
        address,
        port,
        transport,
        response_time_ms: outcome.kind === 'answered' ? outcome.milliseconds : null,
        response_code: response?.status ?? null,
        user_agent: response === undefined ? null : userAgentOf(response),
        reason: outcome.kind === 'unknown' ? 'network' : (failed?.reason ?? null),
        detail: outcome.kind === 'unknown' ? 'The edge could not send' : (failed?.detail ?? null),
      },
      result: { candidate, response, isMutualTls: failed?.reason === 'mutual_tls_required' },
    };
  }
}

/** Order: accepted by the server first, then encrypted, then reliable transports, then SRV results before guesses. */
function recommend(tried: readonly Tried[]): Discovery['recommended'] {
  const rank = ({ candidate, response, isMutualTls }: Tried): number =>
    (isMutualTls ? 100 : 0) +
    (response?.status === 503 ? 50 : 0) +
    transports.indexOf(candidate.transport) * 10 +
    (candidate.isService ? 0 : 1);
  const [best] = tried
    .filter(({ response, isMutualTls }) => response !== undefined || isMutualTls)
    .toSorted((first, second) => rank(first) - rank(second) || first.candidate.port - second.candidate.port);
  if (best === undefined) return null;
  const { candidate, response, isMutualTls } = best;
  const nothing = { user_agent: null, detected_system: null, codecs: [], methods: [] };
  return {
    port: candidate.isService ? null : candidate.port,
    transport: candidate.transport,
    ...(response === undefined ? nothing : capabilitiesOf(response)),
    mutual_tls: isMutualTls,
  };
}
