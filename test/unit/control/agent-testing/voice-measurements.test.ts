import { describe, expect, it } from 'vitest';
import type { SpokenLine } from '../../../../src/contract/voice-call.js';
import { percentile } from '../../../../src/control/agent-testing/statistics/percentile.js';
import { measure, type Timeline } from '../../../../src/control/agent-testing/voice/measurements.js';

const packets = { received: 500, lost: 0, late: 0, sent: 500, jitter_ms: 0.4, stalled_ms: 0 };
const line = (from: number, to: number, isCut = false): SpokenLine => ({ line: 0, from, to, isCut });
const stretch = (from: number, to: number) => ({ from, to });
const measured = (timeline: Partial<Timeline>) =>
  measure({ durationMilliseconds: 10_000, caller: [], agent: [], ...timeline }, packets);

describe('latency', () => {
  it('counts from the answer to the first audio, and from the end of each line to the reply', () => {
    const { first_audio_ms, response_ms, unanswered } = measured({
      agent: [stretch(300, 1_500), stretch(3_400, 4_000), stretch(6_900, 8_000)],
      caller: [line(2_000, 3_000), line(5_000, 6_000)],
    });
    expect(first_audio_ms).toBe(300);
    expect(response_ms).toEqual({ count: 2, p50: 400, max: 900, values: [400, 900] });
    expect(unanswered.count).toBe(0);
  });

  it('does not take an agent that already speaks for a fast one', () => {
    const { response_ms } = measured({ agent: [stretch(0, 5_000)], caller: [line(1_000, 2_000)] });
    expect(response_ms.values).toEqual([]);
  });

  it('takes no later reply for the reply to an earlier line', () => {
    const { response_ms, unanswered } = measured({
      caller: [line(0, 1_000), line(4_000, 5_000)],
      agent: [stretch(5_200, 6_000)],
    });
    expect(response_ms.values).toEqual([200]);
    expect(unanswered).toEqual({ count: 1, longest_wait_ms: 3_000 });
  });

  it('an agent without a word has no latency, and all waiting is silence', () => {
    const { first_audio_ms, response_ms, silence, unanswered } = measured({ caller: [line(3_000, 4_000)] });
    expect([first_audio_ms, response_ms.max]).toEqual([null, null]);
    expect(unanswered).toEqual({ count: 1, longest_wait_ms: 6_000 });
    expect(silence).toEqual({ longest_ms: 6_000, total_ms: 9_000, share: 0.9 });
  });

  it('audio before the answer is no negative latency', () => {
    expect(measured({ agent: [stretch(-400, 500)] }).first_audio_ms).toBe(0);
  });

  it('the line that the end of the call cuts waits for nothing', () => {
    const { unanswered, silence } = measured({
      agent: [stretch(0, 8_000)],
      caller: [line(9_000, 10_000, true)],
    });
    expect(unanswered.count).toBe(0);
    expect(silence.total_ms).toBe(0);
  });
});

describe('speaking at once', () => {
  it('is an interruption when the agent begins while the caller speaks', () => {
    const { interruptions, talk_over, barge_ins } = measured({
      caller: [line(1_000, 3_000)],
      agent: [stretch(2_500, 4_000)],
    });
    expect(interruptions).toBe(1);
    expect(barge_ins).toEqual([]);
    expect(talk_over).toEqual({ total_ms: 500, share: 0.05 });
  });

  it('is none when the turns touch', () => {
    const { interruptions } = measured({ caller: [line(1_000, 3_000)], agent: [stretch(2_940, 4_000)] });
    expect(interruptions).toBe(0);
  });

  it('is a barge-in when the caller begins, and measures how soon the agent stops', () => {
    const { interruptions, barge_ins } = measured({
      agent: [stretch(0, 2_700), stretch(4_500, 5_000)],
      caller: [line(2_000, 4_000)],
    });
    expect(interruptions).toBe(0);
    expect(barge_ins).toEqual([{ at_ms: 2_000, stopped_after_ms: 700 }]);
  });

  it('an agent that talks over the whole line did not stop, nor one that only pauses for breath', () => {
    const over = measured({ agent: [stretch(0, 6_000)], caller: [line(2_000, 4_000)] });
    expect(over.barge_ins).toEqual([{ at_ms: 2_000, stopped_after_ms: null }]);
    expect(over.talk_over.total_ms).toBe(2_000);
    const breathing = measured({
      agent: [stretch(0, 2_500), stretch(2_900, 6_000)],
      caller: [line(2_000, 4_000)],
    });
    expect(breathing.barge_ins).toEqual([{ at_ms: 2_000, stopped_after_ms: null }]);
  });
});

describe('silence', () => {
  it("is the agent's: the time that the tester takes to find its words does not count", () => {
    const { silence } = measured({
      agent: [stretch(500, 1_000), stretch(6_000, 7_000)],
      caller: [line(4_000, 5_000)],
    });
    expect(silence).toEqual({ longest_ms: 1_000, total_ms: 1_500, share: 0.15 });
  });

  it('counts a long pause between words, and no breath', () => {
    const { silence } = measured({
      agent: [stretch(0, 1_000), stretch(1_500, 2_000), stretch(5_000, 6_000)],
    });
    expect(silence).toEqual({ longest_ms: 3_000, total_ms: 3_000, share: 0.3 });
  });
});

it('a call without any speech divides by nothing', () => {
  expect(measure({ durationMilliseconds: 0, caller: [], agent: [] }, packets).silence.share).toBe(0);
  expect(percentile([], 0.5)).toBeNull();
  expect(percentile([3, 1, 2, 9], 0.5)).toBe(2);
  expect(percentile([3, 1, 2, 9], 0.95)).toBe(9);
});
