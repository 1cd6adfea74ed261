/** Changes to the document of an editor that a form makes. Pure: each returns a new document. */

export type Fields = Readonly<Record<string, unknown>>;

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
    nodes: nodesOf(document).map((node) => (node.id === id ? without({ ...node, ...change }) : node)),
  };
}

/** The document with a new node after `from`, and an edge to it. */
export function addNode(document: unknown, from: string | undefined): { document: unknown; id: string } {
  const id = freeId('node', nodesOf(document));
  const node = { id, name: 'New node', type: 'default', prompt: 'What the agent does at this node.' };
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

export function addEdge(document: unknown, source: string, target: string): unknown {
  const edge = { id: freeId('edge', edgesOf(document)), source, target, label: 'When to go here' };
  return { ...(document as Fields), edges: [...edgesOf(document), edge] };
}

export function changeEdge(document: unknown, id: unknown, change: Fields): unknown {
  return {
    ...(document as Fields),
    edges: edgesOf(document).map((edge) => (edge.id === id ? without({ ...edge, ...change }) : edge)),
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

const without = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function freeId(prefix: string, taken: readonly Fields[]): string {
  const ids = new Set(taken.map(({ id }) => id));
  let number = taken.length + 1;
  while (ids.has(`${prefix}_${number}`)) number++;
  return `${prefix}_${number}`;
}
