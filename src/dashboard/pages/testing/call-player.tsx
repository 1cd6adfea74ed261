import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Run } from '../../api/runs.js';
import { State, type Tone } from '../../parts/state.js';
import { callLines, lineAt } from './charts/call-lines.js';
import { VoiceChart } from './voice-chart.js';

const tones: Readonly<Record<Run['assertion_results'][number]['status'], Tone>> = {
  PASSED: 'good',
  FAILED: 'bad',
  ERROR: 'warn',
};

/** `1:05.3` */
const clock = (milliseconds: number): string => {
  const tenths = Math.round(milliseconds / 100);
  const seconds = Math.floor(tenths / 10) % 60;
  return `${Math.floor(tenths / 600)}:${String(seconds).padStart(2, '0')}.${tenths % 10}`;
};

/** The call on its time axis: the recording, who spoke when, each line with the assertions that it decides. */
export function CallPlayer({ run, voice }: { run: Run; voice: NonNullable<Run['voice']> }): JSX.Element {
  const audio = useRef<HTMLAudioElement>(null);
  const [at, setAt] = useState<number | undefined>();
  const lines = callLines(voice, run.chat_history, run.assertion_results);
  const current = at === undefined ? undefined : lineAt(lines, at);
  const isRecorded = run.recording !== null;
  const play = (from: number): void => {
    const player = audio.current;
    if (player === null) return;
    player.currentTime = from / 1_000;
    // A browser may refuse to play; the position is set all the same.
    player.play().catch(() => {});
  };
  return (
    <>
      {isRecorded ? (
        // biome-ignore lint/a11y/useMediaCaption: The lines below are its transcript.
        <audio
          ref={audio}
          class="call-audio"
          controls
          preload="metadata"
          aria-label="Recording: the caller left, the agent right"
          src={`/v1/agent-testing/runs/${run.id}/recording`}
          onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime * 1_000)}
        />
      ) : (
        <p class="note">This call has no recording: none was made, or it was deleted.</p>
      )}
      <VoiceChart
        speeches={lines.map(({ speaker, from_ms, to_ms, text }) => ({
          speaker: speaker === 'caller' ? 'tester' : 'agent',
          start_ms: from_ms,
          end_ms: to_ms,
          text,
        }))}
        marks={lines.flatMap(({ from_ms, assertions }) =>
          assertions.map(({ name, status }) => ({ at_ms: from_ms, name, tone: tones[status] })),
        )}
        durationMilliseconds={voice.duration_ms}
        playedMilliseconds={at}
      />
      <ol class="call-lines" aria-label="Lines of the call">
        {lines.map((line) => (
          <li key={`${line.speaker} ${line.from_ms}`} aria-current={line === current ? 'true' : undefined}>
            <button
              type="button"
              class="link figure"
              disabled={!isRecorded}
              onClick={() => play(line.from_ms)}
            >
              <span class="unseen">Play from </span>
              {clock(line.from_ms)}
            </button>
            <small>{line.speaker === 'caller' ? 'Caller' : 'Agent'}</small>
            <span>
              {line.text}
              {line.assertions.map(({ name, status }) => (
                <State key={name} tone={tones[status]}>
                  {name}
                </State>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
