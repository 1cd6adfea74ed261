import { RecurringTask } from '../base/recurring-task.js';
import type { Redis } from '../base/redis.js';
import { botStateKey } from '../contract/agent-stream.js';
import type { StreamCall } from './stream-call.js';

const everyMilliseconds = 2_000;
/** A process that is gone is no news of its bots. */
const livesMilliseconds = 6_000;

/** Publishes the connections of active calls to their bots for people who watch. It may be lost, and calls never wait for it. */
export class BotStates {
  private readonly task = new RecurringTask(() => this.write(), { everyMilliseconds, failed: () => {} });

  constructor(
    private readonly redis: Redis,
    private readonly calls: ReadonlySet<StreamCall>,
  ) {}

  start(): void {
    this.task.start(0);
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async write(): Promise<void> {
    if (this.calls.size === 0 || this.redis.status !== 'ready') return;
    const pipeline = this.redis.pipeline();
    for (const call of this.calls)
      pipeline.set(botStateKey(call.id), JSON.stringify(call.botState), 'PX', livesMilliseconds);
    await pipeline.exec();
  }
}
