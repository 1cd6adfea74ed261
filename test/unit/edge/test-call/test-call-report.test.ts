import { beforeEach, describe, expect, it, vi } from 'vitest';
import { noticeChannel } from '../../../../src/contract/live.js';
import { testCallId, testCallKeptMilliseconds, testCallKey } from '../../../../src/contract/test-call.js';
import type { CallState } from '../../../../src/edge/call/call-state.js';
import { TestCallReport } from '../../../../src/edge/test-call/test-call-report.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

const callId = 'call-1';
const command = {
  call_id: callId,
  organization: 'acme',
  number: '12025550100',
  created_at: '2026-11-27T09:00:00.000Z',
};

let redis: MemoryRedis;
let report: TestCallReport;
beforeEach(() => {
  redis = new MemoryRedis();
  report = new TestCallReport(redis.asRedis, command as never);
});

/** What control reads, once the report is written. */
async function written() {
  await vi.waitFor(() => expect(redis.strings.size).toBe(1));
  return JSON.parse(redis.strings.get(testCallKey(testCallId(callId)))!);
}

const state = (fields: object): CallState =>
  ({
    ending: { reason: 'trunk_refused', by: 'callee' },
    answeredAt: null,
    endedAt: 12_340,
    sipStatus: null,
    sipReason: null,
    attempts: [],
    trunkSipCallId: '',
    ...fields,
  }) as unknown as CallState;

describe('the report of a test call', () => {
  it('keeps its turns, and notifies those who watch', async () => {
    report.note('ringing' as never, null, { status: 'ringing' as never });
    expect(await written()).toMatchObject({
      organization: 'acme',
      status: 'ringing',
      result: 'pending',
      timeline: [
        { event: 'queued', at: command.created_at },
        { event: 'ringing', detail: null },
      ],
    });
    expect(redis.lifetimes.get(testCallKey(testCallId(callId)))).toBe(testCallKeptMilliseconds);
    const [channel, message] = redis.published[0]!;
    expect(channel).toBe(noticeChannel);
    expect(JSON.parse(message)).toMatchObject({
      organization: 'acme',
      event: 'test_call',
      data: { phone_number: '+12025550100', status: 'ringing', event: { event: 'ringing' } },
    });
  });

  it('says nothing of a call that has not ended', () => {
    report.ended(state({ ending: null }));
    expect(redis.published).toEqual([]);
  });

  it('has how long an answered call lasted, in tenths of seconds', async () => {
    const ending = { reason: 'callee_hung_up', by: 'callee', detail: 'Said goodbye.' };
    report.ended(
      state({ answeredAt: 5_000, ending, sipStatus: 200, sipReason: 'OK', trunkSipCallId: 'sip-1' }),
    );
    const test = await written();
    expect(test).toMatchObject({ duration_seconds: 7.3, sip_code: 200, sip_call_id: 'sip-1' });
    expect(test.timeline.at(-1)).toMatchObject({ event: 'completed' });
    expect(test.timeline.at(-1).detail).toBe(`${test.cause} Said goodbye.`);
  });

  it.each([
    ['connected', 'completed', { answeredAt: 5_000, sipStatus: 200 }],
    ['failed', 'failed', { answeredAt: 5_000, ending: { reason: 'media_failed', by: 'edge' } }],
    ['failed', 'failed', { answeredAt: 5_000, ending: { reason: 'refused_media', by: 'edge' } }],
    ['busy', 'busy', { sipStatus: 486 }],
    ['busy', 'busy', { sipStatus: 600 }],
    ['no_answer', 'no-answer', { sipStatus: 480 }],
    ['no_answer', 'no-answer', { sipStatus: 408 }],
    ['no_answer', 'no-answer', { ending: { reason: 'trunk_no_answer', by: 'edge' } }],
    ['failed', 'failed', { sipStatus: 403 }],
    ['failed', 'failed', { sipStatus: 486, attempts: [{ is_local: true }] }],
    ['failed', 'failed', { sipStatus: 408, attempts: [{ is_local: true }] }],
    ['busy', 'busy', { sipStatus: 486, attempts: [{ is_local: true }, { is_local: false }] }],
  ])('is %s (%s) with %o', async (result, status, fields) => {
    report.ended(state(fields));
    const test = await written();
    expect(test).toMatchObject({ result, status, sip_call_id: null });
    expect(test.timeline.at(-1).event).toBe(result === 'connected' ? 'completed' : 'failed');
  });

  it('never throws', () => {
    redis.isDown = true;
    expect(() => report.note('ringing' as never, null)).not.toThrow();
  });
});
