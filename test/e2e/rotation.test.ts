import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { generateSecretKey } from '../../src/contract/secret.js';
import { until } from '../../src/testkit/waiting.js';
import { isRealServer } from '../support/engine-under-test.js';
import { waitForTone } from './hearing.js';
import { agentToneHertz, phoneToneHertz, root, Stack } from './stack.js';
import { talk, talkAndHangUp } from './talking.js';

const run = promisify(execFile);

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start();
});
afterAll(() => stack?.finish());
afterEach(() => stack.endTest());

/** Fingerprint of the certificate that the engine presents. */
const presented = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: stack.tlsPort, ca: stack.authority.ca });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate()!.fingerprint256);
      socket.destroy();
    });
  });

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

it('keeps calls and takes new ones while the ACME hook of deploy/ replaces the certificate', async () => {
  const held = await talk(stack, await stack.number(), agentToneHertz);
  const load = keepCalling();
  const before = await presented();
  const lineage = join(stack.directory, 'renewed');
  mkdirSync(lineage);
  const engineFiles = {
    TLS_CERT: join(stack.authority.directory, 'server-cert.pem'),
    TLS_KEY: join(stack.authority.directory, 'server-key.pem'),
  };
  const { cert, key } = await stack.authority.issue('renewed');
  writeFileSync(join(lineage, 'fullchain.pem'), cert);
  writeFileSync(join(lineage, 'privkey.pem'), key);
  await run(join(root, 'deploy', 'acme', 'deploy-hook.sh'), {
    env: { ...process.env, ...engineFiles, RENEWED_LINEAGE: lineage, TLS_GROUP: String(process.getgid!()) },
  });
  await until(async () => (await presented()) !== before, 20_000, 'the engine presents the new certificate');
  const record = await talkAndHangUp(stack);
  expect(record.outcome).toBe('completed');
  expect(await load.stop()).toBeGreaterThan(0);
  await waitForTone(held, phoneToneHertz, 0.2);
  await held.hangup();
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
