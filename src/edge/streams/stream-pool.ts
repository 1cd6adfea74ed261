import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import type { Redis } from '../../base/redis.js';
import {
  type StreamProcess,
  streamProcessesKey,
  streamProcessKey,
  streamProcessSchema,
} from '../../contract/agent-stream.js';

const everyMilliseconds = 1_000;

/**
 * The media-stream processes, as they announce themselves in Redis. While Redis is down the last ones that were known count: an INVITE
 * to one that is gone goes to the next.
 */
export class StreamPool {
  private processes: readonly StreamProcess[] = [];
  private readonly task: RecurringTask;
  /** Calls given to each since it was read, which its own number does not contain. */
  private readonly given = new Map<string, number>();

  constructor(
    private readonly redis: Redis,
    log: Logger,
  ) {
    this.task = new RecurringTask(() => this.read(), {
      everyMilliseconds,
      failed: (error) => log.debug({ error: error.message }, 'The media-stream processes are not known.'),
    });
  }

  start(): void {
    this.task.start(0);
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  /** Processes that take calls now. */
  get usable(): number {
    return this.processes.filter(({ accepts }) => accepts).length;
  }

  /** The one with the fewest calls, of those in time if there are any; undefined: none takes calls beside those that were tried. */
  choose(tried: ReadonlySet<string>): StreamProcess | undefined {
    let best: StreamProcess | undefined;
    for (const each of this.processes) {
      if (tried.has(each.uri) || !each.accepts) continue;
      if (best === undefined || this.isBetter(each, best)) best = each;
    }
    if (best !== undefined) this.given.set(best.uri, (this.given.get(best.uri) ?? 0) + 1);
    return best;
  }

  private isBetter(one: StreamProcess, best: StreamProcess): boolean {
    if (one.is_late !== best.is_late) return best.is_late;
    return this.load(one) < this.load(best);
  }

  private load({ uri, calls }: StreamProcess): number {
    return calls + (this.given.get(uri) ?? 0);
  }

  private async read(): Promise<void> {
    const ids = await this.redis.smembers(streamProcessesKey);
    const found: StreamProcess[] = [];
    const gone: string[] = [];
    if (ids.length > 0) {
      const entries = await this.redis.mget(ids.map(streamProcessKey));
      for (const [index, entry] of entries.entries()) {
        if (entry === null) gone.push(ids[index]!);
        else {
          const read = streamProcessSchema.safeParse(JSON.parse(entry));
          if (read.success) found.push(read.data);
        }
      }
    }
    if (gone.length > 0) await this.redis.srem(streamProcessesKey, ...gone);
    this.processes = found;
    this.given.clear();
  }
}
