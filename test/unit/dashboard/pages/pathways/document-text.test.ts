import { describe, expect, it } from 'vitest';
import {
  addNode,
  changeNode,
  removeNode,
} from '../../../../../src/dashboard/pages/pathways/document-edits.js';
import {
  drawnDocument,
  faultsByNode,
  shortened,
  stepsOf,
} from '../../../../../src/dashboard/pages/pathways/drawn-document.js';
import { readJson } from '../../../../../src/dashboard/pages/pathways/json-places.js';
import { diffWords } from '../../../../../src/dashboard/pages/pathways/text-diff.js';

const document = {
  start_node_id: 'a',
  nodes: [
    { id: 'a', name: 'Greeting', type: 'default', prompt: 'Greet.' },
    { id: 'b', name: 'Bye', type: 'end' },
  ],
  edges: [{ id: 'e', source: 'a', target: 'b', label: 'Done' }],
};

describe('the JSON text of an editor', () => {
  it('has the value that JSON.parse returns, with the place of each value', () => {
    const text = JSON.stringify({ ...document, n: [-1.5e3, true, null, 'a\\"\u20ac\n'] }, null, 2);
    const read = readJson(text);
    if (read.fault !== undefined) throw new Error(read.fault.message);
    expect(read.value).toEqual(JSON.parse(text));
    expect(text.slice(read.places.get('nodes.1.name'))).toMatch(/^"Bye"/);
    expect(text.slice(read.places.get('edges.0'))).toMatch(/^\{\s+"id": "e"/);
    expect(read.places.get('nodes.2')).toBeUndefined();
  });

  it.each([
    ['{"a": 1,}', 'Line 1: expected a field name in double quotes.'],
    ['{\n  "a": 1\n  "b": 2\n}', 'Line 3: expected , or }.'],
    ['[1, 2', 'Line 1: expected , or ].'],
    ['{"a" 1}', 'Line 1: expected :.'],
    ['{} x', 'Line 1: expected the end of the document.'],
    ['', 'Line 1: expected a value.'],
    ['["line\nend"]', 'Line 1: expected a text in double quotes.'],
  ])('names the line and what is missing: %j', (text, message) => {
    expect(readJson(text).fault?.message).toBe(message);
    expect(() => JSON.parse(text)).toThrow();
  });
});

describe('a document as a graph', () => {
  it('draws what an unfinished document has', () => {
    const drawn = drawnDocument({
      nodes: [{ id: 'a' }, { id: 'a' }, { name: 'no id' }, 7],
      edges: [{}, null],
    });
    expect(drawn.nodes).toEqual([{ id: 'a', name: 'a', type: 'default' }]);
    expect(drawn.edges).toHaveLength(1);
    expect(drawnDocument(null)).toEqual({ start: undefined, nodes: [], edges: [] });
  });

  it('shows a fault at its node, and that of an edge at the node that it leaves', () => {
    const faults = faultsByNode(document, [
      { path: 'document.nodes.1.text', message: 'Node b: too long' },
      { path: 'document.edges.0.target', message: 'Edge e: no such node' },
      { path: 'name', message: 'required' },
    ]);
    expect(Object.fromEntries(faults)).toEqual({
      b: ['Node b: too long'],
      a: ['Edge e: no such node'],
    });
  });

  it('counts the steps of a conversation', () => {
    expect(Object.fromEntries(stepsOf(['a', 'b', 'a', 'b']))).toEqual({ 'a>b': 2, 'b>a': 1 });
  });

  it('shortens without leaving a space before the dots', () => {
    expect(shortened('one two three', 9)).toBe('one two…');
    expect(shortened('one', 3)).toBe('one');
  });
});

describe('the form of a node', () => {
  it('changes one node, and removes fields that are cleared', () => {
    const changed = changeNode(document, 'a', { text: 'Hello.', prompt: undefined }) as typeof document;
    expect(changed.nodes[0]).toEqual({ id: 'a', name: 'Greeting', type: 'default', text: 'Hello.' });
    expect(changed.nodes[1]).toBe(document.nodes[1]);
  });

  it('adds a node with a free id and an edge to it, and removes both together', () => {
    const taken = { ...document, nodes: [...document.nodes, { id: 'node_4' }] };
    const { document: added, id } = addNode(taken, 'a');
    expect(id).toBe('node_5');
    expect((added as typeof document).edges.at(-1)).toMatchObject({ source: 'a', target: 'node_5' });
    expect(removeNode(added, id)).toEqual(taken);
  });
});

describe('the difference of two texts', () => {
  const textOf = (before: string, after: string, without: 'added' | 'removed'): string =>
    diffWords(before, after)
      .filter(({ kind }) => kind !== without)
      .map(({ text }) => text)
      .join('');

  it.each([
    ['Greet the caller.', 'Greet the caller by name.'],
    ['', 'All new.'],
    ['One, two; three', 'two three four'],
    ['same', 'same'],
  ])('leads from %j to %j', (before, after) => {
    expect(textOf(before, after, 'added')).toBe(before);
    expect(textOf(before, after, 'removed')).toBe(after);
  });

  it('keeps the words that stay', () => {
    expect(diffWords('Ask for the day.', 'Ask politely for the day.')).toEqual([
      { kind: 'same', text: 'Ask ' },
      { kind: 'added', text: 'politely ' },
      { kind: 'same', text: 'for the day.' },
    ]);
  });
});
