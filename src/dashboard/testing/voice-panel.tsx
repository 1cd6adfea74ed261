import type { JSX } from 'preact';
import type { Run } from '../api/runs.js';
import { milliseconds } from '../parts/format.js';
import { Facts, Panel } from '../parts/panel.js';

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
      <Facts
        rows={[
          ['First audio', milliseconds(voice.first_audio_ms)],
          ['Latency, mean', milliseconds(voice.mean_latency_ms)],
          ['Latency, 95th percentile', milliseconds(voice.p95_latency_ms)],
          ['Latency, highest', milliseconds(voice.maximum_latency_ms)],
          ['Interruptions', String(voice.interruptions)],
          ['Longest silence', milliseconds(voice.longest_silence_ms)],
          ['Both speak', milliseconds(voice.talk_over_ms)],
        ]}
      />
    </Panel>
  );
}
