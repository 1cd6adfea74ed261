import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  heldCallsKey,
  holderFactsSchema,
  holderLeaseKey,
  holdersKey,
} from '../../../src/contract/held-call.js';
import { openCallsKey } from '../../../src/contract/open-calls.js';
import { HolderLease } from '../../../src/edge/survival/holder-lease.js';
import type { OtherHolder } from '../../../src/edge/survival/other-holders.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { PrivateRedis } from './private-redis.js';

/** Longer than this process may be stalled between a renewal and what the test does with the lease. */
const leaseMilliseconds = 3_000;

let server: PrivateRedis;
let redis: Redis;
let holderLease: HolderLease;
let two: HolderLease;
beforeAll(async () => {
  server = await PrivateRedis.start();
  redis = server.client();
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});
beforeEach(async () => {
  await redis.flushall();
  [holderLease, two] = [lease('one'), lease('two')];
  for (const each of [holderLease, two]) await each.renewed();
  // The first renewal of each has a timer.
  await pause(20);
});
afterEach(() => Promise.all([holderLease.stop(), two.stop()]));

function lease(holder: string, engine = 'engine'): HolderLease {
  const begun = new HolderLease({
    redis,
    holder,
    edgeId: holder,
    leaseMilliseconds,
    // Each test renews what it wants to be alive.
    renewMilliseconds: 60_000,
    isRehoming: true,
    dialogsAtEngine: async () => 'ours',
    lost: () => {},
  });
  begun.begin(engine, `owner ${holder}`, []);
  return begun;
}

async function otherOf(holder: HolderLease): Promise<OtherHolder> {
  const [neighbor] = await holder.readOtherHolders();
  return neighbor!;
}

it('of two processes that stop at the same time, neither leaves its calls to the other', async () => {
  const candidates = await holderLease.readOtherHolders();
  expect(candidates).toMatchObject([{ holder: 'two', hasLease: true, is_leaving: false }]);
  await holderLease.announceLeaving();
  // Between the look and the step.
  await two.announceLeaving();
  expect(await holderLease.leave(candidates)).toBe(false);
  expect(await two.leave(await two.readOtherHolders())).toBe(false);
  expect(await redis.exists(holderLeaseKey('one'), holderLeaseKey('two'))).toBe(2);
  expect(await holderLease.renewed()).toBe(true);
});

it('a process leaves its calls to one that stays, which may take them at once', async () => {
  await redis.hset(heldCallsKey('one'), 'call', 'sealed');
  await holderLease.announceLeaving();
  expect(await holderLease.leave(await holderLease.readOtherHolders())).toBe(true);
  // Its last records need no lease, and must not bring it back.
  expect(await holderLease.isHolder()).toBe(true);
  const neighbor = await otherOf(two);
  expect(neighbor).toMatchObject({ holder: 'one', hasLease: false, has_left: true, isFree: true });
  expect((await two.take(neighbor, false, 100))?.documents).toEqual(
    new Map([['call', Buffer.from('sealed')]]),
  );
});

it('a lease that could not be renewed while Redis was down is not taken for that of a lost process', async () => {
  // What Redis has when it is back.
  await redis.del(holderLeaseKey('one'));
  expect(await otherOf(two)).toMatchObject({ hasLease: false, isFree: false });
  await holderLease.renewed();
  expect(await otherOf(two)).toMatchObject({ hasLease: true });
  await redis.del(holderLeaseKey('one'));
  await until(async () => (await otherOf(two)).isFree, 5_000, 'its time is over');
});

it('counts no process as lost while Redis refuses writes for longer than a lease, nor after that', async () => {
  await redis.call('REPLICAOF', '127.0.0.1', '1');
  const end = performance.now() + 2 * leaseMilliseconds;
  try {
    while (performance.now() < end) {
      for (const each of [holderLease, two])
        await expect(each.renewed()).rejects.toThrow(/READONLY|EXECABORT/);
      expect((await otherOf(holderLease)).isFree || (await otherOf(two)).isFree).toBe(false);
      await pause(50);
    }
  } finally {
    await redis.call('REPLICAOF', 'NO', 'ONE');
  }
  // One of them is first.
  await two.renewed();
  expect(await otherOf(two)).toMatchObject({ hasLease: false, isFree: false });
  await holderLease.renewed();
  expect(await otherOf(two)).toMatchObject({ hasLease: true });
});

it('notices at its next renewal that Redis lost its data or has older data', async () => {
  let losses = 0;
  holderLease.on('dataLost', () => losses++);
  await holderLease.renewed();
  const { at, ...facts } = JSON.parse((await redis.hget(holdersKey, 'one'))!) as { at: number };
  // Renewals can follow within a millisecond.
  const earlier = JSON.stringify({ ...facts, at: at - 1 });
  expect(losses).toBe(0);
  await redis.flushall();
  await holderLease.renewed();
  expect(losses).toBe(1);
  await holderLease.renewed();
  expect(losses).toBe(1);
  await redis.hset(holdersKey, 'one', earlier);
  await holderLease.renewed();
  expect(losses).toBe(2);
});

it('a process that renews late counts as ended only when it is seen to be gone on the same machine', async () => {
  const facts = holderFactsSchema.parse(JSON.parse((await redis.hget(holdersKey, 'one'))!));
  const seen = async (changes: Partial<typeof facts.process & object>): Promise<boolean> => {
    const process = { ...facts.process!, ...changes };
    await redis.hset(holdersKey, 'one', JSON.stringify({ ...facts, process, at: Date.now() - 30_000 }));
    return (await otherOf(two)).hasEnded();
  };
  expect(await seen({})).toBe(false);
  expect(await seen({ started: 'earlier, with the same pid' })).toBe(true);
  expect(await seen({ started: 'earlier', space: 'another machine' })).toBe(false);
});

it('calls that cannot be continued go back to the process that is gone, for control to record', async () => {
  await redis.hset(heldCallsKey('one'), { good: 'sealed', bad: 'sealed with another key' });
  await redis.hset(openCallsKey('one'), { good: '{}', bad: '{"bad":1}', unanswered: '{}' });
  const taken = await two.take(await otherOf(two), true, 100);
  expect(taken?.unanswered).toEqual(['unanswered']);
  await two.giveBack({ holder: 'one' } as OtherHolder, ['bad']);
  expect(await redis.hkeys(heldCallsKey('two'))).toEqual(['good']);
  expect(await redis.hkeys(openCallsKey('two'))).toEqual(['good']);
  expect(await redis.hget(openCallsKey('one'), 'bad')).toBe('{"bad":1}');
});

it('lets several processes share the calls of one that is gone, each call once, and the last one gets the rest', async () => {
  const three = lease('three');
  await three.renewed();
  const ids = Array.from({ length: 250 }, (_, index) => `call-${index}`);
  await redis.hset(heldCallsKey('one'), ...ids.flatMap((id) => [id, `sealed ${id}`]));
  await redis.hset(openCallsKey('one'), ...[...ids, 'unanswered'].flatMap((id) => [id, '{}']));
  await redis.del(holderLeaseKey('one'));
  const taken: string[] = [];
  const rest: string[] = [];
  const shares = await Promise.all(
    [two, three].map(async (process) => {
      const neighbors = await process.readOtherHolders();
      const neighbor = neighbors.find(({ holder }) => holder === 'one')!;
      let count = 0;
      for (;;) {
        const portion = await process.take(neighbor, true, 20);
        if (portion === undefined) return count;
        for (const [id, document] of portion.documents) {
          expect(document.toString()).toBe(`sealed ${id}`);
          taken.push(id);
          count++;
        }
        rest.push(...portion.unanswered);
        if (portion.left === 0) return count;
      }
    }),
  );
  expect(taken.sort()).toEqual(ids.sort());
  expect(rest).toEqual(['unanswered']);
  for (const share of shares) expect(share).toBeGreaterThan(50);
  const [ofTwo, ofThree] = await Promise.all(['two', 'three'].map((name) => redis.hlen(heldCallsKey(name))));
  expect([ofTwo, ofThree]).toEqual(shares);
  expect(await redis.hlen(openCallsKey('two'))).toBe(ofTwo);
  expect(await redis.hexists(holdersKey, 'one')).toBe(0);
  await three.stop();
});

it('discards what the lost process still writes, and keeps its entry until all its calls are taken', async () => {
  const calls = Array.from({ length: 30 }, (_, index) => [`call-${index}`, 'sealed']).flat();
  await redis.hset(heldCallsKey('one'), ...calls);
  const neighbor = await otherOf(two);
  expect((await two.take(neighbor, true, 20))?.left).toBe(10);
  // It wakes, writes, and notices.
  await redis.hset(heldCallsKey('one'), 'call-0', 'late');
  expect(await holderLease.renewed()).toBe(false);
  expect(await otherOf(two)).toMatchObject({ holder: 'one' });
  const portion = await two.take(neighbor, false, 20);
  expect(portion).toMatchObject({ left: 0 });
  expect(portion!.documents.size).toBe(10);
  expect(await redis.hget(heldCallsKey('two'), 'call-0')).toBe('sealed');
  expect(await two.take(neighbor, true, 20)).toBeUndefined();
});

it('marks the calls that it has taken again after Redis has lost its data', async () => {
  await redis.hset(heldCallsKey('one'), 'call-1', 'sealed');
  await two.take(await otherOf(two), true, 20);
  await redis.flushall();
  expect(await two.renewed()).toBe(true);
  expect(await holderLease.renewed()).toBe(false);
});

it('names the calls that processes on other engines have taken, and says whether further ones may follow', async () => {
  const [here, there] = [two, lease('three', 'other engine')];
  await there.renewed();
  const calls = Array.from({ length: 30 }, (_, index) => [`call-${index}`, 'sealed']).flat();
  await redis.hset(heldCallsKey('one'), ...calls);
  const ofOne = async (process: HolderLease) =>
    (await process.readOtherHolders()).find(({ holder }) => holder === 'one')!;
  await here.take(await ofOne(here), true, 10);
  const taken = await there.take(await ofOne(there), true, 10);
  expect(await holderLease.renewed()).toBe(false);
  const elsewhere = new Set(taken!.documents.keys());
  expect(await holderLease.takenElsewhere()).toEqual({ ids: elsewhere, isWhole: false });
  await here.take(await ofOne(here), true, 10);
  expect(await holderLease.takenElsewhere()).toEqual({ ids: elsewhere, isWhole: true });
  await there.stop();
});

it('names the calls whose documents were on the way when the connection broke', async () => {
  await redis.hset(heldCallsKey('one'), 'call-1', 'sealed 1', 'call-2', 'sealed 2');
  await two.take(await otherOf(two), true, 20);
  const ids = await two.unclaimed((id) => id === 'call-1');
  expect(ids).toEqual(['call-2']);
  expect(await two.documentsOf([...ids, 'call-3'])).toEqual(new Map([['call-2', Buffer.from('sealed 2')]]));
});

it('keeps Redis busy for a moment only while 5,000 calls are adopted', async () => {
  const document = randomBytes(17_800);
  for (let at = 0; at < 5_000; at += 500) {
    const fields = Array.from({ length: 500 }, (_, index) => [`call-${at + index}`, document]).flat();
    await redis.hset(heldCallsKey('one'), ...fields);
  }
  await redis.config('SET', 'slowlog-log-slower-than', '1000');
  await redis.slowlog('RESET');
  const watch = Stopwatch.start();
  const neighbor = await otherOf(two);
  let count = 0;
  for (let left = 1; left > 0; ) {
    const portion = await two.take(neighbor, true, 100);
    left = portion!.left;
    count += portion!.documents.size;
  }
  expect(count).toBe(5_000);
  expect(watch.milliseconds).toBeLessThan(watch.bound(5_000));
  const slow = (await redis.slowlog('GET', 100)) as [
    id: number,
    at: number,
    microseconds: number,
    ...unknown[],
  ][];
  const longest = Math.max(0, ...slow.map(([, , microseconds]) => microseconds / 1_000));
  expect(longest).toBeLessThan(watch.bound(50));
});
