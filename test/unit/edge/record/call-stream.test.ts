import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../../src/base/log.js';
import type { RecordSettings } from '../../../../src/config/edge-settings.js';
import type { CallRecord } from '../../../../src/contract/call-record.js';
import { callStream } from '../../../../src/contract/keys.js';
import { CallStream } from '../../../../src/edge/record/call-stream.js';
import { until } from '../../../../src/testkit/waiting.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

const record = (callId: string, detail = ''): CallRecord =>
  ({ version: 1, call_id: callId, detail }) as unknown as CallRecord;

describe('call records', () => {
  let directory: string;
  let redis: MemoryRedis;
  let isHolder: boolean;
  const streams: CallStream[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'demarc-records-'));
    redis = new MemoryRedis();
    isHolder = true;
  });
  afterEach(async () => {
    for (const stream of streams.splice(0)) await stream.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const open = async (more: Partial<RecordSettings> = {}): Promise<CallStream> => {
    const stream = new CallStream({
      settings: {
        streamLength: 1_000,
        streamBytes: 1_000_000,
        maximumWaiting: 5,
        maximumWaitingBytes: 2_000,
        spillFile: join(directory, 'waiting.ndjson'),
        ...more,
      } as RecordSettings,
      redis: redis.asRedis,
      openCallsKey: 'open',
      heldCallsKey: 'held',
      isHolder: async () => isHolder,
      log: createLog({ level: 'silent', role: 'edge', edge: 'test' }),
    });
    streams.push(stream);
    await stream.start();
    return stream;
  };
  const written = (): string[] =>
    (redis.streams.get(callStream) ?? []).map((json) => (JSON.parse(json) as CallRecord).call_id);
  const goDown = (): void => {
    redis.status = 'connecting';
    redis.isDown = true;
  };
  const comeUp = (): void => {
    redis.status = 'ready';
    redis.isDown = false;
    redis.emit('ready');
  };

  test('are written in order, and their calls are open and held no longer', async () => {
    for (const key of ['open', 'held'])
      redis.hashes.set(
        key,
        new Map([
          ['one', '1'],
          ['three', '3'],
        ]),
      );
    const stream = await open();
    stream.publish(record('one'));
    stream.publish(record('two'));
    expect(stream.waiting).toBe(2);
    await until(() => written().length === 2, 10_000, 'the records');
    expect(written()).toEqual(['one', 'two']);
    for (const key of ['open', 'held']) expect([...redis.hashes.get(key)!.keys()]).toEqual(['three']);
    await until(() => stream.waiting === 0, 10_000, 'an empty queue');
  });

  test('wait in memory while Redis is down, and are written when it is back', async () => {
    const stream = await open();
    goDown();
    stream.publish(record('one'));
    stream.publish(record('two'));
    await stream.flush();
    expect(written()).toEqual([]);
    comeUp();
    stream.publish(record('three'));
    await until(() => written().length === 3, 20_000, 'the records');
    expect(written()).toEqual(['one', 'two', 'three']);
    expect([stream.lost, stream.diskFailure]).toEqual([0, undefined]);
  });

  test.each([
    ['many', 6, ''],
    ['long ones', 3, 'x'.repeat(900)],
  ])('wait on disk when there are %s, and go before newer ones', async (_what, count, detail) => {
    const stream = await open();
    goDown();
    for (let each = 1; each <= count; each++) stream.publish(record(`${each}`, detail));
    expect(stream.waiting).toBe(0);
    stream.publish(record('newer'));
    comeUp();
    await until(() => written().length === count + 1, 20_000, 'the records');
    expect(written()).toEqual([...Array.from({ length: count }, (_each, at) => `${at + 1}`), 'newer']);
  });

  test('are written by the next process when they still wait at the end of one', async () => {
    const first = await open();
    goDown();
    first.publish(record('one'));
    await first.stop();
    expect([first.waiting, first.lost]).toEqual([0, 0]);
    first.publish(record('too late'));
    comeUp();
    await open();
    await until(() => written().length > 0, 20_000, 'the record');
    expect(written()).toEqual(['one']);
  });

  test('of a process whose calls another one has are its own: they are not written', async () => {
    const stream = await open();
    isHolder = false;
    stream.publish(record('one'));
    await stream.flush();
    expect([written(), stream.waiting]).toEqual([[], 0]);
  });

  test('stay in memory when the disk refuses them too, the oldest within a bound', async () => {
    writeFileSync(join(directory, 'file'), '');
    const stream = await open({ spillFile: join(directory, 'file', 'waiting.ndjson') });
    goDown();
    for (let each = 1; each <= 6; each++) stream.publish(record(`${each}`));
    await until(() => stream.diskFailure !== undefined, 10_000, 'the refusal');
    expect([stream.waiting, stream.lost]).toEqual([6, 0]);
    expect(stream.diskFailure).toBe('EEXIST');
    // Four times 2,000 octets.
    for (let each = 7; each <= 16; each++) stream.publish(record(`${each}`, 'x'.repeat(900)));
    expect(stream.lost).toBeGreaterThan(5);
    const left = stream.waiting;
    comeUp();
    await until(() => written().length === left, 20_000, 'the records');
    expect(written().at(-1)).toBe('16');
    expect(written()).toEqual([...written()].sort((left, right) => Number(left) - Number(right)));
  });

  test('of the last seconds are written again at another server of Redis', async () => {
    let server = 'a1';
    Object.assign(redis, { info: async () => `# Server\r\nrun_id:${server}\r\n` });
    const stream = await open();
    stream.publish(record('one'));
    await until(() => written().length === 1 && stream.waiting === 0, 10_000, 'the record');
    comeUp();
    stream.publish(record('two'));
    await until(() => written().length === 2 && stream.waiting === 0, 10_000, 'the next record');
    server = 'b2';
    redis.streams.clear();
    comeUp();
    await until(() => written().length === 2, 10_000, 'the records again');
    expect(written()).toEqual(['one', 'two']);
  });
});
