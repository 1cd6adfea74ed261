import type { JSX } from 'preact';
import type { Ladder } from '../../../contract/ladder.js';
import type { CallDetail, CallQuality, CallTurns, MediaSample } from '../../api/calls.js';
import { clockTime, milliseconds } from '../../parts/format.js';
import { AsTable, Panel, TableHead } from '../../parts/panel.js';
import { type Measure, measures, stretchesOf, worstTenSeconds } from './quality-measures.js';
import { TimeAxis, TimeChart, type TimeSpan } from './time-chart.js';

/** Milliseconds: small delays must look small. */
const leastReplyScale = 1_500;

const directions = [
  ['trunk', 'From the trunk'],
  ['agent', 'From the agent'],
] as const;

interface QualityPanelProps {
  readonly call: CallDetail;
  readonly ladder: Ladder;
}

/** Packets, loss, jitter and MOS of both directions over the call, on the time of the ladder. */
export function QualityPanel({ call, ladder }: QualityPanelProps): JSX.Element | null {
  const { quality, turns } = call.media ?? { quality: null, turns: null };
  if (quality === null) {
    if (call.state !== 'answered') return null;
    return (
      <Panel title="Audio over the call">
        <p class="note">Sampled every 5 seconds while this page is open. The first figures come soon.</p>
      </Panel>
    );
  }
  const ends = directions.map(([side]) => quality[side].at(-1)?.at ?? call.started_at);
  const until = call.state === 'ended' ? call.ended_at : call.at;
  const span = {
    from: Date.parse(call.started_at),
    to: Math.max(Date.parse(until), ...ends.map((at) => Date.parse(at))),
  };
  return (
    <Panel title="Audio over the call" note={noteOf(quality)} class="quality-panel">
      <div class="quality">
        {directions.map(([side, name]) => {
          const worst = worstTenSeconds(quality[side]);
          return (
            <section aria-label={name} key={side}>
              <h3>{name}</h3>
              {measures.map((measure) => (
                <Chart
                  measure={measure}
                  samples={quality[side]}
                  span={span}
                  direction={name}
                  marked={worst}
                  key={measure.name}
                />
              ))}
              {side === 'agent' && turns !== null && <Replies replies={turns.replies} span={span} />}
              <TimeAxis span={span} messages={ladder.steps.map(({ trace }) => Date.parse(trace.at))} />
              {worst !== undefined && (
                <p class="note">
                  Shaded: the worst ten seconds, until {clockTime(new Date(worst.to).toISOString())}, mean MOS{' '}
                  {worst.mos.toFixed(1)}.
                </p>
              )}
            </section>
          );
        })}
      </div>
      <QualityTable quality={quality} />
    </Panel>
  );
}

function noteOf({ every_seconds: seconds }: CallQuality): string {
  const marks = 'The marks below each chart are the SIP messages.';
  if (seconds === null) return `RTCP reports of the endpoints; the call was not watched. ${marks}`;
  const worst = seconds > 5 ? `, each figure the worst 5 s of ${seconds} s` : '';
  return `Sampled every 5 s while the call was watched or bad${worst}. ${marks}`;
}

interface ChartProps {
  readonly measure: Measure;
  readonly samples: readonly MediaSample[];
  readonly span: TimeSpan;
  readonly direction: string;
  readonly marked: TimeSpan | undefined;
}

function Chart({ measure, samples, span, direction, marked }: ChartProps): JSX.Element {
  const stretches = stretchesOf(samples, measure);
  const values = stretches.flat().map(({ value }) => value);
  const last = values.at(-1);
  if (last === undefined) {
    return (
      <p class="chart">
        <span class="chart-name">{measure.name}</span>
        <span class="muted">not reported</span>
      </p>
    );
  }
  const worst = measure.worst(values);
  const isBad = measure.isBad(worst);
  return (
    <div class="chart">
      <span class="chart-name">{measure.name}</span>
      <TimeChart
        label={`${measure.name}, ${direction.toLowerCase()}: worst ${measure.show(worst)}, last ${measure.show(last)}`}
        span={span}
        stretches={stretches}
        least={measure.least}
        most={Math.max(measure.most, ...values)}
        limit={measure.limit}
        isBad={isBad}
        marked={marked}
      />
      <small class="figure">
        worst <b class={isBad ? 'warn-text' : ''}>{measure.show(worst)}</b>
      </small>
    </div>
  );
}

/** A dot for each reply of the agent. */
function Replies({ replies, span }: { replies: CallTurns['replies']; span: TimeSpan }): JSX.Element {
  const delays = replies.map((reply) => reply.milliseconds);
  const worst = Math.max(...delays);
  return (
    <div class="chart">
      <span class="chart-name">Reply time</span>
      <TimeChart
        label={`Reply time of the agent: slowest ${milliseconds(worst)}, last ${milliseconds(delays.at(-1))}`}
        span={span}
        stretches={replies.map((reply) => [{ at: Date.parse(reply.at), value: reply.milliseconds }])}
        least={0}
        most={Math.max(leastReplyScale, worst)}
        limit={undefined}
        isBad={false}
      />
      <small class="figure">
        slowest <b>{milliseconds(worst)}</b>
      </small>
    </div>
  );
}

const columns = Object.fromEntries([
  ['Time', ''],
  ['Audio', ''],
  ...[...measures.map(({ name }) => name), 'Round trip'].map((name) => [name, 'figure']),
]);

function QualityTable({ quality }: { quality: CallQuality }): JSX.Element {
  const rows = directions
    .flatMap(([side, direction]) => quality[side].map((sample) => ({ direction, sample })))
    .toSorted((left, right) => (left.sample.at < right.sample.at ? -1 : 1));
  return (
    <AsTable label="Figures of the audio">
      <TableHead columns={columns} />
      <tbody>
        {rows.map(({ direction, sample }) => (
          <tr key={`${direction} ${sample.at}`}>
            <th scope="row">{clockTime(sample.at)}</th>
            <td>{direction}</td>
            {measures.map((measure) => (
              <td class="figure" key={measure.name}>
                {shown(measure.of(sample), measure.show)}
              </td>
            ))}
            <td class="figure">{shown(sample.round_trip_milliseconds, milliseconds)}</td>
          </tr>
        ))}
      </tbody>
    </AsTable>
  );
}

const shown = (value: number | null, show: (value: number) => string): string =>
  value === null ? '–' : show(value);
