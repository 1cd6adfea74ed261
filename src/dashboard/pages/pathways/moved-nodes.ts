import {
  type GraphLayout,
  type LayoutEdge,
  labelHeight,
  loopAt,
  margin,
  nodeHeight,
  nodeWidth,
  type PlacedEdge,
  type PlacedNode,
  type Point,
  rounded,
} from './graph-layout.js';

/** Draws moved nodes where they are, and their edges straight to their neighbours. Pure, like the automatic layout. */

/** The least height between two nodes for an edge from the lower border of one to the upper border of the other. */
const smallestGap = 12;
/** Between edges at one border of a node. */
const portDistance = 26;

type Side = 'top' | 'bottom' | 'left' | 'right';

interface Line {
  readonly placed: PlacedEdge;
  readonly from: PlacedNode;
  readonly to: PlacedNode;
  readonly leaves: Side;
  readonly arrives: Side;
}

/**
 * @param automatic the layout of the same nodes and edges
 * @param positions upper left corners of the moved nodes
 */
export function placeMoved(
  automatic: GraphLayout,
  edges: readonly LayoutEdge[],
  positions: ReadonlyMap<string, Point>,
): GraphLayout {
  if (positions.size === 0) return automatic;
  const nodes = automatic.nodes.map((node) => ({ ...node, ...positions.get(node.id) }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const edgesById = new Map(edges.map((edge) => [edge.id, edge]));
  const lines: Line[] = [];
  const unrouted: PlacedEdge[] = [];
  for (const placed of automatic.edges) {
    const edge = edgesById.get(placed.id)!;
    const from = byId.get(edge.from)!;
    if (!positions.has(edge.from) && !positions.has(edge.to)) unrouted.push(placed);
    else if (edge.from === edge.to) unrouted.push(loopAt(edge, from));
    else lines.push(lineBetween(placed, from, byId.get(edge.to)!));
  }
  const drawn = [...unrouted, ...drawLines(lines)];
  const isAllMoved = nodes.every(({ id }) => positions.has(id));
  return {
    ...boundsOf(nodes, drawn, { edgesById, automatic: isAllMoved ? undefined : automatic }),
    nodes,
    edges: drawn,
  };
}

function lineBetween(placed: PlacedEdge, from: PlacedNode, to: PlacedNode): Line {
  const line = { placed, from, to };
  if (to.y - from.y >= nodeHeight + smallestGap) return { ...line, leaves: 'bottom', arrives: 'top' };
  if (from.y - to.y >= nodeHeight + smallestGap) return { ...line, leaves: 'top', arrives: 'bottom' };
  return from.x <= to.x
    ? { ...line, leaves: 'right', arrives: 'left' }
    : { ...line, leaves: 'left', arrives: 'right' };
}

function drawLines(lines: readonly Line[]): PlacedEdge[] {
  const ports = portsOf(lines);
  // Edges between the same two nodes have their labels one after the other along the way.
  const pairs = new Map<string, Line[]>();
  for (const line of lines) push(pairs, [line.from.id, line.to.id].sort().join(' '), line);
  return lines.map((line) => {
    const pair = pairs.get([line.from.id, line.to.id].sort().join(' '))!;
    const index = pair.indexOf(line);
    const share = (index + 1) / (pair.length + 1);
    const [start, end] = ports.get(line)!;
    const isVertical = line.leaves === 'top' || line.leaves === 'bottom';
    const middle = isVertical ? (start.y + end.y) / 2 : (start.x + end.x) / 2;
    const bend = (point: Point): Point =>
      isVertical ? { x: point.x, y: middle } : { x: middle, y: point.y };
    const curve = [start, bend(start), bend(end), end] as const;
    const [first, ...rest] = curve.map(({ x, y }) => `${rounded(x)} ${rounded(y)}`);
    return {
      id: line.placed.id,
      path: `M${first}C${rest.join(' ')}`,
      // Measured from the same end for both directions, so that two labels never meet.
      label: pointOn(curve, line.from.id < line.to.id ? share : 1 - share),
      isBack: line.placed.isBack,
    };
  });
}

/** Both ends of each line: side by side at the border of a node, in the order of where they lead. */
function portsOf(lines: readonly Line[]): ReadonlyMap<Line, readonly [Point, Point]> {
  const ends = new Map<string, { line: Line; node: PlacedNode; side: Side; towards: number }[]>();
  for (const line of lines) {
    for (const [node, side, opposite] of [
      [line.from, line.leaves, line.to],
      [line.to, line.arrives, line.from],
    ] as const) {
      const isVertical = side === 'top' || side === 'bottom';
      push(ends, `${node.id} ${side}`, { line, node, side, towards: isVertical ? opposite.x : opposite.y });
    }
  }
  const found = new Map<Line, { start?: Point; end?: Point }>();
  for (const border of ends.values()) {
    border.sort((left, right) => left.towards - right.towards);
    for (const [index, { line, node, side }] of border.entries()) {
      const isVertical = side === 'top' || side === 'bottom';
      const length = isVertical ? nodeWidth - 32 : nodeHeight - 16;
      const shift = (index - (border.length - 1) / 2) * Math.min(portDistance, length / border.length);
      const places = found.get(line) ?? {};
      places[node === line.from ? 'start' : 'end'] = pointAt(node, side, shift);
      found.set(line, places);
    }
  }
  return new Map([...found].map(([line, { start, end }]) => [line, [start!, end!]]));
}

function pointAt({ x, y }: PlacedNode, side: Side, shift: number): Point {
  if (side === 'top' || side === 'bottom')
    return { x: x + nodeWidth / 2 + shift, y: side === 'top' ? y : y + nodeHeight };
  return { x: side === 'left' ? x : x + nodeWidth, y: y + nodeHeight / 2 + shift };
}

/** A point of a cubic Bézier curve. @param share 0 at its start, 1 at its end */
function pointOn([start, first, second, end]: readonly [Point, Point, Point, Point], share: number): Point {
  const rest = 1 - share;
  const mix = (axis: 'x' | 'y'): number =>
    rest ** 3 * start[axis] +
    3 * rest ** 2 * share * first[axis] +
    3 * rest * share ** 2 * second[axis] +
    share ** 3 * end[axis];
  return { x: mix('x'), y: mix('y') };
}

/** @param automatic undefined: nothing of the automatic layout is drawn */
function boundsOf(
  nodes: readonly PlacedNode[],
  edges: readonly PlacedEdge[],
  {
    edgesById,
    automatic,
  }: { edgesById: ReadonlyMap<string, LayoutEdge>; automatic: GraphLayout | undefined },
): Pick<GraphLayout, 'left' | 'top' | 'width' | 'height'> {
  const boxes = [
    ...nodes.map(({ x, y }) => ({ x, y, width: nodeWidth, height: nodeHeight })),
    ...edges.map(({ id, label: { x, y } }) => {
      const width = edgesById.get(id)!.labelWidth;
      return { x: x - width / 2, y: y - labelHeight / 2, width, height: labelHeight };
    }),
  ];
  const left = Math.min(...boxes.map(({ x }) => x - margin), automatic?.left ?? Number.POSITIVE_INFINITY);
  const top = Math.min(...boxes.map(({ y }) => y - margin), automatic?.top ?? Number.POSITIVE_INFINITY);
  const right = Math.max(...boxes.map(({ x, width }) => x + width + margin), automatic?.width ?? left);
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height + margin), automatic?.height ?? top);
  return { left, top, width: right - left, height: bottom - top };
}

function push<Item>(groups: Map<string, Item[]>, key: string, item: Item): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}
