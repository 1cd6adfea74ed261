import { type GraphEdge, layersOf } from './layers.js';
import { orderLayers, type Segment } from './ordering.js';

/** Positions of nodes, edges and labels of a pathway's graph, in pixels, from top to bottom. Pure: equal input, equal picture. */

export interface LayoutEdge extends GraphEdge {
  readonly id: string;
  /** Width that the edge's label needs; 0: no label. */
  readonly labelWidth: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedNode {
  readonly id: string;
  /** Upper left corner. */
  readonly x: number;
  readonly y: number;
  readonly isReachable: boolean;
}

export interface PlacedEdge {
  readonly id: string;
  /** An SVG path from the source to the target. */
  readonly path: string;
  /** Center of the label. */
  readonly label: Point;
  /** Leads to the same or an earlier layer. */
  readonly isBack: boolean;
}

export interface GraphLayout {
  /** Upper left corner of the picture; not 0 only where a moved node is further out. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

export const nodeWidth = 190;
export const nodeHeight = 46;
const gapBetweenNodes = 24;
const gapBetweenLines = 14;
const rowGap = 20;
export const labelHeight = 20;
export const margin = 14;
const loopWidth = 34;
const alignments = 48;
/** How much straighter a line runs between layers than at its ends. */
const straightness = 8;

/** One member of a layer: a node, or the place where an edge passes the layer. */
interface Member {
  readonly id: string;
  readonly width: number;
  readonly edge?: LayoutEdge;
}

interface Chain {
  readonly edge: LayoutEdge;
  readonly isBack: boolean;
  /** Members from the upper to the lower node. */
  readonly members: readonly string[];
  readonly labelled: string;
}

/** @param edges edges to a node that is missing are left out: the list of errors names them */
export function layoutGraph(
  ids: readonly string[],
  edges: readonly LayoutEdge[],
  start: string | undefined,
): GraphLayout {
  if (ids.length === 0) return { left: 0, top: 0, width: 0, height: 0, nodes: [], edges: [] };
  const nodeIds = new Set(ids);
  const drawn = edges.filter(({ from, to }) => nodeIds.has(from) && nodeIds.has(to));
  const loops = drawn.filter(({ from, to }) => from === to);
  const lines = drawn.filter(({ from, to }) => from !== to);
  const { layerOf, backEdges, reachable } = layersOf(ids, lines, start);

  // Nodes stand on even rows, labels on the odd rows between them.
  const rows: string[][] = [];
  const members = new Map<string, Member>();
  const place = (row: number, member: Member): void => {
    members.set(member.id, member);
    rows[row] ??= [];
    rows[row].push(member.id);
  };
  for (const id of ids) place(2 * layerOf.get(id)!, { id, width: nodeWidth });
  const chains = lines.map((edge) => chainOf(edge, { layerOf, isBack: backEdges.has(edge), place }));
  for (let row = 0; row < rows.length; row++) rows[row] ??= [];
  const segments = chains.flatMap(({ members: chain }) =>
    chain.slice(1).map((lower, index): Segment => ({ upper: chain[index]!, lower })),
  );
  const ordered = orderLayers(rows, segments);
  const centers = align(ordered, segments, members);
  straighten(chains, ordered, members, centers);
  const tops = rowTops(ordered, members);

  const left = Math.min(...[...centers].map(([id, center]) => center - members.get(id)!.width / 2)) - margin;
  const at = (id: string): number => centers.get(id)! - left;
  const nodes = ids.map((id): PlacedNode => {
    const row = 2 * layerOf.get(id)!;
    return { id, x: at(id) - nodeWidth / 2, y: tops[row]!, isReachable: reachable.has(id) };
  });
  const ports = portsOf(chains, at);
  const rowOf = new Map(ordered.flatMap((row, index) => row.map((id) => [id, index] as const)));
  const placedEdges = chains.map((chain): PlacedEdge => {
    const points = chain.members.flatMap((id, index): readonly Point[] => {
      const top = tops[rowOf.get(id)!]!;
      if (index === 0) return [{ x: ports(chain, 'upper'), y: top + nodeHeight }];
      if (index === chain.members.length - 1) return [{ x: ports(chain, 'lower'), y: top }];
      const height = rowOf.get(id)! % 2 === 0 ? nodeHeight : labelHeight;
      return [
        { x: at(id), y: top },
        { x: at(id), y: top + height },
      ];
    });
    const top = tops[rowOf.get(chain.labelled)!]!;
    return {
      id: chain.edge.id,
      path: curveThrough(chain.isBack ? points.reverse() : points),
      label: { x: at(chain.labelled), y: top + labelHeight / 2 },
      isBack: chain.isBack,
    };
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const placedLoops = loops.map((edge) => loopAt(edge, byId.get(edge.from)!));
  const right = Math.max(
    ...[...centers].map(([id, center]) => center - left + members.get(id)!.width / 2),
    ...placedLoops.map(({ label }, index) => label.x + loops[index]!.labelWidth / 2),
  );
  return {
    left: 0,
    top: 0,
    width: right + margin,
    height: tops.at(-1)! + nodeHeight + margin,
    nodes,
    edges: [...placedEdges, ...placedLoops],
  };
}

function chainOf(
  edge: LayoutEdge,
  how: {
    layerOf: ReadonlyMap<string, number>;
    isBack: boolean;
    place: (row: number, member: Member) => void;
  },
): Chain {
  const fromLayer = how.layerOf.get(edge.from)!;
  const toLayer = how.layerOf.get(edge.to)!;
  const [upper, lower] = fromLayer <= toLayer ? [edge.from, edge.to] : [edge.to, edge.from];
  const first = 2 * Math.min(fromLayer, toLayer);
  const last = 2 * Math.max(fromLayer, toLayer);
  const members = [upper];
  // The label stands next to the node whose decision it is.
  const labelledRow = upper === edge.from ? first + 1 : last - 1;
  let labelled = '';
  for (let row = first + 1; row < last; row++) {
    const id = `${edge.id}\u0000${row}`;
    const isLabel = row === labelledRow;
    if (isLabel) labelled = id;
    how.place(row, { id, width: isLabel ? Math.max(edge.labelWidth, 2) : 2, edge });
    members.push(id);
  }
  members.push(lower);
  return { edge, isBack: how.isBack, members, labelled };
}

/** Center of each member: near the mean of its neighbours, without overlap in its row. */
function align(
  rows: readonly (readonly string[])[],
  segments: readonly Segment[],
  members: ReadonlyMap<string, Member>,
): Map<string, number> {
  const linked = new Map<string, (readonly [id: string, weight: number])[]>();
  const link = (id: string, to: string, weight: number): void => {
    const links = linked.get(id) ?? [];
    links.push([to, weight]);
    linked.set(id, links);
  };
  for (const { upper, lower } of segments) {
    const isInner = members.get(upper)!.edge !== undefined && members.get(lower)!.edge !== undefined;
    link(upper, lower, isInner ? straightness : 1);
    link(lower, upper, isInner ? straightness : 1);
  }
  const centers = new Map<string, number>();
  for (const row of rows) {
    const packed = spread(row, members, () => 0);
    for (const [id, center] of packed) centers.set(id, center);
  }
  for (let pass = 0; pass < alignments; pass++) {
    for (const row of pass % 2 === 0 ? rows : [...rows].reverse()) {
      const idealPosition = (id: string): number => {
        const near = linked.get(id);
        if (near === undefined) return centers.get(id)!;
        let [sum, total] = [0, 0];
        for (const [neighbour, weight] of near) {
          sum += centers.get(neighbour)! * weight;
          total += weight;
        }
        return sum / total;
      };
      for (const [id, center] of spread(row, members, idealPosition)) centers.set(id, center);
    }
  }
  return centers;
}

/** Moves the members of each line to one column where all their rows have room for it. */
function straighten(
  chains: readonly Chain[],
  rows: readonly (readonly string[])[],
  members: ReadonlyMap<string, Member>,
  centers: Map<string, number>,
): void {
  const place = new Map(rows.flatMap((row) => row.map((id, index) => [id, { row, index }] as const)));
  for (const { members: chain } of chains) {
    const inner = chain.slice(1, -1);
    let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const id of inner) {
      const { row, index } = place.get(id)!;
      const [left, right] = [row[index - 1], row[index + 1]];
      const own = members.get(id)!;
      if (left !== undefined) low = Math.max(low, centers.get(left)! + separation(members.get(left)!, own));
      if (right !== undefined)
        high = Math.min(high, centers.get(right)! - separation(own, members.get(right)!));
    }
    const mean = inner.reduce((sum, id) => sum + centers.get(id)!, 0) / inner.length;
    if (inner.length > 1 && low <= high)
      for (const id of inner) centers.set(id, Math.min(high, Math.max(low, mean)));
  }
}

/**
 * Centers as near as possible to the wanted ones in the order of the row: neighbours that would overlap form a block, which
 * stands at the mean of what its members want.
 */
function spread(
  row: readonly string[],
  members: ReadonlyMap<string, Member>,
  idealPosition: (id: string) => number,
): readonly (readonly [id: string, center: number])[] {
  interface Block {
    /** Sum of the wanted centers, each less the member's offset: the mean is the best center of the first member. */
    sum: number;
    readonly ids: string[];
    /** Distance of each member from the first. */
    readonly offsets: number[];
  }
  const position = ({ sum, ids }: Block): number => sum / ids.length;
  const blocks: Block[] = [];
  for (const id of row) {
    let block: Block = { sum: idealPosition(id), ids: [id], offsets: [0] };
    for (let before = blocks.at(-1); before !== undefined; before = blocks.at(-1)) {
      const distance =
        before.offsets.at(-1)! + separation(members.get(before.ids.at(-1)!)!, members.get(block.ids[0]!)!);
      if (position(before) + distance <= position(block)) break;
      blocks.pop();
      before.sum += block.sum - distance * block.ids.length;
      before.ids.push(...block.ids);
      before.offsets.push(...block.offsets.map((offset) => offset + distance));
      block = before;
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) =>
    block.ids.map((id, index) => [id, position(block) + block.offsets[index]!] as const),
  );
}

function separation(left: Member, right: Member): number {
  const gap = left.edge === undefined && right.edge === undefined ? gapBetweenNodes : gapBetweenLines;
  return (left.width + right.width) / 2 + gap;
}

/** Upper edge of each row; rows without labels need no height. */
function rowTops(
  rows: readonly (readonly string[])[],
  members: ReadonlyMap<string, Member>,
): readonly number[] {
  let y = margin;
  return rows.map((row, index) => {
    const top = y;
    const hasLabel = row.some((id) => members.get(id)!.width > 2);
    if (index % 2 === 0) y += nodeHeight + rowGap;
    else y += hasLabel ? labelHeight + rowGap : 0;
    return top;
  });
}

/** Lines of one node leave and arrive side by side, in the order of where they lead. */
function portsOf(
  chains: readonly Chain[],
  at: (id: string) => number,
): (chain: Chain, end: 'upper' | 'lower') => number {
  const places = new Map<Chain, { upper: number; lower: number }>();
  const sides = new Map<string, { chain: Chain; end: 'upper' | 'lower'; towards: number }[]>();
  for (const chain of chains) {
    places.set(chain, { upper: 0, lower: 0 });
    for (const end of ['upper', 'lower'] as const) {
      const id = chain.members.at(end === 'upper' ? 0 : -1)!;
      const next = chain.members.at(end === 'upper' ? 1 : -2)!;
      const side = sides.get(`${end} ${id}`) ?? [];
      side.push({ chain, end, towards: at(next) });
      sides.set(`${end} ${id}`, side);
    }
  }
  for (const side of sides.values()) {
    side.sort((left, right) => left.towards - right.towards);
    const step = Math.min(26, (nodeWidth - 32) / side.length);
    for (const [index, { chain, end }] of side.entries()) {
      const id = chain.members.at(end === 'upper' ? 0 : -1)!;
      places.get(chain)![end] = at(id) + (index - (side.length - 1) / 2) * step;
    }
  }
  return (chain, end) => places.get(chain)![end];
}

export const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Straight where the line stays in its column, an S-curve where it changes it. */
function curveThrough(points: readonly Point[]): string {
  const [first, ...rest] = points as readonly [Point, ...Point[]];
  let path = `M${rounded(first.x)} ${rounded(first.y)}`;
  let last = first;
  for (const point of rest) {
    const middle = rounded((last.y + point.y) / 2);
    path +=
      Math.abs(last.x - point.x) < 0.5
        ? `L${rounded(point.x)} ${rounded(point.y)}`
        : `C${rounded(last.x)} ${middle} ${rounded(point.x)} ${middle} ${rounded(point.x)} ${rounded(point.y)}`;
    last = point;
  }
  return path;
}

/** An edge from a node to itself: a loop at its right side. */
export function loopAt(edge: LayoutEdge, { x, y }: PlacedNode): PlacedEdge {
  const right = x + nodeWidth;
  const [upper, lower] = [y + nodeHeight * 0.25, y + nodeHeight * 0.75];
  return {
    id: edge.id,
    path: `M${rounded(right)} ${upper}C${rounded(right + loopWidth)} ${upper} ${rounded(right + loopWidth)} ${lower} ${rounded(right)} ${lower}`,
    label: { x: right + loopWidth + edge.labelWidth / 2, y: y + nodeHeight / 2 },
    isBack: true,
  };
}
