import type { JSX } from 'preact';
import { AsTable, TableHead } from '../../parts/panel.js';
import { type Bin, histogramOf, type Scored } from './charts/histogram.js';
import { scoreText } from './run-state.js';

const width = 460;
const height = 200;
const left = 34;
const bottom = 24;
const top = 10;

/** How often runs got which score. */
export function HistogramChart({
  values,
  mean,
  median,
}: {
  values: readonly Scored[];
  mean: number | null;
  median: number | null;
}): JSX.Element {
  const bins = histogramOf(values);
  const highest = Math.max(1, ...bins.map(({ passed, failed }) => passed + failed));
  const barWidth = (width - left) / bins.length;
  const y = (value: number): number => height - bottom - (value / highest) * (height - bottom - top);
  const x = (score: number): number => left + score * (width - left);
  const ticks = highest < 5 ? [...Array(highest + 1).keys()] : [0, Math.round(highest / 2), highest];
  return (
    <figure class="test-chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={`Scores of ${values.length} runs`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="grid-line" x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
            <text class="axis-text" x={left - 6} y={y(tick)} dy="0.35em" text-anchor="end">
              {tick}
            </text>
          </g>
        ))}
        {bins.map((bin, index) => (
          <Bar key={bin.from} bin={bin} x={left + index * barWidth} width={barWidth} y={y} />
        ))}
        {[0, 0.2, 0.4, 0.6, 0.8, 1].map((score) => (
          <text
            class="axis-text"
            key={score}
            x={x(score)}
            y={height - 6}
            text-anchor={score === 0 ? 'start' : score === 1 ? 'end' : 'middle'}
          >
            {scoreText(score)}
          </text>
        ))}
        {mean !== null && <line class="mean-mark" x1={x(mean)} x2={x(mean)} y1={top} y2={height - bottom} />}
      </svg>
      <figcaption class="note">
        <span class="legend pass" /> Passed <span class="legend fail" /> Not passed
        <br />
        Mean {scoreText(mean)} (dashed line), median {scoreText(median)}
      </figcaption>
      <AsTable label="Scores">
        <TableHead columns={{ Score: '', Passed: 'number', 'Not passed': 'number' }} />
        <tbody>
          {bins.map(({ from, to, passed, failed }) => (
            <tr key={from}>
              <th scope="row" class="figure">
                {scoreText(from)} to {scoreText(to)}
              </th>
              <td class="number figure">{passed}</td>
              <td class="number figure">{failed}</td>
            </tr>
          ))}
        </tbody>
      </AsTable>
    </figure>
  );
}

function Bar({
  bin: { passed, failed },
  x,
  width: barWidth,
  y,
}: {
  bin: Bin;
  x: number;
  width: number;
  y: (value: number) => number;
}): JSX.Element {
  const inner = barWidth - 4;
  return (
    <>
      <rect class="outcome-fail" x={x + 2} width={inner} y={y(failed)} height={y(0) - y(failed)} />
      <rect
        class="outcome-pass"
        x={x + 2}
        width={inner}
        y={y(failed + passed)}
        height={y(failed) - y(failed + passed)}
      />
    </>
  );
}
