import type { JSX } from 'preact';
import { leastMos } from '../../contract/audio-defect.js';
import type { CallMedia, RtpSide } from '../api/calls.js';
import { clockTime, milliseconds, percent } from '../parts/format.js';
import { Panel } from '../parts/panel.js';
import { Trend } from '../parts/sparkline.js';

type Sample = NonNullable<RtpSide['progression']>[number];

interface Measure {
  readonly name: string;
  readonly of: (sample: Sample) => number | undefined;
  readonly show: (value: number) => string;
  /** The end of the scale that is good, and the least length of the scale: small changes must look small. */
  readonly least: number;
  readonly most: number;
  readonly worst: (values: readonly number[]) => number;
  readonly isBad: (value: number) => boolean;
}

const measures: readonly Measure[] = [
  {
    name: 'MOS',
    of: ({ mos }) => mos,
    show: (value) => value.toFixed(1),
    ...{ least: 1, most: 4.5 },
    worst: (values) => Math.min(...values),
    isBad: (value) => value < leastMos,
  },
  {
    name: 'Jitter',
    of: ({ jitter_milliseconds: value }) => value,
    show: milliseconds,
    ...{ least: 0, most: 30 },
    worst: (values) => Math.max(...values),
    isBad: (value) => value >= 30,
  },
  {
    name: 'Loss',
    of: ({ loss_percent: value }) => value,
    show: (value) => percent(value, 0),
    ...{ least: 0, most: 5 },
    worst: (values) => Math.max(...values),
    isBad: (value) => value >= 3,
  },
];

const leastSamples = 2;

/** Loss, jitter and MOS of both directions over the call; nothing before two reports have come. */
export function QualityPanel({ media }: { media: CallMedia | null }): JSX.Element | null {
  const sides = (['trunk', 'agent'] as const).map((side) => media?.rtp[side]?.progression ?? []);
  if (sides.every((samples) => samples.length < leastSamples)) return null;
  const times = sides.flatMap((samples) => samples.map(({ at }) => at * 1_000));
  return (
    <Panel
      title="Quality over the call"
      aside={
        <span class="figure">
          {clockTime(Math.min(...times))} to {clockTime(Math.max(...times))}
        </span>
      }
      note="As the other end reported it (RTCP)."
    >
      <QualityTable sides={sides} />
    </Panel>
  );
}

function QualityTable({ sides }: { sides: readonly (readonly Sample[])[] }): JSX.Element {
  return (
    <table class="plain trends">
      <caption class="unseen">Quality over the call, both directions</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">From the trunk</th>
          <th scope="col">From the agent</th>
        </tr>
      </thead>
      <tbody>
        {measures.map((measure) => (
          <tr key={measure.name}>
            <th scope="row">{measure.name}</th>
            {sides.map((samples, side) => (
              <td key={side}>
                <Cell measure={measure} samples={samples} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ measure, samples }: { measure: Measure; samples: readonly Sample[] }): JSX.Element {
  const values = samples.map((sample) => measure.of(sample) ?? null);
  const known = values.filter((value) => value !== null);
  if (known.length < leastSamples) return <span class="muted">not reported</span>;
  const worst = measure.worst(known);
  const isBad = measure.isBad(worst);
  return (
    <>
      <Trend
        label={`${measure.name}: worst ${measure.show(worst)}, last ${measure.show(known.at(-1)!)}`}
        values={values}
        colour={isBad ? 'warn' : 'accent'}
        least={measure.least}
        most={Math.max(measure.most, ...known)}
      />
      <small class="figure">
        worst <b class={isBad ? 'warn-text' : ''}>{measure.show(worst)}</b>
      </small>
    </>
  );
}
