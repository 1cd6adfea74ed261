import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/base/log.js';
import { connectRedis } from '../../../src/base/redis.js';
import type { CallCommand } from '../../../src/contract/commands.js';
import { callStream } from '../../../src/contract/keys.js';
import { timedCommand } from '../../../src/control/calls/orders/order.js';
import { giveToEdges } from '../../../src/control/calls/orders/order-stream.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { OrderedCalls } from '../../../src/edge/outbound/ordered-calls.js';
import { OrderLine } from '../../../src/edge/outbound/pacing/order-line.js';
import { until } from '../../../src/testkit/waiting.js';
import { startControlProcess } from '../../support/control-process.js';
import type { TestProcess } from '../../support/processes.js';
import { stays } from '../../support/stays.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench } from './control-bench.js';
import { sampleRecord } from './history/sample-record.js';

const mine = '+14155550100';
const settings = { DEMARC_SECRET_KEY: 'ab'.repeat(32) };

let bench: ControlBench;
let api: ApiUnderTest;
let key: string;
let otherKey: string;
let edge: TakingEdge;

/** What an edge does with orders, the real way, up to the INVITE: each call lasts a moment and leaves its record. */
class TakingEdge {
  readonly dialled: CallCommand[] = [];
  active = 0;
  mostActive = 0;
  milliseconds = 20;
  private readonly redis;
  private readonly orders;

  constructor(url: string, concurrentCalls: number) {
    const log = createLog({ level: 'silent', role: 'edge', edge: 'edge-1' });
    this.redis = connectRedis(url, log, 'demarc-edge', { socketTimeout: 3_000 });
    this.orders = new OrderedCalls({
      redis: this.redis,
      line: new OrderLine(this.redis, 'edge-1 test'),
      owner: 'edge-1 test',
      isReady: () => true,
      paceOf: async () => ({ concurrentCalls }),
      place: (command, report) => this.place(command, report),
      log,
    });
  }

  private place(command: CallCommand, report: (phase: 'ended') => void) {
    this.dialled.push(command);
    this.active++;
    this.mostActive = Math.max(this.mostActive, this.active);
    let isOver = false;
    const end = (changes: Parameters<typeof sampleRecord>[1]): void => {
      if (isOver) return;
      isOver = true;
      this.active--;
      report('ended');
      const record = sampleRecord(command.call_id, {
        organization: command.organization,
        number: command.number,
        direction: 'outbound',
        started_at: new Date().toISOString(),
        ...changes,
      });
      void this.redis.xadd(callStream, '*', 'record', JSON.stringify(record));
    };
    setTimeout(() => end({}), this.milliseconds);
    const stop = (): void =>
      end({ outcome: 'cancelled', answered_at: null, end_reason: 'stopped', ended_by: 'api' });
    return { stop };
  }

  start = () => this.orders.start();

  async stop(): Promise<void> {
    await this.orders.stop();
    this.redis.disconnect();
  }
}

let isApiStopped = false;
/** Processes that tests started. */
const controls: TestProcess[] = [];

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench, settings);
  const otherOrganization = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, otherOrganization.id, 'test'));
  await api.post('/v1/sip/attach', key, {
    phone_numbers: [mine],
    directions: [{ type: 'outbound', sip_endpoint: 'sip:pbx.example.com' }],
    service: 'sip',
  });
  edge = new TakingEdge(bench.redis.url, 2);
  await edge.start();
});
/** Undoes what a test leaves behind that failed: the next ones find no call under way, an API and an edge. */
afterEach(async () => {
  for (const child of controls.splice(0)) {
    child.signal('SIGKILL');
    await child.exit(2_000);
  }
  if (isApiStopped) await restartApi();
  edge.milliseconds = 20;
  const { batches } = (await api.get('/v1/batches?limit=50', key)).body.data;
  for (const { batch_id: id } of batches) {
    if ((await show(id)).progress.waiting === 0) continue;
    await api.post(`/v1/batches/${id}/stop`, key, { end_calls: true });
    await until(async () => (await show(id)).progress.waiting === 0, 30_000, 'the batch is stopped');
  }
  edge.dialled.length = 0;
});
afterAll(async () => {
  await edge?.stop();
  await api?.stop();
  await bench?.stop();
});

async function stopApi(): Promise<void> {
  isApiStopped = true;
  await api.stop();
}

async function restartApi(): Promise<void> {
  api = await startApi(bench, settings);
  isApiStopped = false;
}

const callee = (index: number): string => `+49301${String(index).padStart(6, '0')}`;
const batchOf = (count: number, changes: object = {}) => ({
  from: mine,
  task: 'Remind them.',
  calls: Array.from({ length: count }, (_, index) => ({ phone_number: callee(index), metadata: { index } })),
  ...changes,
});
const show = async (id: string) => (await api.get(`/v1/batches/${id}`, key)).body.data;
async function callsOf(id: string): Promise<string[]> {
  const { calls } = (await api.get(`/v1/calls?batch_id=${id}`, key)).body;
  return calls.map(({ call_id }: { call_id: string }) => call_id);
}

describe('a batch', () => {
  it('is dialled in order, within the limits of the number, each call once, and shows its progress', async () => {
    edge.mostActive = 0;
    const learned = await api.post('/v1/knowledge/learn', key, { name: 'hours', text: 'Open at nine.' });
    const { id: knowledge } = learned.body.data;
    const { id: persona } = (await api.post('/v1/personas', key, { name: 'Reminder' })).body.data;
    await api.post(`/v1/personas/${persona}/versions/promote`, key, {});
    const tools = [knowledge, 'TL-1'];
    const order = batchOf(25, { name: 'Friday', tools, persona_id: persona });
    const answer = await api.post('/v1/calls/batch', key, order);
    expect(answer.body.data).toMatchObject({ name: 'Friday', status: 'running', total: 25, from: mine });
    const { batch_id: id } = answer.body.data;
    await until(async () => (await show(id)).status === 'completed', 20_000, 'the batch is over');
    expect((await show(id)).progress).toEqual({
      waiting: 0,
      active: 0,
      completed: 25,
      failed: 0,
      cancelled: 0,
    });
    expect(edge.dialled.map(({ phone_number }) => `+${phone_number}`)).toEqual(
      Array.from({ length: 25 }, (_, index) => callee(index)),
    );
    expect(edge.mostActive).toBe(2);
    expect(edge.dialled[0]).toMatchObject({
      tools,
      knowledge_ids: [knowledge],
      persona_id: persona,
      persona_version: 1,
    });
    const [first] = (await api.get(`/v1/calls?batch_id=${id}&limit=1`, key)).body.calls;
    const detail = (await api.get(`/v1/calls/${first.call_id}`, key)).body;
    expect(detail).toMatchObject({ batch_id: id, tools, persona_id: persona, status: 'completed' });
    const list = (await api.get('/v1/batches?limit=1', key)).body;
    expect(list).toMatchObject({ data: { batches: [{ batch_id: id }] }, has_more: false, next: null });
    expect((await api.get(`/v1/batches/${id}`, otherKey)).status).toBe(404);
    expect((await api.post(`/v1/batches/${id}/stop`, otherKey, {})).status).toBe(404);
  });

  it('dials no further call when it is stopped, and reports the rest as cancelled', async () => {
    edge.milliseconds = 300;
    const { batch_id: id } = (await api.post('/v1/calls/batch', key, batchOf(20))).body.data;
    await until(() => edge.dialled.length >= 3, 10_000, 'the first calls');
    const stopped = await api.post(`/v1/batches/${id}/stop`, key, { end_calls: true });
    expect(['stopping', 'stopped']).toContain(stopped.body.data.status);
    await until(async () => (await show(id)).status === 'stopped', 30_000, 'all are over');
    const { progress } = await show(id);
    expect(progress.cancelled).toBeGreaterThan(10);
    expect(progress.cancelled + progress.completed).toBe(20);
    const dialled = edge.dialled.length;
    await stays(() => expect(edge.dialled.length).toBe(dialled), 600);
  }, 180_000);

  it('loses and doubles no call when control is killed while it is dialled', async () => {
    const { batch_id: id } = (await api.post('/v1/calls/batch', key, batchOf(60))).body.data;
    await stopApi();
    const before = edge.dialled.length;
    const child = await control();
    await until(() => edge.dialled.length > before + 4, 15_000, 'some calls');
    child.signal('SIGKILL');
    await child.exit(2_000);
    await restartApi();
    const ids = new Set(await callsOf(id));
    expect(ids.size).toBe(60);
    // Records that a killed process had in hand come half a minute later; what was dialled is known at once.
    await until(() => edge.dialled.length >= 60, 30_000, 'all are dialled');
    await stays(() => expect(edge.dialled.length).toBe(60), 500);
    expect(new Set(edge.dialled.map(({ call_id }) => call_id))).toEqual(ids);
    expect((await show(id)).progress.waiting).toBe(0);
  }, 120_000);

  it.each([
    [{ calls: [] }, 'calls'],
    [{ calls: [{ phone_number: 'nobody' }] }, 'calls.0.phone_number'],
    [{ task: undefined }, 'calls.0.task'],
    [{ from: '+14155559999' }, 'from'],
    [{ until: '2020-01-01T00:00:00Z' }, 'until'],
    [{ tools: ['no id at all'] }, 'tools.0'],
  ])('is refused whole as %j', async (changes, path) => {
    const answer = await api.post('/v1/calls/batch', key, batchOf(1, changes));
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]).toMatchObject({ error: 'VALIDATION_ERROR', path });
    expect(
      await bench.database
        .selectFrom('ordered_calls')
        .select('call_id')
        .where('pending', 'is not', null)
        .execute(),
    ).toEqual([]);
  });
});

describe('a scheduled call', () => {
  const order = { phone_number: '+4930999999', from: mine, task: 'x' };
  const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

  it('is dialled at its time, not before, and once', async () => {
    const at = inMilliseconds(1_500);
    const answer = await api.post('/v1/calls', key, { ...order, scheduled_at: at });
    expect(answer.body).toMatchObject({ status: 'success', message: 'The call is scheduled.' });
    const shown = async () => (await api.get(`/v1/calls/${answer.body.call_id}`, key)).body;
    expect(await shown()).toMatchObject({ scheduled_at: at, completed: false });
    await until(() => edge.dialled.length === 1, 10_000, 'it is dialled');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(at));
    await until(async () => (await shown()).completed, 5_000, 'it is over');
    expect(edge.dialled).toHaveLength(1);
  });

  it('is dialled once when its feeder died before it could store that an edge has it', async () => {
    const scheduled = { ...order, scheduled_at: inMilliseconds(1_000) };
    const { call_id: id } = (await api.post('/v1/calls', key, scheduled)).body;
    const { pending } = await bench.database
      .selectFrom('ordered_calls')
      .select('pending')
      .where('call_id', '=', id)
      .executeTakeFirstOrThrow();
    const redis = bench.connectRedis();
    await until(() => redis.status === 'ready', 5_000, 'Redis');
    await giveToEdges(redis, timedCommand(pending!, new Date(), 60), { lineLength: 3 });
    await until(() => edge.dialled.length === 1, 5_000, 'it is dialled');
    await until(
      async () => (await api.get(`/v1/calls/${id}`, key)).body.completed,
      5_000,
      'it is over for the API',
    );
    await stays(() => expect(edge.dialled).toHaveLength(1), 1_500);
  });

  it('is never dialled once it was stopped', async () => {
    const answer = await api.post('/v1/calls', key, { ...order, scheduled_at: inMilliseconds(4_000) });
    const { call_id: id } = answer.body;
    expect((await api.post(`/v1/calls/${id}/stop`, key, {})).status).toBe(200);
    expect((await api.get(`/v1/calls/${id}`, key)).body).toMatchObject({
      completed: true,
      status: 'canceled',
    });
    await stays(() => expect(edge.dialled).toEqual([]), 5_000);
  });

  it('ends as failed when no edge takes it in its time', async () => {
    await edge.stop();
    try {
      const answer = await api.post('/v1/calls', key, { ...order, scheduled_at: inMilliseconds(500) });
      const { call_id: id } = answer.body;
      await bench.database
        .updateTable('ordered_calls')
        .set({ pending_until: new Date(Date.now() + 800) })
        .where('call_id', '=', id)
        .execute();
      const shown = async () => (await api.get(`/v1/calls/${id}`, key)).body;
      await until(async () => (await shown()).completed, 25_000, 'it is over');
      expect(await shown()).toMatchObject({ status: 'failed', sip: { end_reason: 'order_expired' } });
    } finally {
      edge = new TakingEdge(bench.redis.url, 2);
      await edge.start();
    }
  }, 180_000);

  it.each([inMilliseconds(-60_000), inMilliseconds(40 * 86_400_000), 'tomorrow'])(
    'is refused at %s',
    async (at) => {
      const answer = await api.post('/v1/calls', key, { ...order, scheduled_at: at });
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0]).toMatchObject({ error: 'VALIDATION_ERROR', path: 'scheduled_at' });
    },
  );
});

async function control(): Promise<TestProcess> {
  const { child } = await startControlProcess(bench, settings);
  controls.push(child);
  return child;
}
