import type { PathwayDocument, PathwayEdge } from '../../pathways/index.js';
import type { Coverage } from '../schemas/coverage.js';
import { largestMaximumTurns } from '../schemas/limits.js';
import { shareCovered } from '../statistics/share-covered.js';

/** What runs visited. */
export interface Visits {
  readonly nodes: ReadonlySet<string>;
  /** By `stepOf`. */
  readonly steps: ReadonlySet<string>;
}

const maximumSuggestions = 50;

/** From one node to the next one. */
export const stepOf = (source: string, target: string): string => `${source} ${target}`;

/** Which nodes and edges runs visited, which not, and scenarios that would. */
export function coverageOf(
  pathwayId: string,
  document: PathwayDocument,
  { nodes, steps }: Visits,
): Omit<Coverage, 'version_number' | 'runs'> {
  const isTaken = ({ source, target }: PathwayEdge): boolean => steps.has(stepOf(source, target));
  const missing = document.edges.filter((edge) => !isTaken(edge));
  const paths = pathsFromStart(document);
  const missingNodes = document.nodes.filter(({ id }) => !nodes.has(id));
  return {
    pathway_id: pathwayId,
    nodes: shareCovered(document.nodes.length, document.nodes.length - missingNodes.length),
    edges: shareCovered(document.edges.length, document.edges.length - missing.length),
    missing_nodes: missingNodes.map(({ id, name }) => ({ id, name })),
    missing_edges: missing.map(({ id, source, target, label }) => ({
      id,
      source,
      target,
      label,
      is_reachable: paths.has(source),
    })),
    suggested_scenarios: suggestions(missing, paths).map((path) => scenarioOn(pathwayId, document, path)),
  };
}

/** The fewest edges from the start to each node that can be reached. */
function pathsFromStart({
  start_node_id: start,
  edges,
}: PathwayDocument): Map<string, readonly PathwayEdge[]> {
  const paths = new Map<string, readonly PathwayEdge[]>([[start, []]]);
  // A map is read in the order of its entries, also of those that are added meanwhile.
  for (const [node, path] of paths)
    for (const edge of edges)
      if (edge.source === node && !paths.has(edge.target)) paths.set(edge.target, [...path, edge]);
  return paths;
}

/** Paths that take each missing edge: the longest first, since they take shorter ones along. */
function suggestions(
  missing: readonly PathwayEdge[],
  paths: ReadonlyMap<string, readonly PathwayEdge[]>,
): (readonly PathwayEdge[])[] {
  const all = missing.flatMap((edge) => {
    const before = paths.get(edge.source);
    return before === undefined ? [] : [[...before, edge]];
  });
  const taken = new Set<string>();
  const chosen: (readonly PathwayEdge[])[] = [];
  for (const path of all.sort((left, right) => right.length - left.length)) {
    const { source, target } = path.at(-1)!;
    if (taken.has(stepOf(source, target)) || chosen.length === maximumSuggestions) continue;
    for (const edge of path) taken.add(stepOf(edge.source, edge.target));
    chosen.push(path);
  }
  return chosen;
}

function scenarioOn(
  pathwayId: string,
  { start_node_id: start, nodes }: PathwayDocument,
  path: readonly PathwayEdge[],
): Coverage['suggested_scenarios'][number] {
  const nameOf = (id: string): string => nodes.find((node) => node.id === id)?.name ?? id;
  const { id, source, target } = path.at(-1)!;
  const steps = path.map(
    ({ label, condition }, at) => `${at + 1}. ${label}${condition === undefined ? '' : ` (${condition})`}`,
  );
  return {
    name: `${nameOf(source)} to ${nameOf(target)} (${id})`.slice(0, 200),
    pathway_id: pathwayId,
    tester_persona_prompt: [
      'You call, and behave so that the conversation takes this course, one point after the other:',
      ...steps,
      'Invent what the agent asks for. Once the last point is reached and answered, say goodbye.',
    ]
      .join('\n')
      .slice(0, 20_000),
    max_turns: Math.min(largestMaximumTurns, 2 * path.length + 4),
    assertions: [
      {
        type: 'TRAVERSAL_MATCH',
        name: 'Takes the path',
        config: { reference_path: [start, ...path.map((edge) => edge.target)], mode: 'subsequence' },
      },
    ],
  };
}
