import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Moment, momentStream } from '../../../../src/contract/moments.js';
import type { Call } from '../../../../src/edge/call/call.js';
import { MomentPublisher } from '../../../../src/edge/live/moment-publisher.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

const now = Date.parse('2026-11-27T12:00:00Z');

interface Times {
  organization: string | null;
  ringingAt: number | null;
  answeredAt: number | null;
}

let redis: MemoryRedis;
let newcomers: Set<Call>;
let publisher: MomentPublisher;
const warn = vi.fn();
beforeEach(() => {
  vi.useFakeTimers({ now });
  warn.mockClear();
  redis = new MemoryRedis();
  newcomers = new Set();
  const log = pino({ level: 'silent' });
  log.warn = warn;
  publisher = new MomentPublisher({ redis: redis.asRedis, table: { newcomers: () => newcomers }, log });
  publisher.start();
});
afterEach(async () => {
  await publisher.stop();
  vi.useRealTimers();
});

function begin(id: string, changes: Partial<Times> = {}): Times {
  const state = {
    id,
    organization: 'acme',
    number: '12025550100',
    direction: 'inbound',
    from: `<sip:${'a'.repeat(600)}@b>`,
    to: '<sip:c@d>',
    source: { address: '192.0.2.1' },
    trunkSipCallId: `sip-${id}`,
    startedAt: now,
    ringingAt: null,
    answeredAt: null,
    ...changes,
  };
  newcomers.add({ state } as unknown as Call);
  return state;
}

const tick = (): Promise<unknown> => vi.advanceTimersByTimeAsync(200);
const written = (): Moment[] => (redis.streams.get(momentStream) ?? []).map((text) => JSON.parse(text));
const stages = (): string[] =>
  written().map((moment) =>
    moment.kind === 'call' ? `${moment.call.call_id} ${moment.stage}` : moment.kind,
  );

it('notifies of each stage of a call once, in order', async () => {
  const call = begin('a');
  await tick();
  await tick();
  expect(stages()).toEqual(['a initiated']);
  call.ringingAt = now + 300;
  await tick();
  await tick();
  call.answeredAt = now + 900;
  await tick();
  expect(stages()).toEqual(['a initiated', 'a ringing', 'a answered']);
  expect(newcomers.size).toBe(0);
  expect(written()[2]).toMatchObject({
    call: {
      organization: 'acme',
      sip_call_id: 'sip-a',
      started_at: '2026-11-27T12:00:00.000Z',
      ringing_at: '2026-11-27T12:00:00.300Z',
      answered_at: '2026-11-27T12:00:00.900Z',
    },
  });
  expect(warn).not.toHaveBeenCalled();
});

it('notifies of all stages that a call has reached between two looks', async () => {
  begin('rung', { ringingAt: now, answeredAt: now });
  begin('silent', { answeredAt: now });
  await tick();
  expect(stages()).toEqual([
    'rung initiated',
    'rung ringing',
    'rung answered',
    'silent initiated',
    'silent answered',
  ]);
});

it('waits for the organization of a call, and cuts what strangers write', async () => {
  const call = begin('a', { organization: null });
  await tick();
  expect(stages()).toEqual([]);
  call.organization = 'acme';
  await tick();
  const [moment] = written();
  expect(moment?.kind === 'call' && moment.call.from.length).toBe(512);
});

it('writes what waited once Redis is back, and at most the newest 10,000', async () => {
  redis.status = 'reconnecting';
  begin('first');
  await tick();
  for (let count = 0; count < 9_999; count++) begin(`c${count}`);
  await tick();
  expect(warn).not.toHaveBeenCalled();
  begin('late');
  await tick();
  expect(warn).toHaveBeenCalledTimes(1);
  begin('latest');
  await tick();
  expect(warn).toHaveBeenCalledTimes(1);
  expect(stages()).toEqual([]);
  redis.status = 'ready';
  await tick();
  expect(stages()).toHaveLength(10_000);
  expect(stages()[0]).toBe('c1 initiated');
  expect(stages().at(-1)).toBe('latest initiated');
});

it('writes again what Redis has not taken', async () => {
  begin('a');
  redis.isDown = true;
  await tick();
  expect(stages()).toEqual([]);
  redis.isDown = false;
  await tick();
  expect(stages()).toEqual(['a initiated']);
});

it('writes what waits when it stops', async () => {
  redis.status = 'reconnecting';
  begin('a');
  await tick();
  redis.status = 'ready';
  await publisher.stop();
  expect(stages()).toEqual(['a initiated']);
  begin('b');
  await tick();
  expect(stages()).toEqual(['a initiated']);
});
