import { isFinal, type PathwayDocument, type PathwayEdge, type PathwayNode } from './document.js';
import { type UnsetUse, unsetUses } from './variables.js';

/** A problem of a document; `path` as `nodes.3.prompt`. */
export interface DocumentFault {
  readonly path: string;
  readonly message: string;
}

/** What is allowed but is probably a mistake. */
export interface DocumentWarning {
  readonly node_id: string;
  readonly message: string;
}

export interface DocumentCheck {
  /** Empty: a conversation can follow the document. */
  readonly faults: readonly DocumentFault[];
  readonly warnings: readonly DocumentWarning[];
}

/** Checks what the schema cannot: references, paths from the start, and variables. Every message names the node or edge. */
export function checkDocument(document: PathwayDocument): DocumentCheck {
  const faults = [
    ...duplicates(document.nodes, 'nodes', 'node'),
    ...duplicates(document.edges, 'edges', 'edge'),
    ...document.nodes.flatMap((node, index) => nodeFaults(document, node, `nodes.${index}`)),
    ...edgeFaults(document),
    ...settingsFaults(document),
  ];
  // Paths say something only of a graph whose references are right.
  if (faults.length > 0) return { faults, warnings: [] };
  const reachable = reachableNodes(document);
  const unset = unsetUses(document, reachable);
  return {
    faults: [...silentCircles(document), ...neverSet(document, unset)],
    warnings: warningsOf(document, { reachable, unset }),
  };
}

function duplicates(
  items: readonly { readonly id: string }[],
  list: 'nodes' | 'edges',
  kind: string,
): DocumentFault[] {
  const seen = new Set<string>();
  return items.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [
      { path: `${list}.${index}.id`, message: `Another ${kind} has the id ${id}; ids must be unique.` },
    ];
  });
}

function nodeFaults(document: PathwayDocument, node: PathwayNode, path: string): DocumentFault[] {
  const found: DocumentFault[] = [];
  const fault = (field: string, problem: string): void => {
    found.push({ path: `${path}.${field}`, message: `Node ${node.id}: ${problem}` });
  };
  const leaving = document.edges.filter(({ source }) => source === node.id);
  if (isFinal(node) && leaving.length > 0)
    fault('type', `its type ${node.type} ends the conversation, so it can have no edge (${leaving[0]!.id}).`);
  if (node.type === 'webhook') {
    if (leaving.length === 0) fault('id', 'a webhook node needs an edge to continue with.');
    const { url, method, body } = node.webhook;
    if (!/^https?:\/\/[^/{]/i.test(url))
      fault('webhook.url', `${url.slice(0, 100)} is not an http:// or https:// address with a host.`);
    if (method === 'GET' && body !== undefined)
      fault('webhook.body', 'GET has no body; use POST, or put the values into the URL.');
    return found;
  }
  if (node.prompt !== undefined && node.text !== undefined)
    fault('text', 'prompt and text exclude each other: send one.');
  if (node.type === 'default') {
    if (node.prompt === undefined && node.text === undefined) fault('prompt', 'prompt or text is required.');
    const names = node.extract.map(({ name }) => name);
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) !== index)
        fault(`extract.${index}.name`, `the variable ${name} is extracted twice.`);
    }
  }
  return found;
}

function edgeFaults({ nodes, edges }: PathwayDocument): DocumentFault[] {
  const ids = new Set(nodes.map(({ id }) => id));
  return edges.flatMap((edge, index) => [
    ...(['source', 'target'] as const)
      .filter((end) => !ids.has(edge[end]))
      .map((end) => ({
        path: `edges.${index}.${end}`,
        message: `Edge ${edge.id}: there is no node ${edge[end]}.`,
      })),
    ...(edge.when ?? []).flatMap(({ operator, value }, position) => {
      const needsNone = operator === 'is_set' || operator === 'is_not_set';
      if (needsNone === (value === undefined)) return [];
      const message = `Edge ${edge.id}: ${operator} ${needsNone ? 'takes no value' : 'needs a value'}.`;
      return [{ path: `edges.${index}.when.${position}.value`, message }];
    }),
  ]);
}

function settingsFaults({ nodes, start_node_id, settings: { variables } }: PathwayDocument): DocumentFault[] {
  const names = variables.map(({ name }) => name);
  return [
    ...(nodes.some(({ id }) => id === start_node_id)
      ? []
      : [{ path: 'start_node_id', message: `There is no node ${start_node_id} to start at.` }]),
    ...names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : [{ path: `settings.variables.${index}.name`, message: `The variable ${name} is declared twice.` }],
    ),
  ];
}

/** Ids of the nodes that some path from the start leads to. */
function reachableNodes({ start_node_id, edges }: PathwayDocument): ReadonlySet<string> {
  const reached = new Set([start_node_id]);
  // A set visits what is added meanwhile.
  for (const id of reached) {
    for (const { source, target } of edges) if (source === id) reached.add(target);
  }
  return reached;
}

/** Webhook nodes that lead back to themselves without a node that listens: a conversation would never end. */
function silentCircles({ nodes, edges }: PathwayDocument): DocumentFault[] {
  const silent = new Set(nodes.filter(({ type }) => type === 'webhook').map(({ id }) => id));
  const targets = new Map<string, string[]>([...silent].map((id) => [id, []]));
  for (const { source, target } of edges) if (silent.has(target)) targets.get(source)?.push(target);
  // Whatever is left after the removal of all that lead to none of them leads to a circle.
  const isLeaving = (id: string): boolean => !targets.get(id)!.some((target) => silent.has(target));
  for (let left = -1; left !== silent.size; ) {
    left = silent.size;
    for (const id of silent) if (isLeaving(id)) silent.delete(id);
  }
  const walked = new Set<string>();
  let [circling] = silent;
  while (circling !== undefined && !walked.has(circling)) {
    walked.add(circling);
    circling = targets.get(circling)!.find((target) => silent.has(target));
  }
  if (circling === undefined) return [];
  const message = `Node ${circling}: it leads back to itself through webhook nodes only, without a turn of the caller.`;
  return [{ path: `nodes.${nodes.findIndex(({ id }) => id === circling)}.id`, message }];
}

function neverSet(document: PathwayDocument, unset: readonly UnsetUse[]): DocumentFault[] {
  return unset
    .filter(({ set }) => set === 'never')
    .map(({ node, edge, name, field }) => {
      const advice =
        'no node on the way to it extracts this variable. Extract it earlier, or declare it in settings.variables.';
      return edge === undefined
        ? {
            path: `nodes.${document.nodes.indexOf(node)}.${field}`,
            message: `Node ${node.id} uses ${name}, but ${advice}`,
          }
        : {
            path: `edges.${document.edges.indexOf(edge)}.${field}`,
            message: `Edge ${edge.id} of node ${node.id} uses ${name}, but ${advice}`,
          };
    });
}

function warningsOf(
  document: PathwayDocument,
  { reachable, unset }: { readonly reachable: ReadonlySet<string>; readonly unset: readonly UnsetUse[] },
): DocumentWarning[] {
  const { nodes, edges, start_node_id } = document;
  const leaves = (id: string): boolean => edges.some(({ source }) => source === id);
  const reached = nodes.filter(({ id }) => reachable.has(id));
  const sometimes = new Map<string, DocumentWarning>();
  for (const { node, edge, name, set } of unset) {
    if (set === 'never') continue;
    const user = usedBy(node, edge);
    const message = `${user} uses ${name}, which not every path to it has set.`;
    sometimes.set(`${user} ${name}`, { node_id: node.id, message });
  }
  return [
    ...nodes
      .filter(({ id }) => !reachable.has(id))
      .map(({ id }) => ({ node_id: id, message: `Node ${id} cannot be reached from ${start_node_id}.` })),
    ...reached
      .filter((node) => !isFinal(node) && !leaves(node.id))
      .map(({ id }) => ({
        node_id: id,
        message: `Node ${id} has no edge: the conversation stays there until the caller hangs up.`,
      })),
    ...(reached.some(isFinal)
      ? []
      : [
          {
            node_id: start_node_id,
            message: `No end or transfer node can be reached from ${start_node_id}.`,
          },
        ]),
    ...sometimes.values(),
  ];
}

const usedBy = (node: PathwayNode, edge: PathwayEdge | undefined): string =>
  edge === undefined ? `Node ${node.id}` : `Edge ${edge.id} of node ${node.id}`;
