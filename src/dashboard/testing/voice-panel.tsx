import type { JSX } from 'preact';
import type { Run } from '../api/runs.js';
import { milliseconds } from '../parts/format.js';
import { Facts, Panel } from '../parts/panel.js';
import { VoiceChart } from './voice-chart.js';

/** What was measured in the call of a run by voice. */
export function VoicePanel({
  run: _run,
  voice,
}: {
  run: Run;
  voice: NonNullable<Run['voice']>;
}): JSX.Element {
  return (
    <Panel
      title="Measured in the call"
      aside={voice.call_id !== null && <a href={`/calls/${voice.call_id}`}>SIP messages and media</a>}
    >
      <VoiceChart
        speeches={voice.turns.map(({ speaker, from_ms, to_ms, text }) => ({
          speaker: speaker === 'caller' ? 'tester' : 'agent',
          start_ms: from_ms,
          end_ms: to_ms,
          text: text ?? 'not understood',
        }))}
        durationMilliseconds={voice.duration_ms}
      />
      {voice.transcription === 'tones' && (
        <p>
          Only the tone code was understood: no transcription service is configured (DEMARC_STT_URL), so judge
          the agent by the measurements.
        </p>
      )}
      <Facts
        rows={[
          ['First audio', milliseconds(voice.first_audio_ms)],
          ['Latency, mean', milliseconds(voice.mean_latency_ms)],
          ['Latency, 95th percentile', milliseconds(voice.p95_latency_ms)],
          ['Latency, highest', milliseconds(voice.maximum_latency_ms)],
          ['Turns without a reply', String(voice.unanswered_turns)],
          ['Interruptions', String(voice.interruptions)],
          ['Stopped after a barge-in', milliseconds(voice.barge_in_stop_ms)],
          ['Longest silence', milliseconds(voice.longest_silence_ms)],
          ['Both speak', milliseconds(voice.talk_over_ms)],
          ['Lost packets, jitter', `${voice.packets_lost}, ${voice.jitter_ms} ms`],
        ]}
      />
    </Panel>
  );
}
