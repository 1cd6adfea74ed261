import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { connectRedis } from '../../../../src/base/redis.js';
import { type ControlSettings, readControlSettings } from '../../../../src/config/control-settings.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import type { Service } from '../../../../src/control/area.js';
import { createAreas } from '../../../../src/control/areas.js';
import { openDatabase } from '../../../../src/control/database/database.js';
import type { Database } from '../../../../src/control/database/tables.js';
import { sendersOf } from '../../../../src/control/deliveries/senders.js';
import { FleetReader } from '../../../../src/control/fleet/fleet-reader.js';
import type { ApiServer } from '../../../../src/control/http/api-server.js';
import { SweepService } from '../../../../src/control/jobs/sweep-service.js';
import { createKey, type NewKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { buildServer } from '../../../../src/control/server/server.js';
import { WorkerPool } from '../../../../src/control/workers/worker-pool.js';
import { cheapPasswords } from '../../../support/cheap-passwords.js';
import { MemoryRedis } from '../../../support/memory-redis.js';
import { sharedDatabase } from '../../../support/shared-postgres.js';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of an answer.
  readonly data: any;
  readonly error: string | undefined;
  readonly message: string | undefined;
  /** The field that was refused. */
  readonly path: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: As of `data`.
  readonly body: any;
}

/** Requests with one API key. */
export class ApiUser {
  constructor(
    readonly organizationId: string,
    private readonly server: ApiServer,
    private readonly key: string,
  ) {}

  get = (path: string): Promise<Answer> => this.ask('GET', path);
  delete = (path: string): Promise<Answer> => this.ask('DELETE', path);
  post = (path: string, body: object = {}): Promise<Answer> => this.ask('POST', path, body);
  put = (path: string, body: object): Promise<Answer> => this.ask('PUT', path, body);
  patch = (path: string, body: object): Promise<Answer> => this.ask('PATCH', path, body);

  private async ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Answer> {
    const response = await this.server.inject({
      method,
      url: `/v1${path}`,
      headers: { authorization: `Bearer ${this.key}` },
      ...(body === undefined ? {} : { payload: body }),
    });
    const content = JSON.parse(response.body);
    const [fault] = content.errors ?? [];
    return {
      status: response.statusCode,
      data: content.data,
      error: fault?.error,
      message: fault?.message,
      path: fault?.path,
      body: content,
    };
  }
}

/** The whole API of control in this process, on a database with nothing else in it. No service runs, and no edge reports. */
export class WholeApi {
  private static started: Promise<WholeApi> | undefined;
  private organizations = 0;

  private constructor(
    readonly database: Kysely<Database>,
    readonly redis: MemoryRedis,
    readonly server: ApiServer,
    /** None of them is started. */
    private readonly services: readonly Service[],
    readonly settings: ControlSettings,
  ) {}

  /** Does once what a service repeats while it runs. */
  async sweep(name: string): Promise<void> {
    const service = this.services.find((each) => each.name === name);
    if (!(service instanceof SweepService)) throw new Error(`${name} is no service that sweeps.`);
    await service.sweep();
  }

  /** One for all tests here. Each test makes its organizations. */
  static shared(): Promise<WholeApi> {
    WholeApi.started ??= WholeApi.start();
    return WholeApi.started;
  }

  static async end(): Promise<void> {
    const api = await WholeApi.started;
    WholeApi.started = undefined;
    await api?.server.close();
    await api?.database.destroy();
  }

  private static async start(): Promise<WholeApi> {
    const settings = readControlSettings({
      DATABASE_URL: await sharedDatabase(),
      DEMARC_SECRET_KEY: generateSecretKey(),
      DEMARC_API_REQUESTS_PER_SECOND: '10000',
      DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
      // A PostgreSQL that is stalled is no fault of what is asked of it.
      DEMARC_DATABASE_TIMEOUT_MS: '15000',
    });
    const log = pino({ level: 'silent' });
    const database = openDatabase(settings.database, () => {});
    const secrets = new SecretBox(settings.secretKeys);
    const redis = new MemoryRedis();
    const senders = sendersOf({
      settings: settings.notices,
      database,
      secrets,
      bodyOf: async () => undefined,
      mailOf: async () => undefined,
    });
    const deps = {
      settings,
      log,
      database,
      secrets,
      passwords: cheapPasswords,
      dashboard: '/nonexistent',
      settled: async () => true,
    };
    const { routes, accountRoutes, publicRoutes, basicRoutes, services } = createAreas({
      ...deps,
      redis: redis.asRedis,
      connect: () => connectRedis('redis://127.0.0.1:1', log, 'none', { lazyConnect: true }),
      fleet: new FleetReader(redis.asRedis),
      senders,
      models: { chat: undefined, judge: undefined, isStandIn: false, embeddings: undefined },
      workers: new WorkerPool(log),
      wakeDeliveries: () => {},
      serviceStates: () => [],
    });
    const server = await buildServer(deps, routes, accountRoutes, undefined, publicRoutes, basicRoutes);
    return new WholeApi(database, redis, server, services, settings);
  }

  /** A key of a new organization. */
  async user(options: NewKey = {}): Promise<ApiUser> {
    this.organizations += 1;
    const name = `organization ${this.organizations}`;
    const { id } = await createOrganization(this.database, { name, sipEnabled: true });
    return this.colleague(id, options);
  }

  /** Another key of an organization. */
  async colleague(organizationId: string, options: NewKey = {}): Promise<ApiUser> {
    const { key } = await createKey(this.database, organizationId, 'test', options);
    return new ApiUser(organizationId, this.server, key);
  }
}
