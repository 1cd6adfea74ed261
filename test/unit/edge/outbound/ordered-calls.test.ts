import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallCommand, CallProgress, OrderedPhase } from '../../../../src/contract/commands.js';
import {
  edgeLeaseKey,
  orderedCallKey,
  orderSlotsKey,
  readyEdgesKey,
  stopChannel,
  takenOrdersKey,
  waitingOrdersKey,
} from '../../../../src/contract/keys.js';
import { OrderedCalls } from '../../../../src/edge/outbound/ordered-calls.js';
import { OrderLine, type Pace } from '../../../../src/edge/outbound/pacing/order-line.js';
import { OrderRedis } from '../../../support/order-redis.js';

const number = '4930123456';
const owner = 'edge-1';
const progress = { started_at: 'now', ringing_at: null } as unknown as CallProgress;

interface Placed {
  readonly command: CallCommand;
  readonly report: (phase: OrderedPhase, progress: CallProgress) => void;
  stops: number;
}

let redis: OrderRedis;
let line: OrderLine;
/** How often the lines were read. */
let reads: number;
let orders: OrderedCalls;
let placed: Placed[];
let errors: string[];
let isReady: boolean;
let pace: Pace | undefined | Error;
/** Calls that end while they are placed. */
let endsAtOnce: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  redis = new OrderRedis();
  line = new OrderLine(redis.asRedis, owner);
  reads = 0;
  const due = line.due.bind(line);
  line.due = () => {
    reads++;
    return due();
  };
  placed = [];
  errors = [];
  isReady = true;
  pace = {};
  endsAtOnce = false;
  orders = ordersOf();
});
afterEach(async () => {
  const stopped = orders.stop();
  await pass(2_000);
  await stopped;
  vi.useRealTimers();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

function ordersOf(): OrderedCalls {
  return new OrderedCalls({
    redis: redis.asRedis,
    owner,
    line,
    isReady: () => isReady,
    paceOf: async () => {
      if (pace instanceof Error) throw pace;
      return pace;
    },
    place: (command, report) => {
      const call: Placed = { command, report: report as Placed['report'], stops: 0 };
      placed.push(call);
      if (endsAtOnce) call.report('ended', progress);
      return { stop: () => void call.stops++ };
    },
    log: pino(
      { level: 'error' },
      { write: (line) => errors.push((JSON.parse(line) as { msg: string }).msg) },
    ),
  });
}

/** Control orders a call; its id. */
function order(fields: Partial<CallCommand> = {}): string {
  const command = {
    version: 1,
    call_id: crypto.randomUUID(),
    organization: 'acme',
    number,
    phone_number: '14155550100',
    max_duration_seconds: 600,
    expires_at: new Date(Date.now() + 60_000).toISOString(),
    ...fields,
  };
  redis.order(['other', 'x', 'command', JSON.stringify(command)]);
  return command.call_id;
}
const begun = () => placed.map(({ command }) => command.call_id);
const hash = (id: string) => Object.fromEntries(redis.hashes.get(orderedCallKey(id)) ?? []);
const slots = () => [...(redis.sortedSets.get(orderSlotsKey(number))?.keys() ?? [])];
const taken = () => [...(redis.sets.get(takenOrdersKey(owner)) ?? [])];
const waiting = () => [...(redis.sortedSets.get(waitingOrdersKey)?.keys() ?? [])];
const isAnnounced = () => redis.sortedSets.get(readyEdgesKey)?.has(owner) === true;

describe('an order', () => {
  it('is claimed and placed once, and its hash says how far it is', async () => {
    await orders.start();
    const id = order();
    await pass(300);
    expect(begun()).toEqual([id]);
    expect(placed[0]!.command).toMatchObject({ number, phone_number: '14155550100' });
    expect(hash(id)).toMatchObject({ ordered: '1', claimed_by: owner, phase: 'claimed' });
    expect([slots(), taken(), waiting(), redis.pending.size]).toEqual([[id], [id], [], 0]);
    placed[0]!.report('ringing', progress);
    await pass(10);
    expect(hash(id)).toMatchObject({ phase: 'ringing', progress: JSON.stringify(progress) });
    await pass(5_000);
    expect(slots()).toEqual([id]);
    placed[0]!.report('ended', progress);
    await pass(300);
    expect(hash(id)).toMatchObject({ phase: 'ended' });
    expect([slots(), taken(), begun()]).toEqual([[], [], [id]]);
  });

  it('is taken over where another process has read and lost it', async () => {
    const id = order();
    const entry = redis.unread.shift()!;
    redis.pending.set(entry[0], { entry, member: 'dead' });
    await orders.start();
    await pass(300);
    expect([begun(), redis.pending.size]).toEqual([[id], 0]);
  });

  it('is not placed where no edge took it in time', async () => {
    const late = order({ expires_at: new Date(Date.now() - 1).toISOString() });
    redis.order(['command', '{}']);
    redis.order(['value', 'x']);
    await orders.start();
    await pass(300);
    expect([begun(), redis.pending.size]).toEqual([[], 0]);
    expect(hash(late)).toEqual({ phase: 'expired' });
    expect(errors).toEqual(Array(2).fill('Invalid entry in the command stream.'));
  });

  it('waits for its turn behind the calls of its number, and is given up when that does not come', async () => {
    pace = { concurrentCalls: 1 };
    await orders.start();
    const [first, second] = [order(), order()];
    const third = order({ wait_until: new Date(Date.now() + 2_000).toISOString() });
    await pass(300);
    expect([begun(), waiting()]).toEqual([[first], [second, third]]);
    placed[0]!.report('ended', progress);
    await pass(50);
    expect(begun()).toEqual([first, second]);
    expect(slots()).toEqual([second]);
    await pass(2_000);
    placed[1]!.report('ended', progress);
    await pass(300);
    expect(begun()).toEqual([first, second]);
    expect(hash(third)).toMatchObject({ phase: 'expired' });
    expect(waiting()).toEqual([]);
  });

  it.each([
    [{ callsPerSecond: 2 }, [2, 3, 4]],
    [{ callsPerSecond: 0.5 }, [1, 1, 2]],
    [{ concurrentCalls: 0 }, [4, 4, 4]],
  ])('leaves its line at the pace %o', async (limits, counts) => {
    pace = limits;
    await orders.start();
    for (let count = 0; count < 4; count++) order();
    const found: number[] = [];
    for (const milliseconds of [450, 400, 1_250]) {
      await pass(milliseconds);
      found.push(placed.length);
    }
    expect(found).toEqual(counts);
  });

  it('is looked for four times a second while another one waits, else once', async () => {
    pace = { concurrentCalls: 1 };
    await orders.start();
    await pass(5_000);
    expect(reads).toBeGreaterThanOrEqual(4);
    expect(reads).toBeLessThanOrEqual(6);
    const [first, second] = [order(), order()];
    await pass(100);
    expect([begun(), waiting()]).toEqual([[first], [second]]);
    reads = 0;
    await pass(5_000);
    expect(reads).toBeGreaterThanOrEqual(15);
  });

  it('counts under the key of its pace', async () => {
    pace = { key: 'group', concurrentCalls: 1 };
    await orders.start();
    const id = order();
    order();
    await pass(300);
    expect([...redis.sortedSets.get(orderSlotsKey('group'))!.keys()]).toEqual([id]);
    await pass(20_000);
    expect(begun()).toEqual([id]);
    placed[0]!.report('ended', progress);
    await pass(300);
    expect(begun()).toHaveLength(2);
  });

  it.each([
    ['this edge has no room', undefined],
    ['its limits are unknown', new Error('Redis')],
  ])('stays in its line while %s', async (_why, found) => {
    pace = found;
    await orders.start();
    const id = order();
    await pass(1_000);
    expect([begun(), waiting()]).toEqual([[], [id]]);
    pace = {};
    await pass(300);
    expect(begun()).toEqual([id]);
  });

  it('holds nothing for a call that ends while it is placed', async () => {
    endsAtOnce = true;
    await orders.start();
    const id = order();
    await pass(300);
    expect([begun(), slots(), taken()]).toEqual([[id], [], []]);
    redis.hashes.get(orderedCallKey(id))!.set('stop', '1');
    redis.deliver(stopChannel, id);
    await pass(300);
    expect(placed[0]!.stops).toBe(0);
  });
});

describe('a stop', () => {
  const stop = (id: string): void => {
    redis.hashes.get(orderedCallKey(id))!.set('stop', '1');
    redis.deliver(stopChannel, id);
  };

  it('reaches an active call, one that waits, and one that is about to begin', async () => {
    pace = { concurrentCalls: 1 };
    await orders.start();
    const [active, waits, next] = [order(), order(), order()];
    await pass(300);
    redis.deliver(stopChannel, 'unknown');
    stop(waits);
    await pass(10);
    // Its record is written like any other's.
    expect(begun()).toEqual([active, waits]);
    expect(placed.map(({ stops }) => stops)).toEqual([0, 1]);
    expect(waiting()).toEqual([next]);
    redis.hashes.get(orderedCallKey(next))!.set('stop', '1');
    stop(active);
    await pass(1_300);
    expect(begun()).toEqual([active, waits, next]);
    expect(placed.map(({ stops }) => stops)).toEqual([1, 1, 1]);
  });

  it('is found where it was said while the connection was lost', async () => {
    await orders.start();
    const [id, stays] = [order(), order()];
    await pass(300);
    redis.hashes.get(orderedCallKey(id))!.set('stop', '1');
    redis.subscriptionReady();
    await pass(10);
    expect(placed.map(({ command, stops }) => [command.call_id, stops])).toEqual([
      [id, 1],
      [stays, 0],
    ]);
  });

  it('is left to other edges by one that takes no orders', async () => {
    pace = undefined;
    await orders.start();
    const id = order();
    await pass(300);
    isReady = false;
    stop(id);
    await pass(300);
    expect([begun(), waiting()]).toEqual([[], [id]]);
  });
});

describe('an edge that takes orders', () => {
  it('announces it, renews that, and withdraws it when it cannot, and when it stops', async () => {
    isReady = false;
    await orders.start();
    const id = order();
    await pass(3_000);
    expect([isAnnounced(), redis.strings.has(edgeLeaseKey(owner))]).toEqual([false, true]);
    expect([begun(), redis.unread.length]).toEqual([[], 1]);
    isReady = true;
    await pass(500);
    expect([isAnnounced(), begun()]).toEqual([true, [id]]);
    const until = redis.sortedSets.get(readyEdgesKey)!.get(owner)!;
    await pass(2_500);
    expect(redis.sortedSets.get(readyEdgesKey)!.get(owner)).toBeGreaterThan(until);
    isReady = false;
    await pass(300);
    expect(isAnnounced()).toBe(false);
    isReady = true;
    await pass(300);
    expect(isAnnounced()).toBe(true);
    const stopped = orders.stop();
    await pass(2_000);
    await stopped;
    expect([isAnnounced(), redis.strings.has(edgeLeaseKey(owner))]).toEqual([false, false]);
    order();
    await pass(3_000);
    expect([begun(), isAnnounced()]).toEqual([[id], false]);
  });

  it('takes none while a connection to Redis is lost', async () => {
    redis.isReaderUp = false;
    await orders.start();
    const id = order();
    await pass(1_000);
    expect(begun()).toEqual([]);
    redis.isReaderUp = true;
    redis.status = 'reconnecting';
    await pass(1_000);
    expect(begun()).toEqual([]);
    redis.status = 'ready';
    await pass(1_000);
    expect(begun()).toEqual([id]);
  });

  it('begins an order whose reply was lost once', async () => {
    await orders.start();
    await pass(300);
    const id = order();
    const lost = redis.takeThenFail();
    await pass(300);
    expect(lost()).toBe(true);
    await pass(2_000);
    expect(begun()).toEqual([id]);
    expect(hash(id)).toMatchObject({ claimed_by: owner, phase: 'claimed' });
    placed[0]!.report('ended', progress);
    await pass(300);
    expect([slots(), taken()]).toEqual([[], []]);
  });

  it('writes its calls again where Redis has lost them, and takes no orders for a moment', async () => {
    await orders.start();
    const [id, over] = [order(), order()];
    await pass(300);
    placed[0]!.report('answered', progress);
    placed[1]!.report('ended', progress);
    await pass(10);
    redis.hashes.clear();
    redis.sortedSets.clear();
    const next = order();
    redis.emit('ready');
    await pass(1_000);
    expect(hash(id)).toEqual({ claimed_by: owner, phase: 'answered', progress: JSON.stringify(progress) });
    expect(hash(over)).toEqual({ claimed_by: owner });
    expect([slots(), isAnnounced(), begun()]).toEqual([[id], true, [id, over]]);
    await pass(1_000);
    expect(begun()).toEqual([id, over, next]);
  });

  it('notices by its lease that Redis has lost data', async () => {
    await orders.start();
    const id = order();
    await pass(300);
    redis.strings.clear();
    redis.hashes.clear();
    await pass(2_000);
    expect(hash(id)).toEqual({ claimed_by: owner, phase: 'claimed' });
    redis.hashes.clear();
    await pass(2_000);
    expect(hash(id)).toEqual({});
  });

  it('restores nothing at its first connection', async () => {
    redis.status = 'connecting';
    await orders.start();
    redis.status = 'ready';
    redis.emit('ready');
    const id = order();
    await pass(500);
    expect(begun()).toEqual([id]);
  });
});

describe('a call whose order another process claimed', () => {
  it('has its slot and its hash here, until it ends', async () => {
    await orders.start();
    const id = crypto.randomUUID();
    const stop = vi.fn();
    const tell = orders.adopt({ callId: id, number }, stop);
    await pass(10);
    expect(hash(id)).toEqual({ claimed_by: owner, phase: 'answered' });
    expect([slots(), taken()]).toEqual([[id], [id]]);
    redis.deliver(stopChannel, id);
    expect(stop).toHaveBeenCalledOnce();
    // Its order is never placed.
    order({ call_id: id });
    await pass(300);
    expect(begun()).toEqual([]);
    tell('answered', progress);
    await pass(10);
    expect(hash(id)).toMatchObject({ phase: 'answered', progress: JSON.stringify(progress) });
    tell('ended', progress);
    await pass(10);
    expect(hash(id)).toMatchObject({ phase: 'ended' });
    expect([slots(), taken()]).toEqual([[], []]);
  });

  it('gets its slot when Redis, which was down, is back', async () => {
    await orders.start();
    redis.isDown = true;
    const id = crypto.randomUUID();
    orders.adopt({ callId: id, number }, () => {});
    await pass(10);
    expect(slots()).toEqual([]);
    redis.isDown = false;
    await pass(2_000);
    expect(slots()).toEqual([id]);
  });

  it('gives its slot up when it continues at another one', async () => {
    pace = { key: 'group' };
    await orders.start();
    const id = crypto.randomUUID();
    orders.adopt({ callId: id, number }, () => {});
    await pass(10);
    expect([...redis.sortedSets.get(orderSlotsKey('group'))!.keys()]).toEqual([id]);
    orders.leave('unknown');
    orders.leave(id);
    await pass(10);
    expect([...redis.sortedSets.get(orderSlotsKey('group'))!.keys()]).toEqual([]);
    expect(hash(id)).toEqual({ claimed_by: owner, phase: 'answered' });
  });
});
