import { describe, expect, it } from 'vitest';
import { decode, samplesPerPacket } from '../../../src/rtp/g711.js';
import { CallRecording } from '../../../src/test-caller/call-recording.js';

/** A frame of one value. */
const frame = (value: number): Int16Array => new Int16Array(samplesPerPacket).fill(value);

function recorded(work: (recording: CallRecording) => void) {
  const parts: Uint8Array[] = [];
  const recording = new CallRecording((octets) => parts.push(octets));
  work(recording);
  recording.finish();
  const whole = Buffer.concat(parts);
  /** The first sample of each frame of a channel. */
  const side = (channel: number): number[] => {
    const octets: number[] = [];
    for (let at = channel; at < whole.length; at += 2 * samplesPerPacket) octets.push(whole[at]!);
    return Array.from(decode('PCMU', Buffer.from(octets)));
  };
  return { parts, caller: side(0), agent: side(1) };
}

describe('the recording of a call', () => {
  it('has the caller left and the agent right, each frame at its time', () => {
    const { caller, agent } = recorded((recording) => {
      recording.said(0, frame(1_000));
      // The process was stalled for two frames.
      recording.said(3, frame(2_000));
      for (const value of [undefined, 4_000]) recording.heard(value === undefined ? value : frame(value));
    });
    expect(caller.map((value) => Math.round(value / 1_000))).toEqual([1, 0, 0, 2]);
    expect(agent.map((value) => Math.round(value / 1_000))).toEqual([0, 4, 0, 0]);
  });

  it('leaves in parts while the call lasts, in their order', () => {
    const { parts, caller, agent } = recorded((recording) => {
      for (let at = 0; at < 600; at++) {
        recording.said(at, frame(at < 300 ? 1_000 : 8_000));
        if (at >= 10) recording.heard(frame(at - 10 < 300 ? 1_000 : 8_000));
      }
    });
    expect(parts.map(({ length }) => length / 320)).toEqual([250, 250, 100]);
    expect([caller[299], caller[300]].map((value) => Math.round(value! / 1_000))).toEqual([1, 8]);
    expect([agent[299], agent[300]].map((value) => Math.round(value! / 1_000))).toEqual([1, 8]);
  });

  it('ends after ten minutes', () => {
    const { caller, agent } = recorded((recording) => {
      recording.said(0, frame(1_000));
      recording.said(40_000, frame(1_000));
      for (let at = 0; at < 30_100; at++) recording.heard(undefined);
    });
    expect([caller.length, agent.length]).toEqual([30_000, 30_000]);
  });
});
