import { expect, it } from 'vitest';
import { coverageOf, stepOf } from '../../../../src/control/agent-testing/analytics/coverage.js';
import { scenarioCreation } from '../../../../src/control/agent-testing/schemas/scenario.js';
import { pathwayDocumentSchema } from '../../../../src/control/pathways/index.js';

const node = (id: string) => ({ id, name: id.toUpperCase(), type: 'default', prompt: 'Speak.' });
const edge = (source: string, target: string) => ({
  id: `${source}-${target}`,
  source,
  target,
  label: `Wants ${target}`,
});
const document = pathwayDocumentSchema.parse({
  start_node_id: 'a',
  nodes: [...['a', 'b', 'c', 'd', 'island'].map(node), { id: 'end', name: 'END', type: 'end', text: 'Bye.' }],
  edges: [
    edge('a', 'b'),
    edge('b', 'c'),
    edge('c', 'end'),
    edge('a', 'd'),
    edge('d', 'a'),
    edge('island', 'end'),
  ],
});
const pathway = '9d1f5bb5-64d0-4df5-9a4d-5b8f0a3b4d57';

it('counts nodes and edges that runs visited, and suggests as few scenarios as take the others', () => {
  const found = coverageOf(pathway, document, {
    nodes: new Set(['a', 'b']),
    steps: new Set([stepOf('a', 'b')]),
  });
  expect(found.nodes).toEqual({ total: 6, covered: 2, percent: 33.3 });
  expect(found.edges).toEqual({ total: 6, covered: 1, percent: 16.7 });
  expect(found.missing_nodes.map(({ id }) => id)).toEqual(['c', 'd', 'island', 'end']);
  expect(found.missing_edges.filter((missing) => !missing.is_reachable).map(({ id }) => id)).toEqual([
    'island-end',
  ]);
  expect(found.suggested_scenarios.map(({ assertions }) => assertions[0]!.config.reference_path)).toEqual([
    ['a', 'b', 'c', 'end'],
    ['a', 'd', 'a'],
  ]);
  // The API takes each as it is.
  for (const scenario of found.suggested_scenarios)
    expect(scenarioCreation.parse(scenario).assertions).toHaveLength(1);
  expect(found.suggested_scenarios[0]!.tester_persona_prompt).toContain('3. Wants end');
});

it('is complete when each edge was taken, and suggests nothing', () => {
  const steps = new Set(document.edges.map(({ source, target }) => stepOf(source, target)));
  const found = coverageOf(pathway, document, { nodes: new Set(document.nodes.map(({ id }) => id)), steps });
  expect([found.nodes.percent, found.edges.percent]).toEqual([100, 100]);
  expect(found.suggested_scenarios).toEqual([]);
});
