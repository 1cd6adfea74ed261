import type { JSX } from 'preact';
import type { Run } from '../../api/runs.js';
import { milliseconds, percent } from '../../parts/format.js';
import { Facts, Panel } from '../../parts/panel.js';
import { CallPlayer } from './call-player.js';

type Voice = NonNullable<Run['voice']>;

const voices: Readonly<Record<Voice['speech'], string>> = {
  service: 'Speech service',
  'espeak-ng': 'espeak-ng',
  flite: 'flite',
  tones: 'Tones',
};
const ears: Readonly<Record<Voice['transcription'], string>> = {
  service: 'Speech service',
  tones: 'Tone code only',
};

const figure = (value: number | null, unit = ''): string => (value === null ? '–' : `${value}${unit}`);
const share = (value: number): string => percent(value * 100);

/** Who spoke when in the call of a run by voice, and what was measured from its audio. */
export function VoicePanel({ run, voice }: { run: Run; voice: Voice }): JSX.Element {
  return (
    <Panel
      title="The call"
      aside={voice.call_id !== null && <a href={`/calls/${voice.call_id}`}>SIP messages and media</a>}
    >
      <CallPlayer run={run} voice={voice} />
      {voice.transcription === 'tones' && (
        <p class="note">
          Only the tone code was understood: no transcription service is configured (
          <code>DEMARC_STT_URL</code>), so judge the agent by the measurements.
        </p>
      )}
      <div class="measured">
        <Facts
          rows={[
            ['First audio', milliseconds(voice.first_audio_ms)],
            ['Latency, median', milliseconds(voice.p50_latency_ms)],
            ['Latency, 95th percentile', milliseconds(voice.p95_latency_ms)],
            ['Latency, highest', milliseconds(voice.maximum_latency_ms)],
            ['Turns without answer', String(voice.unanswered_turns)],
          ]}
        />
        <Facts
          rows={[
            ['Interruptions', String(voice.interruptions)],
            ['Stops when interrupted', milliseconds(voice.barge_in_stop_ms)],
            ['Longest silence', milliseconds(voice.longest_silence_ms)],
            ['Silence', share(voice.silence_share)],
            ['Both speak', `${milliseconds(voice.talk_over_ms)}, ${share(voice.talk_over_share)}`],
          ]}
        />
        <Facts
          rows={[
            [
              'Agent’s share of speech',
              voice.agent_talk_share === null ? '–' : share(voice.agent_talk_share),
            ],
            ['Agent’s words a minute', figure(voice.agent_words_per_minute)],
            ['Agent’s loudness', figure(voice.agent_loudness_dbov, ' dBov')],
            ['Caller’s loudness', figure(voice.caller_loudness_dbov, ' dBov')],
          ]}
        />
        <Facts
          rows={[
            ['Lost packets', String(voice.packets_lost)],
            ['Jitter', milliseconds(voice.jitter_ms)],
            ['Codec', voice.codec ?? '–'],
            ['Caller speaks by', voices[voice.speech]],
            ['Agent understood by', ears[voice.transcription]],
          ]}
        />
      </div>
    </Panel>
  );
}
