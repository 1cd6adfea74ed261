/** Changes to the document of an editor that a form makes. Pure: each returns a new document. */

import { positionOf } from './drawn-document.js';
import { nodeHeight, nodeWidth, type Point } from './graph-layout.js';

export type Fields = Readonly<Record<string, unknown>>;

const columnWidth = nodeWidth + 30;
const rowHeight = nodeHeight + 84;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

export const nodesOf = (document: unknown): readonly Fields[] => listOf(document, 'nodes');
export const edgesOf = (document: unknown): readonly Fields[] => listOf(document, 'edges');

function listOf(document: unknown, field: 'nodes' | 'edges'): readonly Fields[] {
  const list = isObject(document) ? document[field] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** @param change fields to set; undefined removes the field */
export function changeNode(document: unknown, id: string, change: Fields): unknown {
  return {
    ...(document as Fields),
    nodes: nodesOf(document).map((node) => (node.id === id ? definedFields({ ...node, ...change }) : node)),
  };
}

/** The document with a new node after `from`, and an edge to it. Below a moved node, it is placed there. */
export function addNode(document: unknown, from: string | undefined): { document: unknown; id: string } {
  const id = freeId('node', nodesOf(document));
  const before = nodesOf(document).find((node) => node.id === from);
  const above = before === undefined ? undefined : positionOf(before);
  const siblings = edgesOf(document).filter(({ source }) => source === from).length;
  const node = definedFields({
    id,
    name: 'New node',
    type: 'default',
    prompt: 'What the agent does at this node.',
    position: above && { x: above.x + siblings * columnWidth, y: above.y + rowHeight },
  });
  const edge = { id: freeId('edge', edgesOf(document)), source: from, target: id, label: 'When to go here' };
  return {
    document: {
      ...(document as Fields),
      nodes: [...nodesOf(document), node],
      edges: from === undefined ? edgesOf(document) : [...edgesOf(document), edge],
    },
    id,
  };
}

/** The document with another id of the node, in its edges and as the start too. The id must be free. */
export function renameNode(document: unknown, from: string, to: string): unknown {
  const named = (id: unknown): unknown => (id === from ? to : id);
  const { start_node_id } = document as Fields;
  return {
    ...(document as Fields),
    start_node_id: named(start_node_id),
    nodes: nodesOf(document).map((node) => ({ ...node, id: named(node.id) })),
    edges: edgesOf(document).map((edge) => ({
      ...edge,
      source: named(edge.source),
      target: named(edge.target),
    })),
  };
}

export type NodeType = 'default' | 'webhook' | 'transfer' | 'end';

/** The node as another type: with the fields that both have, and those that the type needs. */
export function changeType(document: unknown, id: string, type: NodeType): unknown {
  const convert = ({
    name,
    position,
    prompt,
    text,
    webhook,
    transfer_to,
    condition,
    extract,
    kb_ids,
  }: Fields): Fields => {
    const said = text === undefined ? { prompt: prompt ?? 'What the agent says.' } : { text };
    const own: Readonly<Record<NodeType, Fields>> = {
      default: { ...said, condition, extract, kb_ids },
      webhook: { webhook: webhook ?? { url: 'https://', method: 'POST' } },
      transfer: { ...said, transfer_to: transfer_to ?? '' },
      end: said,
    };
    return definedFields({ id, name, type, position, ...own[type] });
  };
  return {
    ...(document as Fields),
    nodes: nodesOf(document).map((node) => (node.id === id && node.type !== type ? convert(node) : node)),
  };
}

export const moveNode = (document: unknown, id: string, position: Point): unknown =>
  changeNode(document, id, { position });

/** Without positions, so that all nodes are placed automatically. */
export function clearPositions(document: unknown): unknown {
  return {
    ...(document as Fields),
    nodes: nodesOf(document).map((node) => definedFields({ ...node, position: undefined })),
  };
}

export function changeSettings(document: unknown, change: Fields): unknown {
  const { settings } = document as Fields;
  return {
    ...(document as Fields),
    settings: definedFields({ ...(isObject(settings) ? settings : {}), ...change }),
  };
}

export function addEdge(document: unknown, source: string, target: string): unknown {
  const edge = { id: freeId('edge', edgesOf(document)), source, target, label: 'When to go here' };
  return { ...(document as Fields), edges: [...edgesOf(document), edge] };
}

export function changeEdge(document: unknown, id: unknown, change: Fields): unknown {
  return {
    ...(document as Fields),
    edges: edgesOf(document).map((edge) => (edge.id === id ? definedFields({ ...edge, ...change }) : edge)),
  };
}

/**
 * The document with the edge tried before or after its neighbour among the edges that leave the same node.
 * @param by −1: earlier, 1: later
 */
export function reorderEdge(document: unknown, id: unknown, by: -1 | 1): unknown {
  const edges = edgesOf(document);
  const from = edges.findIndex((edge) => edge.id === id);
  const rivals = [...edges.keys()].filter((at) => edges[at]!.source === edges[from]?.source);
  const to = rivals[rivals.indexOf(from) + by];
  if (from < 0 || to === undefined) return document;
  return {
    ...(document as Fields),
    edges: edges.map((edge, at) => (at === from ? edges[to]! : at === to ? edges[from]! : edge)),
  };
}

export function removeEdge(document: unknown, id: unknown): unknown {
  return { ...(document as Fields), edges: edgesOf(document).filter((edge) => edge.id !== id) };
}

/** Removes the node with its edges. */
export function removeNode(document: unknown, id: string): unknown {
  return {
    ...(document as Fields),
    nodes: nodesOf(document).filter((node) => node.id !== id),
    edges: edgesOf(document).filter(({ source, target }) => source !== id && target !== id),
  };
}

export const definedFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function freeId(prefix: string, taken: readonly Fields[]): string {
  const ids = new Set(taken.map(({ id }) => id));
  let number = taken.length + 1;
  while (ids.has(`${prefix}_${number}`)) number++;
  return `${prefix}_${number}`;
}
