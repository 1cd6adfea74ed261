import type { LayoutEdge, Point } from './graph-layout.js';

/** What the graph shows of a document. The document of an editor may be incomplete: what cannot be drawn is left out. */

export type NodeType = 'default' | 'webhook' | 'transfer' | 'end';

export interface DrawnNode {
  readonly id: string;
  readonly name: string;
  readonly type: NodeType;
  /** Absent: placed automatically. */
  readonly position?: Point;
}

export interface DrawnEdge extends LayoutEdge {
  readonly label: string;
}

export interface DrawnDocument {
  readonly start: string | undefined;
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const objectsOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const longestLabel = 26;
const characterWidth = 6.2;

/** The text, shortened to so many characters. */
export const shortened = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).trimEnd()}…`;

export function drawnDocument(document: unknown): DrawnDocument {
  const fields = isObject(document) ? document : {};
  const seen = new Set<string>();
  const nodes = objectsOf(fields.nodes).flatMap((node): DrawnNode[] => {
    const id = textOf(node.id);
    if (id === '' || seen.has(id)) return [];
    seen.add(id);
    const type = textOf(node.type);
    const isKnown = type === 'webhook' || type === 'transfer' || type === 'end';
    const drawn: DrawnNode = { id, name: textOf(node.name) || id, type: isKnown ? type : 'default' };
    const position = positionOf(node);
    return [position === undefined ? drawn : { ...drawn, position }];
  });
  const edges = objectsOf(fields.edges).map((edge, index): DrawnEdge => {
    const label = shortened(textOf(edge.label), longestLabel);
    return {
      id: `${index} ${textOf(edge.id)}`,
      from: textOf(edge.source),
      to: textOf(edge.target),
      label,
      labelWidth: label === '' ? 0 : Math.ceil(label.length * characterWidth) + 14,
    };
  });
  return { start: textOf(fields.start_node_id) || undefined, nodes, edges };
}

/** Where the node was moved to; undefined: nowhere, or its position is incomplete. */
export function positionOf({ position }: Fields): Point | undefined {
  if (!isObject(position)) return undefined;
  const { x, y } = position;
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined;
}

export interface Fault {
  readonly path?: string | undefined;
  readonly message: string;
}

/** The faults by the node that they concern: a fault of an edge concerns the node that it leaves. */
export function faultsByNode(
  document: unknown,
  faults: readonly Fault[],
): ReadonlyMap<string, readonly string[]> {
  const fields = isObject(document) ? document : {};
  const byNode = new Map<string, string[]>();
  for (const { path, message } of faults) {
    const [, list, position] = /^document\.(nodes|edges)\.(\d+)/.exec(path ?? '') ?? [];
    const all = list === undefined ? undefined : fields[list];
    const item: unknown = Array.isArray(all) ? all[Number(position)] : undefined;
    if (!isObject(item)) continue;
    const id = textOf(list === 'nodes' ? item.id : item.source);
    byNode.set(id, [...(byNode.get(id) ?? []), message]);
  }
  return byNode;
}

/** Steps of a conversation along the edges: `a>b` and how often it was taken. */
export function stepsOf(visited: readonly string[]): ReadonlyMap<string, number> {
  const steps = new Map<string, number>();
  for (const [index, to] of visited.slice(1).entries()) {
    const step = `${visited[index]}>${to}`;
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return steps;
}
