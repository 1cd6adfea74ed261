import type { JSX } from 'preact';

interface SparklineProps {
  /** Text alternative. */
  readonly label: string;
  /** Heights of the bars, oldest first, and the part of each that is bad. */
  readonly bars: readonly { readonly all: number; readonly bad: number }[];
}

const barWidth = 5;
const gap = 1;
const height = 20;
/** One bad call of many must stay visible. */
const leastHeight = 2;

/** A few bars within a line of text; bad parts stand at the bottom, in another colour. */
export function Sparkline({ label, bars }: SparklineProps): JSX.Element {
  const most = Math.max(1, ...bars.map(({ all }) => all));
  const width = bars.length * (barWidth + gap) - gap;
  const scaled = (value: number): number =>
    value === 0 ? 0 : Math.max(leastHeight, (value / most) * height);
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img">
      <title>{label}</title>
      {bars.map(({ all, bad }, index) => {
        const x = index * (barWidth + gap);
        const [whole, part] = [scaled(all), scaled(bad)];
        return (
          <g key={x}>
            <rect class="rest" x={x} y={height - 1} width={barWidth} height={1} />
            <rect class="all" x={x} y={height - whole} width={barWidth} height={whole} />
            <rect class="bad" x={x} y={height - part} width={barWidth} height={part} />
          </g>
        );
      })}
    </svg>
  );
}

interface TrendProps {
  readonly label: string;
  /** Oldest first; null: not known. */
  readonly values: readonly (number | null)[];
  readonly colour?: 'accent' | 'good' | 'warn' | 'bad';
  readonly width?: number;
  readonly least?: number;
  readonly most?: number;
}

/** A line through values over time, with gaps where nothing is known. */
export function Trend({
  label,
  values,
  colour = 'accent',
  width = 120,
  least,
  most,
}: TrendProps): JSX.Element | null {
  const measured = values.filter((value) => value !== null);
  if (measured.length < 2) return null;
  const low = least ?? Math.min(...measured);
  const high = Math.max(most ?? Math.max(...measured), low + 1e-9);
  const at = (value: number, index: number): string =>
    `${((index / (values.length - 1)) * (width - 2) + 1).toFixed(1)} ${(height - 1 - ((value - low) / (high - low)) * (height - 2)).toFixed(1)}`;
  let isOpen = false;
  const path = values
    .map((value, index) => {
      if (value === null) {
        isOpen = false;
        return '';
      }
      const step = `${isOpen ? 'L' : 'M'}${at(value, index)}`;
      isOpen = true;
      return step;
    })
    .join('');
  return (
    <svg class={`trend ${colour}`} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img">
      <title>{label}</title>
      <path d={path} vector-effect="non-scaling-stroke" />
    </svg>
  );
}
