import { EventEmitter } from 'node:events';
import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { CallTable } from '../../../../src/edge/call/call-table.js';
import { HeldCalls } from '../../../../src/edge/survival/held-calls.js';
import type { HolderLeaseEvents } from '../../../../src/edge/survival/holder-lease.js';
import { confirmedCall, RedisDouble } from './held-doubles.js';

let redis: RedisDouble;
let lease: EventEmitter<HolderLeaseEvents> & { isCurrent: boolean };
let table: CallTable;
let held: HeldCalls;
beforeEach(() => {
  vi.useFakeTimers();
  redis = new RedisDouble();
  lease = Object.assign(new EventEmitter<HolderLeaseEvents>(), { isCurrent: true });
  table = new CallTable();
  const secrets = new SecretBox([generateSecretKey()]);
  const log = pino({ level: 'silent' });
  held = new HeldCalls({ redis: redis as never, holder: 'edge-1', lease, table, secrets, log });
  held.start();
});
afterEach(() => {
  held.stop();
  vi.useRealTimers();
});

it('writes a call again that Redis did not take', async () => {
  redis.isFull = true;
  const call = confirmedCall(table);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(redis.written).toEqual([]);
  redis.isFull = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(redis.written).toEqual([[call.state.id]]);
});

it('writes nothing while another edge may have its calls', async () => {
  const call = confirmedCall(table);
  await vi.advanceTimersByTimeAsync(1_000);
  redis.written.length = 0;
  lease.isCurrent = false;
  call.exchange.begin()();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(redis.written).toEqual([]);
  await expect(held.flush()).rejects.toThrow('Redis did not take the held calls.');
  lease.isCurrent = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(redis.written).toEqual([[call.state.id]]);
});

it('writes a call again over the document of another edge, unless it has left its calls', async () => {
  const call = confirmedCall(table);
  await vi.advanceTimersByTimeAsync(1_000);
  held.restore(call);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(redis.written).toEqual([[call.state.id], [call.state.id]]);
  held.stop();
  held.restore(call);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(redis.written).toHaveLength(2);
});

it('writes nothing after its calls were left to another edge, even if the last write failed', async () => {
  redis.isFull = true;
  confirmedCall(table);
  await vi.advanceTimersByTimeAsync(100);
  held.stop();
  redis.isFull = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(redis.written).toEqual([]);
});

it('forgets failed writes of calls that it left, also where it holds calls again', async () => {
  redis.isFull = true;
  confirmedCall(table);
  await vi.advanceTimersByTimeAsync(100);
  held.stop();
  held.start();
  const later = confirmedCall(table);
  await vi.advanceTimersByTimeAsync(100);
  redis.isFull = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(redis.written).toEqual([[later.state.id]]);
});

it('writes all calls again when Redis has lost its data behind an open connection', async () => {
  const calls = [confirmedCall(table), confirmedCall(table)];
  await vi.advanceTimersByTimeAsync(1_000);
  redis.written.length = 0;
  lease.emit('dataLost');
  await vi.advanceTimersByTimeAsync(100);
  expect(redis.written).toEqual([calls.map(({ state }) => state.id)]);
});

it.each(['ready', 'dataLost'] as const)(
  'writes nothing on %s after its calls were left to another edge',
  async (event) => {
    confirmedCall(table);
    await vi.advanceTimersByTimeAsync(1_000);
    redis.written.length = 0;
    held.stop();
    if (event === 'ready') redis.emit(event);
    else lease.emit(event);
    confirmedCall(table);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(redis.written).toEqual([]);
  },
);

it('writes nothing that changed just before its calls were left to another edge', async () => {
  confirmedCall(table);
  held.stop();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(redis.written).toEqual([]);
});

it('writes all confirmed calls again when Redis is connected again', async () => {
  redis.status = 'reconnecting';
  const calls = [confirmedCall(table), confirmedCall(table)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(redis.written).toEqual([]);
  redis.status = 'ready';
  redis.emit('ready');
  await vi.advanceTimersByTimeAsync(100);
  expect(redis.written).toEqual([calls.map(({ state }) => state.id)]);
});

it('writes no call that lacks a leg', async () => {
  confirmedCall(table, ['trunk']);
  confirmedCall(table, ['agent']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(redis.written).toEqual([]);
});

it('flushes all calls at once, and rejects when Redis does not take them', async () => {
  const calls = [confirmedCall(table), confirmedCall(table)];
  await held.flush();
  expect(redis.written).toEqual([calls.map(({ state }) => state.id)]);
  redis.isFull = true;
  await expect(held.flush()).rejects.toThrow('Redis did not take the held calls.');
  redis.isFull = false;
  redis.status = 'reconnecting';
  await expect(held.flush()).rejects.toThrow('Redis did not take the held calls.');
});

it('writes many calls in commands of 64', async () => {
  for (let index = 0; index < 130; index++) confirmedCall(table);
  await held.flush();
  expect(redis.portions).toEqual([64, 64, 2]);
});

it('opens the document of a call by its own name alone', async () => {
  const call = confirmedCall(table);
  await held.flush();
  const sealed = redis.documents.get(call.state.id)!;
  expect(held.open(call.state.id, sealed)?.call.call_id).toBe(call.state.id);
  expect(held.open('another', sealed)).toBeUndefined();
  expect(held.open(call.state.id, Buffer.from('unreadable'))).toBeUndefined();
});
