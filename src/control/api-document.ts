import type { RouteOptions } from 'fastify';
import { pino } from 'pino';
import { connectRedis } from '../base/redis.js';
import { readControlSettings } from '../config/control-settings.js';
import { SecretBox } from '../contract/secret.js';
import { createAreas } from './areas.js';
import { openDatabase } from './database/database.js';
import { sendersOf } from './deliveries/senders.js';
import { FleetReader } from './fleet/fleet-reader.js';
import type { RouteGroup } from './http/api-server.js';
import type { OpenApiDocument } from './http/open-api.js';
import { Passwords } from './secrets/passwords.js';
import { buildServer } from './server/server.js';
import { WorkerPool } from './workers/worker-pool.js';

/**
 * The complete OpenAPI document, as served at `/openapi.json`. Opens no connections.
 * @param onRoute is called with each route, for tests that walk all routes
 * @param publicUrl where customers reach the API; absent: wherever the document came from
 */
export async function readApiDocument({
  onRoute = () => {},
  publicUrl,
}: {
  readonly onRoute?: (route: RouteOptions) => void;
  readonly publicUrl?: string | undefined;
} = {}): Promise<OpenApiDocument> {
  const settings = readControlSettings({
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    ...(publicUrl === undefined ? {} : { DEMARC_PUBLIC_URL: publicUrl }),
  });
  const log = pino({ level: 'silent' });
  const database = openDatabase(settings.database, () => {});
  const secrets = new SecretBox([]);
  const connect = () => connectRedis('redis://127.0.0.1:1', log, 'none', { lazyConnect: true });
  const redis = connect();
  const senders = sendersOf({
    settings: settings.notices,
    database,
    secrets,
    bodyOf: async () => undefined,
    mailOf: async () => undefined,
  });
  const passwords = new Passwords();
  const deps = { settings, log, database, secrets, passwords, dashboard: '/nonexistent' };
  const { routes, accountRoutes, publicRoutes } = createAreas({
    ...deps,
    redis,
    connect,
    fleet: new FleetReader(redis),
    senders,
    models: { chat: undefined, judge: undefined, isStandIn: false, embeddings: undefined },
    workers: new WorkerPool(log),
    wakeDeliveries: () => {},
    serviceStates: () => [],
  });
  const watch: RouteGroup = (server) => {
    server.addHook('onRoute', onRoute);
  };
  const server = await buildServer(deps, routes, [watch, ...accountRoutes], undefined, publicRoutes);
  try {
    await server.ready();
    // The round trip through JSON drops what only the process that holds the document needs.
    return JSON.parse(JSON.stringify(server.swagger())) as OpenApiDocument;
  } finally {
    await server.close();
    await database.destroy();
  }
}
