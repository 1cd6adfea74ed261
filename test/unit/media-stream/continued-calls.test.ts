import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { streamCallsKey, streamProcessesKey } from '../../../src/contract/agent-stream.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import { callSidOf } from '../../../src/contract/stream-ids.js';
import { ContinuedCalls, dialogElsewhere } from '../../../src/media-stream/continued-calls.js';
import type { StreamCall } from '../../../src/media-stream/stream-call.js';
import { until } from '../../../src/testkit/waiting.js';
import { MemoryRedis } from '../../support/memory-redis.js';
import { testOrder } from './answered-call.js';

const secrets = new SecretBox([generateSecretKey()]);
const id = 'process-1';
const key = streamCallsKey(id);

class CountingRedis extends MemoryRedis {
  remaining = 55_000;
  writes = 0;
  reads = 0;
  override pttl = async () => {
    this.reads++;
    if (this.isDown) throw new Error('Connection is closed.');
    return this.remaining;
  };

  override pipeline(): unknown {
    this.writes++;
    return this.multi();
  }
}

const leg = { sip_call_id: 'sip-1', local_tag: 'ours', remote_tag: 'theirs' };
const call = (callId: string, isAnswered = true): StreamCall =>
  ({ id: callId, describe: () => (isAnswered ? { leg, port: 4_000 } : undefined) }) as unknown as StreamCall;

describe('the answered calls of a process', () => {
  let redis: CountingRedis;
  let calls: ContinuedCalls;
  const stored = (): string[] => [...(redis.hashes.get(key)?.keys() ?? [])];
  const open = (): ContinuedCalls =>
    new ContinuedCalls(redis.asRedis, id, secrets, pino({ level: 'silent' }));
  beforeEach(() => {
    redis = new CountingRedis();
    calls = open();
  });
  afterEach(() => void vi.useRealTimers());

  test('are sealed for the process after it, and forgotten when they end', async () => {
    calls.note(call('one'));
    calls.note(call('two'));
    calls.note(call('ringing', false));
    await until(() => stored().length === 2, 10_000, 'the documents');
    expect(redis.hashes.get(key)!.get('one')).not.toContain('sip-1');
    expect(redis.lifetimes.get(key)).toBe(86_400_000);
    calls.forget('one');
    await until(() => stored().length === 1, 10_000, 'the end of one');
    expect(await open().left()).toEqual(new Map([['two', { leg, port: 4_000 }]]));
  });

  test('are written again when Redis was down, the newest state of each', async () => {
    redis.isDown = true;
    const next = open();
    next.note(call('one'));
    await until(() => redis.writes === 2, 10_000, 'a write that fails');
    next.forget('one');
    next.note(call('two'));
    redis.isDown = false;
    await until(() => stored().includes('two'), 10_000, 'the document');
    expect(stored()).toEqual(['two']);
  });

  test('are left with their last state, and nothing is written from then on', async () => {
    calls.note(call('one'));
    await calls.leave();
    expect(stored()).toEqual(['one']);
    calls.note(call('two'));
    calls.forget('one');
    await calls.leave();
    expect(stored()).toEqual(['one']);
  });

  test('are left once Redis answers, also those whose write has failed under way', async () => {
    vi.useFakeTimers();
    calls.note(call('one'));
    redis.isDown = true;
    // It begins to write, and has no reply yet.
    vi.advanceTimersByTime(1);
    expect(redis.writes).toBe(1);
    let isLeft = false;
    const left = calls.leave().then(() => {
      isLeft = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isLeft).toBe(false);
    redis.isDown = false;
    await vi.advanceTimersByTimeAsync(1_000);
    await left;
    expect(stored()).toEqual(['one']);
  });

  test('are not left where Redis does not answer for some seconds', async () => {
    vi.useFakeTimers();
    redis.isDown = true;
    calls.note(call('one'));
    const failed = expect(calls.leave()).rejects.toThrow('Connection is closed');
    await vi.advanceTimersByTimeAsync(4_000);
    await failed;
    // Nothing is written from then on.
    redis.isDown = false;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(stored()).toEqual([]);
  });

  test('are written in one go while Redis is slow', async () => {
    vi.useFakeTimers();
    let reply = (): void => {};
    const { hset } = redis;
    redis.hset = async (...words) => {
      await new Promise<void>((resolve) => {
        reply = resolve;
      });
      return hset(...words);
    };
    calls.note(call('one'));
    await vi.advanceTimersByTimeAsync(1);
    for (const name of ['two', 'three']) {
      calls.note(call(name));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(redis.writes).toBe(1);
    redis.hset = hset;
    reply();
    await vi.advanceTimersByTimeAsync(1);
    expect([redis.writes, stored()]).toEqual([2, ['one', 'two', 'three']]);
  });

  test('are given up when the process has been gone for long, and left out where they cannot be read', async () => {
    calls.note(call('one'));
    await calls.leave();
    redis.hashes.get(key)!.set('broken', 'x');
    redis.remaining = 30_000;
    expect([...(await open().left()).keys()]).toEqual(['one']);
    redis.remaining = 29_999;
    expect((await open().left()).size).toBe(0);
    expect(stored()).toEqual([]);
  });

  test('are read again while Redis does not answer, for as long as edges keep them', async () => {
    calls.note(call('one'));
    await calls.leave();
    vi.useFakeTimers();
    redis.isDown = true;
    const left = open().left();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(redis.reads).toBeGreaterThan(5);
    redis.isDown = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([...(await left).keys()]).toEqual(['one']);
    redis.isDown = true;
    const failed = expect(open().left()).rejects.toThrow('Connection is closed');
    await vi.advanceTimersByTimeAsync(7_000);
    await failed;
  });

  test('are found by their SID at any process', async () => {
    const { call_id: callId } = testOrder;
    calls.note(call(callId));
    await calls.leave();
    redis.sets.set(streamProcessesKey, new Set(['process-0', id]));
    const find = (sid: string) => dialogElsewhere(redis.asRedis, sid, secrets);
    expect(await find(callSidOf(callId))).toEqual({ callId: 'sip-1', localTag: 'ours', remoteTag: 'theirs' });
    expect(await find(callSidOf(crypto.randomUUID()))).toBeUndefined();
    expect(await find('nonsense')).toBeUndefined();
  });
});
