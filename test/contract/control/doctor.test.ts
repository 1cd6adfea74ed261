import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey } from '../../../src/contract/secret.js';
import type { DoctorReport } from '../../../src/doctor/doctor.js';
import { TestAuthority } from '../../support/certificates.js';
import { demarcCommand } from '../../support/engine-under-test.js';
import { freePort } from '../../support/free-ports.js';
import { InstantAnswerer } from '../../support/instant-answerer.js';
import { sharedDatabase } from '../../support/shared-postgres.js';
import { RtpengineProcess } from '../media/rtpengine-process.js';
import { PrivateRedis } from '../redis/private-redis.js';

let redis: PrivateRedis;
let rtpengine: RtpengineProcess;
let agent: InstantAnswerer;
let authority: TestAuthority;
let environment: NodeJS.ProcessEnv;
const folder = mkdtempSync(join(tmpdir(), 'demarc-doctor-'));
beforeAll(async () => {
  [redis, rtpengine, agent, authority] = await Promise.all([
    PrivateRedis.start(),
    RtpengineProcess.start(),
    InstantAnswerer.open(),
    TestAuthority.create(),
  ]);
  const pair = await authority.issue('doctor');
  environment = {
    ...process.env,
    DEMARC_STATE_DIR: folder,
    DATABASE_URL: await sharedDatabase(),
    DEMARC_REDIS_URL: redis.url,
    DEMARC_RTPENGINE: `127.0.0.1:${rtpengine.port}`,
    DEMARC_AGENT_URI: agent.uri,
    DEMARC_TLS_CERT: pair.certFile,
    DEMARC_TLS_KEY: pair.keyFile,
    DEMARC_SIP_TLS_PORT: String(await freePort()),
    DEMARC_HTTP_PORT: String(await freePort()),
  };
});
afterAll(async () => {
  await Promise.all([redis?.stop(), rtpengine?.kill(), agent?.close()]);
  authority?.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function doctor(options: readonly string[], change: NodeJS.ProcessEnv = {}) {
  const [command, argv] = demarcCommand('doctor', options);
  const child = spawn(command, argv, {
    env: { ...environment, ...change },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out };
}

/** Findings by check. */
async function examined(only: string, change: NodeJS.ProcessEnv = {}) {
  const { code, out } = await doctor(['--json', '--only', only], change);
  const { checks } = JSON.parse(out) as DoctorReport;
  return { code, of: (name: string) => checks.find((check) => check.name === name)!.findings };
}

describe('demarc doctor', () => {
  it('finds a Redis that would lose its data, and accepts it once it writes to disk', async () => {
    const before = await examined('redis');
    expect(before.code).toBe(1);
    expect(before.of('redis')).toContainEqual(
      expect.objectContaining({
        verdict: 'problem',
        text: expect.stringContaining('Nothing is written to disk'),
      }),
    );
    const client = redis.client();
    await client.config('SET', 'appendonly', 'yes');
    client.disconnect();
    const after = await examined('redis');
    expect(after.of('redis').filter(({ verdict }) => verdict === 'problem')).toEqual([]);
    expect(after.code).toBe(0);
  });

  it('asks PostgreSQL, rtpengine and the agent themselves', async () => {
    const client = new pg.Client({ connectionString: environment.DATABASE_URL });
    await client.connect();
    // What ANALYZE would write after five million calls.
    await client.query("update pg_class set reltuples = 5e6 where oid = 'calls'::regclass");
    await client.end();
    const { code, of } = await examined('settings,database,rtpengine,agent,certificates,ports,engine');
    // The tests' own server, which a crash may damage.
    const problems = of('database').filter(({ verdict }) => verdict === 'problem');
    expect(problems).toMatchObject([{ text: expect.stringContaining('fsync is off') }]);
    expect(code).toBe(1);
    expect(of('database')[0]).toMatchObject({
      verdict: 'ok',
      text: expect.stringMatching(/^PostgreSQL \d+/),
    });
    expect(of('database')).toContainEqual(
      expect.objectContaining({
        verdict: 'warning',
        text: 'About 5.0 million calls are in one table.',
        advice: expect.stringContaining('--partition-calls'),
      }),
    );
    const [rtpengine] = of('rtpengine');
    const milliseconds = Number(/answered in ([\d.]+) ms/.exec(rtpengine!.text)![1]);
    // A busy machine is slow, and the doctor says so.
    expect(rtpengine!.verdict, rtpengine!.text).toBe(milliseconds > 50 ? 'warning' : 'ok');
    expect(of('agent')).toEqual([{ verdict: 'ok', text: expect.stringContaining('answered 200 OK') }]);
    for (const { verdict } of of('ports')) expect(verdict).toBe('ok');
  });

  it('says what is gone, with advice, and exits with 1', async () => {
    const gone = String(await freePort());
    const { code, of } = await examined('redis,database,rtpengine,agent,engine', {
      DEMARC_REDIS_URL: `redis://:secret-of-redis@127.0.0.1:${gone}`,
      DATABASE_URL: `postgres://demarc:secret-of-postgres@127.0.0.1:${gone}/demarc`,
      DEMARC_RTPENGINE: `127.0.0.1:${gone}`,
      DEMARC_AGENT_URI: `sip:agent@127.0.0.1:${gone};transport=tcp`,
      DRACHTIO_HOST: '127.0.0.1',
      DRACHTIO_PORT: gone,
    });
    expect(code).toBe(1);
    for (const name of ['redis', 'database', 'rtpengine', 'agent', 'engine']) {
      const [finding] = of(name);
      expect(finding, name).toMatchObject({ verdict: 'problem', advice: expect.any(String) });
      expect(finding!.text).not.toContain('secret-of');
    }
  });

  it('examines a media-stream process by its environment, and asks whether it is ready', async () => {
    const server = createServer((_, response) => {
      response.writeHead(503).end(JSON.stringify({ status: 'not ready', detail: 'it is stopping' }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, of } = await examined('settings,services,redis', {
      DATABASE_URL: '',
      DEMARC_TLS_CERT: '',
      DEMARC_SECRET_KEY: generateSecretKey(),
      DEMARC_STREAM_HTTP: `127.0.0.1:${port}`,
    });
    server.close();
    expect(code).toBe(1);
    expect(of('settings')).toEqual([{ verdict: 'ok', text: 'The settings of media-stream are valid.' }]);
    expect(of('services')).toMatchObject([
      { verdict: 'problem', text: 'media-stream is not ready (it is stopping).' },
    ]);
    expect(of('redis')[0]!.text).toContain('in use');
  });

  it('prints a line per finding, and settings that are wrong', async () => {
    const { code, out } = await doctor(['--only', 'settings,versions'], { DEMARC_SIP_TLS_PORT: 'many' });
    expect(code).toBe(1);
    expect(out).toContain('PROBLEM demarc edge: DEMARC_SIP_TLS_PORT: must be a whole number');
    expect(out).toMatch(/\nproblems: 2, warnings: \d, ok: 2, skipped: 0\n$/);
  });

  it('rejects the name of a check that does not exist, with 2', async () => {
    expect((await doctor(['--only', 'nothing'])).code).toBe(2);
  });
});
