import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  numberBarrierChannel,
  numberConfirmationsKey,
  readyEdgesKey,
} from '../../../../src/contract/keys.js';
import { confirmedByEdges } from '../../../../src/control/projection/edge-confirmations.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

let redis: MemoryRedis;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] });
  redis = new MemoryRedis();
  return () => vi.useRealTimers();
});

/** Edges that say that they take calls. */
const ready = (...names: string[]): void => {
  for (const name of names) void redis.zadd(readyEdgesKey, Date.now() + 8_000, name);
};

type Listen = (event: 'message', listener: (channel: string, token: string) => void) => void;

/** Edges that are subscribed, by the milliseconds after which each confirms. */
function subscribed(edges: Readonly<Record<string, number>>): void {
  const connection = redis.duplicate() as { subscribe(channel: string): Promise<void>; on: Listen };
  void connection.subscribe(numberBarrierChannel);
  redis.subscribers = Object.keys(edges).length;
  connection.on('message', (_, token) => {
    for (const [name, milliseconds] of Object.entries(edges)) {
      if (Number.isFinite(milliseconds))
        setTimeout(() => void redis.sadd(numberConfirmationsKey(token), name), milliseconds);
    }
  });
}

/** The answer, and the milliseconds until it came. */
async function confirmed(): Promise<[boolean, number]> {
  const startedAt = performance.now();
  const answer = confirmedByEdges(redis.asRedis, startedAt + 5_000).then((isConfirmed): [boolean, number] => [
    isConfirmed,
    performance.now() - startedAt,
  ]);
  await vi.advanceTimersByTimeAsync(10_000);
  return answer;
}

describe('a change is confirmed', () => {
  it('at once where there is no edge', async () => {
    expect(await confirmed()).toEqual([true, 0]);
  });

  it('when the last edge that takes calls has it', async () => {
    ready('first', 'second');
    subscribed({ first: 10, second: 3_000 });
    expect(await confirmed()).toEqual([true, expect.closeTo(3_000, -2)]);
  });

  it('also by an edge that takes calls although its lease has expired', async () => {
    subscribed({ late: 500 });
    expect(await confirmed()).toEqual([true, expect.closeTo(500, -2)]);
  });
});

describe('a change is not confirmed', () => {
  it('when an edge that takes calls has not said so in time', async () => {
    ready('first', 'second');
    subscribed({ first: 10, second: Number.POSITIVE_INFINITY });
    expect(await confirmed()).toEqual([false, expect.closeTo(5_000, -2)]);
  });

  it('at once when an edge that takes calls is not subscribed', async () => {
    ready('first', 'second');
    subscribed({ first: 0 });
    expect(await confirmed()).toEqual([false, expect.closeTo(0, -2)]);
  });

  it('after a second when only an edge without a lease is silent', async () => {
    ready('first');
    subscribed({ first: 10, hung: Number.POSITIVE_INFINITY });
    expect(await confirmed()).toEqual([false, expect.closeTo(1_000, -2)]);
  });
});
