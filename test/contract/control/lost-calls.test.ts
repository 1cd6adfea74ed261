import type { Redis } from 'ioredis';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { heldCallsKey, holdersKey } from '../../../src/contract/held-call.js';
import { edgeLeaseKey, orderedCallKey } from '../../../src/contract/keys.js';
import {
  type EdgeHeartbeat,
  heartbeatKey,
  type LiveCall,
  liveCallsKey,
  liveEdgesKey,
  rememberedMilliseconds,
} from '../../../src/contract/live.js';
import { openCallOwnersKey, openCallsKey } from '../../../src/contract/open-calls.js';
import { readEntry, storeEntries } from '../../../src/control/calls/history/call-storage.js';
import { LostCalls } from '../../../src/control/calls/lost/lost-calls.js';
import { OrphanedCalls } from '../../../src/control/calls/lost/orphaned-calls.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { until } from '../../../src/testkit/waiting.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench, log } from './control-bench.js';
import { sampleRecord } from './history/sample-record.js';

const mine = '+14155550177';
const receiver = 'http://127.0.0.1:1/never';

let bench: ControlBench;
let api: ApiUnderTest;
let redis: Redis;
let key: string;
/** Two control processes look. */
let lost: readonly [LostCalls, LostCalls];

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench, { DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true' });
  redis = bench.redis.client();
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  const directions = [{ type: 'outbound', sip_endpoint: 'sip:pbx.example.com' }];
  await api.post('/v1/sip/attach', key, { phone_numbers: [mine], directions, service: 'sip' });
});
afterAll(async () => {
  redis?.disconnect();
  await api?.stop();
  await bench?.stop();
});
beforeEach(async () => {
  await bench.pretendEdge();
  const parts = { database: bench.database, redis: bench.connectRedis(), log };
  lost = [new LostCalls(parts), new LostCalls(parts)];
  await until(() => parts.redis.status === 'ready', 5_000, 'Redis');
  await sql`delete from call_minutes`.execute(bench.database);
});

/** An order of two minutes ago. */
async function order(): Promise<string> {
  const body = { phone_number: '+4930123456', from: mine, task: 'x', webhook: receiver };
  const { call_id: callId } = (await api.post('/v1/calls', key, body)).body;
  await bench.database
    .updateTable('ordered_calls')
    .set({ created_at: new Date(Date.now() - 120_000) })
    .where('call_id', '=', callId)
    .execute();
  return callId;
}

const sweep = () => Promise.all(lost.map((sweeper) => sweeper.sweep()));
const read = async (callId: string) => (await api.get(`/v1/calls/${callId}`, key)).body;
const inHistory = async (callId: string) => {
  const { calls } = (await api.get('/v1/sip/calls?limit=500', key)).body.data;
  return calls.filter((call: { call_id: string }) => call.call_id === callId);
};
/** Calls of the organization by the reason of their end, as overviews count them. */
const counts = async (): Promise<Record<string, number>> => {
  const rows = await bench.database
    .selectFrom('call_minutes')
    .select(['end_reason', 'calls'])
    .where('organization_id', '=', bench.organization)
    .execute();
  const sums: Record<string, number> = {};
  for (const { end_reason, calls } of rows) sums[end_reason] = (sums[end_reason] ?? 0) + calls;
  return sums;
};
const webhooksOf = async (callId: string): Promise<string[]> => {
  const rows = await bench.database
    .selectFrom('deliveries')
    .select('event')
    .where('subject', '=', callId)
    .orderBy('event')
    .execute();
  return rows.map(({ event }) => event);
};
/** Not so old that control would forget it. */
const endedAt = new Date().toISOString();
const recordOf = (callId: string, changes: object = {}) =>
  readEntry({
    id: '1-1',
    json: JSON.stringify(
      sampleRecord(callId, {
        organization: bench.organization,
        number: mine.slice(1),
        direction: 'outbound',
        started_at: endedAt,
        ringing_at: endedAt,
        answered_at: endedAt,
        ended_at: endedAt,
        end_reason: 'callee_hung_up',
        ended_by: 'callee',
        ...changes,
      }),
    ),
  });

const heartbeatOf = (edgeId: string): EdgeHeartbeat => ({
  edge_id: edgeId,
  version: '1.2.3',
  since: endedAt,
  at: endedAt,
  draining: false,
  engine: { up: true, kind: 'embedded', listeners: [] },
  rtpengine: [],
  redis: { ready: true, detail: 'connected' },
  counts: { calls: 1, ringing: 1, answered: 0, ending: 0, records_waiting: 0, owed_deletions: 0 },
  calls_per_second: 0,
  organizations: {},
  event_loop_delay_milliseconds: 1,
  memory_bytes: 1,
  takeovers: [],
});

const unclaimed = [
  ['that no edge took', 'order_not_taken', 'No edge took', async (_callId: string) => {}],
  [
    'that an edge found too late',
    'order_not_taken',
    'No edge took',
    async (callId: string) => {
      await redis.hset(orderedCallKey(callId), 'phase', 'expired');
    },
  ],
  [
    'whose turn did not come',
    'order_expired',
    'at its limits',
    async (callId: string) => {
      const until = String(Date.now() - 20_000);
      const taken = ['claimed_by', 'edge-1 ab', 'phase', 'expired'];
      await redis.hset(orderedCallKey(callId), 'command', '{}', 'until', until, ...taken);
    },
  ],
  [
    'that waits in a line that no edge looks at any more',
    'order_expired',
    'at its limits',
    async (callId: string) => {
      await redis.hset(orderedCallKey(callId), 'command', '{}', 'until', String(Date.now() - 20_000));
    },
  ],
] as const;

describe('an order to call', () => {
  it.each(unclaimed)('%s is failed in the history, once', async (_what, reason, message, happen) => {
    const callId = await order();
    await happen(callId);
    const before = await read(callId);
    await sweep();
    await sweep();
    const [entry, ...more] = await inHistory(callId);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      direction: 'outbound',
      from: mine,
      to: '+4930123456',
      outcome: 'failed',
      end_reason: reason,
      cause: expect.stringContaining('not dialled'),
      sip_code: null,
      answered_at: null,
    });
    const after = await read(callId);
    expect(after).toMatchObject({
      completed: true,
      status: 'failed',
      queue_status: 'queue_error',
      started_at: null,
      error_message: expect.stringContaining(message),
      cause: entry.cause,
      advice: entry.advice,
      call_length: null,
      answered_by: null,
      sip: { code: null, reason: null, side: 'edge', end_reason: reason },
    });
    // A request before it was stored got the same answer.
    const withoutEnd = { ended_at: null, end_at: null };
    expect({ ...before, ...withoutEnd }).toEqual({ ...after, ...withoutEnd });
    expect(await counts()).toEqual({ [reason]: 1 });
    expect(await webhooksOf(callId)).toEqual(['call.lost']);
    // A day later Redis knows nothing any more.
    await redis.del(orderedCallKey(callId));
    expect(await read(callId)).toEqual(after);
    expect((await api.get(`/v1/sip/calls/${callId}`, key)).body.data).toMatchObject({
      trace: [],
      attempts: [],
      detail: expect.stringContaining(message),
    });
    expect((await api.get(`/v1/sip/calls/${callId}?format=text`, key)).text).toContain(reason);
  });

  it('counts as active after Redis lost it, until it is clear that no edge restores it; then its end is unknown', async () => {
    const [running, gone] = [await order(), await order()];
    const fields = await redis.hgetall(orderedCallKey(running));
    await redis.del(orderedCallKey(running), orderedCallKey(gone));
    await sweep();
    for (const callId of [running, gone]) {
      expect(await read(callId)).toMatchObject({ completed: false, status: null });
      expect(await inHistory(callId)).toEqual([]);
    }
    // Its edge notices that Redis lost its data.
    await redis.set(edgeLeaseKey('edge-1 ab'), '1');
    await redis.hset(orderedCallKey(running), { ...fields, claimed_by: 'edge-1 ab', phase: 'answered' });
    await sweep();
    expect(await inHistory(running)).toEqual([]);
    expect(await inHistory(gone)).toMatchObject([{ outcome: 'failed', end_reason: 'edge_lost' }]);
    expect(await read(gone)).toMatchObject({
      completed: true,
      status: 'unknown',
      queue_status: 'call_error',
      error_message: expect.stringContaining('Redis lost the order'),
    });
    await redis.del(edgeLeaseKey('edge-1 ab'), orderedCallKey(running));
    await storeEntries(bench.database, [recordOf(running)]);
  });

  it('has not ended when its edge could not renew its lease because Redis refused writes', async () => {
    const callId = await order();
    await redis.hset(orderedCallKey(callId), { claimed_by: 'edge-1 ab', phase: 'answered' });
    await redis.config('SET', 'maxmemory', '1');
    try {
      for (let round = 0; round < 2; round++) await expect(sweep()).rejects.toThrow('OOM');
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
    await sweep();
    await redis.set(edgeLeaseKey('edge-1 ab'), '1');
    await sweep();
    expect(await inHistory(callId)).toEqual([]);
    await redis.del(edgeLeaseKey('edge-1 ab'));
    await storeEntries(bench.database, [recordOf(callId)]);
  });

  it('is cancelled when it was stopped before any edge took it', async () => {
    const callId = await order();
    await api.post(`/v1/calls/${callId}/stop`, key, {});
    await sweep();
    // An edge that was about to take it would tell.
    expect(await inHistory(callId)).toEqual([]);
    await sweep();
    expect(await inHistory(callId)).toMatchObject([
      { outcome: 'cancelled', end_reason: 'stopped', ended_by: 'api' },
    ]);
    expect(await read(callId)).toMatchObject({ completed: true, status: 'canceled', error_message: null });
  });

  it('stays out of the history while it is active', async () => {
    const callId = await order();
    await redis.hset(orderedCallKey(callId), 'claimed_by', 'edge-2 cd', 'phase', 'answered');
    await redis.set(edgeLeaseKey('edge-2 cd'), '1');
    await sweep();
    await sweep();
    expect(await inHistory(callId)).toEqual([]);
    expect(await read(callId)).toMatchObject({ completed: false, cause: null });
    await redis.del(orderedCallKey(callId), edgeLeaseKey('edge-2 cd'));
    await sweep();
  });

  it('is not given up while Redis is down', async () => {
    const callId = await order();
    await bench.redis.kill();
    for (let round = 0; round < 2; round++) await expect(sweep()).rejects.toThrow();
    expect(await inHistory(callId)).toEqual([]);
    expect(await read(callId)).toMatchObject({ completed: false });
    await bench.redis.up();
    await until(async () => (await redis.ping().catch(() => '')) === 'PONG', 5_000, 'Redis is back');
    await until(
      async () => {
        await sweep().catch(() => {});
        return (await inHistory(callId)).length === 1;
      },
      10_000,
      'it is given up',
    );
  });
});

describe('a call whose edge was killed', () => {
  const killedWhile = async (phase: string): Promise<string> => {
    const callId = await order();
    await redis.hset(orderedCallKey(callId), 'claimed_by', 'edge-3 ef', 'phase', phase);
    return callId;
  };

  it.each([
    ['claimed', 'failed', 'call_error'],
    ['ringing', 'failed', 'call_error'],
    ['answered', 'unknown', 'call_error'],
    ['ended', 'unknown', 'complete_error'],
  ] as const)('while it was %s is over', async (phase, status, queueStatus) => {
    const callId = await killedWhile(phase);
    await sweep();
    expect(await inHistory(callId)).toEqual([]);
    await sweep();
    expect(await inHistory(callId)).toMatchObject([{ outcome: 'failed', end_reason: 'edge_lost' }]);
    expect((await api.get(`/v1/sip/calls/${callId}`, key)).body.data.edge_id).toBe('edge-3');
    await redis.del(orderedCallKey(callId));
    expect(await read(callId)).toMatchObject({
      completed: true,
      status,
      queue_status: queueStatus,
      sip: { end_reason: 'edge_lost' },
      cause: expect.stringContaining('edge'),
      advice: expect.stringContaining('not dialled again'),
    });
    expect(await webhooksOf(callId)).toEqual(['call.lost']);
  });

  it('is what its late record says, and counts once', async () => {
    const callId = await killedWhile('answered');
    await sweep();
    await sweep();
    expect(await counts()).toEqual({ edge_lost: 1 });
    await storeEntries(bench.database, [await recordOf(callId)]);
    expect(await inHistory(callId)).toMatchObject([{ outcome: 'completed', end_reason: 'callee_hung_up' }]);
    expect(await read(callId)).toMatchObject({
      status: 'completed',
      queue_status: 'complete',
      error_message: null,
      call_ended_by: 'USER',
    });
    expect(await counts()).toEqual({ callee_hung_up: 1 });
    expect(await webhooksOf(callId)).toEqual(['call.completed', 'call.lost']);
    // Once more, as streams may tell it.
    await storeEntries(bench.database, [await recordOf(callId)]);
    await sweep();
    await sweep();
    expect(await counts()).toEqual({ callee_hung_up: 1 });
  });

  it('has one end, whether its record or the search finds it first', async () => {
    const calls = await Promise.all(Array.from({ length: 20 }, () => killedWhile('answered')));
    await sweep();
    const records = await Promise.all(calls.map((callId) => recordOf(callId)));
    await Promise.all([
      sweep(),
      ...records.map((record) => storeEntries(bench.database, [record])),
      storeEntries(bench.database, records),
    ]);
    for (const callId of calls) {
      expect(await inHistory(callId)).toMatchObject([{ end_reason: 'callee_hung_up' }]);
    }
    expect(await counts()).toEqual({ callee_hung_up: 20 });
  });
});

describe('an inbound call whose edge was killed', () => {
  const owner = 'edge-4 gh';
  const started = new Date(Date.now() - 60_000).toISOString();
  const answered = new Date(Date.now() - 50_000).toISOString();
  let orphans: readonly [OrphanedCalls, OrphanedCalls];
  beforeEach(() => {
    const parts = { database: bench.database, redis: bench.connectRedis(), log, patienceMilliseconds: 0 };
    orphans = [new OrphanedCalls(parts), new OrphanedCalls({ ...parts, redis: parts.redis })];
    return until(() => parts.redis.status === 'ready', 5_000, 'Redis');
  });
  const sweepOrphans = () => Promise.all(orphans.map((orphan) => orphan.sweep()));

  /** As the edge notes it (`hardening/killed-edge` has an edge do so). */
  async function note(callId: string, changes: Partial<LiveCall> = {}): Promise<void> {
    const call: LiveCall = {
      call_id: callId,
      organization: bench.organization,
      number: mine.slice(1),
      direction: 'inbound',
      from: '<sip:+4930123456@pbx.example>',
      to: `<sip:${mine}@edge.example>`,
      state: 'answered',
      started_at: started,
      ringing_at: started,
      answered_at: answered,
      trunk: { address: '198.51.100.9:5061', protocol: 'tls', sip_call_id: `sip-${callId}` },
      media: { codec: 'PCMU', srtp_suite: 'AES_CM_128_HMAC_SHA1_80' },
      ...changes,
    };
    await redis.sadd(openCallOwnersKey, owner);
    await redis.hset(openCallsKey(owner), callId, JSON.stringify(call));
  }

  it('is in the history once, with its edge’s data, under concurrent searches', async () => {
    await note('open-1');
    await note('open-2', { state: 'setup', ringing_at: null, answered_at: null, media: null });
    await redis.set(edgeLeaseKey(owner), '1');
    await sweepOrphans();
    expect(await inHistory('open-1')).toEqual([]);
    await redis.del(edgeLeaseKey(owner));
    await sweepOrphans();
    await sweepOrphans();
    expect(await inHistory('open-1')).toMatchObject([
      { outcome: 'completed', end_reason: 'edge_lost', answered_at: answered, from: '+4930123456', to: mine },
    ]);
    expect(await inHistory('open-2')).toMatchObject([{ outcome: 'failed', end_reason: 'edge_lost' }]);
    expect(await counts()).toEqual({ edge_lost: 2 });
    expect((await api.get('/v1/sip/calls/open-1', key)).body.data).toMatchObject({
      edge_id: 'edge-4',
      detail: expect.stringContaining('edge-4 died'),
    });
    expect(await redis.exists(openCallsKey(owner), openCallOwnersKey)).toBe(0);
  });

  it('stays with the edge that may continue it, for as long as the engine keeps its dialogs', async () => {
    await note('held');
    await note('ringing', { state: 'ringing', answered_at: null });
    await redis.hset(heldCallsKey(owner), 'held', 'sealed');
    const facts = { edge_id: 'edge-4', engine: 'engine', owners: [], has_left: true, at: Date.now() };
    await redis.hset(holdersKey, owner, JSON.stringify(facts));
    await sweepOrphans();
    expect(await inHistory('held')).toEqual([]);
    expect(await inHistory('ringing')).toMatchObject([{ end_reason: 'edge_lost' }]);
    expect(await redis.hkeys(openCallsKey(owner))).toEqual(['held']);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    await sweepOrphans().finally(() => vi.restoreAllMocks());
    expect((await api.get('/v1/sip/calls/held', key)).body.data).toMatchObject({
      end_reason: 'edge_lost',
      detail: expect.stringContaining('was stopped'),
    });
    await redis.del(heldCallsKey(owner), holdersKey);
  });

  it('does not count as lost while Redis refuses writes, which keeps its edge from renewing its lease', async () => {
    await note('refused');
    await redis.config('SET', 'maxmemory', '1');
    try {
      for (let round = 0; round < 2; round++) await expect(sweepOrphans()).rejects.toThrow('OOM');
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
    await redis.set(edgeLeaseKey(owner), '1');
    await sweepOrphans();
    expect(await inHistory('refused')).toEqual([]);
    await redis.del(edgeLeaseKey(owner), openCallsKey(owner), openCallOwnersKey);
  });

  it('of an agent test names its run, and counts neither as usage nor in statistics', async () => {
    await note('open-test', { test_run_id: 'run-1' });
    await sweepOrphans();
    expect((await api.get('/v1/sip/calls/open-test', key)).body.data).toMatchObject({
      end_reason: 'edge_lost',
      test_run_id: 'run-1',
    });
    expect(await counts()).toEqual({});
    // Its record, which comes late, takes nothing out of the counts that was not in them.
    await note('open-other');
    await sweepOrphans();
    await storeEntries(bench.database, [await recordOf('open-test', { test_run_id: 'run-1' })]);
    expect(await inHistory('open-test')).toMatchObject([{ end_reason: 'callee_hung_up' }]);
    expect(await counts()).toEqual({ edge_lost: 1 });
  });

  it('is what its record says when the edge returns with one, in either order', async () => {
    const calls = Array.from({ length: 20 }, (_, at) => `back-${at}`);
    for (const callId of calls) await note(callId);
    const records = await Promise.all(calls.map((callId) => recordOf(callId)));
    await Promise.all([
      sweepOrphans(),
      ...records.slice(0, 10).map((record) => storeEntries(bench.database, [record])),
    ]);
    await sweepOrphans();
    await Promise.all([storeEntries(bench.database, records), storeEntries(bench.database, records)]);
    for (const callId of calls) {
      expect(await inHistory(callId)).toMatchObject([{ end_reason: 'callee_hung_up' }]);
    }
    expect(await counts()).toEqual({ callee_hung_up: 20 });
  });

  describe('while it rang, and that another edge began again', () => {
    const legs = (callId: string) => ({ trunk: `leg-${callId}`, agent: null });
    const ringing = (callId: string) =>
      note(`first-${callId}`, {
        state: 'ringing',
        answered_at: null,
        trunk: { address: '198.51.100.9:5061', protocol: 'tls', sip_call_id: legs(callId).trunk },
      });
    const nextRecord = (callId: string) =>
      recordOf(`next-${callId}`, {
        direction: 'inbound',
        started_at: new Date(Date.parse(started) + 1_000).toISOString(),
        sip_call_ids: legs(callId),
      });
    const detail = async (callId: string) => (await api.get(`/v1/sip/calls/${callId}`, key)).body.data;
    /** Both records are linked, and only the later one counts. */
    const expectOneCall = async (callId: string): Promise<void> => {
      const [first, next] = [`first-${callId}`, `next-${callId}`];
      expect(await detail(first)).toMatchObject({
        end_reason: 'edge_lost',
        continued_as: next,
        continues: null,
        cause: expect.stringContaining('another edge began the call again'),
      });
      expect(await detail(next)).toMatchObject({ continued_as: null, continues: first });
      expect(await counts()).toEqual({ callee_hung_up: 1 });
      // What the states of trunks, alerts and incidents are made of.
      const judged = await bench.database.selectFrom('ended_calls').select('call_id').execute();
      expect(judged).toEqual([{ call_id: next }]);
      const failed = (await api.get('/v1/sip/calls?problem=any&limit=500', key)).body.data.calls;
      expect(failed.map(({ call_id }: { call_id: string }) => call_id)).not.toContain(first);
    };
    beforeEach(() => sql`delete from calls`.execute(bench.database));

    it('counts as one, if the later record comes first', async () => {
      await ringing('a');
      await storeEntries(bench.database, [await nextRecord('a')]);
      await sweepOrphans();
      await expectOneCall('a');
    });

    it('counts as one, if the later record comes last, also twice', async () => {
      await ringing('b');
      await sweepOrphans();
      expect(await counts()).toEqual({ edge_lost: 1 });
      await storeEntries(bench.database, [await nextRecord('b')]);
      await storeEntries(bench.database, [await nextRecord('b')]);
      await expectOneCall('b');
    });

    it('counts as one, if two processes commit both records at the same moment', async () => {
      const commits = 40_177;
      const { database } = bench;
      await sql`create or replace function wait_to_commit() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(${sql.lit(commits)}); return null; end'`.execute(
        database,
      );
      await sql`create constraint trigger wait_to_commit after insert on calls deferrable initially deferred
        for each row execute function wait_to_commit()`.execute(database);
      try {
        await ringing('f');
        const record = await nextRecord('f');
        const stored = await database.transaction().execute(async (holder) => {
          await sql`select pg_advisory_xact_lock(${sql.lit(commits)})`.execute(holder);
          const both = [sweepOrphans(), storeEntries(database, [record])];
          const waiting = async (): Promise<boolean> => {
            const { rows } = await sql<{ count: number }>`
              select count(*)::integer as count from pg_locks where locktype = 'advisory' and not granted`.execute(
              holder,
            );
            return rows[0]!.count >= 2;
          };
          await until(waiting, 20_000, 'both wait, for their commit or for each other');
          return both;
        });
        await Promise.all(stored);
      } finally {
        await sql`drop trigger wait_to_commit on calls`.execute(database);
        await sql`drop function wait_to_commit`.execute(database);
      }
      await expectOneCall('f');
    });

    it('is not in the counts while the other edge still has it', async () => {
      await ringing('c');
      const first = JSON.parse((await redis.hget(openCallsKey(owner), 'first-c'))!) as LiveCall;
      const started_at = new Date(Date.parse(started) + 1_000).toISOString();
      const secondEdge = 'edge-5 ij';
      await redis.hset(
        liveCallsKey(secondEdge),
        'next-c',
        JSON.stringify({ ...first, call_id: 'next-c', started_at }),
      );
      await redis.set(
        heartbeatKey(secondEdge),
        JSON.stringify(heartbeatOf('edge-5')),
        'PX',
        rememberedMilliseconds,
      );
      await redis.zadd(liveEdgesKey, Date.now(), secondEdge);
      await sweepOrphans();
      await redis.del(liveCallsKey(secondEdge), heartbeatKey(secondEdge), liveEdgesKey);
      expect(await counts()).toEqual({});
      expect(await detail('first-c')).toMatchObject({ continued_as: 'next-c' });
      await storeEntries(bench.database, [await nextRecord('c')]);
      await expectOneCall('c');
    });

    it('leaves nothing in the counts, if its edge had recorded it as it lost the engine', async () => {
      const first = await recordOf('first-d', {
        direction: 'inbound',
        outcome: 'failed',
        end_reason: 'engine_lost',
        ended_by: 'edge',
        started_at: started,
        ringing_at: started,
        answered_at: null,
        ended_at: answered,
        sip_status: null,
        sip_call_ids: legs('d'),
      });
      await storeEntries(bench.database, [first]);
      expect(await counts()).toEqual({ engine_lost: 1 });
      await storeEntries(bench.database, [await nextRecord('d')]);
      expect(await counts()).toEqual({ callee_hung_up: 1 });
      expect(await detail('next-d')).toMatchObject({ continues: 'first-d' });
    });

    it('is what its own record says, when that comes from the disk of its edge', async () => {
      await ringing('e');
      await storeEntries(bench.database, [await nextRecord('e')]);
      await sweepOrphans();
      const own = { direction: 'inbound', started_at: started, answered_at: null, outcome: 'cancelled' };
      const ended = { end_reason: 'caller_cancelled', ended_by: 'caller', sip_call_ids: legs('e') };
      await storeEntries(bench.database, [await recordOf('first-e', { ...own, ...ended })]);
      expect(await counts()).toEqual({ callee_hung_up: 1, caller_cancelled: 1 });
      expect(await detail('first-e')).toMatchObject({ end_reason: 'caller_cancelled', continued_as: null });
    });
  });

  it('is left to the order search when it was ordered: its webhook is delivered', async () => {
    const callId = await order();
    await redis.hset(orderedCallKey(callId), 'claimed_by', owner, 'phase', 'answered');
    await note(callId, { direction: 'outbound' });
    await sweepOrphans();
    expect(await inHistory(callId)).toEqual([]);
    await sweep();
    await sweep();
    expect(await inHistory(callId)).toMatchObject([{ end_reason: 'edge_lost' }]);
    expect(await webhooksOf(callId)).toEqual(['call.lost']);
  });
});
