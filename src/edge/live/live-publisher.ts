import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { version } from '../../config/version.js';
import {
  type EdgeHeartbeat,
  heartbeatKey,
  heartbeatMilliseconds,
  type LiveBatch,
  liveCallsKey,
  liveChannel,
  liveEdgesKey,
  liveMilliseconds,
  rememberedMilliseconds,
} from '../../contract/live.js';
import { openCallOwnersKey, openCallsKey, openCallsMilliseconds } from '../../contract/open-calls.js';
import type { Call } from '../call/call.js';
import type { CallTable } from '../call/call-table.js';
import { CallRates } from './call-rates.js';
import { LiveCallChanges } from './live-changes.js';

/** What the edge knows of itself, asked for with each heartbeat. */
export type EdgeFacts = Pick<EdgeHeartbeat, 'draining' | 'engine' | 'rtpengine' | 'redis' | 'takeovers'> & {
  readonly recordsWaiting: number;
  readonly owedDeletions: number;
};

export interface LivePublisherParts {
  readonly edgeId: string;
  /** Different for every process, also for two with the same edge id. */
  readonly holder: string;
  readonly redis: Redis;
  readonly table: CallTable;
  readonly facts: () => EdgeFacts;
  readonly log: Logger;
}

/** Changes of calls are seen within half a second; looks without any change send nothing. */
const lookMilliseconds = 500;
/** Fields of one HSET when everything is published again. */
const fieldsAtOnce = 250;
/** Each look at the clock wakes the process. A delay as long as this is always seen, a shorter one in part of the cases. */
const delayLookMilliseconds = 100;

/**
 * Publishes live state: a heartbeat of the edge, its active calls, and their changes. At most one pipeline per tick;
 * calls never wait for it, and while Redis is down only the need to publish everything again is kept.
 */
export class LivePublisher {
  private readonly changes = new LiveCallChanges();
  private readonly rates = new CallRates();
  private readonly since = new Date().toISOString();
  private readonly delay = monitorEventLoopDelay({ resolution: delayLookMilliseconds });
  private timer: NodeJS.Timeout | undefined;
  private busy: Promise<void> | undefined;
  private beatAt = Number.NEGATIVE_INFINITY;
  /** Redis has taken a heartbeat. */
  private hasBeaten = false;
  /** Redis may lack a part of this edge's list: the next write replaces all of it. */
  private isIncomplete = true;

  /** Calls that are looked at: those that may still change before they end. */
  private readonly unsettled: Set<Call>;

  constructor(private readonly parts: LivePublisherParts) {
    this.unsettled = parts.table.newcomers();
  }

  start(): void {
    this.parts.table.onEnd = (call) => {
      // A challenged caller calls again, and counts then.
      if (!call.state.isChallenged) this.rates.note(call);
      this.changes.noteEnd(call);
    };
    this.parts.table.onLeft = (call) => this.changes.noteLeft(call);
    this.delay.enable();
    this.timer = setInterval(() => this.tick(), lookMilliseconds);
    this.timer.unref();
  }

  /** Removes the edge and its calls from live state, so that its shutdown does not look like a failure. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.parts.table.onEnd = () => {};
    this.parts.table.onLeft = () => {};
    this.delay.disable();
    await this.busy;
    const { redis, holder } = this.parts;
    if (redis.status !== 'ready') return;
    await redis
      .pipeline()
      .del(heartbeatKey(holder), liveCallsKey(holder))
      .zrem(liveEdgesKey, holder)
      .publish(liveChannel, this.batch([], true))
      .exec()
      .catch(() => null);
  }

  private tick(): void {
    // The next tick must not overtake a write that Redis is slow to accept.
    if (this.busy !== undefined) return;
    this.busy = this.tell()
      .catch((error: Error) => {
        this.isIncomplete = true;
        this.parts.log.debug({ error: error.message }, 'Publishing live state failed.');
      })
      .finally(() => {
        this.busy = undefined;
      });
  }

  private async tell(): Promise<void> {
    const { redis, table, holder } = this.parts;
    for (const call of this.unsettled) if (call.state.organization !== null) this.rates.note(call);
    if (redis.status !== 'ready') {
      this.isIncomplete = true;
      return;
    }
    const isIncomplete = this.isIncomplete;
    if (isIncomplete) {
      this.changes.forget();
      table.forEach((call) => void this.unsettled.add(call));
    }
    const settled = (call: Call): void => void this.unsettled.delete(call);
    const { written, deleted, events, lost } = this.changes.look(this.unsettled, Date.now(), settled);
    const isBeat = performance.now() - this.beatAt >= heartbeatMilliseconds - lookMilliseconds / 2;
    if (!isBeat && events.length === 0 && deleted.length === 0 && !lost) return;
    const key = liveCallsKey(holder);
    const pipeline = redis.pipeline();
    if (isIncomplete) pipeline.del(key);
    for (let at = 0; at < written.length; at += fieldsAtOnce) {
      pipeline.hset(key, ...written.slice(at, at + fieldsAtOnce).flat());
    }
    const openKey = openCallsKey(holder);
    const open = written.filter(([callId]) => table.find(callId)?.state.isAdmitted === true);
    for (let at = 0; at < open.length; at += fieldsAtOnce) {
      pipeline.hset(openKey, ...open.slice(at, at + fieldsAtOnce).flat());
    }
    if (deleted.length > 0) pipeline.hdel(key, ...deleted);
    const markAt = pipeline.length;
    if (isBeat) {
      this.beatAt = performance.now();
      pipeline.exists(heartbeatKey(holder));
      pipeline.set(heartbeatKey(holder), JSON.stringify(this.heartbeat()), 'PX', rememberedMilliseconds);
      pipeline.zadd(liveEdgesKey, Date.now(), holder);
      pipeline.sadd(openCallOwnersKey, holder).pexpire(openKey, openCallsMilliseconds);
      pipeline.zremrangebyscore(liveEdgesKey, '-inf', Date.now() - 2 * rememberedMilliseconds);
    }
    if (events.length > 0 || lost) pipeline.publish(liveChannel, this.batch(events, lost));
    pipeline.pexpire(key, liveMilliseconds);
    const replies = await pipeline.exec();
    const [failure] = (replies ?? []).flatMap(([error]) => error ?? []);
    if (failure !== undefined) throw failure;
    // Redis came back empty, or the hash expired while it was down.
    const isThere = replies?.at(-1)?.[1] === 1;
    // It was emptied behind an open connection: a call of this tick has made the hash again, without the others.
    const isEmptied = isBeat && this.hasBeaten && replies?.[markAt]?.[1] === 0;
    this.hasBeaten ||= isBeat;
    this.isIncomplete = (!isThere || isEmptied) && this.changes.size > 0;
  }

  private batch(events: LiveBatch['events'], lost: boolean): string {
    const batch: LiveBatch = { edge_id: this.parts.edgeId, events, lost };
    return JSON.stringify(batch);
  }

  private heartbeat(): EdgeHeartbeat {
    const { edgeId, table, facts } = this.parts;
    const { recordsWaiting, owedDeletions, ...state } = facts();
    const { all, callsPerSecond, organizations } = this.rates.take(table);
    const delay = delayOfLooks(this.delay.percentile(99));
    this.delay.reset();
    return {
      edge_id: edgeId,
      version,
      since: this.since,
      at: new Date().toISOString(),
      ...state,
      counts: {
        calls: table.size,
        ringing: all.ringing,
        answered: all.answered,
        ending: table.ending,
        records_waiting: recordsWaiting,
        owed_deletions: owedDeletions,
      },
      calls_per_second: callsPerSecond,
      organizations,
      event_loop_delay_milliseconds: delay,
      memory_bytes: process.memoryUsage.rss(),
    };
  }
}

/**
 * How late a look was, in milliseconds with one decimal.
 * @param nanoseconds since the look before it; not a number when there was none
 */
export const delayOfLooks = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds)
    ? Math.max(0, Math.round(nanoseconds / 100_000 - 10 * delayLookMilliseconds) / 10)
    : 0;
