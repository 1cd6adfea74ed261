import { once } from 'node:events';
import { createLog } from '../base/log.js';
import { surviveFaults } from '../base/process-faults.js';
import { connectRedis } from '../base/redis.js';
import { onStopRequest, reportReady } from '../base/stop-requests.js';
import { readControlSettings } from '../config/control-settings.js';
import { SettingsError } from '../config/environment.js';
import { roleCommand } from '../config/role-command.js';
import { Control } from './control.js';
import { openDatabase } from './database/database.js';
import { databaseIdentity, resync } from './projection/rebuild.js';
import { RedisProjection } from './projection/redis-projection.js';

/** `demarc control`. Exit status: 0 when told to stop, 1 when a part fails to start, 2 for settings. */
export async function main(argv: readonly string[]): Promise<void> {
  const command = roleCommand(
    'demarc control',
    'The control plane: HTTP API and dashboard on PostgreSQL, and the projection of its numbers to Redis. ' +
      'All settings come from the environment (docs/settings.md).',
  )
    .option(
      '--resync',
      'rewrite every number in Redis, remove numbers that are not in the database, then exit; control may run meanwhile',
    )
    .addHelpText('after', '\nSIGTERM or SIGINT ends it after the requests in progress.')
    .parse([...argv], { from: 'user' });
  try {
    if (command.opts<{ resync?: true }>().resync === true) await resyncRedis();
    else await run();
  } catch (error) {
    process.stderr.write(`demarc control: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof SettingsError ? 2 : 1);
  }
}

async function resyncRedis(): Promise<void> {
  const settings = readControlSettings(process.env);
  const log = createLog({ level: 'warn', role: 'control' });
  const redis = connectRedis(settings.redis.url, log, 'demarc-control', { commandTimeout: 2_000 });
  const database = openDatabase(settings.database, () => {});
  try {
    if (redis.status !== 'ready') await once(redis, 'ready', { signal: AbortSignal.timeout(10_000) });
    const projection = new RedisProjection(redis, await databaseIdentity(database));
    const { numbers, unusable } = await resync(database, projection);
    process.stdout.write(`Wrote ${numbers} numbers.\n`);
    for (const { number, problem } of unusable) process.stderr.write(`Skipped ${number}: ${problem}\n`);
  } finally {
    redis.disconnect();
    await database.destroy();
  }
}

async function run(): Promise<void> {
  const settings = readControlSettings(process.env);
  const log = createLog({ level: settings.log.level, role: 'control' });
  surviveFaults(log);
  const control = await Control.start(settings, log);
  log.info({ host: control.host, port: control.port }, 'Control is up.');
  reportReady({ http: { host: control.host, port: control.port } });
  onStopRequest(log, () => control.stop());
}
