import type { Kysely } from 'kysely';
import type { Redis } from '../../base/redis.js';
import { RedisScript } from '../../base/redis-script.js';
import { type CallCommand, orderSeconds } from '../../contract/commands.js';
import { readJson } from '../../contract/read-json.js';
import {
  orderedCallOf,
  type TestCall,
  testCallId,
  testCallKeptMilliseconds,
  testCallKey,
  testCallLimit,
  testCallSchema,
  testCallsOfKey,
} from '../../contract/test-call.js';
import { DemarcError } from '../../errors.js';
import { giveToEdges, readLive, requireOutbound, unlessRedisDown } from '../calls/index.js';
import type { Database } from '../database/tables.js';

const countTestCall = new RedisScript<[testCalls: string]>('countTestCall', import.meta.url, [
  'count-test-call.lua',
]);

/** Room beyond an order's life: an edge that took it in the last moment has reported it by then. */
const lateMilliseconds = (orderSeconds + 10) * 1_000;
/** The announcement takes seven seconds, and a phone may ring for minutes. */
const maximumDurationSeconds = 60;

/** Response to a test call over the limit. */
export class TestCallLimitReached extends DemarcError {
  constructor(readonly retryAfterSeconds: number) {
    super(
      'TEST_CALL_LIMIT',
      `the limit is ${testCallLimit.calls} per ${testCallLimit.milliseconds / 60_000} minutes`,
    );
  }
}

/** Orders test calls and reports their outcome. */
export class TestCalls {
  constructor(
    private readonly database: Kysely<Database>,
    private readonly redis: Redis,
  ) {}

  /**
   * Gives the order to the edges; returns the test call's id. Throws `InvalidRequest` for a number without outbound direction,
   * `TestCallLimitReached`, or `DemarcError`: `NO_EDGE_READY`, `TOO_MANY_CALLS_WAITING`, `CALLS_UNAVAILABLE`.
   * @param number E.164 digits
   * @param callId UUID; with one that was ordered already, nothing happens again
   */
  async order(organization: string, number: string, callId: string): Promise<string> {
    await requireOutbound(this.database, organization, number, 'phone_number');
    const now = Date.now();
    const wait = await unlessRedisDown(() => this.count(organization, callId, now));
    if (wait > 0) throw new TestCallLimitReached(Math.ceil(wait / 1_000));
    const id = testCallId(callId);
    const createdAt = new Date(now).toISOString();
    const queued: TestCall = {
      version: 1,
      call_id: id,
      organization,
      number,
      status: 'queued',
      result: 'pending',
      created_at: createdAt,
      duration_seconds: 0,
      sip_code: null,
      sip_reason: null,
      cause: null,
      advice: null,
      sip_call_id: null,
      timeline: [{ event: 'queued', at: createdAt, detail: null }],
    };
    const command: CallCommand = {
      version: 1,
      call_id: callId,
      organization,
      number,
      phone_number: number,
      max_duration_seconds: maximumDurationSeconds,
      expires_at: new Date(now + orderSeconds * 1_000).toISOString(),
      test: true,
    };
    await unlessRedisDown(() =>
      this.redis.set(testCallKey(id), JSON.stringify(queued), 'PX', testCallKeptMilliseconds, 'NX'),
    );
    try {
      await giveToEdges(this.redis, command, { lineLength: undefined });
    } catch (error) {
      // Nothing was ordered, so the attempt does not count.
      await this.redis.zrem(testCallsOfKey(organization), callId).catch(() => {});
      throw error;
    }
    return id;
  }

  /** Undefined when the organization has no such test call, or not any more. Throws `DemarcError` `LIVE_STATE_UNAVAILABLE`. */
  async find(organization: string, id: string): Promise<TestCall | undefined> {
    const callId = orderedCallOf(id);
    if (callId === undefined) return undefined;
    const json = await unlessRedisDown(() => this.redis.get(testCallKey(id)), 'LIVE_STATE_UNAVAILABLE');
    const data = readJson(testCallSchema, json);
    if (data?.organization !== organization) return undefined;
    return data.result === 'pending' ? this.unlessLost(data, callId) : data;
  }

  /** A test call without a living edge counts as ended. */
  private async unlessLost(test: TestCall, callId: string): Promise<TestCall> {
    return unlessLost(test, await readLive(this.redis, callId), Date.now());
  }

  private async count(organization: string, callId: string, now: number): Promise<number> {
    const { calls, milliseconds } = testCallLimit;
    const key = testCallsOfKey(organization);
    return Number(await countTestCall.run(this.redis, [key], now, calls, milliseconds, callId));
  }
}

/** A test call that no edge took in time, or whose edge is gone, counts as failed. */
export function unlessLost(
  test: TestCall,
  live: Awaited<ReturnType<typeof readLive>>,
  now: number,
): TestCall {
  const isLate = now - Date.parse(test.created_at) > lateMilliseconds;
  if (live.kind === 'unknown') return test;
  if (live.call.phase === 'expired' || (live.kind === 'waiting' && isLate))
    return failed(test, notTaken, now);
  if (live.kind === 'waiting') return test;
  return live.isEdgeAlive ? test : failed(test, edgeGone, now);
}

const notTaken = {
  cause: 'No edge took the test call in time.',
  advice: 'The number is at its limits, or no edge is ready; check /readyz of the edges.',
};
const edgeGone = {
  cause: 'The edge that placed the test call died.',
  advice: 'Start another test call.',
};

function failed(test: TestCall, { cause, advice }: { cause: string; advice: string }, now: number): TestCall {
  const at = new Date(now).toISOString();
  const timeline = [...test.timeline, { event: 'failed' as const, at, detail: cause }];
  return { ...test, status: 'failed', result: 'failed', cause, advice, timeline };
}
