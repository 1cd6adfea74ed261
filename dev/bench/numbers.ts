/**
 * `npx tsx dev/bench/numbers.ts --numbers 1000,1000000`: what configured numbers cost control and the edge without a call. For each
 * count, on its own Redis and PostgreSQL: control writes all numbers to an empty Redis, control starts on the full one, an edge
 * starts. Needs `npm run build`. Loopback figures of one machine: compare the rows only with each other.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { TestAuthority } from '../../test/support/certificates.js';
import { freePorts } from '../../test/support/free-ports.js';
import { PrivatePostgres } from '../../test/support/postgres.js';
import { Children, portAccepts, until } from './children.js';
import { CpuMeter, type Metered } from './cpu.js';

const { values } = parseArgs({
  options: {
    numbers: { type: 'string', default: '1000,100000' },
    /** Of each measurement of a started process. */
    seconds: { type: 'string', default: '20' },
    /** Of all numbers, in per cent, those with an outbound configuration, all at one server. */
    outbound: { type: 'string', default: '10' },
    /** A built clone. */
    clone: { type: 'string', default: fileURLToPath(new URL('../../', import.meta.url)) },
  },
});
const seconds = Number(values.seconds);
const program = join(values.clone, 'dist', 'cli.js');
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Megabytes, now and at most so far. */
function memory(pid: number): { readonly now: number; readonly most: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}

async function commandsOf(redis: Redis): Promise<number> {
  const text = await redis.info('commandstats');
  return [...text.matchAll(/:calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

/** Inbound ones for every number, and outbound ones for some, as the API would store them. */
async function configure(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `insert into numbers (number, organization_id)
     select (15550000000 + n)::text, (select id from organizations limit 1) from generate_series(1, $1::int) n`,
    [count],
  );
  const rows = `insert into configurations (id, number, direction, sip_endpoint, options, allowed_ips, headers)
    select $2 || n, (15550000000 + n)::text, $2, $3, $4::jsonb, $5::jsonb, '[]' from generate_series(1, $1::int) n`;
  const some = Math.round((count * Number(values.outbound)) / 100);
  await client.query(rows, [count, 'inbound', 'sip:agent@127.0.0.1:5080', '{}', '["192.0.2.0/24"]']);
  await client.query(rows, [some, 'outbound', 'pbx.invalid', '{"transport":"tls"}', '[]']);
  await client.query('insert into number_revisions (number, revision) select number, 1 from numbers');
  await client.query('analyze');
}

async function measure(count: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'demarc-numbers-'));
  chmodSync(directory, 0o711);
  const children = new Children(directory);
  const postgres = await PrivatePostgres.start();
  const [redisPort, httpPort, edgePort, tlsPort] = (await freePorts(4)) as [number, number, number, number];
  let client: pg.Client | undefined;
  let redis: Redis | undefined;
  try {
    const server = ['--bind', '127.0.0.1', '--port', String(redisPort), '--save', '', '--dir', directory];
    const redisProcess = { name: 'redis', pid: children.start('redis', 'redis-server', server) };
    await portAccepts(redisPort);
    const environment = {
      NODE_ENV: 'production',
      DATABASE_URL: postgres.url,
      DEMARC_REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      DEMARC_SECRET_KEY: randomBytes(32).toString('base64url'),
      DEMARC_STATE_DIR: directory,
      DEMARC_LOG_LEVEL: 'info',
      // Numbers name servers of this machine.
      DEMARC_PRIVATE_NETWORKS: '127.0.0.0/8',
    };
    execFileSync(process.execPath, [program, 'org', 'create', 'bench', '--sip'], {
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    });
    client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await configure(client, count);
    redis = new Redis({ port: redisPort, host: '127.0.0.1' });

    const ready = (port: number) => async (): Promise<boolean> => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return (await response.text()).includes('all committed changes are in Redis');
    };
    const control = async (title: string): Promise<void> => {
      const all = new Children(directory);
      const startedAt = performance.now();
      const own = { ...environment, DEMARC_HTTP_PORT: String(httpPort) };
      const pid = all.start('control', process.execPath, [program, 'control'], own);
      try {
        await until(ready(httpPort), 'control', 1_200_000);
        await report(title, { name: 'control', pid }, performance.now() - startedAt);
      } finally {
        await all.stop();
      }
    };
    /** CPU from the start of the process, and then at rest. */
    const report = async (title: string, process: Metered, milliseconds: number): Promise<void> => {
      const { now, most } = memory(process.pid);
      const commands = await commandsOf(redis!);
      const [own, redisOwn] = [new CpuMeter([process]), new CpuMeter([redisProcess])];
      await sleep(seconds * 1_000);
      const rest = (own.read().get(process.name) ?? 0) / seconds;
      print(
        `${String(count).padStart(8)}  ${title.padEnd(26)} ready after ${(milliseconds / 1_000).toFixed(1).padStart(6)} s, ` +
          `${most.toFixed(0)} MB at most, ${now.toFixed(0)} MB then; in ${seconds} s after that ` +
          `${rest.toFixed(1)} ms of CPU a second (redis ${((redisOwn.read().get('redis') ?? 0) / seconds).toFixed(1)}), ` +
          `${(((await commandsOf(redis!)) - commands) / seconds).toFixed(0)} commands a second, ${memory(process.pid).now.toFixed(0)} MB`,
      );
    };
    await control('control, empty Redis');
    await control('control, full Redis');
    const startedAt = performance.now();
    const pid = children.start('edge', process.execPath, [program, 'edge'], {
      ...environment,
      DEMARC_HTTP_PORT: String(edgePort),
      DEMARC_RTPENGINE: '127.0.0.1:9',
      DEMARC_SIP_TLS_PORT: String(tlsPort),
      DEMARC_TLS_CERT: keys.certFile,
      DEMARC_TLS_KEY: keys.keyFile,
    });
    await until(async () => (await fetch(`http://127.0.0.1:${edgePort}/livez`)).ok, 'the edge', 60_000);
    await report('edge', { name: 'edge', pid, alone: true }, performance.now() - startedAt);
    print(`${String(count).padStart(8)}  redis ${memory(redisProcess.pid).now.toFixed(0)} MB`);
  } finally {
    redis?.disconnect();
    await client?.end();
    await children.stop();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const authority = await TestAuthority.create();
const keys = await authority.issue('bench');
try {
  for (const count of values.numbers.split(',').map(Number)) await measure(count);
} finally {
  rmSync(authority.directory, { recursive: true, force: true });
}
