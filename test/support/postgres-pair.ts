import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type PostgresCluster, preparePostgres } from '../../src/launcher/postgres-cluster.js';
import { until } from '../../src/testkit/waiting.js';
import { freePort } from './free-ports.js';
import { copyTemplate } from './postgres.js';
import { TestProcess } from './processes.js';

const run = promisify(execFile);

interface Server {
  readonly port: number;
  readonly process: TestProcess;
}

/** A primary and a standby that follows it by streaming replication, both on TCP ports of 127.0.0.1. */
export class PostgresPair {
  private constructor(
    private readonly directory: string,
    readonly primary: Server,
    readonly standby: Server,
  ) {}

  static async start(): Promise<PostgresPair> {
    const directory = await mkdtemp(join(tmpdir(), 'demarc-postgres-pair-'));
    // The servers may run as another user, who must reach their folders below.
    await chmod(directory, 0o711);
    const folder = join(directory, 'primary');
    await copyTemplate(folder);
    const cluster = await preparePostgres(folder, { durable: false });
    const primary = await startServer(cluster, join(folder, 'data'));
    const standbyFolder = join(directory, 'standby');
    const data = join(standbyFolder, 'data');
    await mkdir(standbyFolder);
    if (cluster.user !== undefined) await chown(standbyFolder, cluster.user.uid, cluster.user.gid);
    const backup = [
      '-h',
      '127.0.0.1',
      '-p',
      String(primary.port),
      '-U',
      'demarc',
      '-D',
      data,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
    ];
    await run(join(dirname(cluster.file), 'pg_basebackup'), backup, { cwd: standbyFolder, ...cluster.user });
    const standby = await startServer(cluster, data);
    const pair = new PostgresPair(directory, primary, standby);
    await until(
      async () =>
        (await pair.ask(primary, "select 1 from pg_stat_replication where state = 'streaming'")).length === 1,
      10_000,
      'the standby follows',
    );
    return pair;
  }

  /** Of both hosts. */
  url(database = 'postgres'): string {
    const hosts = [this.standby, this.primary].map(({ port }) => `127.0.0.1:${port}`);
    return `postgres://demarc@${hosts.join(',')}/${database}`;
  }

  /** The standby gets nothing more; the primary continues without it. */
  async stopReplication(): Promise<void> {
    await this.ask(this.standby, "alter system set primary_conninfo = ''");
    await this.ask(this.standby, 'select pg_reload_conf()');
    await until(
      async () => (await this.ask(this.primary, 'select 1 from pg_stat_replication')).length === 0,
      10_000,
      'the end of replication',
    );
  }

  async promote(): Promise<void> {
    await this.ask(this.standby, 'select pg_promote()');
  }

  async ask(server: Server, sql: string, database = 'postgres'): Promise<unknown[]> {
    const client = new pg.Client({
      connectionString: `postgres://demarc@127.0.0.1:${server.port}/${database}`,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(sql)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async stop(): Promise<void> {
    for (const { process } of [this.primary, this.standby]) {
      process.signal('SIGCONT');
      process.signal('SIGINT');
      await process.exit(10_000);
    }
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function startServer({ file, user }: PostgresCluster, data: string): Promise<Server> {
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${dirname(data)}`,
    'shared_buffers=32MB',
    'max_connections=60',
    'fsync=off',
  ];
  const server = new TestProcess(file, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  await server.line(/ready to accept (read-only )?connections/, 20_000);
  return { port, process: server };
}
