import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallRecord } from '../../../src/contract/call-record.js';
import { callStream } from '../../../src/contract/keys.js';
import {
  type EdgeHeartbeat,
  heartbeatKey,
  type LiveCall,
  type LiveEvent,
  liveCallsKey,
  liveChannel,
  liveEdgesKey,
  rememberedMilliseconds,
} from '../../../src/contract/live.js';
import { openDatabase } from '../../../src/control/database/database.js';
import { FleetReader } from '../../../src/control/fleet/fleet-reader.js';
import { publishNotice } from '../../../src/control/fleet/notices.js';
import { storeChecks } from '../../../src/control/health/health-storage.js';
import { continueIncident, openIncident } from '../../../src/control/noc/incidents/incident-storage.js';
import { IncidentWatch } from '../../../src/control/noc/incidents/incident-watch.js';
import { componentDown } from '../../../src/control/noc/incidents/reasons.js';
import { Summaries } from '../../../src/control/noc/summaries.js';
import { createKey, revokeKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { until } from '../../../src/testkit/waiting.js';
import { partsBeside } from '../../support/side-by-side.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench, log } from './control-bench.js';
import { EventReader } from './event-reader.js';
import { sampleRecord } from './history/sample-record.js';

/** Each part has a control to itself, because most tests wait for figures that control refreshes. */
partsBeside(['overview', 'incidents', 'events', 'streams'], (group) => {
  let bench: ControlBench;
  let api: ApiUnderTest;
  let redis: Redis;
  /** Of acme, which has calls; of another organization, which has none; of an operator of the latter. */
  let key: string;
  let stranger: string;
  let operator: string;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    bench = await ControlBench.start();
    api = await startApi(bench);
    redis = bench.redis.client();
    const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
    [key, stranger, operator] = await Promise.all([
      createKey(bench.database, bench.organization, 'test').then((created) => created.key),
      createKey(bench.database, otherOrganization.id, 'test').then((created) => created.key),
      createKey(bench.database, otherOrganization.id, 'noc', { isOperator: true }).then(
        (created) => created.key,
      ),
    ]);
  });
  afterAll(async () => {
    for (const reader of readers) reader.close();
    redis?.disconnect();
    await api?.stop();
    await bench?.stop();
  });

  const watch = async (
    withKey: string,
    path = '/v1/noc/events',
    headers: Record<string, string> = {},
  ): Promise<EventReader> => {
    const reader = await EventReader.open(api.url + path, { authorization: `Bearer ${withKey}`, ...headers });
    readers.push(reader);
    return reader;
  };

  const summary = async (withKey: string) => (await api.get('/v1/noc/summary', withKey)).body.data;

  function heartbeat(edgeId: string, changes: Partial<EdgeHeartbeat> = {}): EdgeHeartbeat {
    return {
      edge_id: edgeId,
      version: '1.2.3',
      since: '2026-11-20T12:00:00.000Z',
      at: new Date().toISOString(),
      draining: false,
      engine: { up: true, kind: 'embedded', listeners: ['192.0.2.1:5061'] },
      rtpengine: [{ name: '10.0.0.7:22222', state: 'up', round_trip_milliseconds: 0.4, owed_deletions: 0 }],
      redis: { ready: true, detail: 'connected' },
      counts: { calls: 3, ringing: 1, answered: 2, ending: 0, records_waiting: 0, owed_deletions: 0 },
      calls_per_second: 0.5,
      organizations: { [bench.organization]: { ringing: 1, answered: 2, begun: 5 } },
      event_loop_delay_milliseconds: 21,
      memory_bytes: 90_000_000,
      takeovers: [],
      ...changes,
    };
  }

  /** What an edge does every two seconds. */
  async function beat(
    edgeId: string,
    changes: Partial<EdgeHeartbeat> = {},
    ageMilliseconds = 0,
  ): Promise<void> {
    const owner = `${edgeId} 1`;
    const json = JSON.stringify(heartbeat(edgeId, changes));
    await redis.set(heartbeatKey(owner), json, 'PX', rememberedMilliseconds - ageMilliseconds);
    await redis.zadd(liveEdgesKey, Date.now() - ageMilliseconds, owner);
  }

  const liveCall = (callId: string, changes: Partial<LiveCall> = {}): LiveCall => ({
    call_id: callId,
    organization: bench.organization,
    number: '14155550171',
    direction: 'inbound',
    from: '"<img src=x onerror=alert(1)>" <sip:1@evil.example>',
    to: '<sip:+14155550171@demarc.test>',
    state: 'setup',
    started_at: new Date().toISOString(),
    ringing_at: null,
    answered_at: null,
    trunk: { address: '198.51.100.9:5061', protocol: 'tls', sip_call_id: `sip-${callId}` },
    media: null,
    ...changes,
  });

  async function publish(edgeId: string, ...events: LiveEvent[]): Promise<void> {
    const hash = liveCallsKey(`${edgeId} 1`);
    for (const { change, call } of events) {
      if (change === 'ended') await redis.hdel(hash, call.call_id);
      else await redis.hset(hash, call.call_id, JSON.stringify(call));
    }
    await redis.publish(liveChannel, JSON.stringify({ edge_id: edgeId, events, lost: false }));
  }

  /** Stores calls as edges send them, and waits until they are counted. */
  async function store(...records: CallRecord[]): Promise<void> {
    for (const record of records) await redis.xadd(callStream, '*', 'record', JSON.stringify(record));
    const ids = [...new Set(records.map(({ call_id }) => call_id))];
    await until(
      async () => {
        const rows = await bench.database
          .selectFrom('calls')
          .select('call_id')
          .where('call_id', 'in', ids)
          .execute();
        return rows.length === ids.length;
      },
      10_000,
      'the calls are stored',
    );
  }

  let lastCall = 0;
  function recordNow(changes: Partial<CallRecord> & { age?: number } = {}): CallRecord {
    const { age = 1_000, ...fields } = changes;
    const now = Date.now();
    const at = (before: number) => new Date(now - age - before).toISOString();
    return sampleRecord(`noc-${++lastCall}`, {
      organization: bench.organization,
      started_at: at(2_000),
      ringing_at: at(1_500),
      answered_at: at(1_000),
      ended_at: at(0),
      trace: [],
      ...fields,
    });
  }

  const refused = { answered_at: null, duration_milliseconds: 0, outcome: 'refused' as const };

  const numbers = ['+14155550171', '+14155550172'];

  /** A trunk that is healthy, and one that is unreachable. */
  async function attachTrunks(): Promise<void> {
    for (const [index, phone_number] of numbers.entries()) {
      const sip_endpoint = `sip:pbx-${index}.example.com;transport=tls`;
      const directions = [{ type: 'outbound', sip_endpoint }];
      const answer = await api.post('/v1/sip/attach', key, {
        phone_numbers: [phone_number],
        directions,
        service: 'sip',
      });
      expect(answer.body.data.configured).toHaveLength(1);
    }
    const check = (host: string, status: 'healthy' | 'unreachable') => ({
      version: 1,
      endpoint: `tls:${host}`,
      edge_id: 'edge-1',
      checked_at: new Date().toISOString(),
      status,
      reason: status === 'healthy' ? null : 'certificate',
      detail: null,
      sip_status: null,
      evidence: 'probe',
      response_time_milliseconds: status === 'healthy' ? 12 : null,
      targets: [],
    });
    const checks = [check('pbx-0.example.com', 'healthy'), check('pbx-1.example.com', 'unreachable')];
    const last = Date.now();
    await storeChecks(
      bench.database,
      checks.map((check, index) => ({ id: `${last}-${index}`, json: JSON.stringify(check) })),
    );
    await until(async () => (await summary(key)).trunk_counts.total === 2, 6_000, 'the trunks are shown');
  }

  /** A call of the organization, and one of none. */
  const beginCalls = () =>
    publish(
      'edge-1',
      { change: 'began', call: liveCall('one'), end: null },
      { change: 'began', call: liveCall('none', { organization: null, number: null }), end: null },
    );

  let changes: Partial<EdgeHeartbeat> = {};

  /** An edge that lives while the tests of a group run. */
  function beating(): void {
    let timer: NodeJS.Timeout;
    beforeAll(async () => {
      await beat('edge-1');
      timer = setInterval(() => void beat('edge-1', changes), 1_000);
    });
    afterAll(() => clearInterval(timer));
  }

  group('overview', 'GET /v1/noc/summary', () => {
    it('is unknown before the first edge starts', async () => {
      expect(await summary(key)).toMatchObject({
        parts: { edges: 'unknown', media: 'unknown', redis: 'up', database: 'up' },
        trunk_counts: { total: 0 },
        trunks: [],
        calls: {
          active: 0,
          ringing: 0,
          calls_per_second: 0,
          windows: { '5m': { attempts: 0, answer_rate_percent: null, average_setup_ms: null, failures: [] } },
        },
        fleet: null,
      });
    });

    it('counts calls by window and failures by cause, per organization', async () => {
      await store(
        recordNow(),
        recordNow({ ringing_at: null }),
        recordNow({ ...refused, end_reason: 'trunk_refused', sip_status: 486, direction: 'outbound' }),
        recordNow({ ...refused, end_reason: 'trunk_refused', sip_status: 486, direction: 'outbound' }),
        recordNow({ ...refused, end_reason: 'refused_media', sip_status: 488 }),
        recordNow({ ...refused, outcome: 'cancelled', end_reason: 'caller_cancelled', sip_status: 487 }),
        recordNow({
          ...refused,
          age: 1_800_000,
          outcome: 'failed',
          end_reason: 'agent_unreachable',
          sip_status: 503,
        }),
        recordNow({ age: 7_200_000 }),
        recordNow({ ...refused, organization: null, end_reason: 'refused_unknown_number', sip_status: 404 }),
      );
      await until(
        async () =>
          (await summary(key)).calls.windows['24h'].attempts === 8 &&
          (await summary(operator)).fleet.calls.windows['24h'].attempts === 9 &&
          (await summary(operator)).fleet.organizations.length > 0,
        6_000,
        'they are counted',
      );
      const { windows } = (await summary(key)).calls;
      expect(windows['5m']).toMatchObject({
        attempts: 6,
        answered: 2,
        answer_rate_percent: 33.33,
        failed: 3,
        average_setup_ms: 1_000,
        average_post_dial_delay_ms: 500,
      });
      expect(windows['5m'].failures).toEqual([
        {
          end_reason: 'trunk_refused',
          sip_status: 486,
          direction: 'outbound',
          count: 2,
          concerns: 'none',
          cause: expect.stringContaining('busy'),
          advice: expect.any(String),
        },
        expect.objectContaining({ end_reason: 'refused_media', sip_status: 488, count: 1 }),
      ]);
      expect(windows['1h']).toMatchObject({ attempts: 7, failed: 4 });
      expect(windows['24h']).toMatchObject({ attempts: 8, answered: 3 });
      expect((await summary(stranger)).calls.windows['24h'].attempts).toBe(0);
      const { fleet } = await summary(operator);
      expect(fleet.calls.windows['24h']).toMatchObject({ attempts: 9, failed: 5 });
      expect(fleet.organizations).toMatchObject([
        { id: bench.organization, name: 'acme', attempts_1h: 7, answered_1h: 2, failed_1h: 4 },
      ]);
    });

    it('keeps the last figures with their age while PostgreSQL answers slowly', async () => {
      const before = await summary(key);
      expect(before.figures).toEqual({
        calls: { state: 'current', as_of: null },
        trunks: { state: 'current', as_of: null },
      });
      let release = (): void => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const locked = bench.database.transaction().execute(async (transaction) => {
        await sql`lock table call_minutes, numbers in access exclusive mode`.execute(transaction);
        await released;
      });
      try {
        let late = before;
        await until(
          async () => {
            late = await summary(key);
            return late.figures.calls.state === 'late' && late.figures.trunks.state === 'late';
          },
          30_000,
          'the figures are late',
        );
        expect(late.parts.database).toBe('up');
        expect(late.calls.windows['24h'].attempts).toBe(before.calls.windows['24h'].attempts);
        expect(Date.parse(late.figures.calls.as_of)).toBeLessThan(Date.now() - 5_000);
        expect((await summary(stranger)).figures.trunks.state).not.toBe('current');
      } finally {
        release();
        await locked;
      }
      await until(
        async () => (await summary(key)).figures.calls.state === 'current',
        20_000,
        'they are current again',
      );
    });

    it('names the organizations whose calls fail, the mistakes of callers apart', async () => {
      await store(
        ...Array.from({ length: 12 }, () =>
          recordNow({ ...refused, end_reason: 'refused_limit', sip_status: 503 }),
        ),
        ...Array.from({ length: 6 }, () =>
          recordNow({ ...refused, end_reason: 'refused_bad_request', sip_status: 400 }),
        ),
      );
      await until(
        async () => (await summary(operator)).fleet.organizations[0]?.judged.failed >= 12,
        10_000,
        'they are counted',
      );
      const { fleet } = await summary(operator);
      expect(fleet.organizations[0]).toMatchObject({
        id: bench.organization,
        judged: {
          state: 'failing',
          window: '5m',
          worst: { end_reason: 'refused_limit', concerns: 'customer' },
        },
      });
      expect(fleet.trunk_counts).toMatchObject({ unreachable: 0 });
      // Figures of the fleet and of one organization are read at different times.
      const judged = async () => (await summary(key)).calls.windows['5m'].judged;
      await until(async () => (await judged()).caller_errors === 6, 20_000, 'its own figures have them');
      expect((await judged()).worst).toMatchObject({ end_reason: 'refused_limit', count: 12 });
    });

    it('counts a call once, however often its record comes', async () => {
      const before = (await summary(key)).calls.windows['24h'].attempts;
      const record = recordNow();
      await store(record, record);
      await store(record, recordNow());
      const attempts = async () => (await summary(key)).calls.windows['24h'].attempts;
      await until(async () => (await attempts()) > before + 1, 6_000, 'they are counted');
      expect(await attempts()).toBe(before + 2);
    });

    it('shows the fleet to operators, and to others only that it is well', async () => {
      const takeovers = [{ at: '2026-11-20T13:00:00.000Z', from_edge_id: 'edge-9', calls: 14 }];
      await beat('edge-1', { takeovers });
      await beat('edge-2', {
        engine: { up: true, kind: 'drachtio', listeners: [] },
        rtpengine: [
          { name: '10.0.0.8:22222', state: 'down', round_trip_milliseconds: null, owed_deletions: 2 },
        ],
      });
      await beat('edge-3', { draining: true });
      await beat('edge-4', {}, 60_000);
      const listed = ['edge-1', 'edge-2', 'edge-3', 'edge-4'].map((edge) => liveCallsKey(`${edge} 1`));
      // Other counts than those of the heartbeats, which are seconds older.
      for (const hash of listed)
        for (const [at, state] of (['setup', 'answered', 'answered', 'answered'] as const).entries()) {
          const id = `${hash} ${at}`;
          await redis.hset(hash, id, JSON.stringify(liveCall(id, { state })));
        }
      await until(
        async () =>
          (await summary(operator)).fleet.edges.length === 4 &&
          (await summary(operator)).fleet.organizations[0]?.active === 9 &&
          (await summary(key)).calls.active === 9,
        6_000,
        'the edges are seen',
      );
      const ordinary = await summary(key);
      expect(ordinary).toMatchObject({
        fleet: null,
        parts: { edges: 'degraded', media: 'degraded', redis: 'up', database: 'up' },
        calls: { active: 9, ringing: 3, calls_per_second: 1.5 },
      });
      for (const secret of ['10.0.0.7', 'edge-1', '192.0.2.1', '22222']) {
        expect(JSON.stringify(ordinary)).not.toContain(secret);
      }
      const { fleet } = await summary(operator);
      expect(fleet.edges).toMatchObject([
        {
          id: 'edge-1',
          state: 'up',
          version: '1.2.3',
          rtpengine: [{ name: '10.0.0.7:22222', round_trip_ms: 0.4 }],
          takeovers,
        },
        { id: 'edge-2', state: 'degraded', engine: { kind: 'drachtio' } },
        { id: 'edge-3', state: 'draining' },
        { id: 'edge-4', state: 'down' },
      ]);
      expect(fleet).toMatchObject({ redis: { state: 'up' }, database: { state: 'up' } });
      expect(fleet.redis.round_trip_ms).toBeGreaterThan(0);
      expect(fleet.control.parts.map(({ name }: { name: string }) => name)).toContain('call history');
      expect(fleet.organizations[0]).toMatchObject({ id: bench.organization, active: 9 });
      expect(fleet.calls).toMatchObject({ active: 9, ringing: 3 });
      expect((await summary(stranger)).calls).toMatchObject({ active: 0, ringing: 0 });
      await redis.del(...listed);
    });

    it('drops stale state of a restarted edge, and tolerates garbage', async () => {
      await beat('edge-4');
      await redis.set(heartbeatKey('edge-4 0'), JSON.stringify(heartbeat('edge-4')), 'PX', 1_000);
      await redis.zadd(liveEdgesKey, Date.now(), 'edge-4 0', Date.now(), 'rubbish', Date.now(), 'gone');
      await redis.set(heartbeatKey('rubbish'), '{');
      const edges = async () =>
        (await summary(operator)).fleet.edges.map(
          ({ id, state }: { id: string; state: string }) => `${id} ${state}`,
        );
      await until(async () => (await edges()).at(-1) !== 'edge-4 down', 6_000, 'the edge is seen again');
      expect(await edges()).toEqual(['edge-1 up', 'edge-2 degraded', 'edge-3 draining', 'edge-4 up']);
    });

    it('lists failing trunks first, with the fault and the remedy', async () => {
      await attachTrunks();
      const { trunk_counts, trunks } = await summary(key);
      expect(trunk_counts).toEqual({
        total: 2,
        healthy: 1,
        unreachable: 1,
        unchecked: 0,
        failing: 0,
        degraded: 0,
        unregistered: 0,
      });
      expect(trunks).toMatchObject([
        {
          phone_number: numbers[1],
          directions: ['outbound'],
          status: 'unreachable',
          reason: 'certificate',
          endpoint: 'tls:pbx-1.example.com',
          cause: expect.stringContaining('certificate'),
          advice: expect.stringContaining('options.tls_ca'),
        },
        { phone_number: numbers[0], status: 'healthy', cause: null, response_time_ms: 12 },
      ]);
      expect(trunks[0]).toMatchObject({ servers: { total: 1, unreachable: 1 }, registration: null });
      expect(trunks[1]).toMatchObject({ servers: { total: 1, unreachable: 0 }, registration: null });
      expect((await summary(stranger)).trunks).toEqual([]);
    });
  });

  group('overview', 'GET /v1/noc/trunks', () => {
    const list = async (search = '') => (await api.get(`/v1/noc/trunks${search}`, key)).body;

    it('shows a trunk that answers OPTIONS and refuses its calls as failing, before the ones that work', async () => {
      const number = '14155550171';
      const failing = { ...refused, end_reason: 'trunk_refused', sip_status: 503 } as const;
      const calls = Array.from({ length: 6 }, () =>
        recordNow({ ...failing, number, direction: 'outbound', outcome: 'failed' }),
      );
      await store(...calls);
      await until(async () => (await summary(key)).trunk_counts.failing === 1, 12_000, 'it is failing');
      const { data, next, has_more } = await list('?state=failing');
      expect({ next, has_more }).toEqual({ next: null, has_more: false });
      expect(data.trunks).toMatchObject([
        {
          phone_number: `+${number}`,
          status: 'healthy',
          calls: {
            state: 'failing',
            window: '5m',
            calls: 6,
            failed: 6,
            worst: { end_reason: 'trunk_refused', sip_status: 503, count: 6 },
          },
        },
      ]);
      const all = await list('?limit=1');
      expect(all).toMatchObject({ has_more: true, data: { trunks: [{ status: 'unreachable' }] } });
      expect((await list(`?limit=1&after=${encodeURIComponent(all.next)}`)).data.trunks).toMatchObject([
        { phone_number: `+${number}` },
      ]);
      expect((await list('?state=nonsense')).errors[0].error).toBe('VALIDATION_ERROR');
      expect((await api.get('/v1/noc/trunks', stranger)).body.data.trunks).toEqual([]);
    });
  });

  group('overview', 'access', () => {
    it.each(['summary', 'trunks', 'incidents', 'calls/live', 'calls/series', 'explanations', 'events'])(
      '/v1/noc/%s is for keys with the entitlement',
      async (path) => {
        expect((await api.get(`/v1/noc/${path}`, '')).status).toBe(401);
        expect((await api.get(`/v1/noc/${path}`, `${key.slice(0, -4)}AAAA`)).status).toBe(401);
        const { id } = await createOrganization(bench.database, { name: `no ${path}`, sipEnabled: false });
        const { key: unentitled } = await createKey(bench.database, id, 'test', { isOperator: true });
        const refused = await api.get(`/v1/noc/${path}`, unentitled);
        expect(refused).toMatchObject({ status: 403, body: { errors: [{ error: 'SIP_NOT_ENABLED' }] } });
      },
    );
  });

  group('overview', 'calls in which a side was not heard', () => {
    it('are counted apart from failed ones, under a separate cause', async () => {
      const own = await createOrganization(bench.database, { name: 'silent', sipEnabled: true });
      const { key: silent } = await createKey(bench.database, own.id, 'test');
      await store(
        recordNow({ organization: own.id }),
        recordNow({ organization: own.id, end_reason: 'dead_air' }),
        recordNow({ organization: own.id, end_reason: 'media_timeout' }),
        recordNow({ organization: own.id, end_reason: 'media_failed' }),
        recordNow({ ...refused, organization: own.id, end_reason: 'refused_source', sip_status: 403 }),
      );
      await until(
        async () => (await summary(silent)).calls.windows['5m'].attempts === 5,
        6_000,
        'they are counted',
      );
      const { windows } = (await summary(silent)).calls;
      expect(windows['5m']).toMatchObject({
        failed: 1,
        bad_audio: 3,
        judged: { calls: 5, failed: 4, worst: { end_reason: 'dead_air' } },
      });
      expect(
        windows['5m'].failures.map(({ end_reason }: { end_reason: string }) => end_reason).sort(),
      ).toEqual(['dead_air', 'media_failed', 'media_timeout', 'refused_source']);
      const { buckets } = (await api.get('/v1/noc/calls/series', silent)).body.data;
      const sum = (field: string) =>
        buckets.reduce((total: number, bucket: Record<string, number>) => total + bucket[field]!, 0);
      expect({ failed: sum('failed'), bad_audio: sum('bad_audio') }).toEqual({ failed: 1, bad_audio: 3 });
      const list = async (problem: string) =>
        (await api.get(`/v1/sip/calls?problem=${problem}`, silent)).body.data.calls.map(
          (call: { end_reason: string; audio_problem: string | null }) => [
            call.end_reason,
            call.audio_problem,
          ],
        );
      const heard = [
        ['dead_air', 'none'],
        ['media_failed', 'lost'],
        ['media_timeout', 'lost'],
      ];
      expect((await list('audio')).sort()).toEqual(heard);
      expect((await list('any')).sort()).toEqual([...heard, ['refused_source', null]]);
    });
  });

  group('overview', 'GET /v1/noc/calls/live', () => {
    it('lists each organization its calls, and operators all calls on request', async () => {
      await beat('edge-1');
      await beginCalls();
      const mine = (await api.get('/v1/noc/calls/live', key)).body.data;
      expect(mine).toMatchObject({ total: 1, truncated: false });
      expect(mine.calls[0]).toMatchObject({
        call_id: 'one',
        phone_number: '+14155550171',
        edge_id: null,
        state: 'setup',
        from: '1',
        from_header: '"<img src=x onerror=alert(1)>" <sip:1@evil.example>',
      });
      expect((await api.get('/v1/noc/calls/live', stranger)).body.data.calls).toEqual([]);
      const all = (await api.get('/v1/noc/calls/live?scope=fleet', operator)).body.data;
      expect(
        all.calls.map((call: { call_id: string; edge_id: string }) => [call.call_id, call.edge_id]).sort(),
      ).toEqual([
        ['none', 'edge-1'],
        ['one', 'edge-1'],
      ]);
    });

    it.each(['/v1/noc/calls/live', '/v1/noc/calls/series', '/v1/noc/events'])(
      'refuse the scope fleet to other keys: %s',
      async (path) => {
        const answer = await api.get(`${path}?scope=fleet`, key);
        expect(answer.status).toBe(403);
        expect(answer.body).toMatchObject({ data: null, errors: [{ error: 'OPERATOR_ONLY' }] });
      },
    );

    it('reads all calls once for concurrent requests', async () => {
      const reads = async (): Promise<number> =>
        Number(/cmdstat_hvals:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
      await redis.zadd(liveEdgesKey, Date.now(), 'many');
      await redis.set(
        heartbeatKey('many'),
        JSON.stringify(heartbeat('edge-many')),
        'PX',
        rememberedMilliseconds,
      );
      const before = await reads();
      const from = performance.now();
      await Promise.all(Array.from({ length: 50 }, () => api.get('/v1/noc/calls/live', key)));
      expect(await reads()).toBeGreaterThan(before);
      // One of each edge in 200 ms, which would be 50 of each without that.
      const rounds = Math.min(40, 3 + (performance.now() - from) / 200);
      expect((await reads()) - before).toBeLessThanOrEqual((await redis.zcard(liveEdgesKey)) * rounds);
      await redis.zrem(liveEdgesKey, 'many');
    });
  });

  group('overview', 'GET /v1/noc/calls/series', () => {
    it.each([
      ['1h', 60, 60],
      ['24h', 900, 96],
      ['7d', 7_200, 84],
      ['30d', 21_600, 120],
    ])('shows %s without gaps', async (window, seconds, count) => {
      const { bucket_seconds, buckets } = (await api.get(`/v1/noc/calls/series?window=${window}`, key)).body
        .data;
      expect(bucket_seconds).toBe(seconds);
      expect(buckets).toHaveLength(count);
      const times = buckets.map(({ at }: { at: string }) => Date.parse(at));
      for (let at = 1; at < count; at++) expect(times[at] - times[at - 1]).toBe(seconds * 1_000);
      expect(times.at(-1)).toBeLessThanOrEqual(Date.now());
      const sum = (field: string) =>
        buckets.reduce((total: number, bucket: Record<string, number>) => total + bucket[field]!, 0);
      const { windows } = (await summary(key)).calls;
      const expected = window === '1h' ? windows['1h'] : windows['24h'];
      expect({ attempts: sum('attempts'), answered: sum('answered'), failed: sum('failed') }).toEqual({
        attempts: expected.attempts,
        answered: expected.answered,
        failed: expected.failed,
      });
      expect(
        (await api.get(`/v1/noc/calls/series?window=${window}`, stranger)).body.data.buckets[0].attempts,
      ).toBe(0);
    });
  });

  group('overview', 'GET /v1/noc/explanations', () => {
    it('is what the answers say', async () => {
      const { end_reasons, sip_statuses, unreachable_reasons } = (await api.get('/v1/noc/explanations', key))
        .body.data;
      expect(end_reasons.media_timeout.cause).toMatch(/audio/);
      expect(sip_statuses['486'].cause).toMatch(/busy/);
      expect(unreachable_reasons.dns.advice).toMatch(/DNS/);
    });
  });

  group('incidents', 'GET /v1/noc/incidents', () => {
    let summaries: Summaries;
    let incidentWatch: IncidentWatch;
    beforeAll(() => {
      summaries = new Summaries({
        database: bench.database,
        redis,
        fleet: new FleetReader(redis),
        states: () => [],
      });
      incidentWatch = new IncidentWatch({ database: bench.database, summaries, log });
    });

    const listOf = async (withKey: string, search = '') =>
      (await api.get(`/v1/noc/incidents${search}`, withKey)).body.data.incidents;

    it('keeps the story of a red verdict until it has recovered', async () => {
      const own = await createOrganization(bench.database, { name: 'troubled', sipEnabled: true });
      const { key: troubled } = await createKey(bench.database, own.id, 'ada');
      const { key: narrow } = await createKey(bench.database, own.id, 'screen', { scopes: ['noc:read'] });
      const number = '+14155550179';
      const directions = [{ type: 'inbound', allowed_ips: ['192.0.2.0/24'] }];
      await api.post('/v1/sip/attach', troubled, { phone_numbers: [number], directions, service: 'sip' });
      const ended = { organization: own.id, number: number.slice(1) };
      const limited = { ...refused, ...ended, end_reason: 'refused_limit', sip_status: 503 } as const;
      const calls = Array.from({ length: 6 }, () => recordNow({ ...limited, age: 0 }));
      const begin = new Date(Date.now() + 10_000).toISOString();
      await store(...calls.map((call) => ({ ...call, started_at: begin })));
      const mine = async (search = '') =>
        (await listOf(troubled, search)).filter(
          ({ organization }: { organization: { id: string } | null }) => organization?.id === own.id,
        );
      await until(
        async () => {
          await incidentWatch.look(new Date());
          return (await mine('?state=open')).length === 1;
        },
        30_000,
        'an incident is open',
      );
      const [{ incident_id }] = await mine();
      const path = `/v1/noc/incidents/${incident_id}`;
      const story = (await api.get(path, troubled)).body.data;
      expect(story).toMatchObject({
        state: 'open',
        organization: { id: own.id, name: 'troubled' },
        recovered_at: null,
        first_call: { call_id: calls.map(({ call_id }) => call_id).sort()[0] },
        reasons: [{ kind: 'calls', phone_number: number, end_reason: 'refused_limit', sip_status: 503 }],
        changes: [{ by: 'ada', subject: number }],
        alerts: [],
        acknowledged_at: null,
      });
      expect(story.title).toMatch(/^6 of 6 calls of \+14155550179 failed in the last 5 minutes: 503 /);
      // Who changed what, and who is notified, are for keys that may read it elsewhere.
      expect((await api.get(path, narrow)).body.data).toMatchObject({ changes: null, alerts: null });
      expect((await api.get(path, stranger)).status).toBe(404);
      expect(
        (await listOf(operator, '?scope=fleet&limit=200')).map(
          (incident: { incident_id: string }) => incident.incident_id,
        ),
      ).toContain(incident_id);
      expect((await api.get('/v1/noc/incidents?scope=fleet', troubled)).status).toBe(403);

      expect((await api.patch(path, narrow, { acknowledged: true })).status).toBe(403);
      const handled = await api.patch(path, troubled, { acknowledged: true, note: 'Ticket opened.' });
      expect(handled.body.data).toMatchObject({ acknowledged_by: 'ada', note: 'Ticket opened.' });

      await bench.database.deleteFrom('calls').where('organization_id', '=', own.id).execute();
      await bench.database.deleteFrom('call_minutes').where('organization_id', '=', own.id).execute();
      const rowOf = () =>
        bench.database
          .selectFrom('incidents')
          .select(['clear_since', 'recovered_at'])
          .where('id', '=', incident_id)
          .executeTakeFirstOrThrow();
      await until(
        async () => {
          const { clear_since: since } = await rowOf();
          // Control watches, too: figures that one of the two still has may be red for some seconds more.
          await incidentWatch.look(since === null ? new Date() : new Date(since.getTime() + 60_000));
          return (await rowOf()).recovered_at !== null;
        },
        40_000,
        'it has recovered',
      );
      const { clear_since: clearSince } = await rowOf();
      expect((await api.get(path, troubled)).body.data).toMatchObject({
        state: 'recovered',
        recovered_at: clearSince!.toISOString(),
        acknowledged_by: 'ada',
      });
    });

    it('keeps every reason that several processes see at the same time, and of too many the first and the newest', async () => {
      const own = await createOrganization(bench.database, { name: 'crowded', sipEnabled: true });
      const started = Date.now();
      const reasonAt = (index: number) => {
        const since = new Date(started + index);
        const reason = { ...componentDown('redis'), key: `reason ${index}`, since };
        return { since, reasons: [reason] };
      };
      const opened = reasonAt(0);
      await openIncident(bench.database, own.id, opened.reasons, opened.since);
      const see = async (index: number) => {
        const { reasons, since } = reasonAt(index);
        expect(await continueIncident(bench.database, own.id, reasons, since)).toBe(true);
      };
      const keys = async () => {
        const { reasons } = await bench.database
          .selectFrom('incidents')
          .select('reasons')
          .where('organization_id', '=', own.id)
          .executeTakeFirstOrThrow();
        return reasons.map(({ key: reasonKey }) => reasonKey);
      };
      const keysOf = (first: number, last: number) =>
        Array.from({ length: last - first + 1 }, (_, index) => `reason ${first + index}`);
      await Promise.all(Array.from({ length: 9 }, (_, index) => see(index + 1)));
      expect((await keys()).sort()).toEqual(keysOf(0, 9));
      for (let index = 10; index < 25; index++) await see(index);
      expect((await keys()).sort()).toEqual(['reason 0', ...keysOf(6, 24)].sort());
      expect((await keys())[0]).toBe('reason 0');
    });

    it('shows every organization the components that are down, and lets operators handle them', async () => {
      await redis.del(liveEdgesKey);
      await beat('edge-1', {}, 20_000);
      const down = async (withKey: string) =>
        (await listOf(withKey, '?state=open')).find(
          ({ title }: { title: string }) => title === 'edges: down',
        );
      await until(
        async () => {
          await incidentWatch.look(new Date());
          return (await down(key)) !== undefined;
        },
        30_000,
        'the incident is open',
      );
      const { incident_id, organization } = await down(stranger);
      expect(organization).toBeNull();
      const path = `/v1/noc/incidents/${incident_id}`;
      const refusal = await api.patch(path, key, { acknowledged: true });
      expect(refusal.body.errors[0].error).toBe('OPERATOR_ONLY');
      expect((await api.patch(path, operator, { acknowledged: true })).body.data.acknowledged_by).toBe('noc');
    });

    it('has an outage of PostgreSQL from its beginning, once PostgreSQL can store it', async () => {
      // Statements wait for the lock, as for a server that does not answer.
      const pool = { url: bench.databaseUrl, maximumConnections: 2, timeoutMilliseconds: 2_000 };
      const database = openDatabase(pool, () => {});
      const watch = new IncidentWatch({ database, summaries, log });
      const take = () =>
        bench.database
          .updateTable('incident_watch')
          .set({ watched_at: new Date(0) })
          .execute();
      try {
        const began = Date.now();
        let noticed = began;
        await bench.database.transaction().execute(async (transaction) => {
          await sql`lock table incident_watch in access exclusive mode`.execute(transaction);
          await expect(watch.watch()).rejects.toThrow();
          noticed = Date.now();
          await expect(watch.watch()).rejects.toThrow();
        });
        const outageOf = async () => {
          const open = await listOf(operator, '?scope=fleet&state=open');
          return open
            .filter(({ organization }: { organization: unknown }) => organization === null)
            .flatMap(({ reasons }: { reasons: { text: string }[] }) => reasons)
            .find(({ text }: { text: string }) => text === 'PostgreSQL: down');
        };
        await until(
          async () => {
            await take();
            await watch.watch().catch(() => {});
            return (await outageOf()) !== undefined;
          },
          30_000,
          'the outage is in the incident of the service',
        );
        const { kind, first_seen_at: seen } = await outageOf();
        expect(kind).toBe('component');
        expect(Date.parse(seen)).toBeGreaterThanOrEqual(began);
        expect(Date.parse(seen)).toBeLessThanOrEqual(noticed);
      } finally {
        await database.destroy();
      }
    });
  });

  group('events', 'GET /v1/noc/events', () => {
    beating();
    beforeAll(async () => {
      await attachTrunks();
      await beginCalls();
    });

    it('starts with a snapshot, then streams events of the organization’s calls', async () => {
      const [mine, strangers, fleet] = await Promise.all([
        watch(key),
        watch(stranger),
        watch(operator, '/v1/noc/events?scope=fleet'),
      ]);
      const snapshot = await mine.next('snapshot');
      expect(snapshot.data).toMatchObject({
        summary: { calls: { active: expect.any(Number) }, fleet: null },
        live: { calls: [{ call_id: 'one' }] },
      });
      expect((await strangers.next('snapshot')).data.live.calls).toEqual([]);
      expect((await fleet.next('snapshot')).data).toMatchObject({
        live: { total: 2 },
        summary: { fleet: {} },
      });
      const call = liveCall('two');
      await publish('edge-1', { change: 'began', call, end: null });
      expect((await mine.next('call')).data).toMatchObject({
        change: 'began',
        call: { call_id: 'two', edge_id: null },
      });
      expect((await fleet.next('call')).data).toMatchObject({ call: { call_id: 'two', edge_id: 'edge-1' } });
      const end = {
        at: new Date().toISOString(),
        end_reason: 'trunk_refused' as const,
        ended_by: 'callee' as const,
        outcome: 'refused' as const,
        sip_status: 603,
        sip_reason: 'Decline',
        detail: null,
      };
      await publish('edge-1', { change: 'ended', call, end });
      expect((await mine.next('call')).data).toMatchObject({
        change: 'ended',
        end: { end_reason: 'trunk_refused', sip_status: 603, cause: expect.stringContaining('declined') },
      });
      await publishNotice(redis, {
        organization: bench.organization,
        event: 'alert',
        data: { kind: 'unreachable' },
      });
      expect((await mine.next('alert')).data).toEqual({ kind: 'unreachable' });
      expect(strangers.seen.filter(({ event }) => ['call', 'alert'].includes(event))).toEqual([]);
    });

    it('beats every five seconds, so that a page notices when it falls silent', async () => {
      const reader = await watch(stranger);
      await reader.next('snapshot');
      expect(Date.parse((await reader.next('beat', 6_000)).data.at)).toBeGreaterThan(Date.now() - 5_000);
    });

    it('streams only changes of the overview', async () => {
      const reader = await watch(key);
      await reader.next('snapshot');
      // Each new client gets a full snapshot, so that no change is lost between snapshot and stream.
      expect((await reader.next('summary')).data.trunks).toHaveLength(2);
      const begin = (begun: number): void => {
        changes = { organizations: { [bench.organization]: { ringing: 0, answered: 0, begun } } };
      };
      let isWhole = true;
      for (let begun = 10; isWhole; begun += 10) {
        begin(begun);
        isWhole = 'trunks' in (await reader.next('summary')).data;
      }
      begin(410);
      let summaryEvent = await reader.next('summary');
      while (summaryEvent.data.calls?.calls_per_second !== 41) summaryEvent = await reader.next('summary');
      expect(summaryEvent.data).not.toHaveProperty('trunks');
    });

    it('reports a failing trunk', async () => {
      const reader = await watch(key);
      await reader.next('snapshot');
      await reader.next('summary');
      const json = JSON.stringify({
        version: 1,
        endpoint: 'tls:pbx-0.example.com',
        edge_id: 'edge-1',
        status: 'unreachable',
        checked_at: new Date().toISOString(),
        reason: 'timeout',
        detail: null,
        sip_status: null,
        response_time_milliseconds: null,
        evidence: 'probe',
        targets: [],
      });
      await storeChecks(bench.database, [{ id: `${Date.now() + 1_000}-0`, json }]);
      expect((await reader.next('trunk', 10_000)).data).toMatchObject({
        phone_number: '+14155550171',
        was: 'healthy',
        status: 'unreachable',
        reason: 'timeout',
        advice: expect.stringContaining('firewall'),
      });
    });

    it('replays missed events to a returning client, and sends a snapshot to an unknown one', async () => {
      const reader = await watch(key);
      await reader.next('snapshot');
      const began = { change: 'began' as const, call: liveCall('three'), end: null };
      await publish('edge-1', began);
      const { id } = await reader.next('call');
      reader.close();
      await publish('edge-1', { ...began, call: liveCall('four') }, { ...began, call: liveCall('five') });
      const back = await watch(key, '/v1/noc/events', { 'last-event-id': id });
      expect((await back.next('call')).data.call.call_id).toBe('four');
      expect((await back.next('call')).data.call.call_id).toBe('five');
      expect(back.seen.map(({ event }) => event)).not.toContain('snapshot');
      const unknown = await watch(key, '/v1/noc/events', { 'last-event-id': 'nonsense-7' });
      expect((await unknown.next('snapshot')).data.live.total).toBeGreaterThan(3);
    });

    it('restarts with a snapshot after an edge with calls dies or Redis was down', async () => {
      await beat('edge-9');
      await publish('edge-9', { change: 'began', call: liveCall('lost'), end: null });
      const reader = await watch(key);
      const ids = async () =>
        (await reader.next('snapshot', 10_000)).data.live.calls.map(({ call_id }: LiveCall) => call_id);
      expect(await ids()).toContain('lost');
      // Control looks every two seconds, later on a busy machine: an edge that it never saw alive cannot die.
      const seen = performance.now() + 6_000;
      const beats = async (): Promise<boolean> => {
        await beat('edge-9');
        return performance.now() > seen;
      };
      await until(beats, 10_000, 'the edge is seen');
      await beat('edge-9', {}, 30_000);
      let shown = await ids();
      while (shown.includes('lost')) shown = await ids();
      expect(shown).toContain('one');
      await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await reader.next('snapshot', 10_000);
    });
  });

  group('streams', 'a stream of events', () => {
    beating();

    it('comes with the cookie of a session, and ends with the logout', async () => {
      const login = await api.post('/v1/session', '', { api_key: key });
      const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
      const reader = await EventReader.open(`${api.url}/v1/noc/events`, { cookie });
      readers.push(reader);
      await reader.next('snapshot');
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      expect((await fetch(`${api.url}/v1/session`, { method: 'DELETE', headers })).status).toBe(200);
      expect((await reader.next('end', 10_000)).data).toEqual({ reason: 'session' });
      await reader.ended;
      await expect(EventReader.open(`${api.url}/v1/noc/events`, { cookie })).rejects.toThrow('401');
    });

    const streams = async (): Promise<number> =>
      Number(/^demarc_event_streams (\d+)$/m.exec((await api.get('/metrics', '')).text)![1]);

    it('keeps nothing for those who left before it began', async () => {
      for (const reader of readers.splice(0)) reader.close();
      const { hostname, port } = new URL(api.url);
      for (let count = 0; count < 24; count++) {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => {});
        await once(socket, 'connect');
        socket.write(`GET /v1/noc/events HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`);
        await sleep(count % 6);
        socket.resetAndDestroy();
      }
      await until(async () => (await streams()) === 0, 5_000, 'no subscriber is left');
      (await watch(key)).close();
      const head = await fetch(`${api.url}/v1/noc/events`, {
        method: 'HEAD',
        headers: { authorization: key },
      });
      expect(head.status).toBe(405);
    });

    it('disconnects a subscriber that reads too slowly instead of buffering everything', async () => {
      for (const reader of readers.splice(0)) reader.close();
      await until(async () => (await streams()) === 0, 5_000, 'no subscriber is left');
      const { hostname, port } = new URL(api.url);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write(`GET /v1/noc/events HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`);
      await once(socket, 'data');
      socket.pause();
      await until(async () => (await streams()) === 1, 5_000, 'one watches');
      const events = Array.from({ length: 300 }, (_, index) => ({
        change: 'began' as const,
        end: null,
        call: liveCall(`flood ${index}`, { from: 'x'.repeat(2_000) }),
      }));
      const batch = JSON.stringify({ edge_id: 'edge-1', events, lost: false });
      await until(
        async () => {
          for (let at = 0; at < 5; at++) await redis.publish(liveChannel, batch);
          return (await streams()) === 0;
        },
        20_000,
        'it is cut off',
      );
      socket.destroy();
    });

    it('ignores entries that are no events', async () => {
      const reader = await watch(key);
      await reader.next('snapshot');
      for (const text of ['{', '[]', '{"events":[{}]}', 'x'.repeat(100_000)]) {
        await redis.publish(liveChannel, text);
        await redis.publish('demarc:live:notices', text);
      }
      await publish('edge-1', { change: 'began', call: liveCall('after'), end: null });
      expect((await reader.next('call')).data.call.call_id).toBe('after');
    });

    it('ends when its key is revoked, and has a limit per key', async () => {
      const own = await startApi(bench, {});
      const { id, key: doomed } = await createKey(bench.database, bench.organization, 'doomed');
      const open = () => EventReader.open(`${own.url}/v1/noc/events`, { authorization: doomed });
      const many = await Promise.all(Array.from({ length: 30 }, open));
      await expect(open()).rejects.toThrow('429');
      for (const reader of many.splice(1)) reader.close();
      await revokeKey(bench.database, id);
      expect((await many[0]!.next('end', 20_000)).data).toEqual({ reason: 'session' });
      await many[0]!.ended;
      const last = await EventReader.open(`${own.url}/v1/noc/events`, { authorization: key });
      await last.next('snapshot');
      const stopping = own.stop();
      expect((await last.next('end')).data).toEqual({ reason: 'shutdown' });
      await stopping;
    });
  });

  // Last: it may open an incident of the service.
  group('incidents', 'a Redis that refuses writes', () => {
    it('is what the overview names, not the edges whose heartbeats it refuses', async () => {
      await beat('edge-1');
      await redis.config('SET', 'min-replicas-to-write', '1');
      try {
        await until(async () => (await summary(operator)).parts.redis === 'down', 10_000, 'Redis is down');
        const { parts, calls, fleet } = await summary(operator);
        expect(parts).toMatchObject({ edges: 'unknown', media: 'unknown', redis: 'down', database: 'up' });
        expect(calls).toMatchObject({ active: null });
        expect(fleet.redis.detail).toMatch(/NOREPLICAS/);
      } finally {
        await redis.config('SET', 'min-replicas-to-write', '0');
      }
      await until(async () => (await summary(key)).parts.redis === 'up', 10_000, 'Redis is up');
    });
  });
});
