import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  heartbeatKey,
  liveBatchSchema,
  liveCallsKey,
  liveChannel,
  liveEdgesKey,
} from '../../../../src/contract/live.js';
import { openCallOwnersKey, openCallsKey } from '../../../../src/contract/open-calls.js';
import type { Call } from '../../../../src/edge/call/call.js';
import type { CallState } from '../../../../src/edge/call/call-state.js';
import type { CallTable } from '../../../../src/edge/call/call-table.js';
import { delayOfLooks, LivePublisher } from '../../../../src/edge/live/live-publisher.js';
import { OpenCalls } from '../../../../src/edge/live/open-calls.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

const now = Date.parse('2026-11-27T12:00:00Z');
const holder = 'edge-1 abc';
const key = liveCallsKey(holder);

type Settable = { -readonly [Field in keyof CallState]: CallState[Field] };
const settable = (call: Call): Settable => call.state as Settable;

function call(id: string, changes: Partial<CallState> = {}): Call {
  const state: Partial<CallState> = {
    id,
    direction: 'inbound',
    from: 'a',
    to: 'b',
    trunkSipCallId: `sip-${id}`,
    organization: 'acme',
    source: { address: '192.0.2.1', port: 5061, protocol: 'tls' },
    number: '12025550100',
    startedAt: now - 1_000,
    ringingAt: null,
    answeredAt: null,
    endedAt: null,
    ending: null,
    sipStatus: null,
    sipReason: null,
    isAdmitted: true,
    ...changes,
  } as Partial<CallState>;
  return { state, media: undefined } as unknown as Call;
}

/** The calls of an edge, as far as they are published. */
class TableDouble {
  readonly calls = new Map<string, Call>();
  readonly fresh = new Set<Call>();
  onEnd: (call: Call) => void = () => {};
  onLeft: (call: Call) => void = () => {};
  onAdmitted: (call: Call) => void = () => {};
  onUnrecorded: (call: Call) => void = () => {};
  ending = 0;

  newcomers = (): Set<Call> => this.fresh;
  find = (id: string): Call | undefined => this.calls.get(id);
  findUnrecorded = (id: string): Call | undefined => this.calls.get(id);
  forEach = (visit: (call: Call) => void): void => this.calls.forEach(visit);

  get size(): number {
    return this.calls.size;
  }

  add(call: Call): Call {
    this.calls.set(call.state.id, call);
    this.fresh.add(call);
    return call;
  }

  end(call: Call): void {
    settable(call).ending = { reason: 'caller_hung_up', by: 'caller' } as CallState['ending'];
    settable(call).endedAt = Date.now();
    this.calls.delete(call.state.id);
    this.fresh.delete(call);
    this.onEnd(call);
  }
}

let redis: MemoryRedis;
let table: TableDouble;
beforeEach(() => {
  vi.useFakeTimers({ now });
  redis = new MemoryRedis();
  table = new TableDouble();
});
afterEach(() => void vi.useRealTimers());

describe('the live state of an edge', () => {
  const publishers: LivePublisher[] = [];
  const start = (): LivePublisher => {
    const publisher = new LivePublisher({
      edgeId: 'edge-1',
      holder,
      redis: redis.asRedis,
      table: table as unknown as CallTable,
      facts: () =>
        ({
          draining: false,
          engine: {},
          rtpengine: [],
          redis: {},
          takeovers: [],
          recordsWaiting: 3,
          owedDeletions: 1,
        }) as never,
      log: pino({ level: 'silent' }),
    });
    publisher.start();
    publishers.push(publisher);
    return publisher;
  };
  afterEach(async () => {
    for (const publisher of publishers.splice(0)) await publisher.stop();
  });
  const tick = (): Promise<unknown> => vi.advanceTimersByTimeAsync(500);
  /** Changes that were published since the last look. */
  const changes = (): string[] =>
    redis.published
      .splice(0)
      .filter(([channel]) => channel === liveChannel)
      .flatMap(([, json]) => liveBatchSchema.parse(JSON.parse(json)).events)
      .map(({ change, call: { call_id: callId } }) => `${callId} ${change}`);
  const stored = (): string[] => [...(redis.hashes.get(key)?.keys() ?? [])];

  test('has each change of a call once, and its calls in Redis until they end', async () => {
    start();
    const active = table.add(call('one'));
    await tick();
    expect([changes(), stored()]).toEqual([['one began'], ['one']]);
    expect([...redis.hashes.get(openCallsKey(holder))!.keys()]).toEqual(['one']);
    await tick();
    expect(changes()).toEqual([]);
    settable(active).answeredAt = now;
    await tick();
    expect(changes()).toEqual(['one answered']);
    await tick();
    // It changes no more before its end.
    expect(table.fresh.has(active)).toBe(false);
    table.end(active);
    await tick();
    expect([changes(), stored()]).toEqual([['one ended'], []]);
  });

  test('notes no call as open that is not admitted', async () => {
    start();
    table.add(call('one', { isAdmitted: false } as Partial<CallState>));
    await tick();
    expect([stored(), redis.hashes.get(openCallsKey(holder))]).toEqual([['one'], undefined]);
  });

  test('says that the edge lives, with its counts', async () => {
    start();
    table.add(call('one', { ringingAt: now }));
    await tick();
    expect(JSON.parse(redis.strings.get(heartbeatKey(holder))!)).toMatchObject({
      edge_id: 'edge-1',
      draining: false,
      counts: { calls: 1, ringing: 1, answered: 0, records_waiting: 3, owed_deletions: 1 },
    });
    expect([...redis.sortedSets.get(liveEdgesKey)!.keys()]).toEqual([holder]);
    expect(redis.sets.get(openCallOwnersKey)).toEqual(new Set([holder]));
    const first = redis.strings.get(heartbeatKey(holder));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(redis.strings.get(heartbeatKey(holder))).not.toBe(first);
  });

  test('is published again whole when Redis has lost it, or was down', async () => {
    start();
    const active = table.add(call('one', { answeredAt: now }));
    for (let ticks = 0; ticks < 3; ticks++) await tick();
    expect(table.fresh.has(active)).toBe(false);
    redis.hashes.clear();
    redis.strings.clear();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(stored()).toEqual(['one']);
    redis.status = 'connecting';
    await tick();
    redis.hashes.clear();
    redis.status = 'ready';
    await tick();
    expect(stored()).toEqual(['one']);
    redis.isDown = true;
    table.add(call('two'));
    await tick();
    redis.isDown = false;
    await tick();
    expect(stored().sort()).toEqual(['one', 'two']);
  });

  test('is removed when the edge stops, and nothing is noted from then on', async () => {
    const publisher = start();
    const active = table.add(call('one'));
    await tick();
    await publisher.stop();
    expect(redis.strings.has(heartbeatKey(holder))).toBe(false);
    expect([stored(), [...redis.sortedSets.get(liveEdgesKey)!.keys()]]).toEqual([[], []]);
    const [, batch] = redis.published.at(-1)!;
    expect(JSON.parse(batch)).toMatchObject({ edge_id: 'edge-1', events: [], lost: true });
    table.end(active);
    await tick();
    expect(redis.published.at(-1)![1]).toBe(batch);
  });
});

describe('calls without a record', () => {
  const open = (): OpenCalls => {
    const calls = new OpenCalls({
      redis: redis.asRedis,
      holder,
      table: table as unknown as CallTable,
      log: pino({ level: 'silent' }),
    });
    calls.start();
    return calls;
  };
  const noted = (): string[] => [...(redis.hashes.get(openCallsKey(holder))?.keys() ?? [])];

  test('are noted when they are admitted, several with one command', async () => {
    open();
    for (const id of ['one', 'two']) table.onAdmitted(table.add(call(id)));
    await vi.advanceTimersByTimeAsync(100);
    expect(noted()).toEqual(['one', 'two']);
    expect(redis.sets.get(openCallOwnersKey)).toEqual(new Set([holder]));
    expect(redis.lifetimes.get(openCallsKey(holder))).toBeGreaterThan(0);
  });

  test('are not noted once their record is handed over, nor when they will leave none', async () => {
    open();
    const [over, unrecorded, later] = ['over', 'unrecorded', 'later'].map((id) => table.add(call(id)));
    for (const each of [over!, unrecorded!, later!]) table.onAdmitted(each);
    table.calls.delete('over');
    table.onUnrecorded(unrecorded!);
    await vi.advanceTimersByTimeAsync(100);
    expect(noted()).toEqual(['later']);
    table.onUnrecorded(later!);
    await vi.advanceTimersByTimeAsync(100);
    expect(noted()).toEqual([]);
  });

  test('are not noted while Redis is down, or after the stop', async () => {
    const calls = open();
    redis.status = 'connecting';
    table.onAdmitted(table.add(call('one')));
    await vi.advanceTimersByTimeAsync(100);
    redis.status = 'ready';
    calls.stop();
    table.onAdmitted(table.add(call('two')));
    await vi.advanceTimersByTimeAsync(100);
    expect(noted()).toEqual([]);
  });
});

test('the event loop is as late as the time between two looks at it is too long', () => {
  const looks = [99.9, 100, 101.26, 350].map((milliseconds) => milliseconds * 1_000_000);
  expect([Number.NaN, 0, ...looks].map(delayOfLooks)).toEqual([0, 0, 0, 0, 1.3, 250]);
});
