import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callStream, numberKey } from '../../../src/contract/keys.js';
import { newId } from '../../../src/control/organizations/identifiers.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { until } from '../../../src/testkit/waiting.js';
import { sideBySide } from '../../support/side-by-side.js';
import { SilentRelay } from '../../support/silent-relay.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';
import { Receiver } from './deliveries/receiver.js';
import { sampleRecord } from './history/sample-record.js';

sideBySide(3, () => {
  let bench: ControlBench;
  let relay: SilentRelay;
  let receiver: Receiver;
  let api: ApiUnderTest;
  let key: string;

  beforeAll(async () => {
    [bench, receiver] = await Promise.all([ControlBench.start(), Receiver.start()]);
    relay = await SilentRelay.open(bench.redis.port);
    api = await startApi(
      { databaseUrl: bench.databaseUrl, redis: { url: `redis://127.0.0.1:${relay.port}` } },
      { DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true' },
    );
    ({ key } = await createKey(bench.database, bench.organization, 'test'));
    await prepare();
  });
  afterAll(async () => {
    bench?.redis.resume();
    await api?.stop();
    await relay?.close();
    await receiver?.stop();
    await bench?.stop();
  });

  /** One knowledge base, one agent test and one port request, which every break makes due again. */
  async function prepare(): Promise<void> {
    const created = await api.post('/v1/personas', key, {
      name: 'Desk',
      orchestration_prompt: 'You answer.',
    });
    const scenario = await api.post('/v1/agent-testing/scenarios', key, {
      name: 'Asks',
      tester_persona_prompt: 'You ask.',
      persona_id: created.body.data.id,
      max_turns: 1,
    });
    const started = await api.post(`/v1/agent-testing/scenarios/${scenario.body.data.id}/run`, key, {});
    expect(started.body.errors).toBeNull();
    const learned = await api.post('/v1/knowledge/learn', key, { name: 'Shop', text: 'We open at nine.' });
    expect(learned.body.errors).toBeNull();
    await bench.database
      .insertInto('port_requests')
      .values({
        id: 'port_1',
        organization_id: bench.organization,
        status: 'waiting_for_signature',
        carrier: 'manual',
        carrier_reference: null,
        information: '',
        authorized_email: 'j@example.com',
        notification_emails: '[]',
        documents: '[]',
        target_day: '2099-01-01',
        carrier_due_at: null,
      })
      .execute();
    await Promise.all(
      Object.values(work).map(({ isDone }) => until(isDone, 20_000, 'the first work is done')),
    );
  }

  async function countOf(query: ReturnType<typeof sql<{ count: string }>>): Promise<number> {
    return Number((await query.execute(bench.database)).rows[0]!.count);
  }
  const none = async (query: ReturnType<typeof sql<{ count: string }>>): Promise<boolean> =>
    (await countOf(query)) === 0;

  let last = 0;
  const published: string[] = [];

  /** Work of every queue and consumer: how it is made due, and how its completion shows in PostgreSQL or Redis. */
  const work = {
    deliveries: {
      make: async () => {
        await bench.database
          .insertInto('deliveries')
          .values({
            id: newId('dlv'),
            organization_id: bench.organization,
            event: 'call.completed',
            subject: `call-${++last}`,
            channel: 'webhook',
            target: receiver.url(),
            status: 'pending',
            content: JSON.stringify({ body: { last } }),
            endpoint_id: null,
            event_id: null,
            last_status: null,
            last_error: null,
          })
          .execute();
      },
      isDone: () => none(sql`select count(*) from deliveries where status = 'pending'`),
    },
    'agent tests': {
      make: async () => {
        // One attempt more than is allowed: it ends without a conversation.
        await sql`update agent_test_runs
          set status = 'PENDING', due_at = now(), completed_at = null, lease_until = null, attempts = 2`.execute(
          bench.database,
        );
      },
      isDone: () => none(sql`select count(*) from agent_test_runs where due_at is not null`),
    },
    knowledge: {
      make: async () => {
        await sql`update knowledge_bases
          set status = 'PROCESSING', due_at = now(), lease_until = null, attempts = 0`.execute(
          bench.database,
        );
      },
      isDone: () => none(sql`select count(*) from knowledge_bases where due_at is not null`),
    },
    ports: {
      make: async () => {
        await sql`update port_requests set carrier_due_at = now()`.execute(bench.database);
      },
      isDone: () => none(sql`select count(*) from port_requests where carrier_due_at is not null`),
    },
  } as const;

  /** What edges put into Redis, and what the API puts there: possible only while Redis takes writes. */
  const streams = {
    'call records': {
      make: async () => {
        const record = sampleRecord(`call-${++last}`, { organization: bench.organization });
        published.push(record.call_id);
        const client = bench.redis.client();
        await client.xadd(callStream, '*', 'record', JSON.stringify(record));
        client.disconnect();
      },
      isDone: async () =>
        (await countOf(
          sql`select count(*) from calls where call_id = any(${sql.val(published)}::text[])`,
        )) === published.length,
    },
    numbers: {
      make: async () => {
        await bench.configure(`1415555${1_000 + ++last}`);
      },
      isDone: async () => {
        const client = bench.redis.client();
        const document = await client.get(numberKey(`1415555${1_000 + last}`));
        client.disconnect();
        return document !== null;
      },
    },
  } as const;

  const replica = async (...of: [string, string]): Promise<void> => {
    const client = bench.redis.client();
    await client.replicaof(...of);
    client.disconnect();
  };
  const killClients = async (): Promise<void> => {
    const client = bench.redis.client();
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    client.disconnect();
  };

  it.each([
    // Commands are in flight when their connections end: the feeders ask once a second.
    ['cut with commands in flight', 1_500, () => relay.silence(), () => relay.cut()],
    // Longer than a connection may be silent.
    ['a black hole', 13_000, () => relay.silence(), () => relay.restore()],
    ['hung by SIGSTOP', 4_000, () => bench.redis.hang(), () => bench.redis.resume()],
    ['CLIENT KILL', 0, killClients, () => {}],
    ['killed and restarted empty', 500, () => bench.redis.kill(), () => bench.redis.up()],
    ['a replica during a failover', 2_500, () => replica('127.0.0.1', '1'), () => replica('NO', 'ONE')],
  ] as const)(
    'resumes every queue and consumer automatically after Redis was: %s',
    async (_, milliseconds, begin, end) => {
      await begin();
      try {
        await Promise.all(Object.values(work).map(({ make }) => make()));
        await sleep(milliseconds);
      } finally {
        await end();
      }
      const watch = Stopwatch.start();
      const all = Object.entries({ ...work, ...streams });
      const late = await Promise.all(
        all.map(async ([name, { make, isDone }]) => {
          await make();
          await until(isDone, 20_000, name).catch(() => {});
          const { milliseconds } = watch;
          return [name, (await isDone()) ? Math.round(milliseconds) : 'never'];
        }),
      );
      const most = watch.bound(15_000);
      expect(late.filter(([, took]) => took === 'never' || Number(took) > most)).toEqual([]);
      await until(async () => (await api.get('/readyz', '')).status === 200, 10_000, 'control is ready');
    },
    180_000,
  );
});
