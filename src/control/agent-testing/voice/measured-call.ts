import type { SpeechStretch, VoiceCallReport } from '../../../contract/voice-call.js';
import type { VoiceMeasurements, VoiceTurn } from '../schemas/voice.js';
import { percentile } from '../statistics/percentile.js';
import { measure } from './measurements.js';

/** What was said in a call, beside its report. */
export interface SaidInCall {
  /** By number of the line. */
  readonly lines: ReadonlyMap<number, { readonly text: string; readonly isBargeIn: boolean }>;
  /** The agent's turns, by their number in the report; null: not understood. */
  readonly turns: readonly { readonly number: number; readonly text: string | null }[];
  /** Mean level of each side's speech in dBov; null: none. */
  readonly loudness: { readonly agent: number | null; readonly caller: number | null };
  readonly speech: VoiceMeasurements['speech'];
  readonly transcription: VoiceMeasurements['transcription'];
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value));

/** The figures and the timeline of an answered call, as the API shows them. */
export function measurementsOf(
  report: VoiceCallReport,
  said: SaidInCall,
  callId: string | null,
): VoiceMeasurements {
  const { caller, agent, duration_ms: durationMilliseconds } = report;
  const figures = measure({ caller, agent, durationMilliseconds }, report.packets);
  const { values } = figures.response_ms;
  const stops = figures.barge_ins.map(({ stopped_after_ms: after }) => after);
  const mean = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    call_id: callId,
    sip_call_id: report.sip_call_id,
    speech: said.speech,
    transcription: said.transcription,
    codec: report.codec,
    duration_ms: durationMilliseconds,
    first_audio_ms: rounded(figures.first_audio_ms),
    mean_latency_ms: rounded(mean),
    p50_latency_ms: rounded(figures.response_ms.p50),
    p95_latency_ms: rounded(percentile(values, 0.95)),
    maximum_latency_ms: rounded(figures.response_ms.max),
    unanswered_turns: figures.unanswered.count,
    interruptions: figures.interruptions,
    // One that did not stop must not hide behind another one that did.
    barge_in_stop_ms:
      stops.some((after) => after === null) || stops.length === 0 ? null : Math.max(...(stops as number[])),
    longest_silence_ms: rounded(figures.silence.longest_ms),
    silence_share: figures.silence.share,
    talk_over_ms: rounded(figures.talk_over.total_ms),
    talk_over_share: figures.talk_over.share,
    agent_talk_share: talkShare(report),
    agent_words_per_minute: wordsPerMinute(report, said),
    agent_loudness_dbov: said.loudness.agent,
    caller_loudness_dbov: said.loudness.caller,
    packets_lost: figures.packets.lost,
    jitter_ms: figures.packets.jitter_ms,
    turns: turnsOf(report, said),
  };
}

const spokenFor = (stretches: readonly SpeechStretch[]): number =>
  stretches.reduce((sum, { from, to }) => sum + to - from, 0);

function talkShare({ caller, agent }: VoiceCallReport): number | null {
  const [callers, agents] = [spokenFor(caller), spokenFor(agent)];
  return callers + agents === 0 ? null : Math.round((agents / (callers + agents)) * 1_000) / 1_000;
}

/** Of the turns that were transcribed; the tone code is no speech. */
function wordsPerMinute(report: VoiceCallReport, { turns, transcription }: SaidInCall): number | null {
  if (transcription === 'tones') return null;
  const words = new Intl.Segmenter(undefined, { granularity: 'word' });
  let count = 0;
  let milliseconds = 0;
  for (const { number, text } of turns) {
    if (text === null) continue;
    for (const { isWordLike } of words.segment(text)) count += isWordLike === true ? 1 : 0;
    const turn = report.turns[number]!;
    milliseconds += spokenFor(report.agent.filter(({ from, to }) => from >= turn.from && to <= turn.to));
  }
  return milliseconds === 0 ? null : Math.round(count / (milliseconds / 60_000));
}

function turnsOf(report: VoiceCallReport, { lines, turns }: SaidInCall): VoiceTurn[] {
  const callers = report.caller.map(({ line, from, to }): VoiceTurn => {
    const said = lines.get(line);
    return {
      speaker: 'caller',
      from_ms: from,
      to_ms: to,
      text: said?.text ?? null,
      is_barge_in: said?.isBargeIn ?? false,
    };
  });
  const agents = turns.map(({ number, text }): VoiceTurn => {
    const { from, to } = report.turns[number]!;
    return { speaker: 'agent', from_ms: from, to_ms: to, text, is_barge_in: false };
  });
  return [...callers, ...agents].sort((left, right) => left.from_ms - right.from_ms);
}
