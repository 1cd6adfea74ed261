import type { ApiClient } from './api-client.js';
import { type Coverage, coverageAnswerSchema, type EndedTest } from './test-records.js';

/** Of the pathways and versions that the tests ran by text, what these tests visited. */
export async function readCoverage(
  client: ApiClient,
  batchId: string,
  tests: readonly EndedTest[],
  signal: AbortSignal,
): Promise<readonly Coverage[]> {
  const tested = new Map<string, string>();
  for (const { pathway_id: pathway, version_number: version, channel, status } of tests) {
    const isCounted = status === 'PASSED' || status === 'FAILED';
    if (pathway === null || version === null || channel !== 'text' || !isCounted) continue;
    const query = new URLSearchParams({ version_number: String(version), batch_id: batchId });
    tested.set(`${pathway} ${version}`, `/agent-testing/coverage/${pathway}?${query}`);
  }
  const found: Coverage[] = [];
  for (const path of tested.values())
    found.push((await client.ask(coverageAnswerSchema, path, { signal })).data);
  return found;
}

type Part = 'nodes' | 'edges';

/** `3 of 4 nodes (75 %)`. */
export function shareText(coverage: Coverage, part: Part): string {
  const { covered, total, percent } = coverage[part];
  return `${covered} of ${total} ${part} (${percent} %)`;
}

/** What was not visited, as reports name it. */
export const missingNodes = ({ missing_nodes: nodes }: Coverage): string[] =>
  nodes.map(({ id, name }) => (name === id ? id : `${name} (${id})`));

export const missingEdges = ({ missing_edges: edges }: Coverage): string[] =>
  edges.map(
    ({ source, target, label, is_reachable: isReachable }) =>
      `${source} → ${target}: ${label}${isReachable ? '' : ' (not reachable)'}`,
  );

/** Lines of a terminal. */
export const coverageLines = (coverage: Coverage): string[] => [
  `Coverage of pathway ${coverage.pathway_id}, version ${coverage.version_number}: ${shareText(coverage, 'nodes')}, ${shareText(coverage, 'edges')}`,
  ...missingNodes(coverage).map((node) => `           missing node  ${node}`),
  ...missingEdges(coverage).map((edge) => `           missing edge  ${edge}`),
];

/** Properties of a JUnit report, by name. */
export function coverageProperties(coverage: Coverage): Readonly<Record<string, string>> {
  const prefix = `coverage.pathway.${coverage.pathway_id}.version-${coverage.version_number}`;
  return {
    [`${prefix}.nodes.percent`]: String(coverage.nodes.percent),
    [`${prefix}.nodes.missing`]: missingNodes(coverage).join('\n'),
    [`${prefix}.edges.percent`]: String(coverage.edges.percent),
    [`${prefix}.edges.missing`]: missingEdges(coverage).join('\n'),
  };
}
