import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rateCounts } from '../../../../src/control/server/rate-counts.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

const windowMilliseconds = 60_000;
const maximum = 10;

let redis: MemoryRedis;
let answer: (asker: string) => unknown;
let asked: number;
beforeEach(() => {
  vi.useFakeTimers();
  redis = new MemoryRedis();
  asked = 0;
  answer = () => [100, 5_000];
  redis.script('countRequest', ([key]) => {
    asked += 1;
    return answer(key!);
  });
});
afterEach(() => void vi.useRealTimers());

type Count = { current: number; ttl: number };

/** Counts one request, once what it waits for has had so many milliseconds. */
function storeOf(shared?: MemoryRedis) {
  const store = new (rateCounts(shared?.asRedis))({} as never);
  return async (asker = 'a', milliseconds = 0): Promise<Count | undefined> => {
    let counted: Count | undefined;
    store.incr(
      asker,
      (error, count) => {
        expect(error).toBeNull();
        counted = count as Count;
      },
      windowMilliseconds,
      maximum,
    );
    await vi.advanceTimersByTimeAsync(milliseconds);
    return counted;
  };
}

describe('a process alone', () => {
  it('counts the requests of each asker within its window', async () => {
    const count = storeOf();
    expect(await count('a')).toEqual({ current: 1, ttl: windowMilliseconds });
    expect(await count('b')).toEqual({ current: 1, ttl: windowMilliseconds });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await count('a')).toEqual({ current: 2, ttl: 40_000 });
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await count('a')).toEqual({ current: 1, ttl: windowMilliseconds });
  });

  it('forgets the askers whose window began first', async () => {
    const count = storeOf();
    await count('first');
    await count('second');
    for (let index = 0; index < 4_999; index++) await count(`asker ${index}`);
    expect((await count('second'))!.current).toBe(2);
    expect((await count('first'))!.current).toBe(1);
  });
});

describe('several processes', () => {
  it('count together', async () => {
    expect(await storeOf(redis)()).toEqual({ current: 100, ttl: 5_000 });
  });

  it('ask Redis no more for a client that is over the limit of one process', async () => {
    const count = storeOf(redis);
    for (let index = 0; index < maximum; index++) await count();
    expect(asked).toBe(maximum);
    expect((await count())!.current).toBe(maximum + 1);
    expect(asked).toBe(maximum);
  });

  it('count alone while Redis is not connected', async () => {
    redis.status = 'reconnecting';
    expect((await storeOf(redis)())!.current).toBe(1);
    expect(asked).toBe(0);
  });

  it('wait 200 ms for a Redis that hangs, then a second for none', async () => {
    const count = storeOf(redis);
    answer = () => new Promise(() => {});
    expect(await count('a', 199)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(10);
    expect((await count('a'))!.current).toBe(2);
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    answer = () => [100, 5_000];
    expect((await count('b'))!.current).toBe(100);
    expect((await count('b'))!.current).toBe(100);
  });

  it('test with one request whether Redis is back', async () => {
    const count = storeOf(redis);
    answer = () => new Promise(() => {});
    await count('a', 300);
    await vi.advanceTimersByTimeAsync(1_000);
    void count('b');
    expect((await count('c'))!.current).toBe(1);
    expect(asked).toBe(2);
  });

  it('count apart for each limit', async () => {
    const store = new (rateCounts(undefined))({} as never);
    const counts: number[] = [];
    const note = (_error: Error | null, count?: { current: number }) => void counts.push(count!.current);
    store.incr('a', note, windowMilliseconds, maximum);
    store.child({} as never).incr('a', note, windowMilliseconds, maximum);
    expect(counts).toEqual([1, 1]);
  });
});
