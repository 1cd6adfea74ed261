import { pino } from 'pino';
import { connectRedis } from '../base/redis.js';
import { readControlSettings } from '../config/control-settings.js';
import { SecretBox } from '../contract/secret.js';
import { openDatabase } from './database/database.js';
import { sendersOf } from './deliveries/senders.js';
import type { OpenApiDocument } from './http/reference/open-api.js';
import { buildServer } from './http/server.js';
import { EventHub } from './noc/event-hub.js';
import { FleetReader } from './noc/fleet-reader.js';
import { Summaries } from './noc/summaries.js';
import { createPorting } from './porting/index.js';
import { accountGroups, routeGroups } from './route-groups.js';

/** The description of the whole API as `/openapi.json` gives it. Connects to nothing. */
export async function readApiDocument(): Promise<OpenApiDocument> {
  const settings = readControlSettings({ DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  const log = pino({ level: 'silent' });
  const database = openDatabase(settings.database, () => {});
  const secrets = new SecretBox([]);
  const redis = connectRedis('redis://127.0.0.1:1', log, 'none', { lazyConnect: true });
  const fleet = new FleetReader(redis);
  const summaries = new Summaries({ database, redis, fleet, states: () => [] });
  const hub = new EventHub({ subscriber: redis, fleet, summaries, log });
  const senders = sendersOf({
    settings: settings.notices,
    database,
    secrets,
    bodyOf: async () => undefined,
  });
  const parts = { settings, log, database, secrets, dashboard: '/nonexistent' };
  const server = await buildServer(
    parts,
    routeGroups({ redis, fleet, summaries, hub, senders, porting: createPorting(parts) }),
    accountGroups,
  );
  try {
    await server.ready();
    // Without what only the machine needs that holds the document.
    return JSON.parse(JSON.stringify(server.swagger())) as OpenApiDocument;
  } finally {
    await server.close();
    await database.destroy();
  }
}
