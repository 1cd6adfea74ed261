import type { JSX } from 'preact';
import { milliseconds } from '../../parts/format.js';
import { AsTable, TableHead } from '../../parts/panel.js';
import type { Tone } from '../../parts/state.js';
import { type Speaker, type Speech, timelineOf } from './charts/voice-timeline.js';

const left = 58;
const pixelsPerSecond = 44;
const laneHeight = 34;
const laneTop: Readonly<Record<Speaker, number>> = { tester: 24, agent: 74 };
const height = 136;
const narrowest = 560;

const laneNames: Readonly<Record<Speaker, string>> = { tester: 'Caller', agent: 'Agent' };

export interface Mark {
  readonly at_ms: number;
  readonly name: string;
  readonly tone: Tone;
}

/** Who spoke when in a call, with the time that the agent took to answer. */
export function VoiceChart({
  speeches,
  durationMilliseconds,
  marks = [],
  playedMilliseconds,
}: {
  speeches: readonly Speech[];
  durationMilliseconds: number;
  /** Assertions at the lines that decide them. */
  marks?: readonly Mark[];
  /** Position of the player; undefined: it has not played. */
  playedMilliseconds?: number | undefined;
}): JSX.Element {
  const timeline = timelineOf(speeches, { duration_ms: durationMilliseconds });
  const width = Math.max(narrowest, left + (timeline.duration_ms / 1_000) * pixelsPerSecond + 20);
  const x = (at: number): number => left + (at / Math.max(1, timeline.duration_ms)) * (width - left - 20);
  const span = ({ start_ms, end_ms }: { start_ms: number; end_ms: number }): number =>
    Math.max(1.5, x(end_ms) - x(start_ms));
  const bottom = laneTop.agent + laneHeight + 8;
  return (
    <figure class="test-chart">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard. */}
      <section class="test-chart scrolled" aria-label="Timeline of the call" tabIndex={0}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label={`Speech of ${milliseconds(timeline.duration_ms)}: ${timeline.lanes.tester.length} lines of the caller, ${timeline.lanes.agent.length} of the agent`}
        >
          {timeline.ticks.map((at) => (
            <g key={at}>
              <line class="grid-line" x1={x(at)} x2={x(at)} y1={10} y2={bottom} />
              <text class="axis-text" x={x(at)} y={bottom + 14} text-anchor="middle">
                {at / 1_000} s
              </text>
            </g>
          ))}
          {timeline.silences.map((stretch) => (
            <rect
              key={`silence ${stretch.start_ms}`}
              class="speech-silence"
              x={x(stretch.start_ms)}
              width={span(stretch)}
              y={12}
              height={bottom - 12}
            >
              <title>Silence of {milliseconds(stretch.end_ms - stretch.start_ms)}</title>
            </rect>
          ))}
          {(['tester', 'agent'] as const).map((speaker) => (
            <g key={speaker}>
              <text x={0} y={laneTop[speaker] + laneHeight / 2} dy="0.35em">
                {laneNames[speaker]}
              </text>
              {timeline.lanes[speaker].map((speech) => (
                <rect
                  key={speech.start_ms}
                  class={`speech ${speaker}`}
                  x={x(speech.start_ms)}
                  width={span(speech)}
                  y={laneTop[speaker]}
                  height={laneHeight}
                  rx={4}
                >
                  <title>
                    {laneNames[speaker]}, {milliseconds(speech.start_ms)} to {milliseconds(speech.end_ms)}
                    {speech.text === undefined ? '' : `: ${speech.text}`}
                  </title>
                </rect>
              ))}
            </g>
          ))}
          {timeline.overlaps.map((stretch) => (
            <rect
              key={`overlap ${stretch.start_ms}`}
              class="speech-overlap"
              x={x(stretch.start_ms)}
              width={span(stretch)}
              y={laneTop.tester}
              height={laneTop.agent + laneHeight - laneTop.tester}
            >
              <title>Both speak for {milliseconds(stretch.end_ms - stretch.start_ms)}</title>
            </rect>
          ))}
          {timeline.latencies.map((latency) => (
            <g key={`latency ${latency.start_ms}`} class="speech-latency">
              <line
                x1={x(latency.start_ms)}
                x2={x(latency.end_ms)}
                y1={laneTop.tester + laneHeight + 8}
                y2={laneTop.tester + laneHeight + 8}
              />
              <text
                class="latency-text"
                x={(x(latency.start_ms) + x(latency.end_ms)) / 2}
                y={laneTop.tester - 6}
                text-anchor="middle"
              >
                {milliseconds(latency.latency_ms)}
              </text>
            </g>
          ))}
          {marks.map(({ at_ms, name, tone }, index) => (
            <circle
              key={`${at_ms} ${name}`}
              class={`assertion-mark ${tone}`}
              cx={x(at_ms) + 6}
              cy={laneTop.tester + laneHeight + 8 + 5 * (index % 2 === 0 ? -1 : 1)}
              r={4}
            >
              <title>
                {name}: {tone === 'good' ? 'passed' : tone === 'bad' ? 'failed' : 'error'}
              </title>
            </circle>
          ))}
          {playedMilliseconds !== undefined && (
            <line
              class="playhead"
              x1={x(playedMilliseconds)}
              x2={x(playedMilliseconds)}
              y1={10}
              y2={bottom}
            />
          )}
        </svg>
      </section>
      <figcaption class="note">
        Above: the time from the end of the caller’s line to the agent’s first audio. Shaded: the call waits 2
        s or more for the agent. Red: both speak.
      </figcaption>
      <AsTable label="Speech">
        <TableHead columns={{ Speaker: '', From: 'number', To: 'number' }} />
        <tbody>
          {[...timeline.lanes.tester, ...timeline.lanes.agent]
            .sort((left, right) => left.start_ms - right.start_ms)
            .map(({ speaker, start_ms, end_ms }) => (
              <tr key={`${speaker} ${start_ms}`}>
                <th scope="row">{laneNames[speaker]}</th>
                <td class="number figure">{milliseconds(start_ms)}</td>
                <td class="number figure">{milliseconds(end_ms)}</td>
              </tr>
            ))}
        </tbody>
      </AsTable>
    </figure>
  );
}
