import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findBinary } from '../../dev/setup/system-packages.mjs';
import { generateSecretKey } from '../../src/contract/secret.js';
import { until } from '../../src/testkit/waiting.js';
import { AcmeServer } from '../support/acme-server.js';
import { isRealServer } from '../support/engine-under-test.js';
import { waitForTone } from './hearing.js';
import { agentToneHertz, phoneToneHertz, root, Stack } from './stack.js';
import { talk, talkAndHangUp } from './talking.js';

const run = promisify(execFile);
const hook = join(root, 'deploy', 'acme', 'deploy-hook.sh');

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start();
});
afterAll(() => stack?.finish());
afterEach(() => stack.endTest());

/** Variables of the hook: the files that the engine reads. */
const hookSettings = () => ({
  TLS_CERT: join(stack.authority.directory, 'server-cert.pem'),
  TLS_KEY: join(stack.authority.directory, 'server-key.pem'),
  TLS_GROUP: String(process.getgid!()),
});

/** A connection to the engine, whose certificate was issued by `ca`. */
const connection = async (ca: string): Promise<TLSSocket> => {
  const socket = connect({
    host: '127.0.0.1',
    port: stack.tlsPort,
    servername: 'localhost',
    ca,
    allowPartialTrustChain: true,
  });
  await once(socket, 'secureConnect');
  return socket;
};

/** Fingerprint of the certificate that the engine presents to a new connection. */
const presented = async (ca: string): Promise<string | undefined> => {
  const socket = await connection(ca).catch(() => undefined);
  const certificate = socket?.getPeerX509Certificate();
  socket?.destroy();
  return certificate?.fingerprint256;
};

/** Calls that follow each other until `stop`; resolves with their number, and rejects if one fails. */
function keepCalling(): { stop: () => Promise<number> } {
  let isOver = false;
  let calls = 0;
  const calling = (async () => {
    while (!isOver) {
      expect((await talkAndHangUp(stack)).outcome).toBe('completed');
      calls += 1;
    }
  })();
  // Until `stop`, which reports it.
  calling.catch(() => undefined);
  return {
    stop: async () => {
      isOver = true;
      await calling;
      return calls;
    },
  };
}

/** The hook with that environment of an ACME client; rejects with what it wrote. */
const deploy = (environment: Readonly<Record<string, string>>) =>
  run(hook, { env: { PATH: process.env.PATH, ...hookSettings(), ...environment } });

it('keeps calls and takes new ones while an ACME client renews the certificate', async (context) => {
  context.skip(isRealServer, 'drachtio-server reads its certificate only when it starts');
  context.skip(
    findBinary('pebble') === undefined || findBinary('lego') === undefined,
    'pebble and lego are not installed',
  );
  const pebble = await AcmeServer.start(stack.authority, stack.ports);
  try {
    const held = await talk(stack, await stack.number(), agentToneHertz);
    const load = keepCalling();
    const old = await connection(stack.authority.ca);
    const lego = (...argv: string[]) =>
      run('lego', [...pebble.clientOptions, ...argv], {
        env: { PATH: process.env.PATH, ...pebble.clientEnvironment, ...hookSettings() },
      });
    await lego('run', '--run-hook', hook);
    const ca = pebble.issuer();
    let first: string | undefined;
    await until(
      async () => {
        first = await presented(ca);
        return first !== undefined;
      },
      20_000,
      "the engine presents the ACME server's certificate",
    );
    await lego('renew', '--no-random-sleep', '--days', '36500', '--renew-hook', hook);
    await until(
      async () => ![undefined, first].includes(await presented(pebble.issuer())),
      20_000,
      'the engine presents the renewed certificate',
    );
    expect((await talkAndHangUp(stack)).outcome).toBe('completed');
    expect(await load.stop()).toBeGreaterThan(0);
    expect(old.destroyed).toBe(false);
    old.destroy();
    await waitForTone(held, phoneToneHertz, 0.2);
    await held.hangup();
  } finally {
    await pebble.stop();
  }
});

it('keeps its certificate where a renewed pair is broken, and takes the next whole one', async (context) => {
  context.skip(isRealServer, 'drachtio-server reads its certificate only when it starts');
  const lineage = mkdtempSync(join(stack.directory, 'renewed-'));
  const { cert, key } = await stack.authority.issue('renewed');
  const stranger = await stack.authority.issue('stranger');
  const files = hookSettings();
  // As certbot leaves it.
  await writeFile(join(lineage, 'fullchain.pem'), cert);
  await writeFile(join(lineage, 'privkey.pem'), key);
  await deploy({ RENEWED_LINEAGE: lineage });
  const whole = new X509Certificate(cert).fingerprint256;
  await until(async () => (await presented(stack.authority.ca)) === whole, 20_000, 'the renewed certificate');

  await writeFile(join(lineage, 'privkey.pem'), stranger.key);
  await expect(deploy({ RENEWED_LINEAGE: lineage })).rejects.toThrow('is not the key of');
  expect(await readFile(files.TLS_KEY, 'utf8')).toBe(key);

  // Past the hook.
  const number = await stack.number();
  const held = await talk(stack, number, agentToneHertz);
  await writeFile(files.TLS_KEY, stranger.key);
  await until(
    () => stack.logs.includes('certificates not reloaded; the previous ones stay in use'),
    20_000,
    'the engine refuses the pair',
  );
  expect(await presented(stack.authority.ca)).toBe(whole);
  expect((await talkAndHangUp(stack)).outcome).toBe('completed');

  const next = await stack.authority.issue('next');
  await writeFile(join(lineage, 'fullchain.pem'), next.cert);
  await writeFile(join(lineage, 'privkey.pem'), next.key);
  await deploy({ RENEWED_LINEAGE: lineage });
  const fingerprint = new X509Certificate(next.cert).fingerprint256;
  await until(
    async () => (await presented(stack.authority.ca)) === fingerprint,
    20_000,
    'the next certificate',
  );
  await waitForTone(held, phoneToneHertz, 0.2);
  await held.hangup();
  expect(await stack.recordOf(number)).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up' });
});

it('keeps a call while the password of Redis, the metrics token and the secret of the engine are changed', async (context) => {
  // drachtio-server has its own configuration of the secret, and holds no calls for another one.
  context.skip(isRealServer, 'the steps are those of the embedded engine');
  const acl = (...rules: string[]) => stack.redisClient.call('ACL', 'SETUSER', 'demarc', ...rules);
  const urlWith = (password: string) => stack.redis.url.replace('redis://', `redis://demarc:${password}@`);
  const scrape = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(stack.metricsUrl, { headers })).status;
  };
  const restart = async (environment: Record<string, string>): Promise<void> => {
    stack.edge.signal('SIGKILL');
    await stack.edge.exit(5_000);
    await stack.startEdge(environment);
  };
  const before = { DEMARC_REDIS_URL: urlWith('first'), DEMARC_METRICS_TOKEN: 'first-metrics-token' };
  const after = { DEMARC_REDIS_URL: urlWith('second'), DEMARC_METRICS_TOKEN: 'second-metrics-token' };
  await acl('on', '>first', '~*', '&*', '+@all');
  await restart(before);
  const number = await stack.number();
  const held = await talk(stack, number, agentToneHertz);
  expect(await scrape('first-metrics-token')).toBe(200);

  // Both passwords are valid until all processes have the new one.
  await acl('>second');
  await restart(after);
  await acl('<first');
  // Connections that the old password opened would stay.
  await stack.redisClient.call('CLIENT', 'KILL', 'USER', 'demarc');
  const clients = async () => String(await stack.redisClient.call('CLIENT', 'LIST'));
  await until(async () => (await clients()).includes('user=demarc'), 10_000, 'the edge is connected again');
  await until(async () => (await stack.health()) === 200, 10_000, 'the edge is ready again');
  expect([await scrape('first-metrics-token'), await scrape('second-metrics-token')]).toEqual([401, 200]);
  expect((await talkAndHangUp(stack)).outcome).toBe('completed');
  await waitForTone(held, phoneToneHertz, 0.2);

  // Engine and edge have one secret, so they are replaced together.
  const secret = 'another-engine-secret';
  stack.engine!.signal('SIGKILL');
  await stack.engine!.exit(5_000);
  await stack.startEngine({ DEMARC_ENGINE_SECRET: secret });
  await restart({ ...after, DRACHTIO_SECRET: secret });
  expect((await talkAndHangUp(stack)).outcome).toBe('completed');
  await waitForTone(held, phoneToneHertz, 0.2);
  await held.hangup();
  expect(await stack.recordOf(number)).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up' });

  stack.engine!.signal('SIGKILL');
  await stack.engine!.exit(5_000);
  await stack.startEngine();
  await restart({});
});

it('keeps a call, and reads passwords sealed before, when the secret key is rotated', async () => {
  const number = await stack.number();
  const held = await talk(stack, number, agentToneHertz);
  const credentials = [{ username: 'pbx', password: stack.seal('horse-battery') }];
  const guarded = await stack.number({ inbound: { allowed_sources: [], credentials } });
  stack.edge.signal('SIGKILL');
  await stack.edge.exit(5_000);
  await stack.startEdge({
    DEMARC_SECRET_KEY: generateSecretKey(),
    DEMARC_SECRET_KEY_PREVIOUS: stack.secretKey,
  });
  await waitForTone(held, phoneToneHertz, 0.2);
  const caller = await stack.phone({ credentials: { username: 'pbx', password: 'horse-battery' } });
  await caller.dial(stack.uri(guarded));
  await caller.waitFor('CALL_ESTABLISHED', 20_000);
  await caller.hangup();
  expect((await stack.recordOf(guarded)).outcome).toBe('completed');
  await held.hangup();
  expect(await stack.recordOf(number)).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up' });
});
