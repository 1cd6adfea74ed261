import { Leases } from '../../base/leases.js';
import type { Logger } from '../../base/log.js';
import { pause } from '../../base/pause.js';
import { RecurringTask } from '../../base/recurring-task.js';
import type { Redis } from '../../base/redis.js';
import { within } from '../../base/within.js';
import type { RegistrationSettings } from '../../config/edge-settings.js';
import { type EndpointHealth, endpointName } from '../../contract/health.js';
import { type Notice, noticeChannel } from '../../contract/live.js';
import { readJson } from '../../contract/read-json.js';
import {
  type RegistrationState,
  registerChannel,
  registrationKey,
  registrationLeaseKey,
  registrationStateSchema,
  registrationsFreeChannel,
  registrationsOfKey,
} from '../../contract/registration.js';
import type { SecretBox } from '../../contract/secret.js';
import type { EgressPolicy } from '../../naming/egress.js';
import { addMoment } from '../record/moment-stream.js';
import type { EndpointNames } from '../routing/endpoint-targets.js';
import type { EngineLink } from '../sip/engine-link.js';
import { Registration } from './registration.js';
import { type KnownRegistration, RegistrationDirectory } from './registration-directory.js';

export interface RegistrationsParts {
  readonly settings: RegistrationSettings;
  readonly edgeId: string;
  /** Different for every process. */
  readonly holder: string;
  readonly redis: Redis;
  readonly engine: Pick<EngineLink, 'request' | 'isUp'>;
  readonly names: EndpointNames;
  readonly egress: EgressPolicy;
  readonly secrets: SecretBox;
  /** Documents that an earlier process kept on disk: digits and JSON. Never rejects. */
  readonly kept: () => Promise<readonly (readonly [digits: string, raw: string])[]>;
  readonly log: Logger;
}

/** New registrations are spread over this much time each. */
const spreadMilliseconds = 10;
/** Minimum: the status stays readable for a while after its edge has died. */
const stateMilliseconds = 3_600_000;
/** How long a stopping edge waits for another one to take over. */
const handOverMilliseconds = 1_500;
const unregisterMilliseconds = 4_000;

/**
 * Maintains the registrations whose lease this edge holds, and publishes their state to Redis. Without an engine it leaves
 * them to other edges; without Redis it maintains those it has, since no other edge can take them.
 */
export class Registrations {
  readonly directory: RegistrationDirectory;
  private readonly leases: Leases;
  private readonly taking: RecurringTask;
  private readonly held = new Map<string, Registration>();
  /** Bindings being removed; registering one of them again waits for the removal. */
  private readonly ending = new Set<string>();
  /** Servers that did not answer their last probe. */
  private readonly unreachable = new Set<string>();
  private stopping: Promise<void> | undefined;

  constructor(private readonly parts: RegistrationsParts) {
    const { redis, holder, settings, secrets } = parts;
    this.leases = new Leases(redis, holder, settings.leaseMilliseconds);
    this.taking = new RecurringTask(() => this.take(), { everyMilliseconds: settings.leaseMilliseconds / 3 });
    this.directory = new RegistrationDirectory({
      redis,
      log: parts.log,
      secrets,
      changed: () => void this.taking.next(),
      channels: {
        [registerChannel]: (id) => this.held.get(id)?.registerNow(),
        [registrationsFreeChannel]: () => void this.taking.next(),
      },
    });
  }

  start(): void {
    // Recognizes calls by bindings of an earlier process even while Redis is down.
    void this.parts.kept().then((kept) => this.directory.seed(kept));
    this.directory.start();
    this.taking.start();
  }

  /** Number of registrations this edge maintains. */
  get size(): number {
    return this.held.size;
  }

  get registered(): number {
    return [...this.held.values()].filter(({ isRegistered }) => isRegistered).length;
  }

  /**
   * Takes the result of every probe. A server that is back may have lost our binding in a restart: the holder registers at
   * once. Never rejects.
   */
  async checked({ endpoint, status }: Pick<EndpointHealth, 'endpoint' | 'status'>): Promise<void> {
    const wasUnreachable = this.unreachable.delete(endpoint);
    if (status === 'unreachable') this.unreachable.add(endpoint);
    else if (wasUnreachable) {
      const { redis } = this.parts;
      const there = [...this.directory.registrations.values()].filter(
        ({ registrar }) => endpointName(registrar) === endpoint,
      );
      await Promise.all(there.map(({ id }) => redis.publish(registerChannel, id))).catch(() => {});
    }
  }

  /** Takes lost connections over which REGISTERs were accepted. */
  connectionLost(callId: string, reason: string): void {
    for (const registration of this.held.values()) {
      if (registration.callId === callId) registration.connectionLost(reason);
    }
  }

  /** Called when the engine is up: connections for inbound calls were lost with the previous one. */
  engineIsUp(): void {
    for (const registration of this.held.values()) registration.registerNow();
    void this.taking.next();
  }

  /**
   * Leaves its registrations to other edges; removes the bindings that no edge takes over, so that registrars send no more
   * calls here. Idempotent; never rejects.
   */
  stop(): Promise<void> {
    this.stopping ??= this.handOver();
    return this.stopping;
  }

  private async handOver(): Promise<void> {
    await this.taking.stop();
    const held = [...this.held];
    this.held.clear();
    this.directory.stop();
    if (held.length === 0) return;
    const { redis, engine } = this.parts;
    const keys = held.map(([id]) => registrationLeaseKey(id));
    await Promise.all(held.map(([, registration]) => registration.stop()));
    const free = await this.leases.release(keys).then(
      () => redis.publish(registrationsFreeChannel, this.parts.edgeId),
      () => 0,
    );
    const left = new Set(held.map((_, index) => index));
    const end = performance.now() + handOverMilliseconds;
    // Our own connection has unsubscribed, so every receiver is another edge.
    while (free > 0 && left.size > 0 && performance.now() < end) {
      await pause(100);
      const owners = await redis.mget(...keys).catch(() => []);
      owners.forEach((owner, index) => {
        if (owner !== null && owner !== undefined) left.delete(index);
      });
    }
    if (!engine.isUp) return;
    const removed = Promise.all([...left].map((index) => this.remove(...held[index]!)));
    await within(unregisterMilliseconds, removed);
  }

  /** While Redis is down, our leases expire there, but no other edge can take them either. */
  private async take(): Promise<void> {
    if (this.stopping !== undefined) return;
    if (!this.parts.engine.isUp) {
      const ids = [...this.held.keys()];
      for (const id of ids) this.drop(id);
      await this.leases.release(ids.map(registrationLeaseKey));
      return;
    }
    const { registrations } = this.directory;
    const unwanted = [...this.held].filter(([id]) => !registrations.has(id));
    for (const [id, registration] of unwanted) {
      this.held.delete(id);
      void this.end(id, registration);
    }
    const ids = [...registrations.keys()];
    const held = await this.leases.take(ids.map(registrationLeaseKey));
    const own = new Set(ids.filter((id) => held.has(registrationLeaseKey(id))));
    for (const id of this.held.keys()) if (!own.has(id)) this.drop(id);
    for (const [id, registration] of this.held) registration.update(registrations.get(id)!);
    const added = [...own].filter((id) => !this.held.has(id) && !this.ending.has(id));
    if (added.length > 0) await this.add(added, registrations);
  }

  private async add(
    ids: readonly string[],
    registrations: ReadonlyMap<string, KnownRegistration>,
  ): Promise<void> {
    const { redis, settings, edgeId, engine, names, egress, log } = this.parts;
    const stored = await redis.mget(...ids.map(registrationKey));
    if (this.stopping !== undefined) {
      await this.leases.release(ids.map(registrationLeaseKey));
      return;
    }
    const spread = (ids.length - 1) * spreadMilliseconds;
    ids.forEach((id, index) => {
      const registration = new Registration(
        {
          settings,
          edgeId,
          exchange: { engine, names, egress },
          publish: (state, isNews) => this.publish(state, isNews),
          log,
        },
        registrations.get(id)!,
        readJson(registrationStateSchema, stored[index]),
      );
      this.held.set(id, registration);
      registration.start(Math.random() * spread);
    });
    log.info({ added: ids.length, held: this.held.size }, 'Took over registrations.');
  }

  /** Another edge holds it, or no edge can: sends nothing. */
  private drop(id: string): void {
    void this.held.get(id)?.stop();
    this.held.delete(id);
  }

  /** No number needs it any more. */
  private async end(id: string, registration: Registration): Promise<void> {
    this.ending.add(id);
    await registration.stop();
    await this.remove(id, registration);
    this.ending.delete(id);
    if (this.directory.registrations.has(id)) await this.taking.next();
    else await this.leases.release([registrationLeaseKey(id)]).catch(() => {});
  }

  private async remove(id: string, registration: Registration): Promise<void> {
    await registration.unregister();
    const { redis } = this.parts;
    const of = registrationsOfKey(registration.organization);
    await redis
      .multi()
      .del(registrationKey(id))
      .srem(of, id)
      .exec()
      .catch(() => {});
  }

  private publish(state: RegistrationState, isNews: boolean): void {
    // If it was dropped meanwhile, another edge reports it.
    if (this.stopping === undefined && !this.held.has(state.registration)) return;
    const { expires_at: expires, next_attempt_at: next } = state;
    const last = Math.max(Date.parse(expires ?? '') || 0, Date.parse(next ?? '') || 0);
    const milliseconds = Math.max(0, last - Date.now()) + stateMilliseconds;
    const { registration: id, organization } = state;
    const update = this.parts.redis
      .multi()
      .set(registrationKey(id), JSON.stringify(state), 'PX', Math.round(milliseconds))
      .sadd(registrationsOfKey(organization), id);
    if (isNews) {
      update.publish(noticeChannel, JSON.stringify(noticeOf(state)));
      addMoment(update, { kind: 'registration', registration: state });
    }
    update.exec().catch(() => {});
  }
}

function noticeOf({
  organization,
  state,
  registrar,
  username,
  sip_code,
  last_error,
}: RegistrationState): Notice {
  return { organization, event: 'registration', data: { state, registrar, username, sip_code, last_error } };
}
