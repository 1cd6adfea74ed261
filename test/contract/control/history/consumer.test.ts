import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallRecord } from '../../../../src/contract/call-record.js';
import { callStream } from '../../../../src/contract/keys.js';
import { momentStream } from '../../../../src/contract/moments.js';
import { generateSecretKey } from '../../../../src/contract/secret.js';
import { trimMoments } from '../../../../src/control/calls/events/moment-consumer.js';
import { storeMoments } from '../../../../src/control/calls/events/moment-storage.js';
import { CallConsumer, type CallConsumerDeps } from '../../../../src/control/calls/history/call-consumer.js';
import { readCall } from '../../../../src/control/calls/history/call-page.js';
import { Retention } from '../../../../src/control/calls/history/retention.js';
import { TraceArchive, withTrace } from '../../../../src/control/calls/history/trace-archive.js';
import { erasePartyCalls } from '../../../../src/control/calls/parties/erase.js';
import { S3Store } from '../../../../src/control/objects/s3-store.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization, setCallRetention } from '../../../../src/control/organizations/organizations.js';
import {
  compareEntryIds,
  consumerGroup,
  readPosition,
} from '../../../../src/control/streams/stream-position.js';
import { until } from '../../../../src/testkit/waiting.js';
import { startControlProcess } from '../../../support/control-process.js';
import { ObjectStore } from '../../../support/object-store.js';
import { Stopwatch } from '../../../support/stopwatch.js';
import { startApi } from '../api-under-test.js';
import { ControlBench, log } from '../control-bench.js';
import { sampleRecord } from './sample-record.js';

let bench: ControlBench;
let client: Redis;
const consumers: CallConsumer[] = [];
let store: ObjectStore | undefined;

async function startConsumer(
  options: Pick<CallConsumerDeps, 'takeOverMilliseconds' | 'housekeeping' | 'traces'> = {},
): Promise<CallConsumer> {
  const consumer = new CallConsumer({
    database: bench.database,
    redis: bench.connectRedis(),
    reader: bench.connectRedis({ commandTimeout: 10_000 }),
    log,
    ...options,
  });
  await consumer.start();
  consumers.push(consumer);
  return consumer;
}

async function publish(...records: readonly (CallRecord | string)[]): Promise<void> {
  const pipeline = client.pipeline();
  for (const record of records) {
    pipeline.xadd(callStream, '*', 'record', typeof record === 'string' ? record : JSON.stringify(record));
  }
  await pipeline.exec();
}

async function count(table: 'calls' | 'refused_call_records' = 'calls'): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(table)}`.execute(
    bench.database,
  );
  return Number(rows[0]!.count);
}

/** How many times Redis ran the command. */
async function countOf(command: string): Promise<number> {
  const text = await client.info('commandstats');
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(text)?.[1] ?? 0);
}

const pending = async (): Promise<number> =>
  ((await client.xpending(callStream, consumerGroup)) as [number])[0];

beforeAll(async () => {
  bench = await ControlBench.start({ ownPostgres: true });
  client = bench.redis.client();
});

afterEach(async () => {
  await store?.stop();
  store = undefined;
  for (const consumer of consumers.splice(0)) await consumer.stop();
  await client.del(callStream);
  await sql`truncate calls, refused_call_records`.execute(bench.database);
});

afterAll(async () => {
  client?.disconnect();
  await bench?.stop();
});

describe('call history from the stream', () => {
  it('stores a record whole, once, however often it arrives', async () => {
    const record = sampleRecord('call-1');
    await publish(record, record);
    await startConsumer();
    await publish(record);
    await until(async () => (await count()) === 1 && (await pending()) === 0, 5_000, 'stored');
    const found = await readCall(bench.database, 'org-1', 'call-1');
    expect(found?.record).toEqual(record);
    expect(found?.row).toMatchObject({
      caller: '+14155550199',
      called: '+12025550100',
      sip_status: 200,
      source_address: '198.51.100.9',
    });
    expect(await readCall(bench.database, 'org-2', 'call-1')).toBeUndefined();
  });

  it('records of a second share a transaction, and the first one does not wait', async () => {
    await startConsumer();
    await publish(sampleRecord('first'));
    const watch = Stopwatch.start();
    await until(async () => (await count()) === 1, 5_000, 'the first is stored');
    expect(watch.milliseconds).toBeLessThan(watch.bound(900));
    const before = await countOf('xack');
    const from = performance.now();
    for (let index = 0; index < 60; index++) {
      await publish(sampleRecord(`paced-${index}`));
      await sleep(20);
    }
    await until(async () => (await count()) === 61 && (await pending()) === 0, 5_000, 'all are stored');
    const seconds = (performance.now() - from) / 1_000;
    expect((await countOf('xack')) - before).toBeLessThanOrEqual(1 + Math.ceil(seconds));
  });

  it('a record that PostgreSQL refuses does not stop the others of its batch', async () => {
    const before = [
      sampleRecord('good-1'),
      sampleRecord('bad', { ended_at: '0000-99-99' }),
      sampleRecord('good-2'),
    ];
    await publish(...before);
    await startConsumer();
    await until(async () => (await count()) === 2 && (await pending()) === 0, 5_000, 'the good ones');
    expect(await count('refused_call_records')).toBe(1);
  });

  it('shows records of an edge that knew nothing of attempts yet', async () => {
    await startConsumer();
    const { attempts: _, ...record } = sampleRecord('early');
    await publish(JSON.stringify(record));
    await until(async () => (await count()) === 1, 5_000, 'the record is stored');
    const found = await readCall(bench.database, record.organization!, 'early');
    expect(found?.record.attempts).toEqual([]);
  });

  it('sets aside invalid call records and continues', async () => {
    await startConsumer();
    await publish('{"version": 2}', 'not json', sampleRecord('call-2'));
    await client.xadd(callStream, '*', 'other', 'field');
    await until(async () => (await count('refused_call_records')) === 3, 5_000, 'set aside');
    await until(async () => (await count()) === 1 && (await pending()) === 0, 5_000, 'stored');
  });

  it('stores records with text that PostgreSQL does not hold', async () => {
    await startConsumer();
    const strange = sampleRecord('call-\u0000-3', { sip_reason: 'a\u0000b', from: '<sip:\ud800@x>' });
    await publish(strange);
    await until(async () => (await count()) === 1 && (await pending()) === 0, 5_000, 'stored');
    const { rows } = await sql<{ call_id: string }>`select call_id from calls`.execute(bench.database);
    expect(rows[0]?.call_id).toBe('call-\ufffd-3');
  });

  it('shares the stream among processes without storing anything twice', async () => {
    await Promise.all([startConsumer(), startConsumer(), startConsumer()]);
    for (let batch = 0; batch < 10; batch += 1) {
      await publish(...Array.from({ length: 50 }, (_, index) => sampleRecord(`shared-${batch}-${index}`)));
    }
    await until(async () => (await count()) === 500 && (await pending()) === 0, 15_000, 'stored');
  });

  it('waits while PostgreSQL is down and then stores everything', async () => {
    const consumer = await startConsumer();
    await publish(sampleRecord('before'));
    await until(async () => (await count()) === 1, 5_000, 'first');
    await bench.postgres.kill();
    await publish(...Array.from({ length: 20 }, (_, index) => sampleRecord(`away-${index}`)));
    await until(() => !consumer.state().ready, 5_000, 'noticed');
    await bench.postgres.up();
    await until(
      async () => (await count().catch(() => 0)) === 21 && (await pending()) === 0,
      10_000,
      'stored',
    );
    expect(consumer.state().ready).toBe(true);
  });

  it('begins again after Redis was emptied', async () => {
    await startConsumer();
    await publish(sampleRecord('one'));
    await until(async () => (await count()) === 1, 5_000, 'first');
    await client.flushall();
    await publish(sampleRecord('two'));
    await until(async () => (await count()) === 2, 10_000, 'second');
  });

  it('takes over the pending entries of a dead process', async () => {
    await client.xgroup('CREATE', callStream, consumerGroup, '0', 'MKSTREAM');
    await publish(sampleRecord('orphan-1'), sampleRecord('orphan-2'));
    await client.xreadgroup('GROUP', consumerGroup, 'dead', 'COUNT', 10, 'STREAMS', callStream, '>');
    expect(await pending()).toBe(2);
    await startConsumer({ takeOverMilliseconds: 300 });
    await until(async () => (await count()) === 2 && (await pending()) === 0, 5_000, 'taken over');
  });

  it('trims stored entries from the stream, but none that is not stored yet', async () => {
    await client.xgroup('CREATE', callStream, consumerGroup, '0', 'MKSTREAM');
    const add = (at: number, callId: string) =>
      client.xadd(callStream, `${at}-1`, 'record', JSON.stringify(sampleRecord(callId)));
    const ids = async (): Promise<number[]> =>
      (await client.xrange(callStream, '-', '+')).map(([id]) => Number(id.split('-')[0]));
    await add(1_000, 'first');
    await add(2_000, 'in other hands');
    await client.xreadgroup('GROUP', consumerGroup, 'other', 'COUNT', 2, 'STREAMS', callStream, '>');
    await client.xack(callStream, consumerGroup, '1000-1');
    await add(3_000, 'third');
    await startConsumer({ housekeeping: { everyMilliseconds: 100, keepMilliseconds: 0 } });
    await until(async () => (await ids())[0] === 2_000, 5_000, 'the first is gone');
    expect(await ids()).toEqual([2_000, 3_000]);
    await client.xack(callStream, consumerGroup, '2000-1');
    await until(async () => (await ids()).length === 1, 5_000, 'the second is gone');
    expect(await count()).toBe(1);
    await client.xgroup('CREATE', callStream, 'somebody else', '0');
    await add(4_000, 'fourth');
    await until(async () => (await count()) === 2, 5_000, 'stored');
    expect(await ids()).toEqual([3_000, 4_000]);
  });

  it('loses and doubles nothing when control is killed in the middle of its batches', async () => {
    const total = 1_000;
    const records = Array.from({ length: total }, (_, index) => sampleRecord(`killed-${index}`));
    await publish(...records);
    // A batch takes two seconds to insert, so that a kill at its beginning surely comes before its acknowledgement.
    await sql`create or replace function slow() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.008); return new; end $$`.execute(bench.database);
    await sql`create trigger slow before insert on calls for each row execute function slow()`.execute(
      bench.database,
    );
    const isInserting = async (): Promise<boolean> => {
      const { rows } = await sql`
        select from pg_stat_activity where wait_event = 'PgSleep'`.execute(bench.database);
      return rows.length > 0;
    };
    try {
      const { child } = await startControlProcess(bench, { DEMARC_SECRET_KEY: generateSecretKey() });
      await until(
        async () => (await count()) > 0 && (await isInserting()),
        40_000,
        () => `progress: ${child.output.slice(-2_000)}`,
      );
      child.signal('SIGKILL');
      await child.exit(5_000);
    } finally {
      await sql`drop trigger slow on calls`.execute(bench.database);
    }
    expect(await count()).toBeLessThan(total);
    expect(await pending()).toBeGreaterThan(0);
    await startConsumer({ takeOverMilliseconds: 500 });
    await until(async () => (await count()) === total && (await pending()) === 0, 30_000, 'all stored');
    const { rows } = await sql<{ count: string }>`select count(distinct call_id) from calls`.execute(
      bench.database,
    );
    expect(Number(rows[0]!.count)).toBe(total);
  });
});

describe('events of calls that no webhook wants', () => {
  const entry = (id: string, json: string) => ({ id, json });
  const moment = JSON.stringify({
    kind: 'call',
    stage: 'initiated',
    call: {
      call_id: 'one',
      organization: 'org-1',
      number: null,
      direction: 'inbound',
      from: '',
      to: '',
      source_address: '',
      sip_call_id: '',
      started_at: '2026-11-22T00:00:00.000Z',
      ringing_at: null,
      answered_at: null,
    },
  });

  it('move the position alone, and never back', async () => {
    const { database } = bench;
    const stored = (after: string, ...ids: string[]) =>
      storeMoments(
        database,
        ids.map((id) => entry(id, id === '2-0' ? 'not JSON' : moment)),
        after,
      );
    expect(await stored('0-0', '1-0', '2-0')).toEqual({ position: '2-0', refused: 1, queued: 0 });
    expect(await stored('2-0', '3-0')).toEqual({ position: '3-0', refused: 0, queued: 0 });
    expect(await stored('3-0', '4-0', '5-0')).toEqual({ position: '5-0', refused: 0, queued: 0 });
    // Another process, which has read the same entries.
    expect(await stored('2-0', '3-0', '4-0')).toEqual({ position: '5-0', refused: 0, queued: 0 });
    expect(await readPosition(database, momentStream)).toBe('5-0');
  });

  it('leave Redis a minute after they were stored, and not before', async () => {
    const now = Date.now();
    const addMany = async (count: number, milliseconds: number): Promise<void> => {
      const pipeline = client.pipeline();
      for (let index = 0; index < count; index++)
        pipeline.xadd(momentStream, `${milliseconds}-${index}`, 'moment', moment);
      await pipeline.exec();
    };
    const secondsAgo = (seconds: number): number => now - seconds * 1_000;
    await addMany(20_000, secondsAgo(300));
    await addMany(100, secondsAgo(30));
    // Whole nodes of the stream, of 4 KB.
    const rest = 20;
    await trimMoments(client, `${secondsAgo(300)}-4999`, now);
    const notStored = 15_000 + 100;
    const kept = await client.xlen(momentStream);
    expect(kept).toBeGreaterThanOrEqual(notStored);
    expect(kept).toBeLessThan(notStored + rest);
    await trimMoments(client, `${secondsAgo(30)}-99`, now);
    const young = await client.xlen(momentStream);
    expect(young).toBeGreaterThanOrEqual(100);
    expect(young).toBeLessThan(100 + rest);
  });
});

describe('retention', () => {
  it('deletes only records older than the retention', async () => {
    await startConsumer();
    const days = (age: number): string => new Date(Date.now() - age * 86_400_000).toISOString();
    await publish(
      sampleRecord('old', { started_at: days(31) }),
      sampleRecord('older', { started_at: days(400) }),
      sampleRecord('young', { started_at: days(29) }),
    );
    await until(async () => (await count()) === 3, 5_000, 'stored');
    const retention = new Retention({ database: bench.database, log, days: 30 });
    expect(await retention.sweep()).toBe(2);
    const { rows } = await sql<{ call_id: string }>`select call_id from calls`.execute(bench.database);
    expect(rows).toEqual([{ call_id: 'young' }]);
    await retention.stop();
  });

  it('is shorter for an organization that wants so', async () => {
    await startConsumer();
    const at = new Date(Date.now() - 10 * 86_400_000).toISOString();
    const stranger = await createOrganization(bench.database, { name: 'others', sipEnabled: true });
    await publish(
      sampleRecord('its', { started_at: at, organization: bench.organization }),
      sampleRecord('of-others', { started_at: at, organization: stranger.id }),
      sampleRecord('of-nobody', { started_at: at, organization: null }),
    );
    await until(async () => (await count()) === 3, 5_000, 'stored');
    const retention = new Retention({ database: bench.database, log, days: 0 });
    await setCallRetention(bench.database, bench.organization, 11);
    expect(await retention.sweep()).toBe(0);
    await setCallRetention(bench.database, bench.organization, 9);
    expect(await retention.sweep()).toBe(1);
    const { rows } = await sql<{ call_id: string }>`select call_id from calls order by call_id`.execute(
      bench.database,
    );
    expect(rows).toEqual([{ call_id: 'of-nobody' }, { call_id: 'of-others' }]);
    await setCallRetention(bench.database, bench.organization, null);
    await retention.stop();
  });
});

it('compares ids of entries as numbers', () => {
  expect(['10-2', '9-11', '10-10'].toSorted(compareEntryIds)).toEqual(['9-11', '10-2', '10-10']);
});

describe('traces in an object store', () => {
  /** With the traces of these calls in it. */
  async function archiveOf(...records: readonly CallRecord[]) {
    store = await ObjectStore.start();
    const { settings, url } = store;
    const counted = { moved: 0, kept: 0 };
    const traces = new TraceArchive({
      database: bench.database,
      store: new S3Store({ ...settings, url }),
      log,
      takesNew: true,
      count: (result, count) => {
        counted[result] += count;
      },
    });
    await publish(...records);
    await startConsumer({ traces });
    await until(async () => (await count()) === records.length, 5_000, 'stored');
    return { traces, store, counted };
  }
  const wholeOf = async (archive: TraceArchive | undefined, callId: string) =>
    withTrace(archive, (await readCall(bench.database, 'org-1', callId))!);
  const objects = () => bench.database.selectFrom('call_trace_objects').selectAll().execute();
  beforeEach(() => sql`truncate call_trace_objects`.execute(bench.database));

  it('are one object for the calls of a second, and come back whole', async () => {
    const records = ['one', 'two', 'three'].map((id) => sampleRecord(id));
    const { traces, store, counted } = await archiveOf(...records);
    expect(store.objects.size).toBe(1);
    expect(counted).toEqual({ moved: 3, kept: 0 });
    for (const record of records)
      expect(await wholeOf(traces, record.call_id)).toMatchObject({ record, isTraceUnavailable: false });
    const { rows } = await sql<{ call_id: string }>`
      select call_id from calls where octet_length(record) > 1000`.execute(bench.database);
    expect(rows).toEqual([]);
    // Nothing of the calls can be read in the store.
    expect(String([...store.objects.values()][0])).not.toContain('INVITE');
  });

  it('stay in PostgreSQL while the store is down, and are said to be unavailable', async () => {
    const { traces, store, counted } = await archiveOf(sampleRecord('before'));
    store.isDown = true;
    await publish(sampleRecord('during'));
    await until(async () => (await count()) === 2, 10_000, 'stored without the store');
    expect(counted).toEqual({ moved: 1, kept: 1 });
    expect((await wholeOf(traces, 'during')).record.trace).toHaveLength(8);
    for (const archive of [traces, undefined])
      expect(await wholeOf(archive, 'before')).toMatchObject({
        record: { trace: [], trace_truncated: true },
        isTraceUnavailable: true,
      });
    // And come back from there.
    store.isDown = false;
    expect((await wholeOf(traces, 'before')).record.trace).toHaveLength(8);
  });

  it('go a day after the calls, or sooner where that is set', async () => {
    const { traces, store } = await archiveOf(sampleRecord('old'));
    const age = (days: number) =>
      sql`update call_trace_objects set stored_at = now() - make_interval(days => ${days})`.execute(
        bench.database,
      );
    const deps = { database: bench.database, log, traces };
    await age(30);
    // The record of the sample is younger than a decade.
    await new Retention({ ...deps, days: 0 }).sweep();
    await new Retention({ ...deps, days: 36_500, traceDays: 31 }).sweep();
    expect(store.objects.size).toBe(1);
    store.isDown = true;
    await new Retention({ ...deps, days: 36_500, traceDays: 29 }).sweep();
    expect(await objects()).toHaveLength(1);
    store.isDown = false;
    await new Retention({ ...deps, days: 36_500, traceDays: 29 }).sweep();
    expect([store.objects.size, await objects()]).toEqual([0, []]);
    expect(await wholeOf(traces, 'old')).toMatchObject({
      record: { trace: [], trace_truncated: true },
      isTraceUnavailable: false,
    });
  });

  it('cannot be read any more once their contact is erased', async () => {
    const { traces } = await archiveOf(
      sampleRecord('erased'),
      sampleRecord('other', { from: '<sip:anonymous@carrier.example>' }),
    );
    const erased = await bench.database
      .transaction()
      .execute((transaction) =>
        erasePartyCalls(transaction, { organizationId: 'org-1', numbers: ['+14155550199'] }),
      );
    expect(erased).toMatchObject({ calls: 1, traceMessages: 8 });
    const found = await readCall(bench.database, 'org-1', 'erased');
    expect(found).toMatchObject({ record: { trace: [] } });
    expect(found).not.toHaveProperty('storedTrace');
    expect((await wholeOf(traces, 'other')).record.trace).toHaveLength(8);
  });

  it('are read by the API as JSON, text and pcap', async () => {
    const { store } = await archiveOf(sampleRecord('asked', { organization: bench.organization }));
    const { keyId, secret } = store.settings;
    const api = await startApi(bench, {
      DEMARC_TRACE_STORE: 's3',
      DEMARC_DOCUMENT_S3_URL: store.url,
      DEMARC_DOCUMENT_S3_REGION: store.settings.region,
      DEMARC_DOCUMENT_S3_KEY_ID: keyId,
      DEMARC_DOCUMENT_S3_SECRET: secret,
    });
    try {
      const { key } = await createKey(bench.database, bench.organization, 'traces');
      const ask = (format: string) => api.get(`/v1/sip/calls/asked?format=${format}`, key);
      const json = await ask('json');
      expect(json.body.data).toMatchObject({ trace_unavailable: false, trace_truncated: false });
      expect(json.body.data.trace).toHaveLength(8);
      expect((await ask('text')).text).toContain('INVITE');
      expect((await ask('pcap')).bytes.length).toBeGreaterThan(1_000);
      store.isDown = true;
      expect((await ask('json')).body.data).toMatchObject({
        call_id: 'asked',
        trace: [],
        trace_unavailable: true,
      });
      for (const format of ['text', 'pcap']) {
        const { status, body, headers } = await ask(format);
        expect([status, body.errors[0].error, headers.get('retry-after')]).toEqual([
          503,
          'TRACE_UNAVAILABLE',
          '1',
        ]);
      }
    } finally {
      await api.stop();
    }
  });
});
