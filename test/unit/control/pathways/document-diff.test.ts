import { describe, expect, it } from 'vitest';
import { compareDocuments } from '../../../../src/control/pathways/document-diff.js';
import { documentWith } from './sample-document.js';

describe('the difference of two pathway documents', () => {
  it('is empty for equal ones, in whatever order their nodes are', () => {
    const reversed = documentWith((d) => void d.nodes.reverse());
    expect(compareDocuments(documentWith(), reversed)).toEqual([]);
  });

  it('names node, edge and field with both values', () => {
    const after = documentWith((d) => {
      (d.nodes[0] as { prompt?: string }).prompt = 'Ask for a day.';
      d.nodes = d.nodes.filter(({ id }) => id !== 'human');
      d.edges = d.edges!.filter(({ target }) => target !== 'human');
      d.edges!.push({ id: 'sorry', source: 'lookup', target: 'goodbye', label: 'No slot' });
      d.settings!.global_prompt = 'Be brief.';
    });
    const changes = compareDocuments(documentWith(), after);
    expect(changes.map(({ kind, element, id, field }) => [kind, element, id, field])).toEqual([
      ['changed', 'node', 'greeting', 'prompt'],
      ['removed', 'node', 'human', null],
      ['removed', 'edge', 'refused', null],
      ['removed', 'edge', 'full', null],
      ['added', 'edge', 'sorry', null],
      ['added', 'settings', null, 'global_prompt'],
    ]);
    expect(changes[0]).toMatchObject({
      name: 'Greeting',
      before: 'Ask {{caller}} for a day.',
      after: 'Ask for a day.',
    });
  });

  it('calls a node that was moved in the graph a change of layout', () => {
    const moved = documentWith((d) => {
      d.nodes[0]!.position = { x: 40, y: -20 };
    });
    expect(compareDocuments(documentWith(), moved)).toEqual([
      {
        kind: 'added',
        element: 'node',
        id: 'greeting',
        name: 'Greeting',
        field: 'position',
        affects: 'layout',
        before: null,
        after: { x: 40, y: -20 },
      },
    ]);
    const renamed = documentWith((d) => {
      d.nodes[0]!.name = 'Hello';
    });
    expect(compareDocuments(documentWith(), renamed)).toMatchObject([{ affects: 'conversation' }]);
  });

  it('shows another order of edges, which decides which one is taken', () => {
    const after = documentWith((d) => void d.edges!.reverse());
    expect(compareDocuments(documentWith(), after)).toMatchObject([
      { element: 'edge', field: 'order', before: ['named', 'refused', 'free', 'full'] },
    ]);
  });
});
