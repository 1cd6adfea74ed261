import { createContext, type JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type uPlot from 'uplot';
import { bucketTime, zone, zoneName } from './format.js';
import { AsTable } from './panel.js';
import { linesBetween, momentText, type Series, spanName, stacked } from './plot-scale.js';
import { paint } from './theme.js';

/** In a separate file, so that the texts of a page do not wait for it. */
const loadPlotter = async (): Promise<typeof uPlot> => (await import('uplot')).default;
/** What loads the library that draws on canvases. */
export const PlotterLoader = createContext(loadPlotter);

interface PlotProps {
  /** Text alternative of the plot for screen readers. */
  readonly label: string;
  /** ISO 8601, one per value. */
  readonly times: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number | null) => string;
  /** What the upright axis counts: `Calls`. */
  readonly axis: string;
  /** Duration of each value's interval. */
  readonly bucketSeconds: number;
  readonly height?: number;
  /** Minimum of the axis's upper end. */
  readonly atLeast?: number;
  /** Bars stand on each other, the first series at the bottom. */
  readonly isStacked?: boolean;
  /** The page about one interval; undefined: there is nothing to see. */
  readonly hrefOf?: (index: number) => string | undefined;
}

/** A canvas cannot resolve custom properties, so the browser resolves them on an element. */
function resolveColours(root: HTMLElement): (name: string) => string {
  return (name) => {
    const probe = document.createElement('i');
    probe.style.color = `var(--${name})`;
    root.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

const sumOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** Values over time: a plot, the value under the pointer as text, and all values as a table. */
export function Plot({
  label,
  times,
  series,
  format,
  axis,
  bucketSeconds,
  height = 176,
  atLeast = 1,
  isStacked = false,
  hrefOf,
}: PlotProps): JSX.Element {
  const { route } = useLocation();
  const load = useContext(PlotterLoader);
  const root = useRef<HTMLDivElement>(null);
  const [plotter, setPlotter] = useState<typeof uPlot | undefined>();
  const [pointed, setPointed] = useState<number | undefined>();
  // Colours and times on the canvas change with these.
  const painted = `${paint.value} ${zone.value}`;
  const latestHref = useRef(hrefOf);
  latestHref.current = hrefOf;

  useEffect(() => {
    // Without it the table has the values.
    load().then(
      (loaded) => setPlotter(() => loaded),
      () => undefined,
    );
  }, [load]);
  useEffect(() => {
    const element = root.current;
    if (element === null || plotter === undefined) return;
    const drawn = isStacked ? stacked(series) : series;
    const plot = new plotter(
      optionsOf({
        plotter,
        element,
        series: drawn,
        format,
        axis,
        height,
        atLeast,
        bucketSeconds,
        onPoint: setPointed,
      }),
      [
        // The middle of each interval, so that its bar covers it.
        times.map((at) => Date.parse(at) / 1_000 + bucketSeconds / 2),
        ...drawn.map(({ values }) => [...values]),
      ] as uPlot.AlignedData,
      element,
    );
    const follow = (): void => {
      const index = plot.cursor.idx;
      const href = index === null || index === undefined ? undefined : latestHref.current?.(index);
      if (href !== undefined) route(href);
    };
    plot.over.addEventListener('click', follow);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, series, format, axis, height, atLeast, isStacked, bucketSeconds, painted, route, plotter]);

  // Bars that stand on each other are counts: without a pointer their sums, not the newest interval, say what happened.
  const isSum = isStacked && pointed === undefined && times.length > 0;
  const index = pointed ?? times.length - 1;
  return (
    <figure class="plot">
      <figcaption class="plot-legend">
        {series.map(({ name, colour, kind, values }) => (
          <span key={name}>
            <i class={`${colour} ${kind}`} />
            {name} <b class="figure">{format(isSum ? sumOf(values) : (values[index] ?? null))}</b>
          </span>
        ))}
        <span class="muted figure">
          {isSum
            ? 'in all'
            : times[index] !== undefined &&
              `in ${spanName(bucketSeconds)} from ${bucketTime(times[index], bucketSeconds)}`}
        </span>
      </figcaption>
      <div
        ref={root}
        role="img"
        aria-label={label}
        class={hrefOf && 'clickable'}
        style={{ minHeight: `${height}px` }}
      />
      <AsTable label={label}>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map(({ name }) => (
              <th scope="col" class="number" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, row) => (
            <tr key={at}>
              <th scope="row" class="figure">
                <IntervalName at={at} seconds={bucketSeconds} href={hrefOf?.(row)} />
              </th>
              {series.map(({ name, values }) => (
                <td class="number figure" key={name}>
                  {format(values[row] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </AsTable>
    </figure>
  );
}

interface IntervalNameProps {
  readonly at: string;
  readonly seconds: number;
  readonly href: string | undefined;
}

const IntervalName = ({ at, seconds, href }: IntervalNameProps): JSX.Element =>
  href === undefined ? <span>{bucketTime(at, seconds)}</span> : <a href={href}>{bucketTime(at, seconds)}</a>;

interface Drawing {
  readonly plotter: typeof uPlot;
  readonly element: HTMLElement;
  readonly series: readonly Series[];
  readonly format: (value: number | null) => string;
  readonly axis: string;
  readonly height: number;
  readonly atLeast: number;
  readonly bucketSeconds: number;
  readonly onPoint: (index: number | undefined) => void;
}

function optionsOf({
  plotter,
  element,
  series,
  format,
  axis: title,
  height,
  atLeast,
  bucketSeconds,
  onPoint,
}: Drawing): uPlot.Options {
  const colour = resolveColours(element);
  const { fontFamily } = getComputedStyle(element);
  const font = `12px ${fontFamily}`;
  const axis = {
    stroke: colour('muted'),
    font,
    labelFont: font,
    labelSize: 18,
    labelGap: 2,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height,
    padding: [8, 24, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: {
      // Half an interval more at both ends: else the first and the last bar were cut in half.
      x: { range: (_plot, low, high) => [low - bucketSeconds / 2, high + bucketSeconds / 2] },
      y: { range: (_plot, _low, high) => [0, Math.max(atLeast, (high ?? 0) * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        label: `Time, ${zoneName(Date.now())}`,
        size: 26,
        space: 72,
        values: (plot, splits) => splits.map((at) => momentText(at * 1_000, plot.scales.x)),
      },
      {
        ...axis,
        label: title,
        size: 50,
        splits: (_plot, _axis, low, high) => linesBetween(low, high),
        values: (_plot, values) => values.map(format),
      },
    ],
    series: [
      {},
      ...series.map((line): uPlot.Series => {
        const stroke = colour(line.colour);
        return line.kind === 'bars'
          ? {
              stroke,
              fill: stroke,
              width: 0,
              paths: plotter.paths.bars!({ size: [0.7, 24] }),
              points: { show: false },
            }
          : { stroke, width: 2, points: { size: 5, fill: stroke } };
      }),
    ],
    hooks: {
      setCursor: [(plot) => onPoint(plot.cursor.idx ?? undefined)],
      draw: [(plot) => markNow(plot, { stroke: colour('muted'), font: fontFamily })],
    },
  };
}

/** An upright line at the present: the last interval is not over, so its bar is still growing. */
function markNow({ ctx, bbox, scales, valToPos }: uPlot, style: { stroke: string; font: string }): void {
  const at = Date.now() / 1_000;
  const { min = null, max = null } = scales.x ?? {};
  if (min === null || max === null || at < min || at > max) return;
  const x = Math.round(valToPos(at, 'x', true)) + 0.5;
  ctx.save();
  ctx.strokeStyle = style.stroke;
  ctx.fillStyle = style.stroke;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.font = `${11 * devicePixelRatio}px ${style.font}`;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'top';
  ctx.fillText('now', x - 4 * devicePixelRatio, bbox.top);
  ctx.restore();
}
