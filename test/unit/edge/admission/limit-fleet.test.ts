import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  limitRateKey,
  limitRecallChannel,
  limitSharersKey,
  limitSlotsKey,
} from '../../../../src/contract/keys.js';
import { LimitFleet } from '../../../../src/edge/admission/fleet/limit-fleet.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

const timing = { leaseMilliseconds: 10_000, renewMilliseconds: 1_000, waitMilliseconds: 200 };

let redis: MemoryRedis;
let fleet: LimitFleet;
let events: string[];
/** What the next renewals answer. */
let sharers: string[];
let renewals: number;
/** What leases answer, the last one again and again. */
let answers: (number[] | null)[];
let asked: { keys: string[]; values: string[] }[];
beforeEach(() => {
  vi.useFakeTimers();
  redis = new MemoryRedis();
  sharers = ['1', 'edge-1'];
  answers = [[2, 0, 0]];
  renewals = 0;
  events = [];
  asked = [];
  redis.script('liveSharer', (keys, values) => {
    renewals++;
    expect([keys, values]).toEqual([[limitSharersKey], ['edge-1', '10000']]);
    return [...sharers];
  });
  for (const name of ['leaseLimitSlots', 'leaseLimitTokens'])
    redis.script(name, (keys, values) => {
      asked.push({ keys, values });
      return answers.length > 1 ? answers.shift() : answers[0];
    });
  fleet = new LimitFleet({ redis: redis.asRedis, holder: 'edge-1', ...timing });
  fleet.on('recall', (kind, limit) => void events.push(`${kind} ${limit}`));
  fleet.on('back', () => void events.push('back'));
});
afterEach(async () => {
  await fleet.stop();
  vi.useRealTimers();
});
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

const slots = { limit: 5, used: 1, kept: 2, needed: 1, inAdvance: false, adopted: undefined };
const tokens = { perSecond: 2, burst: 4, returned: 1, kept: 0, needed: 1, inAdvance: true };

describe('an edge that shares limits', () => {
  it('is up from its first renewal until its lease would have run out', async () => {
    expect(fleet.isUp).toBe(false);
    await fleet.start();
    expect([fleet.isUp, renewals, events]).toEqual([true, 1, ['back']]);
    await pass(2_500);
    expect([renewals, events]).toEqual([3, ['back']]);
    redis.isDown = true;
    await pass(1_000);
    expect(fleet.isUp).toBe(false);
    redis.isDown = false;
    redis.emit('ready');
    await pass(0);
    expect([fleet.isUp, events]).toEqual([true, ['back', 'back']]);
  });

  it('says that Redis has lost it', async () => {
    await fleet.start();
    sharers = ['0', 'edge-1'];
    await pass(1_000);
    expect(events).toEqual(['back', 'back']);
    sharers = ['1', 'edge-1'];
    await pass(1_000);
    expect(events).toEqual(['back', 'back']);
  });

  it('is no sharer any more when it stops, where Redis is ready', async () => {
    redis.sortedSets.set(limitSharersKey, new Map([['edge-1', 1]]));
    await fleet.start();
    redis.status = 'reconnecting';
    await fleet.stop();
    expect(redis.sortedSets.get(limitSharersKey)!.has('edge-1')).toBe(true);
    redis.status = 'ready';
    await fleet.stop();
    expect(redis.sortedSets.get(limitSharersKey)!.has('edge-1')).toBe(false);
    redis.emit('ready');
    await pass(5_000);
    expect(renewals).toBe(1);
  });

  it.each([
    [['edge-1'], [1, 7, 1]],
    [
      ['edge-1', 'edge-0'],
      [1, 3, 0.5],
    ],
    [
      ['edge-2', 'edge-1'],
      [1, 4, 0.5],
    ],
    [
      ['edge-1', 'edge-0', 'edge-2', 'edge-3'],
      [1, 2, 0.25],
    ],
    [[], [1, 7, 1]],
  ] as const)('has, beside %j, its part of a limit while Redis is down', async (names, parts) => {
    sharers = ['1', ...names];
    await fleet.start();
    expect([fleet.shareOf(1), fleet.shareOf(7), fleet.part]).toEqual(parts);
    expect(fleet.shareOf(0)).toBe(0);
  });

  it('frees the slots of an edge that is gone once its calls were adopted, once', async () => {
    redis.sortedSets.set(limitSharersKey, new Map([['edge-9', 1]]));
    const freed = vi.spyOn(redis, 'zrem');
    await fleet.start();
    fleet.gone('edge-9');
    await pass(500);
    fleet.gone('edge-9');
    expect(freed).not.toHaveBeenCalled();
    await pass(1_500);
    expect(freed.mock.calls).toEqual([[limitSharersKey, 'edge-9']]);
    fleet.gone('edge-9');
    redis.isDown = true;
    await pass(1_000);
    expect(freed).toHaveBeenCalledTimes(2);
  });

  it('returns what others need', async () => {
    await fleet.start();
    events.length = 0;
    for (const message of ['slots organization acme', 'rate number 49', 'other number 49'])
      redis.deliver(limitRecallChannel, message);
    expect(events).toEqual(['slots organization acme', 'rate number 49']);
    await fleet.stop();
    redis.deliver(limitRecallChannel, 'rate number 49');
    expect(events).toHaveLength(2);
  });
});

describe('a lease', () => {
  beforeEach(() => fleet.start());

  it('says of slots what is used, kept and needed, and whose calls were adopted', async () => {
    expect(await fleet.leaseSlots('acme', slots)).toEqual({
      granted: 2,
      mayComeBack: false,
      waitMilliseconds: 0,
    });
    await fleet.leaseSlots('acme', { ...slots, inAdvance: true, adopted: { holder: 'edge-9', calls: 3 } });
    expect(asked.map(({ keys }) => keys)).toEqual(Array(2).fill([limitSlotsKey('acme'), limitSharersKey]));
    const own = ['edge-1', '5', '1', '2', '1'];
    const tail = [limitRecallChannel, 'slots acme', String(2 * 86_400_000)];
    expect(asked.map(({ values }) => values)).toEqual([
      [...own, '0', ...tail, '', '0'],
      [...own, '1', ...tail, 'edge-9', '3'],
    ]);
  });

  it('keeps tokens until the bucket is full again', async () => {
    answers = [[0, 1, 300]];
    expect(await fleet.leaseTokens('acme', tokens)).toEqual({
      granted: 0,
      mayComeBack: true,
      waitMilliseconds: 300,
    });
    await fleet.leaseTokens('acme', { ...tokens, inAdvance: false });
    expect(asked[0]).toEqual({
      keys: [limitRateKey('acme'), limitSharersKey],
      values: ['edge-1', '2', '4', '1', '0', '1', '1', limitRecallChannel, 'rate acme', '122000'],
    });
    expect(asked[1]!.values[6]).toBe('0');
  });

  it('is asked for again after a renewal where Redis did not know the edge', async () => {
    answers = [null, [1, 0, 0]];
    expect(await fleet.leaseSlots('acme', slots)).toMatchObject({ granted: 1 });
    expect([asked.length, renewals]).toEqual([2, 2]);
  });

  it.each([
    [
      'does not know it twice',
      () => {
        answers = [null];
      },
    ],
    [
      'is down',
      () => {
        redis.isDown = true;
      },
    ],
    ['says nothing', () => redis.script('leaseLimitSlots', () => new Promise(() => {}))],
  ])('gets nothing, and calls do not wait again, where Redis %s', async (_what, change) => {
    change();
    const lease = fleet.leaseSlots('acme', slots);
    await pass(2 * timing.waitMilliseconds);
    expect(await lease).toBeUndefined();
    expect(fleet.isUp).toBe(false);
    redis.isDown = false;
    await pass(1_500);
    expect(fleet.isUp).toBe(true);
  });
});
