import type { JSX } from 'preact';

/** One step: a value within a range. */
export interface StepPoint {
  /** Under the axis. */
  readonly name: string;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly isBad: boolean;
}

interface StepChartProps {
  /** Text alternative for screen readers; the table beside the chart has the figures. */
  readonly label: string;
  readonly note: string;
  readonly points: readonly StepPoint[];
  readonly format: (value: number) => string;
  /** What the values are measured by; null: nothing. */
  readonly limit: number | null;
  /** The upper end of the axis. Default: that of the values. */
  readonly most?: number;
}

const width = 460;
const height = 200;
const left = 58;
const bottom = 24;
const top = 10;

/** Values by the number of callers at once. */
export function StepChart({ label, note, points, format, limit, most }: StepChartProps): JSX.Element {
  const known = points.flatMap(({ value, high }) => [value ?? 0, high ?? 0]);
  const highest = most ?? Math.max(1, limit ?? 0, ...known) * 1.05;
  const y = (value: number): number => height - bottom - (value / highest) * (height - bottom - top);
  const slot = (width - left) / Math.max(1, points.length);
  const x = (index: number): number => left + (index + 0.5) * slot;
  return (
    <figure class="test-chart">
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
        {[0, highest / 2, highest].map((tick) => (
          <g key={tick}>
            <line class="grid-line" x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
            <text class="axis-text" x={left - 6} y={y(tick)} dy="0.35em" text-anchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {limit !== null && <line class="mean-mark" x1={left} x2={width} y1={y(limit)} y2={y(limit)} />}
        {points.map(({ name, value, low, high, isBad }, index) => (
          <g key={name}>
            {low !== null && high !== null && (
              <line class="interval" x1={x(index)} x2={x(index)} y1={y(low)} y2={y(high)} />
            )}
            {value !== null && (
              <circle class={isBad ? 'outcome-fail' : 'score-part'} cx={x(index)} cy={y(value)} r="5" />
            )}
            <text class="axis-text" x={x(index)} y={height - 6} text-anchor="middle">
              {name}
            </text>
          </g>
        ))}
      </svg>
      <figcaption class="note">{note}</figcaption>
    </figure>
  );
}
