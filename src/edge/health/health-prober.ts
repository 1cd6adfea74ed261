import { Leases } from '../../base/leases.js';
import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import type { Redis } from '../../base/redis.js';
import { withinOrThrow } from '../../base/within.js';
import type { HealthSettings } from '../../config/edge-settings.js';
import {
  callEvidenceKey,
  type Endpoint,
  type EndpointHealth,
  endpointHealthSchema,
  endpointName,
  healthKey,
  healthStream,
  probeChannel,
  probeLeaseKey,
  type TargetHealth,
} from '../../contract/health.js';
import { readJson } from '../../contract/read-json.js';
import { type EgressPolicy, egressText } from '../../naming/egress.js';
import {
  type EndpointNames,
  type EndpointTarget,
  targetName,
  targetsOf,
} from '../routing/endpoint-targets.js';
import type { EngineLink } from '../sip/engine-link.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { type OptionsProbeParts, probeTarget } from './options-probe.js';

export interface HealthProberParts {
  readonly settings: HealthSettings;
  readonly edgeId: string;
  /** Different for every process. */
  readonly holder: string;
  readonly redis: Redis;
  readonly engine: Pick<EngineLink, 'request' | 'isUp' | 'isResponsive'>;
  readonly names: EndpointNames;
  readonly egress: EgressPolicy;
  /** Called after each check, changed or not. */
  readonly checked?: (health: EndpointHealth) => void;
  readonly log: Logger;
}

/** An endpoint that this edge probes. */
interface Probed {
  readonly endpoint: Endpoint;
  last: EndpointHealth | undefined;
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | undefined;
  /** Monotonic milliseconds of the last beginning. */
  startedAt: number;
  /** The trusts of that check. */
  trusts: readonly (string | undefined)[] | undefined;
}

/** Repeated requests do not make us probe a server more often than this. */
const shortestIntervalMilliseconds = 1_000;
/** New endpoints are spread over this much time each. */
const spreadMilliseconds = 10;

/**
 * Probes the endpoints whose lease this edge holds, and writes to Redis: the latest result for other edges, each check for
 * control. When a probe failed because of this edge (no engine, no Redis), nothing is written.
 */
export class HealthProber {
  private readonly directory: EndpointDirectory;
  private readonly leases: Leases;
  private readonly taking: RecurringTask;
  private readonly probed = new Map<string, Probed>();
  private stopped = false;

  constructor(private readonly parts: HealthProberParts) {
    const { redis, holder, settings } = parts;
    this.leases = new Leases(redis, holder, settings.leaseMilliseconds);
    this.taking = new RecurringTask(() => this.take(), { everyMilliseconds: settings.leaseMilliseconds / 3 });
    this.directory = new EndpointDirectory({
      redis,
      log: parts.log,
      changed: () => void this.taking.next(),
      channels: { [probeChannel]: (endpoint) => this.probeNow(endpoint) },
    });
  }

  start(): void {
    this.directory.start();
    this.taking.start();
  }

  /** Leaves its endpoints to other edges at once. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.directory.stop();
    await this.taking.stop();
    await this.leave([...this.probed.keys()]);
  }

  /** Number of endpoints this edge probes. */
  get size(): number {
    return this.probed.size;
  }

  /** Call this when a server answered one of our calls: for a while that outweighs ignored probes. */
  async answeredCall(endpoint: Endpoint): Promise<void> {
    const { redis, settings } = this.parts;
    const key = callEvidenceKey(endpointName(endpoint));
    await redis.set(key, '1', 'PX', settings.callEvidenceMilliseconds).catch(() => {});
  }

  /** While Redis is down, our leases expire there, but no other edge can take them either. */
  private async take(): Promise<void> {
    if (this.stopped) return;
    if (!this.parts.engine.isUp) {
      await this.leave([...this.probed.keys()]);
      return;
    }
    const { endpoints } = this.directory;
    const names = [...endpoints.keys()];
    const held = await this.leases.take(names.map(probeLeaseKey));
    const gone = [...this.probed.keys()].filter(
      (name) => !endpoints.has(name) || !held.has(probeLeaseKey(name)),
    );
    await this.leave(gone);
    const added = names.filter((name) => held.has(probeLeaseKey(name)) && !this.probed.has(name));
    for (const [name, probed] of this.probed) if (this.hasOtherTrusts(name, probed)) this.probeNow(name);
    if (added.length > 0) await this.add(added, endpoints);
  }

  private async add(names: readonly string[], endpoints: ReadonlyMap<string, Endpoint>): Promise<void> {
    const { redis, settings, log } = this.parts;
    const stored = await redis.mget(...names.map(healthKey));
    if (this.stopped) return;
    const spread = names.length * spreadMilliseconds;
    names.forEach((name, index) => {
      const last = readJson(endpointHealthSchema, stored[index]);
      const probed: Probed = {
        endpoint: endpoints.get(name)!,
        last,
        timer: undefined,
        running: undefined,
        startedAt: Number.NEGATIVE_INFINITY,
        trusts: undefined,
      };
      this.probed.set(name, probed);
      const age = last === undefined ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(last.checked_at);
      const due = Math.max(0, Math.min(settings.intervalMilliseconds - age, settings.intervalMilliseconds));
      this.schedule(name, probed, due + Math.random() * spread);
    });
    log.info({ endpoints: names.length, probed: this.probed.size }, 'Probing additional endpoints.');
  }

  private async leave(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    for (const name of names) {
      clearTimeout(this.probed.get(name)?.timer);
      this.probed.delete(name);
    }
    await this.leases.release(names.map(probeLeaseKey)).catch(() => {});
  }

  private schedule(name: string, probed: Probed, milliseconds: number): void {
    clearTimeout(probed.timer);
    if (this.probed.get(name) !== probed || this.stopped) return;
    probed.timer = setTimeout(() => void this.probe(name, probed), milliseconds);
    probed.timer.unref();
  }

  private probeNow(name: string): void {
    const probed = this.probed.get(name);
    if (probed === undefined || probed.running !== undefined) return;
    const earliest = probed.startedAt + shortestIntervalMilliseconds - performance.now();
    this.schedule(name, probed, Math.max(0, earliest));
  }

  /** A number named an authority since the last check, or took one away: that may be what the check failed by. */
  private hasOtherTrusts(name: string, { trusts }: Probed): boolean {
    const now = this.directory.endpoints.get(name)?.trusts;
    return trusts !== undefined && now !== undefined && JSON.stringify(trusts) !== JSON.stringify(now);
  }

  private probe(name: string, probed: Probed): Promise<void> {
    probed.startedAt = performance.now();
    probed.trusts = this.directory.endpoints.get(name)?.trusts ?? [];
    probed.running = this.check(name, probed)
      .catch((error: Error) => {
        this.parts.log.warn({ endpoint: name, error: error.message }, 'Checking an endpoint failed.');
      })
      .finally(() => {
        probed.running = undefined;
        const { intervalMilliseconds } = this.parts.settings;
        if (this.hasOtherTrusts(name, probed)) {
          this.schedule(name, probed, shortestIntervalMilliseconds);
          return;
        }
        // Spreads the probes of edges that started together, and of servers with many names.
        this.schedule(name, probed, intervalMilliseconds * (0.9 + Math.random() * 0.2));
      });
    return probed.running;
  }

  private async check(name: string, probed: Probed): Promise<void> {
    const { parts } = this;
    if (!parts.engine.isResponsive) return;
    const health = await this.examine(name, probed);
    if (health === undefined || !parts.engine.isResponsive || this.probed.get(name) !== probed) return;
    const before = probed.last;
    probed.last = health;
    const json = JSON.stringify(health);
    const expiry = parts.settings.intervalMilliseconds * 10;
    await parts.redis
      .pipeline()
      .set(healthKey(name), json, 'PX', expiry)
      .xadd(healthStream, 'MAXLEN', '~', parts.settings.streamLength, '*', 'health', json)
      .exec();
    parts.checked?.(health);
    if (before?.status === health.status && before.reason === health.reason) return;
    const { status, reason, detail } = health;
    parts.log.info({ endpoint: name, status, reason, detail }, 'Endpoint health changed.');
  }

  private async examine(name: string, probed: Probed): Promise<EndpointHealth | undefined> {
    const { parts } = this;
    const common = {
      version: 1 as const,
      endpoint: name,
      edge_id: parts.edgeId,
      checked_at: new Date().toISOString(),
      evidence: 'probe' as const,
    };
    let targets: readonly EndpointTarget[];
    try {
      const { timeoutMilliseconds, maximumTargets } = parts.settings;
      targets = await withinOrThrow(
        timeoutMilliseconds,
        targetsOf(probed.endpoint, parts.names, maximumTargets),
        `The name was not resolved within ${timeoutMilliseconds} ms`,
      );
    } catch (error) {
      return {
        ...common,
        status: 'unreachable',
        reason: 'dns',
        detail: (error as Error).message,
        sip_status: null,
        response_time_milliseconds: null,
        targets: [],
      };
    }
    const found = await Promise.all(targets.map((target) => this.examineTarget(probed, target)));
    const healths = found.filter((each) => each !== undefined);
    // The best result decides; without an answer, the first address does, because calls try it first.
    const decisive = healths.find(({ status }) => status === 'healthy') ?? healths[0];
    if (decisive === undefined) return undefined;
    const { address: _, retry_at: __, ...outcome } = decisive;
    const isIgnored = healths.every(({ reason }) => reason === 'timeout');
    if (isIgnored && (await parts.redis.exists(callEvidenceKey(name))) === 1) {
      const detail = 'It ignores OPTIONS, but recently took a call';
      return {
        ...common,
        ...outcome,
        status: 'healthy',
        reason: null,
        detail,
        evidence: 'call',
        targets: healths,
      };
    }
    return { ...common, ...outcome, targets: healths };
  }

  private examineTarget(probed: Probed, target: EndpointTarget): Promise<TargetHealth | undefined> {
    const { engine, settings, egress } = this.parts;
    const { host, transport } = probed.endpoint;
    const address = targetName(target);
    const problem = egress.problemOf({ ...target, protocol: transport });
    if (problem !== undefined) {
      return Promise.resolve({ ...forbidden, detail: egressText(host, problem), address });
    }
    const before = probed.last?.targets.find((each) => each.address === address);
    // RFC 3261 §21.5.4: no further requests before that.
    if (before?.retry_at != null && Date.now() < Date.parse(before.retry_at)) return Promise.resolve(before);
    return this.probeTrusting(target, { engine, ...settings }, probed.endpoint);
  }

  /** The server is reachable when one of the numbers that name it trusts its certificate. */
  private async probeTrusting(
    target: EndpointTarget,
    parts: OptionsProbeParts,
    endpoint: Endpoint,
  ): Promise<TargetHealth | undefined> {
    const trusts = this.directory.endpoints.get(endpointName(endpoint))?.trusts ?? [endpoint.tls_ca];
    let health: TargetHealth | undefined;
    for (const tls_ca of trusts) {
      health = await probeTarget(parts, { ...endpoint, tls_ca }, target);
      if (health?.reason !== 'certificate') return health;
    }
    return health;
  }
}

const forbidden = {
  status: 'unreachable',
  reason: 'network',
  sip_status: null,
  response_time_milliseconds: null,
  retry_at: null,
} as const;
