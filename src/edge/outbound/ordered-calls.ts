import type { Logger } from '../../base/log.js';
import { pause } from '../../base/pause.js';
import type { Redis } from '../../base/redis.js';
import { type StreamEntry, StreamGroup } from '../../base/stream.js';
import { Subscriber } from '../../base/subscriber.js';
import { WakeablePause } from '../../base/wakeable-pause.js';
import {
  type CallCommand,
  type CallProgress,
  callCommandSchema,
  type OrderedPhase,
  orderedCallSeconds,
} from '../../contract/commands.js';
import { commandGroup, commandStream, orderedCallKey, stopChannel } from '../../contract/keys.js';
import { readJson } from '../../contract/read-json.js';
import { failureText } from '../sip/messages.js';
import type { ReportProgress } from './outbound-deps.js';
import type { OrderLine, Pace } from './pacing/order-line.js';

export interface OrderedCallsParts {
  readonly redis: Redis;
  /** Name of this process, never reused. */
  readonly owner: string;
  readonly line: OrderLine;
  /** False: leaves orders to other edges. */
  readonly isReady: () => boolean;
  /**
   * The limits of calls from a number; undefined: this edge has no room for one now. Rejects while they are unknown.
   */
  readonly paceOf: (number: string) => Promise<Pace | undefined>;
  /** Begins a claimed call; called once an order, in this process or any other. */
  readonly place: (command: CallCommand, report: ReportProgress) => { stop(): void };
  readonly log: Logger;
  /** Orders that another process read and did not put into their line within this time are taken over. */
  readonly takeOverMilliseconds?: number;
}

interface RunningCall {
  readonly command: Pick<CallCommand, 'call_id' | 'number'>;
  phase: OrderedPhase;
  progress?: CallProgress;
  stop(): void;
}

const batchSize = 10;
/** Below the connection's bound for a server that hangs. */
const blockMilliseconds = 1_000;
const retryMilliseconds = 500;
const defaultTakeOverMilliseconds = 5_000;
const aliveMilliseconds = 2_000;
/** Lines are polled this often even if nothing is due: another edge may have died or be full. */
const idleMilliseconds = 250;
/** The same while there is no line at all: an order that another edge then puts into one is first taken by that edge. */
const emptyMilliseconds = 1_000;
/** Further orders of one line are left to the other edges for a moment. */
const atOnce = 10;
/** A restarted Redis may have lost claims: for this long edges only restore theirs. */
const remindMilliseconds = 1_500;
const remembered = 100_000;

/**
 * Takes orders to call: from the stream into the line of the calling number, and from there when the number's limits allow
 * it. Taking an order out of its line and claiming it is one step in Redis, before anything is sent; so a process that dies
 * at any point leaves either an order that another one takes, or a claimed one that is never dialled again.
 */
export class OrderedCalls {
  private reader: Redis | undefined;
  private group: StreamGroup | undefined;
  private readonly subscriber: Subscriber;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;
  private readonly waker = new WakeablePause();
  /** When the lines are read again, unless one changes before; by the clock of `performance`. */
  private looksAt = Number.NEGATIVE_INFINITY;
  private stopped = false;
  private takesFrom = Number.NEGATIVE_INFINITY;
  /** A reply of Redis was lost: it may have assigned us an order that we do not know of. */
  private isUnsure = false;
  private hasConnected = false;
  /** What other processes know of our readiness. */
  private saidReady = false;
  /** Active calls of this process. */
  private readonly calls = new Map<string, RunningCall>();
  /** Calls that this process has begun. */
  private readonly begun = new Set<string>();

  constructor(private readonly deps: OrderedCallsParts) {
    this.subscriber = new Subscriber({
      redis: deps.redis,
      name: 'demarc-edge-stops',
      channels: { [stopChannel]: (callId) => void this.stopCall(callId) },
      // Messages missed while disconnected are in the hashes.
      subscribed: () => void this.readStops(),
    });
  }

  /** Returns at once; without Redis it retries in the background. */
  async start(): Promise<void> {
    const { redis } = this.deps;
    this.reader = redis.duplicate({ connectionName: 'demarc-edge-commands' });
    this.reader.on('error', () => {});
    const { owner, takeOverMilliseconds = defaultTakeOverMilliseconds } = this.deps;
    this.group = new StreamGroup({
      redis,
      reader: this.reader,
      stream: commandStream,
      field: 'command',
      group: commandGroup,
      member: owner,
      count: batchSize,
      blockMilliseconds,
      takeOverMilliseconds,
    });
    this.subscriber.start();
    this.hasConnected = redis.status === 'ready';
    redis.on('ready', this.remind);
    this.timer = setInterval(() => {
      void this.sayAlive();
      this.subscriber.ping();
    }, aliveMilliseconds);
    this.timer.unref();
    await this.sayAlive();
    this.running = Promise.all([this.readStream(), this.takeFromLines()]);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.deps.redis.off('ready', this.remind);
    this.subscriber.stop();
    this.reader?.disconnect();
    this.waker.wake();
    await this.running;
    await this.deps.line.die().catch(() => {});
  }

  private get mayTake(): boolean {
    return !this.stopped && performance.now() >= this.takesFrom && this.deps.isReady();
  }

  private get isConnected(): boolean {
    return this.reader?.status === 'ready' && this.deps.redis.status === 'ready';
  }

  private async sayAlive(): Promise<void> {
    const isReady = this.deps.isReady() && !this.stopped;
    try {
      const isComplete = await this.deps.line.live(isReady);
      this.saidReady = isReady;
      await this.deps.line.renew();
      if (!isComplete) this.restore();
    } catch {
      // Not delivered while Redis is down.
    }
  }

  /** After a lost connection: Redis may have come back without our last writes. */
  private readonly remind = (): void => {
    if (!this.hasConnected) {
      this.hasConnected = true;
      void this.sayAlive();
      return;
    }
    this.restore();
    void this.sayAlive();
  };

  /** Writes what edges and control know of our calls again, where Redis has lost it. */
  private restore(): void {
    this.takesFrom = performance.now() + remindMilliseconds;
    const { redis, owner } = this.deps;
    const pipeline = redis.pipeline();
    for (const id of [...this.begun].slice(-1_000)) {
      pipeline.hsetnx(orderedCallKey(id), 'claimed_by', owner).expire(orderedCallKey(id), orderedCallSeconds);
    }
    for (const [id, { phase, progress }] of this.calls) {
      const fields = { claimed_by: owner, ...fieldsOf(phase, progress) };
      pipeline.hset(orderedCallKey(id), fields).expire(orderedCallKey(id), orderedCallSeconds);
    }
    pipeline.exec().catch(() => {});
  }

  private async readStream(): Promise<void> {
    while (!this.stopped) {
      try {
        if (!this.isConnected || !this.mayTake) {
          await pause(100);
          continue;
        }
        // Orders of processes that died, or lost Redis, before they had put them into a line.
        for await (const entries of this.group!.takeOver()) {
          for (const entry of entries) await this.handle(entry);
        }
        for (const entry of await this.group!.read()) await this.handle(entry);
      } catch (error) {
        if (this.stopped) return;
        this.deps.log.debug({ error: failureText(error) }, 'Reading orders failed; retrying.');
        await pause(retryMilliseconds);
      }
    }
  }

  /** Rejects when Redis is lost meanwhile: the order stays in the stream and is delivered again. */
  private async handle({ id, json }: StreamEntry): Promise<void> {
    const command = readJson(callCommandSchema, json);
    const { redis, log } = this.deps;
    if (command === undefined) {
      log.error({ entry: id }, 'Invalid entry in the command stream.');
    } else if (Date.parse(command.expires_at) < Date.now()) {
      const key = orderedCallKey(command.call_id);
      await redis.multi().hsetnx(key, 'phase', 'expired').expire(key, orderedCallSeconds).exec();
    } else {
      await this.deps.line.arrive(id, command);
      this.lookSoon();
      this.waker.wake();
      return;
    }
    await redis.multi().xack(commandStream, commandGroup, id).xdel(commandStream, id).exec();
  }

  private async takeFromLines(): Promise<void> {
    while (!this.stopped) {
      let pause = idleMilliseconds;
      if (this.deps.isReady() !== this.saidReady) void this.sayAlive();
      if (this.isConnected && this.mayTake && performance.now() >= this.looksAt) {
        try {
          if (this.isUnsure) await this.beginForgotten();
          pause = await this.takeDue();
        } catch (error) {
          this.isUnsure = true;
          this.lookSoon();
          this.deps.log.debug({ error: failureText(error) }, 'Taking orders failed; retrying.');
        }
      }
      if (pause > 0) await this.waker.wait(Math.min(pause, idleMilliseconds));
    }
  }

  private lookSoon(): void {
    this.looksAt = Number.NEGATIVE_INFINITY;
  }

  /** Takes the orders that are due; resolves with the milliseconds until the next. */
  private async takeDue(): Promise<number> {
    // A line that changes while this is read sets it back.
    this.looksAt = performance.now() + emptyMilliseconds;
    const { numbers, nextMilliseconds } = await this.deps.line.due();
    if (numbers.length > 0 || nextMilliseconds < Number.POSITIVE_INFINITY) this.lookSoon();
    let pause = nextMilliseconds;
    for (const number of numbers) pause = Math.min(pause, await this.takeOf(number));
    return pause;
  }

  private async takeOf(number: string): Promise<number> {
    for (let count = 0; count < atOnce; count++) {
      const pace = await this.deps.paceOf(number).catch(() => undefined);
      if (pace === undefined || !this.mayTake) return idleMilliseconds;
      const taken = await this.deps.line.take(number, pace);
      if (taken.kind === 'wait') return taken.milliseconds;
      if (taken.kind === 'empty') return Number.POSITIVE_INFINITY;
      await this.begin(taken.command);
    }
    return 0;
  }

  private async beginForgotten(): Promise<void> {
    for (const command of await this.deps.line.taken()) await this.begin(command);
    this.isUnsure = false;
  }

  private async begin(command: CallCommand): Promise<void> {
    const callId = command.call_id;
    if (this.begun.has(callId)) return;
    this.begun.add(callId);
    if (this.begun.size > remembered) this.begun.delete(this.begun.values().next().value!);
    void this.tell(callId, 'claimed');
    let isOver = false;
    const placed = this.deps.place(command, (phase, progress) => {
      const call = this.calls.get(callId);
      if (call !== undefined) Object.assign(call, { phase, progress });
      if (phase === 'ended') {
        isOver = true;
        this.ended(command);
      }
      void this.tell(callId, phase, progress);
    });
    if (isOver) return;
    this.calls.set(callId, { command, phase: 'claimed', stop: () => placed.stop() });
    // Sent before this process was known to have the call.
    const stop = await this.deps.redis.hget(orderedCallKey(callId), 'stop').catch(() => null);
    if (stop !== null) this.calls.get(callId)?.stop();
  }

  /**
   * An active call whose order another process claimed and lost.
   * @returns takes its progress, as for a call of this process
   */
  adopt(
    { callId, number }: { readonly callId: string; readonly number: string },
    stop: () => void,
  ): (phase: OrderedPhase, progress: CallProgress) => void {
    const command = { call_id: callId, number };
    this.begun.add(callId);
    this.calls.set(callId, { command, phase: 'answered', stop });
    this.deps
      .paceOf(number)
      .then((pace) => this.deps.line.adopt(callId, pace?.key ?? number))
      // Redis is down: the line renews the slots that it has when it is back, and one whose pace is not known ends with its lease.
      .catch(() => {});
    void this.tell(callId, 'answered');
    return (phase, progress) => {
      const call = this.calls.get(callId);
      if (call !== undefined) Object.assign(call, { phase, progress });
      if (phase === 'ended') this.ended(command);
      void this.tell(callId, phase, progress);
    };
  }

  /** Another process has the call, and its slot. */
  leave(callId: string): void {
    const call = this.calls.get(callId);
    if (call !== undefined) this.ended(call.command);
  }

  private ended({ call_id: callId, number }: Pick<CallCommand, 'call_id' | 'number'>): void {
    this.calls.delete(callId);
    this.deps.line
      .leave(number, callId)
      .then(() => {
        this.lookSoon();
        this.waker.wake();
      })
      // The slot's lease runs out.
      .catch(() => {});
  }

  private async tell(callId: string, phase: OrderedPhase, progress?: CallProgress): Promise<void> {
    const fields = { claimed_by: this.deps.owner, ...fieldsOf(phase, progress) };
    await this.deps.redis.hset(orderedCallKey(callId), fields).catch(() => {});
  }

  private async stopCall(callId: string): Promise<void> {
    const call = this.calls.get(callId);
    if (call !== undefined) call.stop();
    else if (this.mayTake) {
      const command = await this.deps.line.takeStopped(callId).catch(() => {
        this.isUnsure = true;
        return undefined;
      });
      if (command !== undefined) await this.begin(command);
    }
  }

  private async readStops(): Promise<void> {
    for (const [callId, call] of this.calls) {
      const stop = await this.deps.redis.hget(orderedCallKey(callId), 'stop').catch(() => null);
      if (stop !== null) call.stop();
    }
  }
}

const fieldsOf = (phase: OrderedPhase, progress: CallProgress | undefined) => ({
  phase,
  ...(progress === undefined ? {} : { progress: JSON.stringify(progress) }),
});
