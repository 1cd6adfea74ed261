import type { Redis } from '../../base/redis.js';
import type { CallCommand } from '../../contract/commands.js';
import { explainEndReason } from '../../contract/explanations.js';
import { type Notice, noticeChannel } from '../../contract/live.js';
import {
  type TestCall,
  type TestCallEvent,
  type TestCallStatus,
  testCallId,
  testCallKeptMilliseconds,
  testCallKey,
} from '../../contract/test-call.js';
import type { CallState } from '../call/call-state.js';

/** Publishes the progress of a test call to Redis; control reads the last report of each turn. Never throws, never waits. */
export class TestCallReport {
  private test: TestCall;

  constructor(
    private readonly redis: Redis,
    { call_id, organization, number, created_at }: CallCommand & { readonly created_at: string },
  ) {
    this.test = {
      version: 1,
      call_id: testCallId(call_id),
      organization,
      number,
      status: 'queued',
      result: 'pending',
      created_at,
      duration_seconds: 0,
      sip_code: null,
      sip_reason: null,
      cause: null,
      advice: null,
      sip_call_id: null,
      timeline: [{ event: 'queued', at: created_at, detail: null }],
    };
  }

  note(event: TestCallEvent, detail: string | null, changes: Partial<TestCall> = {}): void {
    const at = new Date().toISOString();
    this.test = { ...this.test, ...changes, timeline: [...this.test.timeline, { event, at, detail }] };
    const { call_id: id } = this.test;
    const { organization, number, status, result } = this.test;
    const notice: Notice = {
      organization,
      event: 'test_call',
      data: { call_id: id, phone_number: `+${number}`, status, result, event: { event, at, detail } },
    };
    this.redis
      .multi()
      .set(testCallKey(id), JSON.stringify(this.test), 'PX', testCallKeptMilliseconds)
      .publish(noticeChannel, JSON.stringify(notice))
      .exec()
      .catch(() => {});
  }

  /** The call has ended: its outcome in words. */
  ended(state: CallState): void {
    const { ending, answeredAt, sipStatus, sipReason } = state;
    if (ending === null) return;
    const { cause, advice } = explainEndReason(ending.reason, sipStatus);
    const { status, result } = outcomeOf(state);
    const seconds = answeredAt === null ? 0 : ((state.endedAt ?? Date.now()) - answeredAt) / 1_000;
    const detail = ending.detail === undefined ? cause : `${cause} ${ending.detail}`;
    this.note(result === 'connected' ? 'completed' : 'failed', detail, {
      status,
      result,
      duration_seconds: Math.round(seconds * 10) / 10,
      sip_code: sipStatus,
      sip_reason: sipReason,
      cause,
      advice,
      sip_call_id: state.trunkSipCallId === '' ? null : state.trunkSipCallId,
    });
  }
}

function outcomeOf({ answeredAt, ending, sipStatus, attempts }: CallState): {
  status: TestCallStatus;
  result: TestCall['result'];
} {
  // Answered, but with media that cannot be used: calls would be silent.
  if (answeredAt !== null && ending?.reason !== 'media_failed' && ending?.reason !== 'refused_media') {
    return { status: 'completed', result: 'connected' };
  }
  const isLocal = attempts.at(-1)?.is_local === true;
  if (!isLocal && (sipStatus === 486 || sipStatus === 600)) return { status: 'busy', result: 'busy' };
  const isUnanswered = !isLocal && (sipStatus === 480 || sipStatus === 408);
  if (isUnanswered || ending?.reason === 'trunk_no_answer')
    return { status: 'no-answer', result: 'no_answer' };
  return { status: 'failed', result: 'failed' };
}
