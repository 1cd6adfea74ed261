import { describe, expect, it } from 'vitest';
import {
  addEdge,
  addNode,
  changeEdge,
  changeSettings,
  changeType,
  clearPositions,
  edgesOf,
  moveNode,
  nodesOf,
  removeEdge,
  removeNode,
  renameNode,
  reorderEdge,
} from '../../../../../src/dashboard/pages/pathways/document-edits.js';

const document = {
  start_node_id: 'a',
  nodes: [
    {
      id: 'a',
      name: 'Greeting',
      type: 'default',
      prompt: 'Greet.',
      kb_ids: ['kb'],
      position: { x: 10, y: 20 },
    },
    { id: 'b', name: 'Order', type: 'webhook', webhook: { url: 'https://x', method: 'GET' } },
    { id: 'c', name: 'Bye', type: 'end', text: 'Bye.' },
  ],
  edges: [
    { id: 'ab', source: 'a', target: 'b', label: 'Order' },
    { id: 'ba', source: 'b', target: 'a', label: 'Again' },
    { id: 'ac', source: 'a', target: 'c', label: 'Done' },
  ],
  settings: { global_prompt: 'Be kind.', language: 'en' },
};
type Document = typeof document;

const idsOf = (edited: unknown): unknown[] => edgesOf(edited).map(({ id }) => id);

describe('an edge', () => {
  it('is tried before or after the next one that leaves the same node', () => {
    expect(idsOf(reorderEdge(document, 'ab', 1))).toEqual(['ac', 'ba', 'ab']);
    expect(idsOf(reorderEdge(document, 'ac', -1))).toEqual(['ac', 'ba', 'ab']);
  });

  it('stays where it is the first, the last, the only one or unknown', () => {
    for (const [id, by] of [
      ['ab', -1],
      ['ac', 1],
      ['ba', 1],
      ['ba', -1],
      ['none', 1],
    ] as const)
      expect(reorderEdge(document, id, by)).toBe(document);
  });

  it('is added with a free id, changed alone, and removed alone', () => {
    const added = addEdge(
      { ...document, edges: [...document.edges, { id: 'edge_5' }] },
      'b',
      'c',
    ) as Document;
    expect(added.edges.at(-1)).toMatchObject({ id: 'edge_6', source: 'b', target: 'c' });
    const changed = changeEdge(document, 'ba', { label: undefined, condition: 'x' }) as Document;
    expect(changed.edges[1]).toEqual({ id: 'ba', source: 'b', target: 'a', condition: 'x' });
    expect(changed.edges[0]).toBe(document.edges[0]);
    expect(idsOf(removeEdge(document, 'ba'))).toEqual(['ab', 'ac']);
  });
});

describe('a node', () => {
  it('has its new id everywhere', () => {
    const renamed = renameNode(document, 'a', 'start') as Document;
    expect(renamed.start_node_id).toBe('start');
    expect(renamed.nodes.map(({ id }) => id)).toEqual(['start', 'b', 'c']);
    expect(renamed.edges.map(({ source, target }) => [source, target])).toEqual([
      ['start', 'b'],
      ['b', 'start'],
      ['start', 'c'],
    ]);
    expect((renameNode(document, 'c', 'end') as Document).start_node_id).toBe('a');
  });

  it('takes the edges that begin or end there with it', () => {
    const removed = removeNode(document, 'b');
    expect(nodesOf(removed).map(({ id }) => id)).toEqual(['a', 'c']);
    expect(idsOf(removed)).toEqual(['ac']);
  });

  it('is added below a node that was moved, beside those that follow it already', () => {
    const below = (addNode(document, 'a').document as Document).nodes.at(-1)!;
    const { x, y } = below.position!;
    expect(x).toBeGreaterThan(10);
    expect(y).toBeGreaterThan(20);
    const first = (addNode({ ...document, edges: [] }, 'a').document as Document).nodes.at(-1)!;
    expect(first.position!.x).toBe(10);
    expect((addNode(document, 'b').document as Document).nodes.at(-1)).not.toHaveProperty('position');
  });

  it('is added without an edge where no node leads to it', () => {
    const { document: added, id } = addNode(document, undefined);
    expect(id).toBe('node_4');
    expect(idsOf(added)).toEqual(idsOf(document));
  });

  it('is moved, and back where all are placed automatically', () => {
    const moved = moveNode(document, 'b', { x: 1, y: 2 }) as Document;
    expect(moved.nodes[1]).toMatchObject({ id: 'b', position: { x: 1, y: 2 } });
    expect(nodesOf(clearPositions(moved)).some((node) => 'position' in node)).toBe(false);
  });
});

describe('another type of a node', () => {
  const as = (id: string, type: 'default' | 'webhook' | 'transfer' | 'end') =>
    nodesOf(changeType(document, id, type)).find((node) => node.id === id)!;

  it('keeps what both have', () => {
    expect(as('a', 'end')).toEqual({
      id: 'a',
      name: 'Greeting',
      type: 'end',
      prompt: 'Greet.',
      position: { x: 10, y: 20 },
    });
    expect(as('c', 'default')).toEqual({ id: 'c', name: 'Bye', type: 'default', text: 'Bye.' });
    expect(as('c', 'transfer')).toEqual({
      id: 'c',
      name: 'Bye',
      type: 'transfer',
      text: 'Bye.',
      transfer_to: '',
    });
  });

  it('has what it needs', () => {
    expect(as('a', 'webhook')).toMatchObject({ webhook: { url: 'https://', method: 'POST' } });
    expect(as('a', 'webhook')).not.toHaveProperty('prompt');
    expect(as('b', 'end')).toMatchObject({ prompt: 'What the agent says.' });
    expect(as('b', 'end')).not.toHaveProperty('webhook');
  });

  it('changes nothing where it is the same, nor any other node', () => {
    expect(nodesOf(changeType(document, 'a', 'default'))).toEqual(document.nodes);
    expect(nodesOf(changeType(document, 'a', 'end')).slice(1)).toEqual(document.nodes.slice(1));
  });
});

describe('the settings', () => {
  it('change field by field, also where there were none', () => {
    expect((changeSettings(document, { global_prompt: undefined }) as Document).settings).toEqual({
      language: 'en',
    });
    expect(changeSettings({ ...document, settings: null }, { language: 'de' })).toMatchObject({
      settings: { language: 'de' },
    });
  });
});

describe('a document that is not finished', () => {
  it('has the nodes and edges that can be read', () => {
    expect(nodesOf({ nodes: [{ id: 'a' }, null, 7] })).toEqual([{ id: 'a' }]);
    expect(nodesOf({ nodes: 'none' })).toEqual([]);
    expect(edgesOf(null)).toEqual([]);
    expect(edgesOf('text')).toEqual([]);
  });
});
