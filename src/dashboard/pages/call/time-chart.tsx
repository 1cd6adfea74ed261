import type { JSX } from 'preact';
import { duration } from '../../parts/format.js';
import { type Point, ticksOf } from './quality-measures.js';

/** The times that all charts of a call share, in milliseconds. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

const width = 400;
const height = 36;
const margin = 2;

const xOf = (at: number, { from, to }: TimeSpan): number =>
  margin + ((at - from) / Math.max(1, to - from)) * (width - 2 * margin);

interface TimeChartProps {
  /** Text alternative. */
  readonly label: string;
  readonly span: TimeSpan;
  readonly stretches: readonly (readonly Point[])[];
  readonly least: number;
  readonly most: number;
  /** Values beyond it are bad. */
  readonly limit: number | undefined;
  readonly isBad: boolean;
  /** A shaded part of the time. */
  readonly marked?: TimeSpan | undefined;
}

/** A line over the time of the call; a single value is a dot. */
export function TimeChart({
  label,
  span,
  stretches,
  least,
  most,
  limit,
  isBad,
  marked,
}: TimeChartProps): JSX.Element {
  const yOf = (value: number): number =>
    height - margin - ((value - least) / (most - least)) * (height - 2 * margin);
  const place = ({ at, value }: Point): string => `${round(xOf(at, span))} ${round(yOf(value))}`;
  const path = stretches
    .map((points) => {
      const [first, ...rest] = points.map(place);
      return rest.length === 0 ? `M${first}h0` : `M${first}L${rest.join('L')}`;
    })
    .join('');
  const dots = stretches.map((points) => (points.length === 1 ? `M${place(points[0]!)}h0` : '')).join('');
  return (
    <svg
      class={`time-chart ${isBad ? 'warn' : ''}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {marked !== undefined && (
        <rect
          class="marked"
          x={round(xOf(marked.from, span))}
          width={round(xOf(marked.to, span) - xOf(marked.from, span))}
          height={height}
        />
      )}
      {limit !== undefined && (
        <path class="limit" d={`M0 ${round(yOf(limit))}H${width}`} vector-effect="non-scaling-stroke" />
      )}
      <path class="values" d={path} vector-effect="non-scaling-stroke" />
      <path class="values dots" d={dots} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

interface TimeAxisProps {
  readonly span: TimeSpan;
  /** Moments of SIP messages, in milliseconds. */
  readonly messages: readonly number[];
}

/** Time since the call’s begin, as in the ladder, with a mark for each SIP message. */
export function TimeAxis({ span, messages }: TimeAxisProps): JSX.Element {
  const seconds = (span.to - span.from) / 1_000;
  return (
    <div class="time-axis" aria-hidden="true">
      <svg viewBox={`0 0 ${width} 6`} preserveAspectRatio="none">
        <title>SIP messages</title>
        {messages
          .filter((at) => at >= span.from && at <= span.to)
          .map((at, index) => (
            <path d={`M${round(xOf(at, span))} 0V6`} vector-effect="non-scaling-stroke" key={index} />
          ))}
      </svg>
      <div class="time-ticks">
        {ticksOf(seconds).map((tick) => (
          <span style={{ left: `${(xOf(span.from + tick * 1_000, span) / width) * 100}%` }} key={tick}>
            {tick < 60 ? `${tick} s` : duration(tick)}
          </span>
        ))}
      </div>
    </div>
  );
}

const round = (value: number): string => value.toFixed(1);
