/** Assigns the nodes of a directed graph to layers: the first steps of a layered drawing (Sugiyama, Tagawa and Toda 1981). */

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

export interface Layering {
  /** Layer of each node; 0 is the first. */
  readonly layerOf: ReadonlyMap<string, number>;
  /** Edges that lead back to an earlier node; layers ignore their direction. */
  readonly backEdges: ReadonlySet<GraphEdge>;
  /** Nodes that a walk from the start visits. */
  readonly reachable: ReadonlySet<string>;
}

/**
 * Each node stands below all its predecessors, except along the edges that close a cycle. Nodes that the start does not
 * reach follow below those that it reaches.
 * @param ids in the order of the document, which decides where several layouts are equally good
 * @param edges between these ids
 */
export function layersOf(
  ids: readonly string[],
  edges: readonly GraphEdge[],
  start: string | undefined,
): Layering {
  const outgoing = new Map<string, GraphEdge[]>(ids.map((id) => [id, []]));
  for (const edge of edges) outgoing.get(edge.from)?.push(edge);
  const order: string[] = [];
  const backEdges = new Set<GraphEdge>();
  const state = new Map<string, 'open' | 'done'>();

  // With a stack instead of recursion: a chain may have thousands of nodes.
  const visit = (root: string): void => {
    if (state.has(root)) return;
    state.set(root, 'open');
    const stack = [{ id: root, next: 0 }];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const edge = outgoing.get(top.id)![top.next++];
      if (edge === undefined) {
        state.set(top.id, 'done');
        order.push(top.id);
        stack.pop();
      } else if (state.get(edge.to) === 'open') {
        backEdges.add(edge);
      } else if (!state.has(edge.to) && outgoing.has(edge.to)) {
        state.set(edge.to, 'open');
        stack.push({ id: edge.to, next: 0 });
      }
    }
  };

  if (start !== undefined && outgoing.has(start)) visit(start);
  const reachable = new Set(state.keys());
  for (const id of ids) visit(id);

  const layerOf = new Map<string, number>(ids.map((id) => [id, 0]));
  const forward = order.reverse();
  const settle = (members: readonly string[]): void => {
    for (const id of members) {
      for (const edge of outgoing.get(id)!) {
        if (backEdges.has(edge) || reachable.has(edge.to) !== reachable.has(id)) continue;
        layerOf.set(edge.to, Math.max(layerOf.get(edge.to)!, layerOf.get(id)! + 1));
      }
    }
  };
  const reached = forward.filter((id) => reachable.has(id));
  settle(reached);
  const unreached = forward.filter((id) => !reachable.has(id));
  const below = reached.length === 0 ? 0 : Math.max(...reached.map((id) => layerOf.get(id)!)) + 1;
  for (const id of unreached) layerOf.set(id, below);
  settle(unreached);
  // An edge from a node that is not reached to one that is reached leads upwards.
  for (const edge of edges) {
    if (layerOf.has(edge.from) && (layerOf.get(edge.to) ?? 0) <= layerOf.get(edge.from)!) backEdges.add(edge);
  }
  return { layerOf, backEdges, reachable };
}
