import type { AddressInfo } from 'node:net';
import { warnOfExpiry } from '../base/certificate-files.js';
import type { Logger } from '../base/log.js';
import { connectRedis, type Redis } from '../base/redis.js';
import type { ControlSettings } from '../config/control-settings.js';
import { SecretBox } from '../contract/secret.js';
import { AlertWatch } from './alerts/alert-watch.js';
import { CallFeeder } from './calls/call-feeder.js';
import { callResultBody } from './calls/call-results.js';
import { LostCalls } from './calls/lost-calls.js';
import { OrphanedCalls } from './calls/orphaned-calls.js';
import { migrateWhenReachable, openDatabase } from './database/database.js';
import { DeliveryQueue } from './deliveries/delivery-queue.js';
import { type Senders, sendersOf } from './deliveries/senders.js';
import { momentConsumer } from './events/moment-consumer.js';
import { healthConsumer } from './health/health-consumer.js';
import { CallConsumer } from './history/call-consumer.js';
import { Retention } from './history/retention.js';
import type { ControlParts } from './http/api-server.js';
import { registerHealth } from './http/health.js';
import { HttpCertificate } from './http/http-certificate.js';
import { buildServer } from './http/server.js';
import { ControlMetrics } from './metrics.js';
import { EventHub } from './noc/event-hub.js';
import { FleetReader } from './noc/fleet-reader.js';
import { Summaries } from './noc/summaries.js';
import { createPorting } from './porting/index.js';
import { Projector } from './projection/projector.js';
import { accountGroups, routeGroups } from './route-groups.js';
import { PasswordRotation } from './trunks/reseal.js';

/** Something that works in the background as long as control runs. */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Cheap and synchronous: asked for every readiness probe. */
  state(): { readonly ready: boolean; readonly detail: string };
}

/** Connections to Redis whose commands fail after some time: their work is still in PostgreSQL or in the stream, and is retried. */
const connector =
  (settings: ControlSettings, log: Logger) =>
  (name: string, commandTimeout = 2_000): Redis =>
    connectRedis(settings.redis.url, log, name, { commandTimeout });

/** The background work; the connections that it needs to Redis end with it. */
function services(parts: ControlParts, redis: Redis, senders: Senders): readonly Service[] {
  const { settings, database, log } = parts;
  const connect = connector(settings, log);
  // Longer than a read blocks.
  const reader = connect('demarc-control-calls', 10_000);
  const healthReader = connect('demarc-control-health', 10_000);
  const momentReader = connect('demarc-control-moments', 10_000);
  const deliveries = new DeliveryQueue({
    database,
    redisUrl: settings.redis.url,
    settings: settings.notices.delivery,
    senders,
    retentionDays: settings.callRetentionDays,
    log,
  });
  return [
    connectionOf(redis),
    new Projector({ database, databaseUrl: settings.database.url, redis, log }),
    new CallConsumer({ database, redis, reader, log }),
    healthConsumer({ database, reader: healthReader, log }),
    momentConsumer({ database, reader: momentReader, queued: () => deliveries.wake(), log }),
    new PasswordRotation(parts),
    new Retention({ database, log, days: settings.callRetentionDays }),
    deliveries,
    new LostCalls({ database, redis, log }),
    new OrphanedCalls({ database, redis, log }),
    new CallFeeder({ database, redis, queued: () => deliveries.wake(), log }),
    new AlertWatch({ database, redis, settings, queued: () => deliveries.wake(), log }),
  ];
}

const connectionOf = (redis: Redis): Service => ({
  name: 'redis',
  start: async () => {},
  stop: async () => redis.disconnect(),
  state: () => ({ ready: redis.status === 'ready', detail: redis.status === 'ready' ? 'connected' : 'away' }),
});

/** The control plane of one process: API and background work on one database. */
export class Control {
  private constructor(
    readonly host: string,
    readonly port: number,
    readonly parts: ControlParts,
    private readonly end: () => Promise<void>,
  ) {}

  /** Migrates the database, starts the background work, listens. Throws when a part does not come up. */
  static async start(settings: ControlSettings, log: Logger): Promise<Control> {
    const secrets = new SecretBox(settings.secretKeys);
    if (!secrets.hasKey) log.warn('DEMARC_SECRET_KEY is not set: passwords are refused.');
    const { url, waitMilliseconds } = settings.database;
    const steps = await migrateWhenReachable(url, waitMilliseconds, (error) =>
      log.warn({ error: error.message }, 'Waiting for PostgreSQL.'),
    );
    if (steps.length > 0) log.info({ steps }, 'Migrated the database schema.');
    const database = openDatabase(settings.database, (error) =>
      log.warn({ error: error.message }, 'Lost a connection to PostgreSQL.'),
    );
    const metrics = new ControlMetrics();
    const connect = connector(settings, log);
    // A separate connection: a large write on a shared one would delay requests.
    const rateLimits = connect('demarc-control-limits');
    const parts: ControlParts = { settings, log, database, secrets, metrics, rateLimits };
    const started: Service[] = [];
    const stop = async (): Promise<void> => {
      for (const service of started.reverse()) await service.stop();
      rateLimits.disconnect();
      await database.destroy();
    };
    try {
      const redis = connect('demarc-control');
      const porting = createPorting(parts);
      const bodyOf = callResultBody({ database, redis });
      const senders = sendersOf({ settings: settings.notices, database, secrets, bodyOf });
      const all: Service[] = [...services(parts, redis, senders)];
      const fleet = new FleetReader(redis);
      const states = () => all.map((service) => ({ name: service.name, ...service.state() }));
      const summaries = new Summaries({ database, redis, fleet, states });
      const subscriber = connect('demarc-control-events');
      const hub = new EventHub({ subscriber, fleet, summaries, log });
      all.push(hub);
      const certificate = settings.httpTls === undefined ? undefined : new HttpCertificate(settings.httpTls);
      const certificateExpiresAt = (): number | undefined => certificate?.expiresAt;
      warnOfExpiry(certificateExpiresAt, (text) => log.warn(text));
      metrics.sources = { database, redis, states, watching: () => hub.watching, certificateExpiresAt };
      for (const service of all) {
        started.push(service);
        await service.start();
      }
      const groups = routeGroups({ redis, fleet, summaries, hub, senders, porting });
      const server = await buildServer(parts, groups, accountGroups, certificate);
      registerHealth(server, parts, all, metrics);
      await server.listen({ host: settings.http.host, port: settings.http.port });
      const { address, port } = server.server.address() as AddressInfo;
      return new Control(address, port, parts, async () => {
        await server.close();
        await stop();
      });
    } catch (error) {
      await stop();
      throw error;
    }
  }

  /** Answers what has been asked, then ends the background work. */
  stop(): Promise<void> {
    return this.end();
  }
}
