import type { EventEmitter } from 'node:events';
import type { Logger } from '../../base/log.js';
import { PacedTask } from '../../base/paced-task.js';
import { execute, type Redis } from '../../base/redis.js';
import { type HeldCall, heldCallsKey, heldCallsMilliseconds } from '../../contract/held-call.js';
import { readHeldCall } from '../../contract/held-call-versions.js';
import type { SecretBox } from '../../contract/secret.js';
import type { Call } from '../call/call.js';
import type { CallTable } from '../call/call-table.js';
import { legsOf } from '../call/call-trace.js';
import { fail } from '../call/fail.js';
import { describeCall } from '../call/held-call.js';
import type { HolderLease, HolderLeaseEvents } from './holder-lease.js';

export interface HeldCallsDeps {
  readonly redis: Redis;
  readonly holder: string;
  readonly lease: EventEmitter<HolderLeaseEvents> & Pick<HolderLease, 'isCurrent'>;
  readonly table: CallTable;
  readonly secrets: SecretBox;
  readonly log: Logger;
}

/** Calls that are confirmed within this time share a write. A call whose edge dies before it has no successor. */
const togetherMilliseconds = 50;
/** Names and documents: an edge that continues 1,700 calls would block Redis for 80 ms with one command. */
const fieldsPerCommand = 128;
/** Redis may refuse a write for a while, as during a failover or with its memory full. */
const retryMilliseconds = 500;

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
  /** Calls whose write failed, for the next attempt. */
  private readonly failed = new Set<Call>();
  private retry: NodeJS.Timeout | undefined;
  private isRunning = false;

  constructor(private readonly deps: HeldCallsDeps) {}

  start(): void {
    const { table, redis, lease } = this.deps;
    this.isRunning = true;
    table.onChanged = (call, isUrgent) => this.note(call, isUrgent);
    redis.on('ready', this.writeAll);
    lease.on('dataLost', this.writeAll);
  }

  stop(): void {
    const { table, redis, lease } = this.deps;
    this.isRunning = false;
    table.onChanged = () => {};
    redis.off('ready', this.writeAll);
    lease.off('dataLost', this.writeAll);
    clearTimeout(this.retry);
    this.retry = undefined;
    this.changed.clear();
    this.failed.clear();
  }

  /** Writes all of them; resolves when Redis has them, and rejects when it does not take them. */
  async flush(): Promise<void> {
    this.deps.table.forEach((call) => {
      this.changed.add(call);
    });
    if (!(await this.write())) throw new Error('Redis did not take the held calls.');
  }

  /** Undefined: it was sealed with a key that this edge does not have, or by another release. */
  open(callId: string, sealed: Buffer): HeldDocument | undefined {
    try {
      const octets = this.deps.secrets.openOctets(sealed);
      const end = octets.indexOf(lineFeed);
      const call = readHeldCall(octets.toString('utf8', 0, end));
      if (call.call_id !== callId) throw new Error('It is the document of another call.');
      return { call, trace: octets.subarray(end + lineFeed.length) };
    } catch (error) {
      this.deps.log.warn({ call: callId, error: (error as Error).message }, 'A held call cannot be read.');
      return undefined;
    }
  }

  /** A call as another edge continues it, sealed. Undefined: it has ended, or lacks a party. */
  documentOf(call: Call, traceOctets?: number): Buffer | undefined {
    const held = described(call);
    if (held === undefined || held.legs.trunk === null || held.legs.agent === null) return undefined;
    const trace = call.deps.traces.copy(legsOf(call), traceOctets);
    return this.deps.secrets.sealOctets(JSON.stringify(held) + lineFeed, trace);
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

  /** Writes a call again whose document here may be another one than this process has written. */
  restore(call: Call): void {
    if (this.isRunning) this.note(call, false);
  }

  /** Resolves to false when Redis did not take them. */
  private async write(): Promise<boolean> {
    const { redis, holder, lease, log } = this.deps;
    const fields: (string | Buffer)[] = [];
    const calls = [...this.changed];
    if (!lease.isCurrent) {
      // After a stall another process may have them, and would take them once more.
      this.changed.clear();
      this.writeLater(calls);
      return false;
    }
    for (const call of calls) {
      // With one leg there is nothing to continue; a transfer that gives it another one writes it again.
      const document = this.documentOf(call);
      if (document !== undefined) fields.push(call.state.id, document);
    }
    this.changed.clear();
    if (fields.length === 0) return true;
    // All are written when it is back.
    if (redis.status !== 'ready') return false;
    const key = heldCallsKey(holder);
    const pipeline = redis.pipeline();
    for (let at = 0; at < fields.length; at += fieldsPerCommand)
      pipeline.hset(key, ...fields.slice(at, at + fieldsPerCommand));
    try {
      await execute(pipeline.pexpire(key, heldCallsMilliseconds));
      return true;
    } catch (error) {
      log.debug({ error: (error as Error).message }, 'Writing held calls failed.');
      this.writeLater(calls);
      return false;
    }
  }

  /** As they are by then; those that have ended are not written. */
  private writeLater(calls: readonly Call[]): void {
    // A successor may have them.
    if (!this.isRunning) return;
    for (const call of calls) this.failed.add(call);
    this.retry ??= setTimeout(() => {
      this.retry = undefined;
      for (const call of this.failed) this.changed.add(call);
      this.failed.clear();
      void this.write();
    }, retryMilliseconds).unref();
  }
}

/** A call that cannot be described ends: it must not keep the others from being written. */
function described(call: Call): HeldCall | undefined {
  try {
    return describeCall(call);
  } catch (error) {
    fail(call, error);
    return undefined;
  }
}
