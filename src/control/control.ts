import type { AddressInfo } from 'node:net';
import { warnOfExpiry } from '../base/certificate-files.js';
import { descriptorOf } from '../base/inherited-sockets.js';
import type { Logger } from '../base/log.js';
import { connectRedis, type Redis } from '../base/redis.js';
import type { ControlSettings } from '../config/control-settings.js';
import { SecretBox } from '../contract/secret.js';
import type { DocumentRequest } from './api-document-worker.js';
import type { AreaDeps, Service } from './area.js';
import { type CreatedAreas, createAreas } from './areas.js';
import { callResultBody } from './calls/index.js';
import { migrateWhenReachable, openDatabase } from './database/database.js';
import { IndexBuilds } from './database/index-builds.js';
import { DeliveryQueue } from './deliveries/delivery-queue.js';
import { sendersOf } from './deliveries/senders.js';
import { FleetReader } from './fleet/fleet-reader.js';
import type { ApiServer, ControlDeps } from './http/api-server.js';
import { ControlMetrics } from './metrics.js';
import { modelsOf } from './models/models.js';
import { startStandIn } from './models/stand-in.js';
import { portMails } from './porting/index.js';
import { Projector } from './projection/projector.js';
import { Passwords } from './secrets/passwords.js';
import { SecretRotation } from './secrets/secret-rotation.js';
import { registerHealth } from './server/health.js';
import { HttpCertificate } from './server/http-certificate.js';
import { buildServer, type ServerDeps } from './server/server.js';
import { inheritedListener, leaveConnections } from './server/succession.js';
import { telemetryOf } from './telemetry/telemetry.js';
import { WorkerPool, workerFile } from './workers/worker-pool.js';

interface Composed extends Pick<CreatedAreas, 'routes' | 'accountRoutes' | 'publicRoutes' | 'basicRoutes'> {
  /** The connection that all areas share. */
  readonly redis: Redis;
  /** In the order in which they start. */
  readonly services: readonly Service[];
  /** True once all edges have the committed changes of numbers, false if they do not confirm it in time. */
  readonly settled: () => Promise<boolean>;
  /** The body of `/openapi.json`. */
  readonly documentText: () => Promise<string>;
  readonly mediaReleases: NonNullable<ControlDeps['mediaReleases']>;
}

/** Redis connections with a command timeout: failed work is still in PostgreSQL or in the stream, and is retried. */
const connector =
  (settings: ControlSettings, log: Logger): AreaDeps['connect'] =>
  (name, commandTimeout = 2_000) =>
    connectRedis(settings.redis, log, name, {
      commandTimeout,
      // A machine that is gone closes no connection.
      socketTimeout: commandTimeout + 1_000,
      needsPrimary: true,
    });

const documentWorker = workerFile<DocumentRequest, string>('./api-document-worker', import.meta.url);

/** Creates every area and what all areas share; the connections to Redis end with the services. */
function compose(deps: ServerDeps): Composed {
  const { settings, database, secrets, metrics, log } = deps;
  const connect = connector(settings, log);
  const redis = connect('demarc-control');
  const telemetry = telemetryOf(settings, log, (result, spans) => metrics?.countSpans(result, spans));
  const senders = sendersOf({
    settings: settings.notices,
    telemetry,
    database,
    secrets,
    bodyOf: callResultBody({ database, redis }),
    mailOf: portMails({ database, settings, secrets }),
  });
  const deliveries = new DeliveryQueue({
    database,
    settings: settings.notices.delivery,
    senders,
    retentionDays: settings.callRetentionDays,
    dropped: (count) => metrics?.deliveriesDropped(count),
    log,
  });
  const workers = new WorkerPool(log);
  const fleet = new FleetReader(redis);
  const services: Service[] = [];
  const areas = createAreas({
    ...deps,
    redis,
    connect,
    fleet,
    senders,
    models: modelsOf(settings, log),
    workers,
    wakeDeliveries: () => deliveries.wake(),
    telemetry,
    countWatchers: (watching) => metrics?.countWatchers(watching),
    countTraces: (result, traces) => metrics?.countTraces(result, traces),
    serviceStates: () => services.map((service) => ({ name: service.name, ...service.state() })),
  });
  const projector = new Projector({ database, databaseUrl: settings.database.url, redis, log });
  services.push(
    connectionOf(redis),
    new IndexBuilds(settings.database.url, log),
    workers,
    projector,
    new SecretRotation({ hasKey: secrets.hasKey, reseals: areas.reseals, log }),
    ...(telemetry === undefined ? [] : [telemetry]),
    deliveries,
    ...areas.services,
  );
  const { routes, accountRoutes, publicRoutes, basicRoutes } = areas;
  return {
    routes,
    accountRoutes,
    publicRoutes,
    basicRoutes,
    redis,
    services,
    settled: () => projector.settled(),
    documentText: () => documentText(settings.notices.publicUrl, log),
    mediaReleases: () => fleet.mediaReleases(),
  };
}

/**
 * The API's description, made once, in a thread that ends with it: the threads of customers' tasks may be busy for long, and people wait
 * for this.
 */
async function documentText(publicUrl: string | undefined, log: Logger): Promise<string> {
  const workers = new WorkerPool(log, { threads: 1, niceness: 0 });
  try {
    return await workers.run(documentWorker, 'reference', { publicUrl });
  } finally {
    await workers.stop();
  }
}

const connectionOf = (redis: Redis): Service => ({
  name: 'redis',
  start: async () => {},
  stop: async () => redis.disconnect(),
  state: () => ({
    ready: redis.status === 'ready',
    detail: redis.status === 'ready' ? 'connected' : 'unreachable',
  }),
});

/** The control plane of one process: API and background work on one database. */
export class Control {
  private constructor(
    readonly host: string,
    readonly port: number,
    readonly deps: ControlDeps,
    private readonly server: ApiServer,
    private readonly stopServices: () => Promise<void>,
  ) {}

  /**
   * Migrates the database, starts the background work, listens. Throws when a component or service fails to start.
   * @param socket descriptor of a listening socket from the process before; absent: binds the address of the settings
   */
  static async start(
    given: ControlSettings,
    log: Logger,
    socket?: number,
    passwords = new Passwords(),
  ): Promise<Control> {
    const standIn = await startStandIn(given);
    if (standIn !== undefined)
      log.warn(
        'No language model is configured: a stand-in that answers by rules takes its place in agent tests.',
      );
    const settings = standIn?.settings ?? given;
    const secrets = new SecretBox(settings.secretKeys, settings.unboundSecrets, settings.bindsNumberSecrets);
    if (!secrets.hasKey) log.warn('DEMARC_SECRET_KEY is not set: requests with passwords are refused.');
    const { url, waitMilliseconds } = settings.database;
    const steps = await migrateWhenReachable(url, waitMilliseconds, (error) =>
      log.warn({ error: error.message }, 'Waiting for PostgreSQL.'),
    );
    if (steps.length > 0) log.info({ steps }, 'Migrated the database schema.');
    const database = openDatabase(settings.database, (error) =>
      log.warn({ error: error.message }, 'Lost a connection to PostgreSQL.'),
    );
    const metrics = new ControlMetrics();
    // A separate connection: a large write on a shared one would delay requests.
    const rateLimits = connector(settings, log)('demarc-control-limits');
    const deps: ServerDeps = { settings, log, database, secrets, passwords, metrics, rateLimits };
    const started: Service[] = [];
    const stop = async (): Promise<void> => {
      for (const service of started.reverse()) await service.stop();
      rateLimits.disconnect();
      await database.destroy();
      await standIn?.stop();
    };
    try {
      const { redis, services, routes, accountRoutes, publicRoutes, basicRoutes, ...more } = compose(deps);
      const certificate = settings.httpTls === undefined ? undefined : new HttpCertificate(settings.httpTls);
      const certificateExpiresAt = (): number | undefined => certificate?.expiresAt;
      warnOfExpiry(certificateExpiresAt, (text) => log.warn(text));
      const states = () => services.map((service) => ({ name: service.name, ...service.state() }));
      metrics.sources = { database, redis, states, certificateExpiresAt };
      for (const service of services) {
        started.push(service);
        await service.start();
      }
      const server = await buildServer(
        { ...deps, ...more },
        routes,
        accountRoutes,
        certificate,
        publicRoutes,
        basicRoutes,
      );
      registerHealth(server, deps, services, metrics);
      await server.listen(socket === undefined ? { ...settings.http } : inheritedListener(socket));
      const { address, port } = server.server.address() as AddressInfo;
      return new Control(address, port, deps, server, stop);
    } catch (error) {
      await stop();
      throw error;
    }
  }

  /** Of the listening socket, for a successor; undefined where the system has none. */
  get descriptor(): number | undefined {
    return descriptorOf(this.server.server);
  }

  /** A successor has the listening socket: serves the connections that are open until they can be closed, then stops. */
  async leave(): Promise<void> {
    await leaveConnections(this.server);
    await this.stop();
  }

  /** Finishes pending requests, then stops the background work. */
  async stop(): Promise<void> {
    await this.server.close();
    await this.stopServices();
  }
}
