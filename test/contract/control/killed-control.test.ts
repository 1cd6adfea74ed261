import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandStream, orderedCallKey } from '../../../src/contract/keys.js';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { demarcCommand } from '../../support/engine-under-test.js';
import { freePort } from '../../support/free-ports.js';
import { TestProcess } from '../../support/processes.js';
import { until } from '../../support/waiting.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';

const mine = '+14155550191';
let bench: ControlBench;
let api: ApiUnderTest;
let key: string;
const children: TestProcess[] = [];

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench);
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  const directions = [{ type: 'outbound', sip_endpoint: 'sip:pbx.example.com' }];
  await api.post('/v1/sip/attach', key, { phone_numbers: [mine], directions, service: 'sip' });
  await bench.pretendEdge();
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.stop()));
  await api?.stop();
  await bench?.stop();
});

async function control(): Promise<{ child: TestProcess; url: string }> {
  const port = await freePort();
  const [command, argv] = demarcCommand('control', []);
  const child = new TestProcess(command, argv, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: bench.databaseUrl,
      DEMARC_REDIS_URL: bench.redis.url,
      DEMARC_SECRET_KEY: generateSecretKey(),
      DEMARC_HTTP_PORT: String(port),
    },
  });
  children.push(child);
  const isReady = (message: unknown) => (message as { type?: string }).type === 'ready' || undefined;
  await child.message(isReady, 20_000, 'control');
  return { child, url: `http://127.0.0.1:${port}` };
}

const rows = () =>
  bench.database
    .selectFrom('ordered_calls')
    .select(['call_id', 'task'])
    .orderBy('created_at', 'desc')
    .execute();

describe('control killed between storing an order and giving it to the edges', () => {
  it.each(['Redis is away', 'Redis hangs'] as const)(
    'while %s: it is dialled or over, never both',
    async (how) => {
      const { child, url } = await control();
      if (how === 'Redis hangs') bench.redis.hang();
      else await bench.redis.kill();
      const before = (await rows()).length;
      const body = { phone_number: '+4930123456', from: mine, task: how };
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      fetch(`${url}/v1/calls`, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {});
      await until(async () => (await rows()).length > before, 5_000, 'the order is stored');
      child.signal('SIGKILL');
      await child.exit(5_000);
      if (how === 'Redis hangs') bench.redis.resume();
      else await bench.redis.up();
      const [row] = await rows();
      const client = bench.redis.client();
      await until(async () => (await client.ping().catch(() => '')) === 'PONG', 5_000, 'Redis is back');
      // What was in its socket is done by now.
      await until(async () => (await api.get('/readyz', '')).status === 200, 10_000, 'control is ready');
      const orders = await client.xrange(commandStream, '-', '+');
      const given = orders.filter(([, fields]) => fields[1]!.includes(row!.call_id)).length;
      expect(given).toBe(await client.hexists(orderedCallKey(row!.call_id), 'ordered'));
      client.disconnect();
      await bench.database
        .updateTable('ordered_calls')
        .set({ created_at: new Date(Date.now() - 11_000) })
        .where('call_id', '=', row!.call_id)
        .execute();
      expect((await api.get(`/v1/calls/${row!.call_id}`, key)).body).toMatchObject(
        given === 1
          ? { completed: false, queue_status: 'new' }
          : { completed: true, status: 'failed', queue_status: 'queue_error' },
      );
    },
  );
});
