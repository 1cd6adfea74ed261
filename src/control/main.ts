import { once } from 'node:events';
import pg from 'pg';
import { IdleMemory } from '../base/idle-memory.js';
import { InheritedSockets, inheritedSocketsVariable } from '../base/inherited-sockets.js';
import { createLog, type Logger } from '../base/log.js';
import { surviveFaults } from '../base/process-faults.js';
import { connectRedis } from '../base/redis.js';
import { onStopRequest, reportReady } from '../base/stop-requests.js';
import { onSuccessionRequest, startSuccessor } from '../base/successor.js';
import { type ControlSettings, readControlSettings } from '../config/control-settings.js';
import { SettingsError } from '../config/environment.js';
import { roleCommand } from '../config/role-command.js';
import { partitionCalls } from './calls/index.js';
import { Control } from './control.js';
import { migrate, openDatabase } from './database/database.js';
import { primaryOf } from './database/failover-pool.js';
import { databaseIdentity, resync } from './projection/rebuild.js';
import { RedisProjection } from './projection/redis-projection.js';

/** For a successor to be ready: at a low priority, on a busy machine, after it has migrated the database. */
const successorMilliseconds = 110_000;

/** `demarc control`. Exit status: 0 after a stop signal, 1 when a service fails to start, 2 for invalid settings. */
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
    .option(
      '--partition-calls',
      'turn the table of calls into partitions by day, then exit; control of this release may run meanwhile, that of the release before never again',
    )
    .addHelpText('after', '\nSIGTERM or SIGINT ends it after the requests in progress.')
    .parse([...argv], { from: 'user' });
  try {
    const options = command.opts<{ resync?: true; partitionCalls?: true }>();
    if (options.resync === true) await resyncRedis();
    else if (options.partitionCalls === true) await partitionDatabase();
    else await run();
  } catch (error) {
    process.stderr.write(`demarc control: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof SettingsError ? 2 : 1);
  }
}

async function resyncRedis(): Promise<void> {
  const settings = readControlSettings(process.env);
  const log = createLog({ level: 'warn', role: 'control' });
  const redis = connectRedis(settings.redis, log, 'demarc-control', { commandTimeout: 2_000 });
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

async function partitionDatabase(): Promise<void> {
  const { url } = readControlSettings(process.env).database;
  await migrate(url);
  const client = new pg.Client({
    connectionString: await primaryOf(url),
    application_name: 'demarc-partitions',
  });
  await client.connect();
  try {
    const report = (line: string): void => void process.stdout.write(`${line}\n`);
    const isDone = await partitionCalls(client, { report });
    report(isDone ? 'Calls have partitions by day.' : 'Calls have partitions by day already.');
  } finally {
    await client.end();
  }
}

async function run(): Promise<void> {
  const settings = readControlSettings(process.env);
  const log = createLog({ level: settings.log.level, role: 'control' });
  surviveFaults(log);
  const inherited = new InheritedSockets(process.env);
  // Its own children are not meant.
  delete process.env[inheritedSocketsVariable];
  const control = await Control.start(settings, log, inherited.take(socketName(settings)));
  inherited.closeRest();
  log.info({ host: control.host, port: control.port }, 'Control is up.');
  reportReady({ http: { host: control.host, port: control.port } });
  // Without a full collection: it also shrinks the new generation, which makes each later call cost half as much again.
  const memory = new IdleMemory({ collect: () => {} });
  onStopRequest(log, () => {
    memory.stop();
    return control.stop();
  });
  onSuccessionRequest((file) => succeed(control, settings, log, file));
}

/** A successor gets the listening socket only where its settings name the same address. */
const socketName = ({ http: { host, port } }: ControlSettings): string => `http ${host} ${port}`;

/** Starts a successor at the same socket, so that no request is refused, and ends this process once it is ready. */
async function succeed(
  control: Control,
  settings: ControlSettings,
  log: Logger,
  file: string,
): Promise<void> {
  const { descriptor } = control;
  const sockets = new Map(descriptor === undefined ? [] : [[socketName(settings), descriptor]]);
  const successor = await startSuccessor(file, sockets, successorMilliseconds);
  if (successor === undefined) {
    log.error({ file }, 'The successor did not start; this process continues.');
    return;
  }
  log.info({ successor: successor.pid }, 'A successor has started.');
  try {
    await control.leave();
    process.exit(0);
  } catch (error) {
    log.error({ error: String(error) }, 'Ending after the successor had started failed.');
    process.exit(1);
  }
}
