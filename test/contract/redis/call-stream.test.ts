import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/base/log.js';
import { connectRedis, type Redis } from '../../../src/base/redis.js';
import type { CallRecord } from '../../../src/contract/call-record.js';
import { callStream } from '../../../src/contract/keys.js';
import { openCallsKey } from '../../../src/contract/open-calls.js';
import { CallStream } from '../../../src/edge/record/call-stream.js';
import { until } from '../../../src/testkit/waiting.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { PrivateRedis } from './private-redis.js';

const log = createLog({ level: 'silent', role: 'edge', edge: 'test' });

let server: PrivateRedis;
let client: Redis;
let connection: Redis;
let spillFile: string;
const streams: CallStream[] = [];

beforeEach(async () => {
  server = await PrivateRedis.start();
  client = server.client();
  connection = connectRedis(server.url, log, 'demarc-edge', { socketTimeout: 3_000 });
  spillFile = join(server.directory, 'state', 'waiting.ndjson');
});

afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.stop();
  connection.disconnect();
  client.disconnect();
  await server.stop();
});

async function streamWith(
  maximumWaiting = 1_000,
  streamLength = 100_000,
  { maximumWaitingBytes = 1_000_000, streamBytes = 1_000_000_000 } = {},
): Promise<CallStream> {
  const settings = { streamLength, streamBytes, maximumWaiting, maximumWaitingBytes, spillFile };
  const stream = new CallStream({
    settings,
    redis: connection,
    openCallsKey: openCallsKey('edge-1 ab'),
    heldCallsKey: 'demarc:held-calls:edge-1 ab',
    isHolder: async () => true,
    log,
  });
  streams.push(stream);
  await stream.start();
  return stream;
}

const record = (id: number): CallRecord => ({
  version: 1,
  call_id: `call-${id}`,
  edge_id: 'test',
  organization: null,
  number: null,
  direction: 'inbound',
  from: '',
  to: '',
  source: { address: '192.0.2.1', port: 1, protocol: 'tls' },
  started_at: '',
  ringing_at: null,
  answered_at: null,
  ended_at: '',
  duration_milliseconds: 0,
  outcome: 'refused',
  sip_status: 404,
  sip_reason: null,
  ended_by: 'edge',
  end_reason: 'refused_unknown_number',
  detail: null,
  media: null,
  attempts: [],
  sip_call_ids: { trunk: 'x', agent: null },
  trace: [],
  trace_truncated: false,
});

/** How many times Redis ran the command. */
async function countOf(command: string): Promise<number> {
  const text = await client.info('commandstats');
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(text)?.[1] ?? 0);
}

async function stored(): Promise<number[]> {
  const entries = await client.xrange(callStream, '-', '+');
  return entries.map(([, fields]) => Number((JSON.parse(fields[1]!) as CallRecord).call_id.slice(5)));
}

const sequence = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

const publish = (stream: CallStream, from: number, to: number): void => {
  for (const id of sequence(from, to)) stream.publish(record(id));
};

it('writes records in order', async () => {
  const stream = await streamWith();
  publish(stream, 1, 500);
  await until(async () => (await stored()).length === 500, 3_000, 'records');
  expect(await stored()).toEqual(sequence(1, 500));
  expect(stream.waiting).toBe(0);
});

it('bounds the stream', async () => {
  const stream = await streamWith(1_000, 1_000);
  publish(stream, 1, 900);
  await until(() => stream.waiting === 0, 3_000, 'writing');
  publish(stream, 901, 1_800);
  publish(stream, 1_801, 2_700);
  await until(() => stream.waiting === 0, 3_000, 'writing');
  expect(await client.xlen(callStream)).toBeLessThan(1_300);
});

it('loses nothing while Redis is down: kept in memory', async () => {
  const stream = await streamWith();
  publish(stream, 1, 10);
  await until(() => stream.waiting === 0, 3_000, 'records');
  await server.kill();
  publish(stream, 11, 300);
  expect(stream.waiting).toBe(290);
  await server.up();
  // Those that the server had acknowledged before it lost its memory come again.
  await until(async () => (await stored()).length >= 300, 8_000, 'records');
  expect([...new Set(await stored())]).toEqual(sequence(1, 300));
});

it('loses nothing in a long Redis outage: kept on disk', async () => {
  const stream = await streamWith(100);
  await until(() => connection.status === 'ready', 3_000, 'connection');
  await server.kill();
  publish(stream, 1, 1_050);
  expect(stream.waiting).toBeLessThan(101);
  await server.up();
  publish(stream, 1_051, 1_060);
  await until(async () => new Set(await stored()).size === 1_060, 8_000, 'records');
  expect([...new Set(await stored())]).toEqual(sequence(1, 1_060));
  expect(stream.lost).toBe(0);
  await expect(stat(spillFile)).rejects.toThrow();
});

it('leaves queued entries to the next process', async () => {
  const first = await streamWith();
  await until(() => connection.status === 'ready', 3_000, 'connection');
  await server.kill();
  publish(first, 1, 42);
  await first.stop();
  expect((await readFile(spillFile, 'utf8')).trim().split('\n')).toHaveLength(42);
  expect((await stat(spillFile)).mode & 0o077).toBe(0);
  await server.up();
  const second = await streamWith();
  publish(second, 43, 50);
  await until(async () => (await stored()).length >= 50, 8_000, 'records');
  expect([...new Set(await stored())]).toEqual(sequence(1, 50));
});

it('flush writes at once when Redis is up', async () => {
  const stream = await streamWith();
  await until(() => connection.status === 'ready', 3_000, 'connection');
  publish(stream, 1, 5);
  await stream.flush();
  expect(await stored()).toEqual(sequence(1, 5));
});

it('records of 200 ms share a round trip, and the first one does not wait', async () => {
  const stream = await streamWith();
  await until(() => connection.status === 'ready', 3_000, 'connection');
  const watch = Stopwatch.start();
  publish(stream, 1, 1);
  await until(async () => (await stored()).length === 1, 3_000, 'the first record');
  expect(watch.milliseconds).toBeLessThan(watch.bound(150));
  const before = await countOf('exec');
  const from = performance.now();
  for (let id = 2; id <= 51; id++) {
    publish(stream, id, id);
    await sleep(10);
  }
  await until(async () => (await stored()).length === 51, 3_000, 'all records');
  expect(await stored()).toEqual(sequence(1, 51));
  const shares = Math.ceil((performance.now() - from) / 200);
  expect((await countOf('exec')) - before).toBeLessThanOrEqual(4 + shares);
});

it('bounds the stream in octets', async () => {
  const octets = JSON.stringify(record(1)).length;
  const stream = await streamWith(1_000, 100_000, { streamBytes: 200 * octets });
  for (let from = 1; from < 2_000; from += 200) {
    publish(stream, from, from + 199);
    await until(() => stream.waiting === 0, 3_000, 'writing');
  }
  expect(await client.xlen(callStream)).toBeLessThan(400);
});

describe('on a full disk', () => {
  beforeEach(async () => {
    const notADirectory = join(server.directory, 'file');
    await writeFile(notADirectory, '');
    spillFile = join(notADirectory, 'waiting.ndjson');
  });

  it('records wait in memory, and none is lost', async () => {
    const stream = await streamWith(10);
    await until(() => connection.status === 'ready', 3_000, 'connection');
    await server.kill();
    publish(stream, 1, 22);
    await until(() => stream.diskFailure !== undefined && stream.waiting === 22, 3_000, 'the refusals');
    publish(stream, 23, 30);
    expect([stream.lost, stream.waiting]).toEqual([0, 30]);
    await server.up();
    await until(async () => (await stored()).length === 30, 8_000, 'records');
    expect(await stored()).toEqual(sequence(1, 30));
  });

  it('memory is bounded: the oldest records are lost, and counted', async () => {
    const octets = JSON.stringify(record(10)).length;
    const stream = await streamWith(10, 100_000, { maximumWaitingBytes: 5 * octets });
    await until(() => connection.status === 'ready', 3_000, 'connection');
    await server.kill();
    publish(stream, 11, 40);
    await until(() => stream.lost === 10, 3_000, 'loss');
    expect(stream.waiting).toBe(20);
    await server.up();
    await until(async () => (await stored()).length === 20, 8_000, 'records');
    expect(await stored()).toEqual(sequence(21, 40));
  });
});
