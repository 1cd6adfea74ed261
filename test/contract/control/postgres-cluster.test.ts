import { chmodSync, existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { isZombie } from '../../../src/base/process-identity.js';
import { within } from '../../../src/base/within.js';
import { type PostgresCluster, preparePostgres } from '../../../src/launcher/postgres-cluster.js';
import { until } from '../../../src/testkit/waiting.js';
import { TestProcess } from '../../support/processes.js';

const folders: string[] = [];
let server: TestProcess | undefined;

function folder(mode: number): string {
  const path = mkdtempSync(join(tmpdir(), 'demarc-cluster-'));
  chmodSync(path, mode);
  folders.push(path);
  return path;
}

async function run(cluster: PostgresCluster): Promise<TestProcess> {
  const { file, args, user } = cluster;
  server = new TestProcess(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...user });
  await server.line(/database system is ready to accept connections/, 20_000);
  return server;
}

async function query(cluster: PostgresCluster, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

afterEach(async () => {
  if (server?.isRunning === true) {
    server.signal('SIGINT');
    await server.exit(10_000);
  }
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

describe('the private PostgreSQL', () => {
  it('keeps its data over kill -9, listens on its socket only, and admits no other user', async () => {
    const home = join(folder(0o711), 'postgres');
    const cluster = await preparePostgres(home, { durable: true });
    const first = await run(cluster);
    await query(cluster, 'create table kept (n int)');
    expect(await query(cluster, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(statSync(cluster.socketFolder).mode & 0o077).toBe(0);
    first.signal('SIGKILL');
    await first.exit(5_000);
    await run(await preparePostgres(home, { durable: true }));
    expect(await query(cluster, 'select * from kept')).toEqual([]);
  });

  it('starts after kill -9 as soon as the parent of the killed server has noticed its end', async () => {
    const cluster = await preparePostgres(join(folder(0o711), 'postgres'), { durable: true });
    const { file, args, user } = cluster;
    // The shell becomes a program that does not wait for its children.
    const command = '"$@" & echo "server $!"; exec sleep 60';
    const parent = new TestProcess('sh', ['-c', command, 'sh', file, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    await parent.line(/database system is ready to accept connections/, 20_000);
    const pid = Number(/server (\d+)/.exec(parent.output)![1]);
    process.kill(pid, 'SIGKILL');
    await until(() => isZombie(pid), 5_000, 'the server is killed');
    const gone = cluster.formerIsGone();
    expect(
      await within(
        300,
        gone.then(() => true),
      ),
    ).toBeUndefined();
    await parent.stop();
    await gone;
    await run(cluster);
    expect(await query(cluster, 'select 1 as one')).toEqual([{ one: 1 }]);
    await cluster.formerIsGone();
  });

  it('starts over after an interrupted preparation', async () => {
    const home = join(folder(0o711), 'postgres');
    mkdirSync(join(home, 'data.new'), { recursive: true });
    mkdirSync(join(home, 'data'));
    const cluster = await preparePostgres(home, { durable: false });
    await run(cluster);
    expect(await query(cluster, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('has its socket elsewhere when the path is longer than a socket address', async () => {
    const home = join(folder(0o711), 'x'.repeat(90));
    const cluster = await preparePostgres(home, { durable: false });
    folders.push(cluster.socketFolder);
    expect(cluster.socketFolder.length).toBeLessThan(90);
    await run(cluster);
    expect(await query(cluster, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  // Only root gives the server another user, who cannot follow it everywhere.
  it.runIf(process.getuid?.() === 0)('keeps its data where its user can go, and finds it again', async () => {
    const home = join(folder(0o700), 'postgres');
    const cluster = await preparePostgres(home, { durable: false });
    const elsewhere = readlinkSync(join(home, 'elsewhere'));
    folders.push(elsewhere);
    expect(elsewhere).toMatch(/^\/var\/lib\/demarc\/postgres-/);
    expect(existsSync(join(elsewhere, 'data', 'PG_VERSION'))).toBe(true);
    const again = await preparePostgres(home, { durable: false });
    expect(again.args).toEqual(cluster.args);
    await run(again);
    await until(async () => (await query(again, 'select 1')).length === 1, 5_000, 'answer');
  });
});
