import { describe, expect, it } from 'vitest';
import type { VoiceCallReport } from '../../../../src/contract/voice-call.js';
import {
  measurementsOf,
  type SaidInCall,
} from '../../../../src/control/agent-testing/voice/measured-call.js';
import { writeWave } from '../../../../src/control/agent-testing/voice/speech/wave.js';
import { readWave } from '../../../../src/rtp/wave.js';

const report = (fields: Partial<VoiceCallReport> = {}): VoiceCallReport =>
  ({
    sip_call_id: 'sip-1',
    codec: 'PCMU',
    duration_ms: 20_000,
    caller: [
      { line: 0, from: 2_000, to: 4_000, isCut: false },
      { line: 1, from: 10_000, to: 12_000, isCut: false },
    ],
    agent: [
      { from: 500, to: 1_500 },
      { from: 4_800, to: 8_800 },
      { from: 13_600, to: 14_600 },
    ],
    turns: [
      { from: 500, to: 1_500 },
      { from: 4_800, to: 8_800 },
      { from: 13_600, to: 14_600 },
    ],
    packets: { received: 900, lost: 3, late: 0, sent: 950, jitter_ms: 7, longest_pause_ms: 0 },
    ...fields,
  }) as unknown as VoiceCallReport;

const said = (fields: Partial<SaidInCall> = {}): SaidInCall => ({
  lines: new Map([
    [0, { text: 'Monday, please.', isBargeIn: false }],
    [1, { text: 'Thank you.', isBargeIn: true }],
  ]),
  turns: [
    { number: 0, text: 'Good morning.' },
    { number: 1, text: 'It is at nine on Monday then.' },
    { number: 2, text: null },
  ],
  loudness: { agent: -20, caller: -30 },
  speech: 'espeak-ng' as SaidInCall['speech'],
  transcription: 'service' as SaidInCall['transcription'],
  ...fields,
});

describe('the measurements of a call', () => {
  it('have the times between the turns', () => {
    expect(measurementsOf(report(), said(), 'c1')).toMatchObject({
      call_id: 'c1',
      sip_call_id: 'sip-1',
      codec: 'PCMU',
      duration_ms: 20_000,
      first_audio_ms: 500,
      mean_latency_ms: 1_200,
      p50_latency_ms: 800,
      maximum_latency_ms: 1_600,
      unanswered_turns: 0,
      interruptions: 0,
      barge_in_stop_ms: null,
      packets_lost: 3,
      jitter_ms: 7,
      agent_loudness_dbov: -20,
      caller_loudness_dbov: -30,
    });
  });

  it('have the share of the agent in all speech', () => {
    expect(measurementsOf(report(), said(), null).agent_talk_share).toBe(0.6);
    expect(measurementsOf(report({ caller: [] }), said(), null).agent_talk_share).toBe(1);
    expect(
      measurementsOf(report({ caller: [], agent: [] }), said({ turns: [] }), null).agent_talk_share,
    ).toBeNull();
  });

  it('count the words of the turns that were understood', () => {
    // Nine words in five seconds of speech.
    expect(measurementsOf(report(), said(), null).agent_words_per_minute).toBe(108);
    const silent = said({ turns: [{ number: 2, text: null }] });
    expect(measurementsOf(report(), silent, null).agent_words_per_minute).toBeNull();
    const tones = said({ transcription: 'tones' });
    expect(measurementsOf(report(), tones, null).agent_words_per_minute).toBeNull();
  });

  it('are none where the agent says nothing', () => {
    const mute = measurementsOf(report({ agent: [], turns: [] }), said({ turns: [] }), null);
    expect(mute).toMatchObject({
      first_audio_ms: null,
      mean_latency_ms: null,
      p50_latency_ms: null,
      p95_latency_ms: null,
      maximum_latency_ms: null,
      unanswered_turns: 2,
    });
  });

  const bargeIns = (...agent: { from: number; to: number }[]) =>
    measurementsOf(
      report({
        caller: [
          { line: 0, from: 1_000, to: 3_000, isCut: false },
          { line: 1, from: 10_000, to: 12_000, isCut: false },
        ],
        agent,
        turns: agent,
      }),
      said({ turns: [] }),
      null,
    ).barge_in_stop_ms;

  it('have the slowest stop of the agent that was interrupted', () => {
    expect(bargeIns({ from: 0, to: 1_400 }, { from: 9_000, to: 10_900 })).toBe(900);
    expect(bargeIns({ from: 0, to: 1_400 })).toBe(400);
  });

  it('do not hide one that did not stop behind one that did', () => {
    expect(bargeIns({ from: 0, to: 1_400 }, { from: 9_000, to: 13_000 })).toBeNull();
  });

  it('have the turns of both sides in the order of time', () => {
    const { turns } = measurementsOf(report(), said(), null);
    expect(
      turns.map(({ speaker, from_ms, text, is_barge_in }) => [speaker, from_ms, text, is_barge_in]),
    ).toEqual([
      ['agent', 500, 'Good morning.', false],
      ['caller', 2_000, 'Monday, please.', false],
      ['agent', 4_800, 'It is at nine on Monday then.', false],
      ['caller', 10_000, 'Thank you.', true],
      ['agent', 13_600, null, false],
    ]);
    const unknown = measurementsOf(report(), said({ lines: new Map() }), null).turns[1];
    expect(unknown).toMatchObject({ speaker: 'caller', text: null, is_barge_in: false });
  });
});

describe('a file of speech', () => {
  it('is read as it was written', () => {
    const samples = Int16Array.from([0, 1, -1, 32_767, -32_768]);
    const file = writeWave(samples);
    expect(file).toHaveLength(54);
    expect(file.subarray(0, 4).toString('latin1')).toBe('RIFF');
    expect(file.readUInt32LE(4)).toBe(46);
    expect(readWave(file)).toEqual(samples);
    expect(writeWave(new Int16Array(0))).toHaveLength(44);
  });
});
