import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallCommand,
  callCommandSchema,
  edgeLeaseMilliseconds,
  type OrderedPhase,
  orderedCallSeconds,
} from '../../contract/commands.js';
import {
  commandGroup,
  commandStream,
  edgeLeaseKey,
  orderedCallKey,
  stopChannel,
} from '../../contract/keys.js';
import { failureText } from '../call/engine-link.js';
import type { Logger } from '../log.js';
import type { Redis } from '../redis.js';

export interface OrderedCallsParts {
  readonly redis: Redis;
  /** Names this process, never used again after it. */
  readonly owner: string;
  /** False: orders are left to other edges. */
  readonly isReady: () => boolean;
  /** Begins a claimed call; called once an order, in this process or any other. */
  readonly place: (command: CallCommand, report: (phase: OrderedPhase) => void) => { stop(): void };
  readonly log: Logger;
  /** Orders that another process took and did not claim within this time are taken over. */
  readonly takeOverMilliseconds?: number;
}

type Entry = [id: string, fields: string[] | null];

const batchSize = 10;
/** Below the connection's bound for a server that hangs. */
const blockMilliseconds = 1_000;
const retryMilliseconds = 500;
const defaultTakeOverMilliseconds = 5_000;

/**
 * Takes orders to call from the stream. An order is claimed in the call's hash, which only one process can (HSETNX), before
 * it leaves the stream and before anything is sent; so a process that dies at any point leaves either an order that another
 * one claims, or a claimed one that nobody dials again.
 */
export class OrderedCalls {
  private reader: Redis | undefined;
  private subscriber: Redis | undefined;
  private lease: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;
  private tookOverAt = Number.NEGATIVE_INFINITY;
  /** Calls of this process that go on. */
  private readonly calls = new Map<string, { stop(): void }>();
  /** Calls that this process has begun, or must not begin any more. */
  private readonly begun = new Set<string>();

  constructor(private readonly parts: OrderedCallsParts) {}

  /** Returns at once: without Redis it goes on trying in the background. */
  async start(): Promise<void> {
    const { redis } = this.parts;
    this.reader = redis.duplicate({ connectionName: 'demarc-edge-commands' });
    this.reader.on('error', () => {});
    this.subscriber = redis.duplicate({ autoResubscribe: false, connectionName: 'demarc-edge-stops' });
    const { subscriber } = this;
    subscriber.on('error', () => {});
    subscriber.on('ready', () => {
      // What was told while the connection was away stands in the hashes.
      subscriber.subscribe(stopChannel).then(
        () => this.readStops(),
        () => subscriber.disconnect(true),
      );
    });
    subscriber.on('message', (_channel: string, callId: string) => this.calls.get(callId)?.stop());
    this.lease = setInterval(() => {
      void this.renewLease();
      // Keeps the connection from being taken for dead.
      if (subscriber.status === 'ready') subscriber.ping().catch(() => {});
    }, 2_000);
    this.lease.unref();
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.lease);
    this.subscriber?.disconnect();
    this.reader?.disconnect();
    await this.running;
    await this.parts.redis.del(edgeLeaseKey(this.parts.owner)).catch(() => {});
  }

  private async renewLease(): Promise<void> {
    await this.parts.redis
      .set(edgeLeaseKey(this.parts.owner), '1', 'PX', edgeLeaseMilliseconds)
      .catch(() => {});
  }

  private async run(): Promise<void> {
    let isGroupThere = false;
    while (!this.stopped) {
      try {
        if (this.reader?.status !== 'ready' || this.parts.redis.status !== 'ready' || !this.parts.isReady()) {
          await sleep(100);
          continue;
        }
        if (!isGroupThere) {
          await this.renewLease();
          await this.makeGroup();
          isGroupThere = true;
        }
        await this.takeOver();
        for (const entry of await this.readNew()) await this.handle(entry);
      } catch (error) {
        if (this.stopped) return;
        // Redis was emptied: the group is gone with the stream.
        if (failureText(error).startsWith('NOGROUP')) isGroupThere = false;
        this.parts.log.debug({ error: failureText(error) }, 'Orders cannot be read for now.');
        await sleep(retryMilliseconds);
      }
    }
  }

  private async makeGroup(): Promise<void> {
    try {
      await this.parts.redis.xgroup('CREATE', commandStream, commandGroup, '0', 'MKSTREAM');
    } catch (error) {
      if (!failureText(error).startsWith('BUSYGROUP')) throw error;
    }
  }

  private async readNew(): Promise<Entry[]> {
    const reply = (await this.reader!.xreadgroup(
      ...(['GROUP', commandGroup, this.parts.owner] as const),
      ...(['COUNT', batchSize] as const),
      ...(['BLOCK', blockMilliseconds] as const),
      ...(['STREAMS', commandStream, '>'] as const),
    )) as [stream: string, entries: Entry[]][] | null;
    return reply?.[0]?.[1] ?? [];
  }

  /** Orders of processes that died, or lost Redis, before they had claimed them. */
  private async takeOver(): Promise<void> {
    const idle = this.parts.takeOverMilliseconds ?? defaultTakeOverMilliseconds;
    if (performance.now() - this.tookOverAt < idle / 2) return;
    this.tookOverAt = performance.now();
    const [, entries] = (await this.parts.redis.xautoclaim(
      commandStream,
      commandGroup,
      this.parts.owner,
      idle,
      '0-0',
      'COUNT',
      batchSize,
    )) as [cursor: string, entries: Entry[]];
    for (const entry of entries) await this.handle(entry);
  }

  /** Rejects when Redis is lost on the way: the order stays in the stream and comes again. */
  private async handle([id, fields]: Entry): Promise<void> {
    // Read in the last moment before this edge was to take no more: another one takes it over.
    if (this.stopped || !this.parts.isReady()) return;
    const command = commandOf(fields);
    if (command === undefined) {
      this.parts.log.error({ entry: id }, 'An entry of the command stream is no order.');
      await this.remove(id);
      return;
    }
    const callId = command.call_id;
    if (!(await this.claim(callId))) {
      await this.remove(id);
      return;
    }
    if (Date.parse(command.expires_at) < Date.now()) {
      this.begun.add(callId);
      await this.tell(callId, 'expired');
      await this.remove(id);
      return;
    }
    await this.remove(id);
    this.begin(command);
    // Said before this process was known to have the call.
    if ((await this.parts.redis.hget(orderedCallKey(callId), 'stop')) !== null)
      this.calls.get(callId)?.stop();
  }

  /** True once for each call, whichever processes ask. After an answer lost on the way, the same process may ask again. */
  private async claim(callId: string): Promise<boolean> {
    const { redis, owner } = this.parts;
    const key = orderedCallKey(callId);
    const isFirst = (await redis.hsetnx(key, 'claimed_by', owner)) === 1;
    if (!isFirst && (await redis.hget(key, 'claimed_by')) !== owner) return false;
    if (this.begun.has(callId)) return false;
    await redis.expire(key, orderedCallSeconds);
    return true;
  }

  private begin(command: CallCommand): void {
    const callId = command.call_id;
    this.begun.add(callId);
    if (this.begun.size > 100_000) this.begun.delete(this.begun.values().next().value!);
    void this.tell(callId, 'claimed').catch(() => {});
    const call = this.parts.place(command, (phase) => {
      if (phase === 'ended') this.calls.delete(callId);
      this.tell(callId, phase).catch(() => {});
    });
    this.calls.set(callId, call);
  }

  private async tell(callId: string, phase: OrderedPhase): Promise<void> {
    await this.parts.redis.hset(orderedCallKey(callId), 'phase', phase);
  }

  private async remove(id: string): Promise<void> {
    const { redis } = this.parts;
    await redis.multi().xack(commandStream, commandGroup, id).xdel(commandStream, id).exec();
  }

  private async readStops(): Promise<void> {
    for (const [callId, call] of this.calls) {
      const stop = await this.parts.redis.hget(orderedCallKey(callId), 'stop').catch(() => null);
      if (stop !== null) call.stop();
    }
  }
}

function commandOf(fields: string[] | null): CallCommand | undefined {
  const at = fields?.findIndex((field, index) => index % 2 === 0 && field === 'command') ?? -1;
  try {
    const read = callCommandSchema.safeParse(JSON.parse(fields?.[at + 1] ?? ''));
    return at >= 0 && read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
