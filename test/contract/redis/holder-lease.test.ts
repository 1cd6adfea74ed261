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
import { PrivateRedis } from './private-redis.js';

const leaseMilliseconds = 1_000;

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

function lease(holder: string): HolderLease {
  const begun = new HolderLease({
    redis,
    holder,
    edgeId: holder,
    leaseMilliseconds,
    // Each test renews what it wants to be alive.
    renewMilliseconds: 60_000,
    isRehoming: false,
    lost: () => {},
  });
  begun.begin('engine', `owner ${holder}`, []);
  return begun;
}

async function otherOf(holder: HolderLease): Promise<OtherHolder> {
  const [neighbor] = await holder.others();
  return neighbor!;
}

it('of two processes that stop at the same time, neither leaves its calls to the other', async () => {
  const candidates = await holderLease.others();
  expect(candidates).toMatchObject([{ holder: 'two', hasLease: true, is_leaving: false }]);
  await holderLease.announceLeaving();
  // Between the look and the step.
  await two.announceLeaving();
  expect(await holderLease.leave(candidates)).toBe(false);
  expect(await two.leave(await two.others())).toBe(false);
  expect(await redis.exists(holderLeaseKey('one'), holderLeaseKey('two'))).toBe(2);
  expect(await holderLease.renewed()).toBe(true);
});

it('a process leaves its calls to one that stays, which may take them at once', async () => {
  await redis.hset(heldCallsKey('one'), 'call', 'sealed');
  await holderLease.announceLeaving();
  expect(await holderLease.leave(await holderLease.others())).toBe(true);
  // Its last records need no lease, and must not bring it back.
  expect(await holderLease.isHolder()).toBe(true);
  const neighbor = await otherOf(two);
  expect(neighbor).toMatchObject({ holder: 'one', hasLease: false, has_left: true, isFree: true });
  expect((await two.take(neighbor, false))?.documents).toEqual(new Map([['call', Buffer.from('sealed')]]));
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
  const earlier = (await redis.hget(holdersKey, 'one'))!;
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
  const taken = await two.take(await otherOf(two), true);
  expect(taken?.unanswered).toEqual(['unanswered']);
  await two.giveBack({ holder: 'one' } as OtherHolder, ['bad']);
  expect(await redis.hkeys(heldCallsKey('two'))).toEqual(['good']);
  expect(await redis.hkeys(openCallsKey('two'))).toEqual(['good']);
  expect(await redis.hget(openCallsKey('one'), 'bad')).toBe('{"bad":1}');
});
