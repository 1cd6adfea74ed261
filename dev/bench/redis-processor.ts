import type { Redis } from 'ioredis';
import { processorTime } from '../../src/base/processor-time.js';

/** What Redis' main thread had of the processors since it began, at a moment; milliseconds. */
export interface Reading {
  /** Monotonic. */
  readonly at: number;
  readonly used: number;
  readonly waited: number;
}

export interface SlowCommand {
  readonly id: number;
  readonly name: string;
  readonly milliseconds: number;
  /** Between which readings it ran; undefined: none were taken then. */
  readonly around: Around | undefined;
}

/** Milliseconds between the last reading before a command and the first one after it. */
export interface Around {
  readonly elapsed: number;
  readonly used: number;
  readonly waited: number;
}

const everyMilliseconds = 20;
/** Commands that end between two readings; further ones are known without what the thread had of the processors. */
const readAtOnce = 32;
/** Ten minutes. */
const keptReadings = 30_000;

type Entry = [id: number, at: number, microseconds: number, command: string[], ...unknown[]];

/**
 * Says of Redis' slow commands whether they computed or waited for a processor: the slow log alone has times by the clock. It has no
 * moment either, only seconds; but a command that was not in it at one reading and is at the next has ended between them.
 */
export class RedisProcessor {
  private readonly readings: Reading[] = [];
  private readonly around = new Map<number, Around>();
  private lastId: number;
  private timer: NodeJS.Timeout | undefined;
  private isReading = false;

  private constructor(
    private readonly redis: Redis,
    private readonly pid: number,
    lastId: number,
  ) {
    this.lastId = lastId;
  }

  /** Of commands that take longer than so many microseconds. */
  static async watch(redis: Redis, slowMicroseconds: number): Promise<RedisProcessor> {
    await redis.config('SET', 'slowlog-log-slower-than', slowMicroseconds);
    await redis.config('SET', 'slowlog-max-len', 10_000);
    const [last] = (await redis.slowlog('GET', 1)) as Entry[];
    await redis.slowlog('RESET');
    const pid = Number(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1]);
    const processor = new RedisProcessor(redis, pid, last?.[0] ?? -1);
    processor.timer = setInterval(() => void processor.read(), everyMilliseconds);
    return processor;
  }

  /** The longest first. */
  async longest(count: number): Promise<readonly SlowCommand[]> {
    clearInterval(this.timer);
    const entries = (await this.redis.slowlog('GET', 10_000)) as Entry[];
    return entries
      .toSorted(([, , left], [, , right]) => right - left)
      .slice(0, count)
      .map(([id, , microseconds, [name = '', ...args]]) => ({
        id,
        name: name.toLowerCase() === 'xadd' ? `${name} ${args[0]}` : name,
        milliseconds: microseconds / 1_000,
        around: this.around.get(id),
      }));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async read(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      // Before the command is sent: what the log lacks then ends after this reading.
      const sent = this.reading();
      const entries = (await this.redis.slowlog('GET', readAtOnce)) as Entry[];
      const now = this.reading();
      if (sent === undefined || now === undefined) return;
      for (const [id, , microseconds] of entries) {
        if (id <= this.lastId) break;
        const found = aroundOf(this.readings, now, microseconds / 1_000);
        if (found !== undefined) this.around.set(id, found);
      }
      this.lastId = Math.max(this.lastId, entries[0]?.[0] ?? -1);
      this.readings.push(sent);
      if (this.readings.length > keptReadings) this.readings.shift();
    } catch {
      // The connection is being closed.
    } finally {
      this.isReading = false;
    }
  }

  /** Undefined: Redis has ended, or this system does not say. */
  private reading(): Reading | undefined {
    const time = processorTime(this.pid, 'main');
    return time && { at: performance.now(), ...time };
  }
}

/**
 * What the thread had around a command that ended after the last of the readings, and before `now`. Undefined: no reading is old enough.
 * @param milliseconds how long it took
 */
export function aroundOf(
  readings: readonly Reading[],
  now: Reading,
  milliseconds: number,
): Around | undefined {
  const earliest = (readings.at(-1)?.at ?? now.at) - milliseconds;
  const before = readings.findLast(({ at }) => at <= earliest);
  if (before === undefined) return undefined;
  return {
    elapsed: now.at - before.at,
    used: now.used - before.used,
    waited: now.waited - before.waited,
  };
}

/** `12.0 ms (xadd demarc:calls; in the 60 ms around it computed 10 ms, waited 35 ms for a processor)`. */
export function described({ name, milliseconds, around }: Omit<SlowCommand, 'id'>): string {
  const whole = (value: number): string => `${Math.round(value)} ms`;
  const why =
    around === undefined
      ? ''
      : `; in the ${whole(around.elapsed)} around it computed ${whole(around.used)}, waited ${whole(around.waited)} for a processor`;
  return `${milliseconds.toFixed(1)} ms (${name}${why})`;
}
