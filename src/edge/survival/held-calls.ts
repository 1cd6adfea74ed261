import type { Logger } from '../../base/log.js';
import { PacedTask } from '../../base/paced-task.js';
import { execute, type Redis } from '../../base/redis.js';
import {
  type HeldCall,
  heldCallSchema,
  heldCallsKey,
  heldCallsMilliseconds,
} from '../../contract/held-call.js';
import { readJson } from '../../contract/read-json.js';
import type { SecretBox } from '../../contract/secret.js';
import type { Call } from '../call/call.js';
import type { CallTable } from '../call/call-table.js';
import { legsOf } from '../call/call-trace.js';
import { describeCall } from '../call/held-call.js';

export interface HeldCallsDeps {
  readonly redis: Redis;
  readonly holder: string;
  readonly table: CallTable;
  readonly secrets: SecretBox;
  readonly log: Logger;
}

/** Calls that are confirmed within this time share a write. A call whose edge dies before it has no successor. */
const togetherMilliseconds = 50;

/** Ends the JSON, which has none. */
const lineFeed = '\n';

interface HeldDocument {
  readonly call: HeldCall;
  /** Its messages so far, as entries for `TraceCollector.receiveCopy`. */
  readonly trace: Buffer;
}

/**
 * Writes what a successor needs of each confirmed call, sealed. No call waits for it: commands to Redis leave in order, so that
 * the note that an offer is open precedes the outcome. The record's transaction deletes it (`record/call-stream.ts`).
 */
export class HeldCalls {
  private readonly changed = new Set<Call>();
  private readonly pace = new PacedTask(() => void this.write(), togetherMilliseconds);

  constructor(private readonly deps: HeldCallsDeps) {}

  start(): void {
    const { table, redis } = this.deps;
    table.onChanged = (call, isUrgent) => this.note(call, isUrgent);
    redis.on('ready', this.writeAll);
  }

  stop(): void {
    const { table, redis } = this.deps;
    table.onChanged = () => {};
    redis.off('ready', this.writeAll);
    this.changed.clear();
  }

  /** Writes all of them; resolves when Redis has them, and rejects when it does not take them. */
  async flush(): Promise<void> {
    this.deps.table.forEach((call) => {
      this.changed.add(call);
    });
    if (!(await this.write())) throw new Error('Redis did not take the held calls.');
  }

  /** Undefined: it was sealed with a key that this edge does not have, or by another version. */
  open(callId: string, sealed: Buffer): HeldDocument | undefined {
    try {
      const octets = this.deps.secrets.openOctets(sealed);
      const end = octets.indexOf(lineFeed);
      const call = readJson(heldCallSchema, octets.toString('utf8', 0, end));
      return call?.call_id === callId ? { call, trace: octets.subarray(end + lineFeed.length) } : undefined;
    } catch (error) {
      this.deps.log.warn({ call: callId, error: String(error) }, 'A held call cannot be read.');
      return undefined;
    }
  }

  private note(call: Call, isUrgent: boolean): void {
    this.changed.add(call);
    if (isUrgent) void this.write();
    else this.pace.request();
  }

  /** Redis may have come back without them. */
  private readonly writeAll = (): void => {
    this.deps.table.forEach((call) => {
      if (call.state.phase === 'confirmed') this.note(call, false);
    });
  };

  /** Resolves to false when Redis did not take them. */
  private async write(): Promise<boolean> {
    const { redis, holder, secrets, log } = this.deps;
    const fields: (string | Buffer)[] = [];
    for (const call of this.changed) {
      const held = describeCall(call);
      // With one leg there is nothing to continue; a transfer that gives it another one writes it again.
      if (held === undefined || held.legs.trunk === null || held.legs.agent === null) continue;
      const trace = call.deps.traces.copy(...legsOf(call));
      fields.push(held.call_id, secrets.sealOctets(JSON.stringify(held) + lineFeed, trace));
    }
    this.changed.clear();
    if (fields.length === 0) return true;
    if (redis.status !== 'ready') return false;
    const key = heldCallsKey(holder);
    try {
      await execute(
        redis
          .pipeline()
          .hset(key, ...fields)
          .pexpire(key, heldCallsMilliseconds),
      );
      return true;
    } catch (error) {
      log.debug({ error: (error as Error).message }, 'Writing held calls failed.');
      return false;
    }
  }
}
