import { layersOf } from '../../pathways/layers.js';

/** Positions of a Sankey diagram: how runs flow from scenarios over nodes to their outcome. Pure. */

export interface SankeyNode {
  readonly id: string;
  readonly name: string;
  readonly category: 'start' | 'middle' | 'end' | 'error';
}

export interface SankeyLink {
  readonly source: string;
  readonly target: string;
  readonly value: number;
  readonly pass_count: number;
  readonly fail_count: number;
}

export interface SankeyBox<Node extends SankeyNode> {
  readonly node: Node;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** Runs that pass through it. */
  readonly value: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export interface SankeyBand {
  readonly source: string;
  readonly target: string;
  readonly value: number;
  /** Runs that passed, or failed, in the end. */
  readonly outcome: 'pass' | 'fail' | 'other';
  /** An SVG path of the band's area. */
  readonly path: string;
}

export interface SankeyLayout<Node extends SankeyNode> {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly SankeyBox<Node>[];
  readonly bands: readonly SankeyBand[];
}

export const boxWidth = 12;
const columnStep = 190;
/** Room for the names beside the first and the last column. */
const nameWidth = 200;
const gap = 18;
const thinnest = 1;

export interface SankeySize {
  /** Height that the bands of the fullest column share. */
  readonly bandHeight: number;
}

/** @param links links that name a missing node, or have no value, are left out */
export function layoutSankey<Node extends SankeyNode>(
  nodes: readonly Node[],
  links: readonly SankeyLink[],
  { bandHeight }: SankeySize = { bandHeight: 260 },
): SankeyLayout<Node> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const drawn = links.filter(
    ({ source, target, value }) => value > 0 && byId.has(source) && byId.has(target) && source !== target,
  );
  if (drawn.length === 0) return { width: 0, height: 0, boxes: [], bands: [] };
  const used = new Set(drawn.flatMap(({ source, target }) => [source, target]));
  const shown = nodes.filter(({ id }) => used.has(id));
  const columnOf = columnsOf(shown, drawn);
  const columns: Node[][] = [];
  for (const node of shown) {
    const column = columnOf.get(node.id)!;
    columns[column] ??= [];
    columns[column].push(node);
  }
  const sumOf = (id: string, end: 'source' | 'target'): number =>
    drawn.reduce((sum, link) => sum + (link[end] === id ? link.value : 0), 0);
  const runsOf = new Map(
    shown.map(({ id }) => [id, Math.max(sumOf(id, 'source'), sumOf(id, 'target'))] as const),
  );
  const fullest = Math.max(
    ...columns.map((column) => column.reduce((sum, { id }) => sum + runsOf.get(id)!, 0)),
  );
  const scale = bandHeight / fullest;
  const heightOf = (id: string): number => Math.max(thinnest, runsOf.get(id)! * scale);

  orderColumns(columns, drawn);
  const height = Math.max(
    ...columns.map((column) => column.reduce((sum, { id }) => sum + heightOf(id) + gap, -gap)),
  );
  const boxes = columns.flatMap((column, index) => {
    const total = column.reduce((sum, { id }) => sum + heightOf(id) + gap, -gap);
    let y = (height - total) / 2;
    return column.map((node): SankeyBox<Node> => {
      const box = {
        node,
        x: nameWidth + index * columnStep,
        y: y + gap,
        height: heightOf(node.id),
        value: runsOf.get(node.id)!,
        isFirst: index === 0,
        isLast: index === columns.length - 1,
      };
      y += box.height + gap;
      return box;
    });
  });
  return {
    width: 2 * nameWidth + (columns.length - 1) * columnStep + boxWidth,
    height: height + 2 * gap,
    boxes,
    bands: bandsOf(drawn, new Map(boxes.map((box) => [box.node.id, box])), scale),
  };
}

/** The longest way from a first node decides the column, and outcomes stand in the last one. */
function columnsOf(nodes: readonly SankeyNode[], links: readonly SankeyLink[]): ReadonlyMap<string, number> {
  const starts = nodes.filter(({ category }) => category === 'start');
  const inner = nodes.filter(({ category }) => category !== 'start');
  const ids = [...starts, ...inner].map(({ id }) => id);
  const edges = links.map(({ source, target }) => ({ from: source, to: target }));
  const columnOf = new Map(layersOf(ids, edges, undefined).layerOf);
  // The last node of a conversation leads to an outcome, and an outcome to nothing.
  const sources = new Set(links.map(({ source }) => source));
  const isOutcome = ({ id }: SankeyNode): boolean => !sources.has(id);
  const last = Math.max(1, ...nodes.map((node) => columnOf.get(node.id)! + (isOutcome(node) ? 0 : 1)));
  for (const node of nodes) if (isOutcome(node)) columnOf.set(node.id, last);
  // A column without a node would leave a hole.
  const used = [...new Set(columnOf.values())].sort((left, right) => left - right);
  return new Map([...columnOf].map(([id, column]) => [id, used.indexOf(column)]));
}

/** Each column in the order of where its bands come from, then of where they lead. */
function orderColumns(columns: readonly SankeyNode[][], links: readonly SankeyLink[]): void {
  for (let pass = 0; pass < 4; pass++) {
    const places = new Map(
      columns.flatMap((column) => column.map(({ id }, index) => [id, index / column.length] as const)),
    );
    const end = pass % 2 === 0 ? 'target' : 'source';
    const far = end === 'target' ? 'source' : 'target';
    for (const column of columns) {
      const mean = (id: string): number => {
        const near = links.filter((link) => link[end] === id);
        const weight = near.reduce((sum, { value }) => sum + value, 0);
        if (weight === 0) return places.get(id)!;
        return near.reduce((sum, link) => sum + places.get(link[far])! * link.value, 0) / weight;
      };
      const keyed = column.map((node, index) => ({ node, index, mean: mean(node.id) }));
      keyed.sort((left, right) => left.mean - right.mean || left.index - right.index);
      column.splice(0, column.length, ...keyed.map(({ node }) => node));
    }
  }
}

function bandsOf(
  links: readonly SankeyLink[],
  boxes: ReadonlyMap<string, SankeyBox<SankeyNode>>,
  scale: number,
): readonly SankeyBand[] {
  const bands = links.flatMap(({ source, target, value, pass_count, fail_count }) => {
    const passed = Math.min(value, pass_count);
    const failed = Math.min(value - passed, fail_count);
    const parts = [
      ['pass', passed],
      ['other', value - passed - failed],
      ['fail', failed],
    ] as const;
    return parts
      .filter(([, part]) => part > 0)
      .map(([outcome, part]) => ({ source, target, outcome, value: part, from: 0, to: 0 }));
  });
  for (const [end, far, start] of [
    ['source', 'target', 'from'],
    ['target', 'source', 'to'],
  ] as const) {
    const used = new Map<string, number>();
    const order = { pass: 0, other: 1, fail: 2 } as const;
    const sorted = [...bands].sort(
      (left, right) =>
        boxes.get(left[far])!.y - boxes.get(right[far])!.y || order[left.outcome] - order[right.outcome],
    );
    for (const band of sorted) {
      const taken = used.get(band[end]) ?? 0;
      band[start] = boxes.get(band[end])!.y + taken;
      used.set(band[end], taken + band.value * scale);
    }
  }
  return bands.map(({ from, to, ...band }) => ({
    ...band,
    path: bandPath(boxes.get(band.source)!, boxes.get(band.target)!, {
      from,
      to,
      height: Math.max(thinnest, band.value * scale),
    }),
  }));
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

function bandPath(
  source: SankeyBox<SankeyNode>,
  target: SankeyBox<SankeyNode>,
  { from, to, height }: { from: number; to: number; height: number },
): string {
  const [left, right] = [source.x + boxWidth, target.x];
  // A band that leads back leaves and arrives with a curve beyond both boxes.
  const bend = left < right ? (right - left) / 2 : columnStep / 2;
  const curve = (x1: number, y1: number, x2: number, y2: number, pull: number): string =>
    `C${rounded(x1 + pull)} ${rounded(y1)} ${rounded(x2 - pull)} ${rounded(y2)} ${rounded(x2)} ${rounded(y2)}`;
  return (
    `M${rounded(left)} ${rounded(from)}` +
    `${curve(left, from, right, to, bend)}` +
    `L${rounded(right)} ${rounded(to + height)}` +
    `${curve(right, to + height, left, from + height, -bend)}Z`
  );
}
