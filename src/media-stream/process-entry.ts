import { RecurringTask } from '../base/recurring-task.js';
import type { Redis } from '../base/redis.js';
import {
  type StreamProcess,
  streamAliveKey,
  streamProcessesKey,
  streamProcessKey,
} from '../contract/agent-stream.js';

const everyMilliseconds = 500;
/** An edge gives calls to a process that is gone for at most this long, and tries the next one then. */
const livesMilliseconds = 3_000;
/** How long Redis remembers when a process was alive. */
export const aliveMilliseconds = 60_000;

/** Announces this process to the edges, with its load. */
export class ProcessEntry {
  private readonly task = new RecurringTask(() => this.write(), {
    everyMilliseconds,
    failed: () => {},
  });

  constructor(
    private readonly redis: Redis,
    private readonly id: string,
    private readonly describe: () => StreamProcess,
  ) {}

  start(): void {
    this.task.start(0);
  }

  /** Edges learn at once that something has changed. */
  renew(): Promise<void> {
    return this.task.next();
  }

  async stop(): Promise<void> {
    await this.task.stop();
    await this.redis.del(streamProcessKey(this.id)).catch(() => {});
  }

  private async write(): Promise<void> {
    const entry = JSON.stringify(this.describe());
    await this.redis
      .multi()
      .set(streamProcessKey(this.id), entry, 'PX', livesMilliseconds)
      .sadd(streamProcessesKey, this.id)
      .set(streamAliveKey(this.id), Date.now(), 'PX', aliveMilliseconds)
      .exec();
  }
}
