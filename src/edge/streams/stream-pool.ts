import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import type { Redis } from '../../base/redis.js';
import {
  type StreamProcess,
  streamProcessesKey,
  streamProcessKey,
  streamProcessSchema,
} from '../../contract/agent-stream.js';
import type { StreamSearch } from './invite-stream.js';

const everyMilliseconds = 1_000;
/** How long calls wait for a process: one that was killed or is replaced is usually back by then. */
const absenceMilliseconds = 4_000;
const rereadMilliseconds = 250;

/**
 * The media-stream processes, as they announce themselves in Redis. While Redis is down the last ones that were known count: an INVITE
 * to one that is gone goes to the next.
 */
export class StreamPool {
  private processes: readonly StreamProcess[] = [];
  private readonly task: RecurringTask;
  /** Calls given to each since it was read, which its own number does not contain. */
  private readonly given = new Map<string, number>();
  /** When one was last known to take calls, by the clock of `performance`. */
  private seenAt = Number.NEGATIVE_INFINITY;
  /** False: this edge has just started. */
  private isRead = false;

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

  /**
   * Waits while one is expected to take calls soon.
   * @returns true: one takes calls now, and none counts as tried any more
   */
  async waitForOne(search: StreamSearch, isWanted: () => boolean): Promise<boolean> {
    while (isWanted() && this.expectsOne(search.since)) {
      await sleep(rereadMilliseconds);
      await this.task.next();
      search.tried.clear();
      if (this.usable > 0) return true;
    }
    return false;
  }

  private expectsOne(since: number): boolean {
    const earliest = performance.now() - absenceMilliseconds;
    if (!this.isRead) return since >= earliest;
    const isFull = this.processes.some(({ accepts, is_leaving }) => !accepts && is_leaving !== true);
    return !isFull && since >= earliest && this.seenAt >= earliest;
  }

  private isBetter(candidate: StreamProcess, best: StreamProcess): boolean {
    if (candidate.is_late !== best.is_late) return best.is_late;
    return this.load(candidate) < this.load(best);
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
    this.isRead = true;
    if (this.usable > 0) this.seenAt = performance.now();
    this.given.clear();
  }
}
