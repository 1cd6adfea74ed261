import { describe, expect, it } from 'vitest';
import type { EndReason } from '../../../../src/contract/call-record.js';
import { type CountedCalls, figuresOf } from '../../../../src/control/noc/figures.js';
import { callerErrorsOf, judge, shareOf, worstOf } from '../../../../src/control/noc/judgement.js';

const counted = (calls: number, end_reason: EndReason, more: Partial<CountedCalls> = {}): CountedCalls => ({
  direction: 'outbound',
  outcome: 'failed',
  end_reason,
  sip_status: null,
  calls,
  answered: 0,
  setup_milliseconds: 0,
  rung: 0,
  ringing_milliseconds: 0,
  ...more,
});

const talked = (calls: number): CountedCalls =>
  counted(calls, 'caller_hung_up', {
    outcome: 'completed',
    answered: calls,
    setup_milliseconds: 3_000 * calls,
    rung: calls,
    ringing_milliseconds: 1_000 * calls,
  });

describe('the figures of a window', () => {
  it('are null where nothing was counted', () => {
    expect(figuresOf([])).toMatchObject({
      attempts: 0,
      answer_rate_percent: null,
      average_setup_ms: null,
      average_post_dial_delay_ms: null,
      failed: 0,
      bad_audio: 0,
      judged: { calls: 0, failed: 0, caller_errors: 0, worst: null },
      failures: [],
    });
  });

  it('are means over the calls that were answered, or rang', () => {
    const ringing = counted(1, 'trunk_no_answer', { rung: 1, ringing_milliseconds: 4_000 });
    expect(figuresOf([talked(2), ringing])).toMatchObject({
      attempts: 3,
      answered: 2,
      answer_rate_percent: 66.67,
      average_setup_ms: 3_000,
      average_post_dial_delay_ms: 2_000,
    });
  });

  it('count failed and refused calls, and apart from them those in which a side was not heard', () => {
    const figures = figuresOf([
      talked(10),
      counted(2, 'trunk_unreachable'),
      counted(3, 'agent_refused', { outcome: 'refused' }),
      counted(4, 'one_way_audio', { outcome: 'completed', answered: 4 }),
      counted(5, 'caller_cancelled', { outcome: 'cancelled' }),
    ]);
    expect(figures).toMatchObject({ attempts: 24, failed: 5, bad_audio: 4 });
    expect(figures.judged).toMatchObject({ calls: 24, failed: 9, caller_errors: 0 });
  });

  it('list what failed, the most frequent first, and at most 20 kinds', () => {
    const figures = figuresOf([
      talked(10),
      counted(2, 'trunk_unreachable', { sip_status: 503 }),
      counted(3, 'agent_unreachable'),
      ...Array.from({ length: 30 }, (_, index) => counted(1, 'trunk_refused', { sip_status: 500 + index })),
    ]);
    expect(figures.failures).toHaveLength(20);
    expect(figures.failures.slice(0, 2)).toMatchObject([
      { end_reason: 'agent_unreachable', count: 3, concerns: 'service' },
      { end_reason: 'trunk_unreachable', count: 2, sip_status: 503 },
    ]);
    expect(figures.failures.map(({ end_reason }) => end_reason)).not.toContain('caller_hung_up');
  });
});

describe('what the verdict judges', () => {
  it('is all calls but those that were the mistake of their caller', () => {
    const rows = [talked(5), counted(2, 'refused_unknown_number'), counted(1, 'trunk_unreachable')];
    expect(shareOf(rows)).toEqual({ calls: 6, failed: 1 });
    expect(callerErrorsOf(rows)).toBe(2);
  });

  it('names the most frequent cause, of equal calls together', () => {
    const rows = [
      counted(3, 'agent_unreachable'),
      counted(2, 'trunk_unreachable', { sip_status: 503 }),
      counted(2, 'trunk_unreachable', { sip_status: 503, outcome: 'refused' }),
      counted(9, 'refused_unknown_number'),
      talked(20),
    ];
    expect(worstOf(rows)).toMatchObject({ end_reason: 'trunk_unreachable', sip_status: 503, count: 4 });
    expect(worstOf([talked(20)])).toBeNull();
  });

  it('does not add up calls of other statuses or directions', () => {
    const rows = [
      counted(3, 'agent_unreachable'),
      counted(2, 'trunk_unreachable', { sip_status: 503 }),
      counted(2, 'trunk_unreachable', { sip_status: 408 }),
      counted(2, 'trunk_unreachable', { sip_status: 503, direction: 'inbound' }),
    ];
    expect(worstOf(rows)).toMatchObject({ end_reason: 'agent_unreachable', count: 3 });
  });

  it('names wrong credentials as the cause of refused guesses, where there are some', () => {
    const guesses = counted(50, 'refused_guessing');
    expect(worstOf([guesses])).toMatchObject({ end_reason: 'refused_guessing', count: 50 });
    expect(worstOf([guesses, counted(5, 'refused_credentials')])).toMatchObject({
      end_reason: 'refused_credentials',
      count: 5,
    });
    expect(worstOf([counted(6, 'trunk_unreachable'), counted(5, 'refused_credentials')])).toMatchObject({
      end_reason: 'trunk_unreachable',
    });
  });

  it('decides by the last five minutes where these have enough calls, else by the hour', () => {
    const failing = [counted(5, 'trunk_unreachable')];
    expect(judge(failing, [...failing, talked(100)])).toMatchObject({
      state: 'failing',
      window: '5m',
      calls: 5,
      failed: 5,
      worst: { end_reason: 'trunk_unreachable' },
    });
    const few = [counted(1, 'trunk_unreachable')];
    expect(judge(few, [talked(100)])).toMatchObject({
      state: 'working',
      window: '1h',
      calls: 100,
      worst: null,
    });
    expect(judge(few, few)).toMatchObject({ state: 'quiet', window: '1h', calls: 1, failed: 1 });
  });
});
