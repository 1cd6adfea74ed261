import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startOf } from '../../../src/base/process-identity.js';
import { outlivesParent } from '../../../src/base/stop-requests.js';
import { successionFileVariable } from '../../../src/base/successor.js';
import { commandStream, orderedCallKey } from '../../../src/contract/keys.js';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { until } from '../../../src/testkit/waiting.js';
import { type ControlProcess, startControlProcess } from '../../support/control-process.js';
import { demarcCommand } from '../../support/engine-under-test.js';
import type { TestProcess } from '../../support/processes.js';
import { RequestLoop } from '../../support/request-loop.js';
import { type Answer, type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';

const mine = '+14155550191';
/** Of all processes; an attempt that is silent for a second is dead. */
const environment = { DEMARC_SECRET_KEY: generateSecretKey(), DEMARC_IDEMPOTENCY_LEASE_SECONDS: '1' };
let bench: ControlBench;
let api: ApiUnderTest;
let key: string;
const children: TestProcess[] = [];

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench, environment);
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

async function control(more: Readonly<Record<string, string>> = {}): Promise<ControlProcess> {
  const started = await startControlProcess(bench, { ...environment, ...more });
  children.push(started.child);
  return started;
}

const rows = () =>
  bench.database
    .selectFrom('ordered_calls')
    .select(['call_id', 'task'])
    .orderBy('created_at', 'desc')
    .execute();

/** An order that had eleven seconds is shown by what Redis knows of it. */
async function expectConsistent(callId: string, handedOver: number): Promise<void> {
  const client = bench.redis.client();
  expect(handedOver).toBe(await client.hexists(orderedCallKey(callId), 'ordered'));
  client.disconnect();
  const createdAt = (at: number) =>
    bench.database
      .updateTable('ordered_calls')
      .set({ created_at: new Date(at) })
      .where('call_id', '=', callId)
      .execute();
  await createdAt(Date.now() - 11_000);
  expect((await api.get(`/v1/calls/${callId}`, key)).body).toMatchObject(
    handedOver === 1
      ? { completed: false, queue_status: 'new' }
      : // `lost-calls.test.ts` has its end: an edge may have the call and restore it yet.
        { completed: false, status: null },
  );
  await createdAt(Date.now());
}

describe('control killed between storing an order and giving it to the edges', () => {
  // While it is down: below, where the order is repeated then.
  it('while Redis hangs: dials it once or not at all', async () => {
    const { child, url } = await control();
    bench.redis.hang();
    const before = (await rows()).length;
    const body = { phone_number: '+4930123456', from: mine, task: 'once' };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    fetch(`${url}/v1/calls`, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {});
    await until(async () => (await rows()).length > before, 5_000, 'the order is stored');
    child.signal('SIGKILL');
    await child.exit(5_000);
    bench.redis.resume();
    const [row] = await rows();
    const client = bench.redis.client();
    await until(async () => (await client.ping().catch(() => '')) === 'PONG', 5_000, 'Redis is back');
    // What was in its socket is done by now.
    await until(async () => (await api.get('/readyz', '')).status === 200, 10_000, 'control is ready');
    const orders = await client.xrange(commandStream, '-', '+');
    const handedOver = orders.filter(([, fields]) => fields[1]!.includes(row!.call_id)).length;
    client.disconnect();
    await expectConsistent(row!.call_id, handedOver);
  });
});

describe('POST /v1/calls repeated with its Idempotency-Key after control was killed', () => {
  const order = (task: string) => ({ phone_number: '+4930123456', from: mine, task });
  const send = (url: string, idempotencyKey: string) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    };
    const body = JSON.stringify(order(idempotencyKey));
    return fetch(`${url}/v1/calls`, { method: 'POST', headers, body }).catch(() => undefined);
  };
  const retry = async (idempotencyKey: string): Promise<Answer> => {
    let answer: Answer | undefined;
    await until(
      async () => {
        answer = await api.post('/v1/calls', key, order(idempotencyKey), {
          'idempotency-key': idempotencyKey,
        });
        return answer.status === 200;
      },
      10_000,
      () => `the order is taken: ${answer?.text}`,
    );
    return answer!;
  };
  const ordersOf = async (idempotencyKey: string) =>
    (await rows()).filter(({ task }) => task === idempotencyKey).map(({ call_id }) => call_id);
  const given = async (idempotencyKey: string): Promise<string[]> => {
    const client = bench.redis.client();
    const commands = (await client.xrange(commandStream, '-', '+')).map(([, fields]) => fields[1]!);
    client.disconnect();
    const calls = await ordersOf(idempotencyKey);
    return commands.map((command) => JSON.parse(command).call_id).filter((id) => calls.includes(id));
  };

  it('while Redis is down, between the commit of the order and its way to the edges, dials the one call', async () => {
    const { child, url } = await control();
    await bench.redis.kill();
    void send(url, 'not-given');
    await until(async () => (await ordersOf('not-given')).length > 0, 5_000, 'the order is stored');
    child.signal('SIGKILL');
    await child.exit(5_000);
    await bench.redis.up();
    await until(async () => (await api.get('/readyz', '')).status === 200, 10_000, 'control is ready');
    const [stored] = await ordersOf('not-given');
    await expectConsistent(stored!, (await given('not-given')).length);
    await bench.pretendEdge();
    const { body } = await retry('not-given');
    expect(await ordersOf('not-given')).toEqual([body.call_id]);
    expect(await given('not-given')).toEqual([body.call_id]);
    expect((await api.get(`/v1/calls/${body.call_id}`, key)).body).toMatchObject({ completed: false });
  });

  it('between its way to the edges and the answer, dials nothing again', async () => {
    const { child, url } = await control();
    bench.redis.hang();
    void send(url, 'not-answered');
    await until(async () => (await ordersOf('not-answered')).length > 0, 5_000, 'the order is stored');
    // The transaction that stores the answer has to wait.
    const lock = await bench.database.startTransaction().execute();
    await lock
      .selectFrom('idempotent_requests')
      .selectAll()
      .where('status', 'is', null)
      .forUpdate()
      .execute();
    bench.redis.resume();
    await until(async () => (await given('not-answered')).length === 1, 5_000, 'the edges have the order');
    child.signal('SIGKILL');
    await child.exit(5_000);
    // What has arrived at PostgreSQL already would be done still.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(bench.database);
    await lock.rollback().execute();
    const { body, headers } = await retry('not-answered');
    expect(headers.has('idempotent-replayed')).toBe(false);
    expect(await ordersOf('not-answered')).toEqual([body.call_id]);
    expect(await given('not-answered')).toEqual([body.call_id]);
    // From now on there is an answer to replay.
    const again = await send(api.url, 'not-answered');
    expect(again?.headers.get('idempotent-replayed')).toBe('true');
    expect(await again?.json()).toEqual(body);
  });
});

describe('control replaced by its successor', () => {
  it('refuses no request, and ends the streams of those who watch, which come back', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'demarc-control-')), 'order.json');
    const { child, url, port } = await control({ [successionFileVariable]: file });
    const authorization = `Bearer ${key}`;
    const stream = await fetch(`${url}/v1/noc/events`, { headers: { authorization } });
    expect(stream.status).toBe(200);
    const watched = stream.text();
    const requests = new RequestLoop(`${url}/v1/sip?phone_number=${encodeURIComponent(mine)}`, {
      authorization,
    });
    const [program, args] = demarcCommand('control', []);
    const variables = {
      PATH: process.env.PATH!,
      DATABASE_URL: bench.databaseUrl,
      DEMARC_REDIS_URL: bench.redis.url,
      ...environment,
      DEMARC_HTTP_PORT: String(port),
      [outlivesParent]: 'yes',
    };
    const successor = { file: program, args, environment: variables };
    writeFileSync(file, JSON.stringify(successor));
    child.signal('SIGUSR2');
    expect(await child.exit(60_000)).toBe(0);
    const { pid } = z.object({ pid: z.int() }).parse(JSON.parse(readFileSync(file, 'utf8')));
    try {
      expect(await watched).toContain('"reason":"shutdown"');
      const again = await fetch(`${url}/v1/noc/events`, { headers: { authorization } });
      expect(again.status).toBe(200);
      await again.body!.cancel();
      await requests.stop();
      expect(requests.failures).toEqual([]);
      expect(requests.answered).toBeGreaterThan(20);
    } finally {
      process.kill(pid, 'SIGTERM');
      await until(() => startOf(pid) === undefined, 10_000, 'the end of the successor');
      rmSync(dirname(file), { recursive: true });
    }
  });
});
