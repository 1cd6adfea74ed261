import type { Logger } from '../../base/log.js';
import { PacedTask } from '../../base/paced-task.js';
import type { Redis } from '../../base/redis.js';
import { openCallOwnersKey, openCallsKey, openCallsMilliseconds } from '../../contract/open-calls.js';
import type { Call } from '../call/call.js';
import type { CallTable } from '../call/call-table.js';
import { viewOf } from './live-view.js';

export interface OpenCallsDeps {
  readonly redis: Redis;
  /** Different for every process, also for two with the same edge id. */
  readonly holder: string;
  readonly table: CallTable;
  readonly log: Logger;
}

/** Calls of this time share a command; `docs/hardening.md` states it as what a killed edge may forget. */
const gatherMilliseconds = 50;

/**
 * Notes each admitted call in Redis, so that it has a record even when this process is killed (`contract/open-calls.ts`). Calls that
 * begin within a few milliseconds share a command; no call waits for it. Later changes are written with the live state
 * (`live/live-publisher.ts`), which also rewrites every call after Redis was down.
 */
export class OpenCalls {
  private readonly admitted = new Set<Call>();
  private readonly pace = new PacedTask(() => this.write(), gatherMilliseconds);

  constructor(private readonly deps: OpenCallsDeps) {}

  start(): void {
    this.deps.table.onAdmitted = (call) => this.note(call);
    this.deps.table.onUnrecorded = (call) => this.forget(call);
  }

  stop(): void {
    this.deps.table.onAdmitted = () => {};
    this.deps.table.onUnrecorded = () => {};
  }

  private note(call: Call): void {
    this.admitted.add(call);
    this.pace.request();
  }

  private write(): void {
    const { redis, holder, table } = this.deps;
    // A call whose record was handed over meanwhile must not be noted after it.
    const calls = [...this.admitted].filter((call) => table.findUnrecorded(call.state.id) === call);
    this.admitted.clear();
    if (calls.length === 0 || redis.status !== 'ready') return;
    const key = openCallsKey(holder);
    redis
      .pipeline()
      .sadd(openCallOwnersKey, holder)
      .hset(key, ...calls.flatMap((call) => [call.state.id, JSON.stringify(viewOf(call))]))
      .pexpire(key, openCallsMilliseconds)
      .exec()
      .catch((error: Error) => this.failed(error));
  }

  /** It leaves no record. */
  private forget(call: Call): void {
    const { redis, holder } = this.deps;
    if (this.admitted.delete(call) || redis.status !== 'ready') return;
    redis.hdel(openCallsKey(holder), call.state.id).catch((error: Error) => this.failed(error));
  }

  private failed({ message }: Error): void {
    this.deps.log.debug({ error: message }, 'Noting open calls in Redis failed.');
  }
}
