import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/base/log.js';
import { connectRedis, type Redis } from '../../../src/base/redis.js';
import type { CallCommand, OrderedPhase } from '../../../src/contract/commands.js';
import { commandGroup, commandStream, orderedCallKey, stopChannel } from '../../../src/contract/keys.js';
import { OrderedCalls } from '../../../src/edge/outbound/ordered-calls.js';
import { OrderLine, type Pace } from '../../../src/edge/outbound/pacing/order-line.js';
import { until } from '../../../src/testkit/waiting.js';
import { stays } from '../../support/stays.js';
import { PrivateRedis } from '../redis/private-redis.js';
import { forkOrderWorker } from './order-process.js';

const log = createLog({ level: 'silent', role: 'edge', edge: 'test' });
let server: PrivateRedis;
let client: ReturnType<PrivateRedis['client']>;
const running: { orders: OrderedCalls; redis: Redis }[] = [];

beforeAll(async () => {
  server = await PrivateRedis.start();
  client = server.client();
});
afterAll(async () => {
  client?.disconnect();
  await server?.stop();
});
afterEach(async () => {
  for (const { orders, redis } of running.splice(0)) {
    await orders.stop();
    redis.disconnect();
  }
  await client.flushall();
});

interface Edge {
  readonly placed: CallCommand[];
  readonly stopped: string[];
  readonly report: Map<string, (phase: OrderedPhase) => void>;
}

async function edge(owner: string, isReady = () => true, pace: Pace = {}): Promise<Edge> {
  const redis = connectRedis(server.url, log, 'demarc-edge', { socketTimeout: 3_000 });
  const placed: CallCommand[] = [];
  const stopped: string[] = [];
  const report: Edge['report'] = new Map();
  const orders = new OrderedCalls({
    redis,
    line: new OrderLine(redis, owner),
    owner,
    isReady,
    paceOf: async () => pace,
    place: (command, tell) => {
      placed.push(command);
      report.set(command.call_id, tell);
      return { stop: () => void stopped.push(command.call_id) };
    },
    log,
    takeOverMilliseconds: 300,
  });
  await orders.start();
  running.push({ orders, redis });
  return { placed, stopped, report };
}

async function order(fields: Partial<CallCommand> = {}): Promise<string> {
  const command: CallCommand = {
    version: 1,
    call_id: randomUUID(),
    organization: 'acme',
    number: '4930123456',
    phone_number: '14155550100',
    max_duration_seconds: 60,
    expires_at: new Date(Date.now() + 60_000).toISOString(),
    ...fields,
  };
  await client.xadd(commandStream, '*', 'command', JSON.stringify(command));
  return command.call_id;
}

const phase = (callId: string) => client.hget(orderedCallKey(callId), 'phase');
const idsOf = (...edges: Edge[]) => edges.flatMap(({ placed }) => placed.map(({ call_id: id }) => id));

describe('orders to call', () => {
  it('are each begun once among several edges, and leave the stream', async () => {
    const edges = await Promise.all(['one', 'two', 'three'].map((owner) => edge(owner)));
    const ids: string[] = [];
    for (let at = 0; at < 60; at++) ids.push(await order());
    await until(async () => (await client.xlen(commandStream)) === 0, 5_000, 'the stream is empty');
    await until(() => idsOf(...edges).length >= 60, 2_000, 'all are begun');
    expect(idsOf(...edges).toSorted()).toEqual(ids.toSorted());
    expect(await phase(ids[0]!)).toBe('claimed');
    expect(await client.exists('demarc:edge:one')).toBe(1);
  });

  it('are left to ready edges', async () => {
    const idle = await edge('idle', () => false);
    const callId = await order();
    const ready = await edge('ready');
    await until(() => ready.placed.length === 1, 3_000, 'the ready edge has it');
    expect(idsOf(ready)).toEqual([callId]);
    expect(idle.placed).toEqual([]);
  });

  it('read but not claimed by a process that died are taken over', async () => {
    const callId = await order();
    await client.xgroup('CREATE', commandStream, commandGroup, '0');
    await client.xreadgroup('GROUP', commandGroup, 'dead', 'COUNT', 1, 'STREAMS', commandStream, '>');
    const living = await edge('living');
    await until(() => living.placed.length === 1, 5_000, 'taken over');
    expect(idsOf(living)).toEqual([callId]);
  });

  it('claimed by a process that died are never begun again', async () => {
    const callId = await order();
    await client.xgroup('CREATE', commandStream, commandGroup, '0');
    await client.xreadgroup('GROUP', commandGroup, 'dead', 'COUNT', 1, 'STREAMS', commandStream, '>');
    await client.hsetnx(orderedCallKey(callId), 'claimed_by', 'dead');
    const living = await edge('living');
    await until(async () => (await client.xlen(commandStream)) === 0, 5_000, 'the order is gone');
    expect(living.placed).toEqual([]);
    expect(await client.hget(orderedCallKey(callId), 'claimed_by')).toBe('dead');
  });

  it('are not started when they arrive too late or are invalid', async () => {
    const living = await edge('living');
    const late = await order({ expires_at: new Date(Date.now() - 1).toISOString() });
    await client.xadd(commandStream, '*', 'command', '{"call_id":1}');
    await client.xadd(commandStream, '*', 'something', 'else');
    const good = await order();
    await until(async () => (await client.xlen(commandStream)) === 0, 5_000, 'the stream is empty');
    await until(() => living.placed.length > 0, 2_000, 'the good one is begun');
    expect(idsOf(living)).toEqual([good]);
    expect(await phase(late)).toBe('expired');
  });

  it('are stopped by the channel, and by what was said before they were begun', async () => {
    const living = await edge('living');
    const first = await order();
    await until(() => living.placed.length === 1, 3_000, 'begun');
    await client.publish(stopChannel, first);
    await until(() => living.stopped.length === 1, 3_000, 'stopped');
    const second = randomUUID();
    await client.hset(orderedCallKey(second), 'stop', '1');
    await order({ call_id: second });
    await until(() => living.stopped.length === 2, 3_000, 'stopped at once');
    expect(living.stopped).toEqual([first, second]);
  });

  it('continue after Redis was killed and came back empty', async () => {
    const living = await edge('living');
    await order();
    await until(() => living.placed.length === 1, 3_000, 'begun');
    await server.kill();
    await server.up();
    await until(async () => (await client.ping().catch(() => '')) === 'PONG', 5_000, 'Redis is back');
    const second = await order();
    await until(() => living.placed.length === 2, 8_000, 'begun after the outage');
    expect(living.placed[1]!.call_id).toBe(second);
  });

  it('are begun at most once by processes that are killed all the time', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 40; at++) ids.push(await order());
    for (let round = 0; round < 6; round++) {
      const child = forkOrderWorker(server.url, `worker-${round}`);
      await new Promise<void>((resolve) => child.once('message', () => resolve()));
      await new Promise((resolve) => setTimeout(resolve, 5 + round * 7));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
    }
    const living = await edge('living');
    await until(async () => (await client.xlen(commandStream)) === 0, 10_000, 'the stream is empty');
    // The last one leaves the stream before it is begun.
    await stays(async () => {
      const dialled = await client.lrange('dialled', 0, -1);
      const all = [...dialled, ...idsOf(living)];
      expect(new Set(all).size).toBe(all.length);
    }, 200);
    for (const id of ids) expect(await client.hexists(orderedCallKey(id), 'claimed_by')).toBe(1);
  });
});
