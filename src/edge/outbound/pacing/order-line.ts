import type { Redis } from '../../../base/redis.js';
import { RedisScript } from '../../../base/redis-script.js';
import {
  type CallCommand,
  callCommandSchema,
  edgeLeaseMilliseconds,
  lineScore,
  lineScoreFactor,
  orderedCallSeconds,
} from '../../../contract/commands.js';
import {
  commandGroup,
  commandStream,
  edgeLeaseKey,
  orderedCallKey,
  orderLineKey,
  orderLinesKey,
  orderRateKey,
  orderSlotsKey,
  readyEdgesKey,
  takenOrdersKey,
  waitingOrdersKey,
} from '../../../contract/keys.js';
import { readJson } from '../../../contract/read-json.js';

/** Limits of calls from one number, across all edges. */
export interface Pace {
  readonly concurrentCalls?: number | undefined;
  readonly callsPerSecond?: number | undefined;
  /** The key they are counted under; absent: the number. */
  readonly key?: string | undefined;
}

export type Taken =
  | { readonly kind: 'taken'; readonly command: CallCommand }
  /** No call may start before. */
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'empty' };

const numbersAtOnce = 50;

/** Each changes the lines in one step that no other edge can interrupt, by the clock of Redis. */
const script = <Keys extends readonly string[]>(name: string, ...files: [string, ...string[]]) =>
  new RedisScript<Keys>(
    name,
    import.meta.url,
    files.map((file) => `lua/${file}.lua`) as [string, ...string[]],
  );
const arrive = script<[call: string, line: string, lines: string, waiting: string, stream: string]>(
  'arriveOrder',
  'arrive',
);
const due = script<[lines: string]>('dueLines', 'clock', 'due');
const take = script<
  [line: string, lines: string, slots: string, rate: string, waiting: string, taken: string]
>('takeOrder', 'clock', 'may-start', 'take');
const takeStopped = script<[call: string, line: string, waiting: string, taken: string]>(
  'takeStoppedOrder',
  'take-stopped',
);
const enter = script<[slots: string, rate: string]>('enterSlot', 'clock', 'may-start', 'enter');
const leave = script<[slots: string, lines: string, taken: string]>('leaveSlot', 'clock', 'leave');
const renew = script<[slots: string]>('renewSlots', 'clock', 'renew');
const live = script<[readyEdges: string, lease: string]>('sayEdgeLives', 'clock', 'live');

/**
 * Waiting orders, one line per number, and active calls, shared by all edges. Taking an order claims it in the same step. A call
 * holds its slot by a lease, so that the slots of a dead edge become free. Every method rejects while Redis is down.
 */
export class OrderLine {
  /** Calls of this process that hold a slot, with the key it is counted under. */
  private readonly held = new Map<string, string>();
  /** Monotonic milliseconds; until then the lease in Redis cannot have run out. */
  private livesUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly redis: Redis,
    private readonly owner: string,
  ) {}

  /** Moves an order from the stream to the line of its number. */
  async arrive(entryId: string, command: CallCommand): Promise<void> {
    const { call_id: id, number } = command;
    const until = Date.parse(command.wait_until ?? command.expires_at);
    const json = JSON.stringify(command);
    const order = [id, number, json, String(until), String(lineScore(entryId)), String(orderedCallSeconds)];
    await arrive.run(
      this.redis,
      [orderedCallKey(id), orderLineKey(number), orderLinesKey, waitingOrdersKey, commandStream],
      ...[commandGroup, entryId, ...order],
    );
  }

  /** Numbers whose line has an order due now; milliseconds until the next due time of the others. */
  async due(): Promise<{ numbers: readonly string[]; nextMilliseconds: number }> {
    const answer = (await due.run(this.redis, [orderLinesKey], numbersAtOnce)) as string[];
    const [next, ...numbers] = answer;
    return { numbers, nextMilliseconds: Number(next) < 0 ? Number.POSITIVE_INFINITY : Number(next) };
  }

  /** The first of a number's line, when its pace allows another call. */
  async take(number: string, pace: Pace): Promise<Taken> {
    const { redis, owner } = this;
    const key = pace.key ?? number;
    const [kind, value] = (await take.run(
      redis,
      [
        ...([orderLineKey(number), orderLinesKey, orderSlotsKey(key)] as const),
        ...([orderRateKey(key), waitingOrdersKey, takenOrdersKey(owner)] as const),
      ],
      ...[owner, number, orderedCallKey(''), ...limits(pace)],
      ...[edgeLeaseMilliseconds, lineScoreFactor, orderedCallSeconds],
    )) as [string, string?];
    if (kind === 'wait') return { kind, milliseconds: Number(value) };
    const command = kind === 'taken' ? readJson(callCommandSchema, value) : undefined;
    if (command === undefined) return { kind: 'empty' };
    this.held.set(command.call_id, key);
    return { kind: 'taken', command };
  }

  /** The order, if it was waiting: no other edge has or gets it. */
  async takeStopped(callId: string): Promise<CallCommand | undefined> {
    const command = await this.commandOf(callId);
    if (command === undefined) return undefined;
    const taken = await takeStopped.run(
      this.redis,
      [orderedCallKey(callId), orderLineKey(command.number), waitingOrdersKey, takenOrdersKey(this.owner)],
      ...[this.owner, callId, orderedCallSeconds],
    );
    return taken === null ? undefined : command;
  }

  /** Calls that this process holds; after a lost reply it may not know of one. */
  async taken(): Promise<readonly CallCommand[]> {
    const ids = await this.redis.smembers(takenOrdersKey(this.owner));
    const commands = await Promise.all(ids.map((id) => this.commandOf(id)));
    const found = commands.filter((command) => command !== undefined);
    for (const { call_id: id, number } of found) this.held.set(id, this.held.get(id) ?? number);
    return found;
  }

  /** A slot for a call that was not ordered: 0, or the milliseconds after which there may be one. */
  async enter(number: string, callId: string, pace: Pace): Promise<number> {
    const key = pace.key ?? number;
    const keys: [string, string] = [orderSlotsKey(key), orderRateKey(key)];
    return Number(await enter.run(this.redis, keys, callId, ...limits(pace), edgeLeaseMilliseconds));
  }

  /** A call that another process took and lost: its slot is renewed from here. */
  async adopt(callId: string, key: string): Promise<void> {
    this.held.set(callId, key);
    await this.redis.sadd(takenOrdersKey(this.owner), callId);
    await this.renew();
  }

  /** The call has ended: the next order of the number is due. */
  async leave(number: string, callId: string, key = this.held.get(callId) ?? number): Promise<void> {
    this.held.delete(callId);
    const keys: [string, string, string] = [orderSlotsKey(key), orderLinesKey, takenOrdersKey(this.owner)];
    await leave.run(this.redis, keys, number, callId);
  }

  /** Renews the leases of active calls. */
  async renew(): Promise<void> {
    if (this.held.size === 0) return;
    const calls = new Map<string, string[]>();
    for (const [id, number] of this.held) calls.set(number, [...(calls.get(number) ?? []), id]);
    const renewals = [...calls].map(([number, ids]) => ({
      keys: [orderSlotsKey(number)] as [string],
      values: [edgeLeaseMilliseconds, ...ids],
    }));
    await Promise.all([
      renew.runEach(this.redis, renewals),
      this.redis.expire(takenOrdersKey(this.owner), orderedCallSeconds),
    ]);
  }

  /**
   * Reports that this process lives, and whether it takes orders. Not the heartbeat of `contract/live.ts`: this one decides
   * about orders, by the clock of Redis; that one decides nothing and may wait behind thousands of calls.
   * @returns false: Redis has lost the lease of the last time, and so possibly all that this process has written
   */
  async live(isReady: boolean): Promise<boolean> {
    const keys: [string, string] = [readyEdgesKey, edgeLeaseKey(this.owner)];
    const { livesUntil } = this;
    const sentAt = performance.now();
    const stood = await live.run(this.redis, keys, this.owner, edgeLeaseMilliseconds, isReady ? 1 : 0);
    this.livesUntil = sentAt + edgeLeaseMilliseconds;
    return stood === 1 || performance.now() >= livesUntil;
  }

  /** Withdraws it. */
  async die(): Promise<void> {
    this.livesUntil = Number.NEGATIVE_INFINITY;
    await this.redis.multi().zrem(readyEdgesKey, this.owner).del(edgeLeaseKey(this.owner)).exec();
  }

  private async commandOf(callId: string): Promise<CallCommand | undefined> {
    return readJson(callCommandSchema, await this.redis.hget(orderedCallKey(callId), 'command'));
  }
}

/** Most calls (-1: any number), milliseconds between two (0: any pace), burst. 0 calls: the call is refused when it begins. */
function limits({ concurrentCalls, callsPerSecond }: Pace): [number, number, number] {
  const most = concurrentCalls === undefined || concurrentCalls === 0 ? -1 : concurrentCalls;
  if (callsPerSecond === undefined) return [most, 0, 1];
  return [most, 1_000 / callsPerSecond, Math.max(1, callsPerSecond)];
}
