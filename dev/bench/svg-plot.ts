/** Plots as SVG text, for pages that show pictures but run no script. Readable on light and dark pages. */

const width = 720;
const left = 150;
const right = 24;
const palette = ['#4269d0', '#efb118', '#ff725c', '#6cc5b0', '#3ca951', '#a463f2', '#97bbf5', '#9c6b4e'];
const ink = '#7a7f87';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const round = (value: number): string => String(Math.round(value * 10) / 10);

interface TextOptions {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly size?: number;
  readonly bold?: boolean;
}

function text(x: number, y: number, content: string, options: TextOptions = {}): string {
  const { anchor = 'start', size = 12, bold = false } = options;
  const weight = bold ? ' font-weight="600"' : '';
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" text-anchor="${anchor}"${weight} fill="${ink}">${escaped(content)}</text>`;
}

const picture = (height: number, title: string, parts: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" role="img">`,
    `<title>${escaped(title)}</title>`,
    text(12, 22, title, { size: 14, bold: true }),
    ...parts,
    '</svg>\n',
  ].join('\n');

/** The next 1, 2 or 5 times a power of ten. */
function niceLimit(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1e-9)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((limit) => limit >= highest)!;
}

function legend(names: readonly string[], y: number): string[] {
  let x = left;
  return names.flatMap((name, i) => {
    const entry = [
      `<rect x="${x}" y="${y - 9}" width="10" height="10" fill="${palette[i % palette.length]}"/>`,
      text(x + 14, y, name),
    ];
    x += 26 + name.length * 7;
    return entry;
  });
}

export interface StackedBar {
  readonly title: string;
  readonly parts: Readonly<Record<string, number>>;
}

/** Horizontal bars, each the sum of its parts. */
export function stackedBars(title: string, unit: string, bars: readonly StackedBar[]): string {
  const names = [...new Set(bars.flatMap(({ parts }) => Object.keys(parts)))];
  const sum = ({ parts }: StackedBar): number =>
    Object.values(parts).reduce((total, part) => total + part, 0);
  const limit = Math.max(...bars.map(sum)) * 1.12;
  const scale = (width - left - right) / limit;
  const rows = bars.flatMap((bar, row) => {
    const y = 56 + row * 30;
    let x = left;
    const boxes = names.map((name, i) => {
      const length = Math.max(0, (bar.parts[name] ?? 0) * scale);
      const box = `<rect x="${round(x)}" y="${y}" width="${round(length)}" height="20" fill="${palette[i % palette.length]}"/>`;
      x += length;
      return length > 0 ? box : '';
    });
    const total = text(x + 6, y + 15, `${sum(bar).toFixed(2)} ${unit}`);
    return [
      text(left - 8, y + 15, bar.title, { anchor: 'end' }),
      ...boxes.filter((box) => box !== ''),
      total,
    ];
  });
  return picture(64 + bars.length * 30, title, [...legend(names, 44), ...rows]);
}

export interface Line {
  readonly title: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface LineAxes {
  readonly x: string;
  readonly y: string;
  /** A horizontal line that the others should stay below; undefined: there is none. */
  readonly bound: number | undefined;
  /** Values above are drawn at the upper edge. */
  readonly highest: number;
}

const boundary = (y: string): string =>
  `<line x1="${left}" x2="${width - right}" y1="${y}" y2="${y}" stroke="${ink}" stroke-dasharray="5 4"/>`;

/** Lines over one horizontal axis. */
export function lines(title: string, axes: LineAxes, drawn: readonly Line[]): string {
  const top = 60;
  const bottom = 300;
  const limit = niceLimit(axes.highest);
  const points = drawn.flatMap((line) => line.points);
  const [first, last] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  const atX = (x: number): number =>
    left + ((x - first) / Math.max(1, last - first)) * (width - left - right);
  const atY = (y: number): number => bottom - (Math.min(y, limit) / limit) * (bottom - top);
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
    const y = round(atY(share * limit));
    return [
      `<line x1="${left}" x2="${width - right}" y1="${y}" y2="${y}" stroke="${ink}" stroke-opacity="0.25"/>`,
      text(left - 8, Number(y) + 4, String(share * limit), { anchor: 'end' }),
    ];
  });
  const ticks = [...new Set(points.map(({ x }) => x))].map((x) =>
    text(atX(x), bottom + 18, String(x), { anchor: 'middle' }),
  );
  const paths = drawn.flatMap((line, i) => {
    const color = palette[i % palette.length];
    const path = line.points.map(({ x, y }) => `${round(atX(x))},${round(atY(y))}`).join(' ');
    const dots = line.points.map(
      ({ x, y }) => `<circle cx="${round(atX(x))}" cy="${round(atY(y))}" r="3.5" fill="${color}"/>`,
    );
    return [`<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>`, ...dots];
  });
  return picture(bottom + 44, title, [
    ...legend(
      drawn.map((line) => line.title),
      44,
    ),
    ...grid,
    ...(axes.bound === undefined ? [] : [boundary(round(atY(axes.bound)))]),
    ...ticks,
    text(width - right, bottom + 36, axes.x, { anchor: 'end' }),
    text(12, top - 4, axes.y),
    ...paths,
  ]);
}
