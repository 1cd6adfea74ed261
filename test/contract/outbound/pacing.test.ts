import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/base/log.js';
import { connectRedis, type Redis } from '../../../src/base/redis.js';
import type { CallCommand, OrderedPhase } from '../../../src/contract/commands.js';
import {
  commandStream,
  orderedCallKey,
  orderLineKey,
  orderLinesKey,
  orderSlotsKey,
  readyEdgesKey,
  stopChannel,
  waitingOrdersKey,
} from '../../../src/contract/keys.js';
import { giveToEdges } from '../../../src/control/calls/orders/order-stream.js';
import { OrderedCalls } from '../../../src/edge/outbound/ordered-calls.js';
import { OrderLine, type Pace } from '../../../src/edge/outbound/pacing/order-line.js';
import { until } from '../../../src/testkit/waiting.js';
import { sideBySide } from '../../support/side-by-side.js';
import { stays } from '../../support/stays.js';
import { PrivateRedis } from '../redis/private-redis.js';
import { forkOrderWorker } from './order-process.js';

const log = createLog({ level: 'silent', role: 'edge', edge: 'test' });
const number = '4930123456';
sideBySide(2, () => {
  let server: PrivateRedis;
  let client: ReturnType<PrivateRedis['client']>;
  const running: { orders: OrderedCalls; redis: Redis }[] = [];
  /** Ids in the order in which they were begun, at whichever edge. */
  let placed: string[] = [];
  let placedAt: number[] = [];
  let stopped: string[] = [];
  const reports = new Map<string, (phase: OrderedPhase) => void>();

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
    [placed, placedAt, stopped] = [[], [], []];
  });

  async function edge(owner: string, pace: Pace | (() => Promise<Pace | undefined>), isReady = () => true) {
    const redis = connectRedis(server.url, log, 'demarc-edge', { socketTimeout: 3_000 });
    const orders = new OrderedCalls({
      redis,
      line: new OrderLine(redis, owner),
      owner,
      isReady,
      paceOf: typeof pace === 'function' ? pace : async () => pace,
      place: ({ call_id: id }, report) => {
        placed.push(id);
        placedAt.push(performance.now());
        reports.set(id, report);
        const stop = () => {
          stopped.push(id);
          report('ended');
        };
        return { stop };
      },
      log,
      takeOverMilliseconds: 300,
    });
    await orders.start();
    running.push({ orders, redis });
    return { orders, redis };
  }

  const threeEdges = (pace: Pace) => Promise.all(['one', 'two', 'three'].map((owner) => edge(owner, pace)));

  const commandOf = (fields: Partial<CallCommand> = {}): CallCommand => ({
    version: 1,
    call_id: randomUUID(),
    organization: 'acme',
    number,
    phone_number: '14155550100',
    max_duration_seconds: 60,
    expires_at: new Date(Date.now() + 60_000).toISOString(),
    ...fields,
  });

  async function order(fields: Partial<CallCommand> = {}): Promise<string> {
    const command = commandOf(fields);
    await client.xadd(commandStream, '*', 'command', JSON.stringify(command));
    return command.call_id;
  }

  /** As control does: each gets its place in the line with the order. */
  async function orderMany(count: number): Promise<string[]> {
    await until(async () => (await client.zcard(readyEdgesKey)) > 0, 3_000, 'an edge is ready');
    const commands = Array.from({ length: count }, () => commandOf());
    for (const command of commands) await giveToEdges(client, command, { lineLength: 100 });
    return commands.map(({ call_id: id }) => id);
  }

  const end = (id: string) => reports.get(id)!('ended');
  const hash = (id: string) => client.hgetall(orderedCallKey(id));
  const begun = (count: number, milliseconds = 3_000) =>
    until(
      () => placed.length >= count,
      milliseconds,
      () => `${count} are begun: ${placed.length}`,
    );

  describe('concurrent calls of a number', () => {
    it('never exceed its limit across all edges; the others wait in order', async () => {
      await threeEdges({ concurrentCalls: 2 });
      const ids = await orderMany(6);
      await begun(2);
      // Two edges may tell us of two that they took at once in the other order.
      await stays(() => expect(placed.toSorted()).toEqual(ids.slice(0, 2).toSorted()), 400);
      expect(await client.zrange(orderLineKey(number), '0', '-1')).toEqual(ids.slice(2));
      const waiting = await hash(ids[2]!);
      expect(waiting.claimed_by).toBeUndefined();
      expect(waiting.command).toBeDefined();
      for (let at = 0; at < 4; at++) {
        end(placed[at]!);
        await begun(at + 3);
      }
      expect(placed.slice(2)).toEqual(ids.slice(2));
      end(ids[4]!);
      end(ids[5]!);
      const keys = [orderSlotsKey(number), orderLineKey(number), orderLinesKey, waitingOrdersKey];
      await until(async () => (await client.exists(...keys)) === 0, 2_000, 'no slot is held, no order waits');
    });

    it('count those of an edge that was killed until its leases run out', async () => {
      const ids = [await order(), await order()];
      const child = forkOrderWorker(server.url, 'worker', 1);
      await until(async () => (await client.llen('dialled')) === 1, 10_000, 'the worker has dialled');
      const killedAt = performance.now();
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      await edge('living', { concurrentCalls: 1 });
      await stays(() => expect(placed).toEqual([]), 500);
      await begun(1, 12_000);
      expect(performance.now() - killedAt).toBeGreaterThan(3_000);
      // The first is the dead worker's for ever.
      expect(placed).toEqual([ids[1]]);
      expect((await hash(ids[0]!)).claimed_by).toBe('worker');
    });

    it('of another number do not matter, nor does a line that cannot be dialled', async () => {
      await edge('one', { concurrentCalls: 1 });
      await orderMany(3);
      await begun(1);
      const ofOtherNumber = await order({ number: '4930654321' });
      await begun(2, 1_000);
      expect(placed[1]).toBe(ofOtherNumber);
    });

    it('are counted again after Redis lost everything', async () => {
      await edge('one', { concurrentCalls: 1 });
      await orderMany(1);
      await begun(1);
      await server.kill();
      await server.up();
      await until(async () => (await client.zcard(orderSlotsKey(number))) === 1, 5_000, 'the slot is back');
      await order();
      await stays(() => expect(placed).toHaveLength(1), 2_500);
      end(placed[0]!);
      await begun(2);
    });
  });

  describe('calls a second of a number', () => {
    it('never exceed its limit across all edges, in order', async () => {
      await threeEdges({ callsPerSecond: 5 });
      const from = performance.now();
      const ids = await orderMany(12);
      await begun(12, 5_000);
      // Three edges tell us, of those that they began meanwhile in any order when this process has stood still.
      for (const [place, id] of ids.entries()) expect(Math.abs(placed.indexOf(id) - place)).toBeLessThan(6);
      expect(placed.toSorted()).toEqual(ids.toSorted());
      // Five at once, then one every 200 ms.
      expect(placedAt[11]! - from).toBeGreaterThan(1_300);
    });
  });

  describe('an order that waits', () => {
    it('is ended by a stop at once, without a slot', async () => {
      await threeEdges({ concurrentCalls: 1 });
      const [first, second, third] = await orderMany(3);
      await begun(1);
      await until(async () => (await hash(second!)).command !== undefined, 2_000, 'it is in the line');
      await client.hset(orderedCallKey(second!), 'stop', '1');
      await client.publish(stopChannel, second!);
      await until(() => stopped.length > 0, 1_000, 'stopped');
      expect(stopped).toEqual([second]);
      expect((await hash(second!)).phase).toBe('ended');
      end(first!);
      await begun(3);
      expect(placed).toEqual([first, second, third]);
    });

    it('is given up when its turn does not come in time', async () => {
      await edge('one', { concurrentCalls: 1 });
      const first = await order();
      await begun(1);
      const endOfWait = Date.now() + 4_000;
      const late = await order({ wait_until: new Date(endOfWait).toISOString() });
      const patient = await order();
      await until(async () => (await hash(late)).command !== undefined, 2_000, 'it is in the line');
      await until(() => Date.now() > endOfWait, 6_000, 'its wait is over');
      end(first);
      await begun(2);
      expect(placed).toEqual([first, patient]);
      expect((await hash(late)).phase).toBe('expired');
    });

    it('goes to an edge with free slots', async () => {
      await edge('full', async () => undefined);
      await edge('draining', {}, () => false);
      const id = await order();
      await stays(() => expect(placed).toEqual([]), 300);
      const readyEdges = () => client.zrange(readyEdgesKey, '0', '-1');
      await until(async () => (await readyEdges()).length > 0, 5_000, 'an edge is ready');
      expect(await readyEdges()).toEqual(['full']);
      await edge('free', {});
      await begun(1);
      expect((await hash(id)).claimed_by).toBe('free');
    });
  });

  describe('state that Redis loses or does not return', () => {
    it('an order taken without confirmation is started by the edge that took it', async () => {
      let isArmed = false;
      await edge('one', async () => {
        if (isArmed) server.hang();
        isArmed = false;
        return {};
      });
      await order({ number: '4930654321' });
      await begun(1);
      isArmed = true;
      const id = await order();
      // The connection attempt ends after three seconds.
      await stays(() => expect(placed).toHaveLength(1), 4_000);
      server.resume();
      await begun(2, 5_000);
      expect(placed[1]).toBe(id);
      expect((await hash(id)).claimed_by).toBe('one');
    });

    it('an order from an old snapshot is not started again by any edge', async () => {
      await edge('one', {});
      const command = { call_id: randomUUID() };
      await order(command);
      await begun(1);
      await edge('two', {});
      await until(async () => (await client.zcard(readyEdgesKey)) === 2, 3_000, 'both are connected');
      await server.kill();
      await server.up();
      await order(command);
      await until(async () => (await client.xlen(commandStream)) === 0, 6_000, 'it was read');
      await stays(() => expect(placed).toEqual([command.call_id]), 500);
    });

    it('a slot reserved for an order that never arrives does not block the others', async () => {
      await edge('one', {});
      const score = (Date.now() - 1_900) * 4_096;
      await client.zadd(orderLineKey(number), score, 'lost');
      const id = await order();
      await begun(1);
      expect(placed).toEqual([id]);
      expect(await client.exists(orderLineKey(number))).toBe(0);
    });
  });

  it('calls that were not ordered share the limits', async () => {
    const redis = connectRedis(server.url, log, 'demarc-edge', { socketTimeout: 3_000 });
    const line = new OrderLine(redis, 'one');
    await until(() => redis.status === 'ready', 2_000, 'connected');
    const pace = { concurrentCalls: 1 };
    expect(await line.enter(number, 'direct', pace)).toBe(0);
    expect(await line.enter(number, 'another', pace)).toBeGreaterThan(0);
    await edge('one', pace);
    await order();
    await stays(() => expect(placed).toEqual([]), 300);
    await line.leave(number, 'direct');
    await begun(1);
    redis.disconnect();
  });
});
