import { describe, expect, it } from 'vitest';
import { clearPositions } from '../../../../../src/dashboard/pages/pathways/document-edits.js';
import { drawnDocument } from '../../../../../src/dashboard/pages/pathways/drawn-document.js';
import {
  type LayoutEdge,
  layoutGraph,
  nodeHeight,
  nodeWidth,
  type Point,
} from '../../../../../src/dashboard/pages/pathways/graph-layout.js';
import { placeMoved } from '../../../../../src/dashboard/pages/pathways/moved-nodes.js';
import { draggedTo, stepFor } from '../../../../../src/dashboard/pages/pathways/node-moves.js';
import { PathwayGraph } from '../../../../../src/dashboard/pages/pathways/pathway-graph.js';
import { rendered } from '../../rendered.js';

const edge = (id: string, from: string, to: string): LayoutEdge => ({ id, from, to, labelWidth: 40 });
const edges = [
  edge('ab', 'a', 'b'),
  edge('ba', 'b', 'a'),
  edge('bc', 'b', 'c'),
  edge('cd', 'c', 'd'),
  edge('bb', 'b', 'b'),
];
const automatic = layoutGraph(['a', 'b', 'c', 'd'], edges, 'a');
const moved = (positions: Readonly<Record<string, Point>>) =>
  placeMoved(automatic, edges, new Map(Object.entries(positions)));
const ends = (path: string): readonly number[] => path.match(/-?[\d.]+/g)!.map(Number);

describe('a graph with moved nodes', () => {
  it('is the automatic one while none is moved', () => {
    expect(moved({})).toBe(automatic);
  });

  it('moves that node alone, and draws no edges again but its own', () => {
    const drawn = moved({ b: { x: 600, y: 400 } });
    const byId = (nodes: typeof drawn.nodes) => new Map(nodes.map((node) => [node.id, node]));
    for (const id of ['a', 'c', 'd'])
      expect(byId(drawn.nodes).get(id)).toEqual(byId(automatic.nodes).get(id));
    expect(byId(drawn.nodes).get('b')).toMatchObject({ x: 600, y: 400 });
    const pathOf = (layout: typeof drawn, id: string) => layout.edges.find((line) => line.id === id)!.path;
    expect(pathOf(drawn, 'cd')).toBe(pathOf(automatic, 'cd'));
    for (const id of ['ab', 'ba', 'bc', 'bb']) expect(pathOf(drawn, id)).not.toBe(pathOf(automatic, id));
  });

  it.each([
    ['below', { x: 0, y: 300 }, { x: nodeWidth / 2, y: nodeHeight }, { x: nodeWidth / 2, y: 300 }],
    ['above', { x: 0, y: -300 }, { x: nodeWidth / 2, y: 0 }, { x: nodeWidth / 2, y: -300 + nodeHeight }],
    ['to the right', { x: 400, y: 0 }, { x: nodeWidth, y: nodeHeight / 2 }, { x: 400, y: nodeHeight / 2 }],
    [
      'to the left',
      { x: -400, y: 0 },
      { x: 0, y: nodeHeight / 2 },
      { x: -400 + nodeWidth, y: nodeHeight / 2 },
    ],
  ])('leads an edge from border to border of a node %s', (_, position, start, end) => {
    const line = edge('ab', 'a', 'b');
    const layout = layoutGraph(['a', 'b'], [line], 'a');
    const drawn = placeMoved(
      layout,
      [line],
      new Map([
        ['a', { x: 0, y: 0 }],
        ['b', position],
      ]),
    );
    const numbers = ends(drawn.edges[0]!.path);
    expect([numbers.slice(0, 2), numbers.slice(-2)]).toEqual([
      [start.x, start.y],
      [end.x, end.y],
    ]);
  });

  it('keeps the labels of two edges between the same nodes apart', () => {
    const { edges: drawn } = moved({ a: { x: 0, y: 0 }, b: { x: 0, y: 200 } });
    const [there, back] = ['ab', 'ba'].map((id) => drawn.find((line) => line.id === id)!.label);
    expect(Math.abs(there!.y - back!.y)).toBeGreaterThan(20);
  });

  it('shows all of what was moved, however far', () => {
    const positions = { a: { x: -500, y: -300 }, b: { x: 900, y: 2_000 } };
    const { left, top, width, height } = moved(positions);
    for (const { x, y } of Object.values(positions)) {
      expect(x).toBeGreaterThan(left);
      expect(y).toBeGreaterThan(top);
      expect(x + nodeWidth).toBeLessThan(left + width);
      expect(y + nodeHeight).toBeLessThan(top + height);
    }
  });
});

describe('moving a node', () => {
  const key = (name: string, held: object = {}) =>
    stepFor(
      { key: name, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held },
      { x: 13, y: 48 },
    );

  it('goes along the grid by the arrow keys, further with Shift', () => {
    expect(key('ArrowRight')).toEqual({ x: 20, y: 50 });
    expect(key('ArrowUp')).toEqual({ x: 10, y: 40 });
    expect(key('ArrowDown', { shiftKey: true })).toEqual({ x: 10, y: 100 });
  });

  it('leaves other keys, and the shortcuts of browsers, alone', () => {
    expect(key('Enter')).toBeUndefined();
    expect(key('ArrowLeft', { altKey: true })).toBeUndefined();
  });

  it('follows the pointer at the scale of the picture, but not the tremble of a click', () => {
    const grip = { id: 'a', pointer: { x: 100, y: 100 }, from: { x: 0, y: 0 } };
    expect(draggedTo(grip, { x: 102, y: 101 }, 1)).toBeUndefined();
    expect(draggedTo(grip, { x: 150, y: 80 }, 0.5)).toEqual({ x: 100, y: -40 });
    expect(draggedTo(grip, { x: 9e9, y: 100 }, 1)).toMatchObject({ x: 100_000 });
  });

  const document = {
    start_node_id: 'a',
    nodes: [
      { id: 'a', name: 'Greeting', type: 'default', position: { x: 30, y: 40 } },
      { id: 'b', name: 'Bye', type: 'end', position: { x: 'far', y: 40 } },
    ],
    edges: [],
  };
  const press = (name: string, selected: string) => {
    const moves: unknown[] = [];
    const { elements } = rendered(
      <PathwayGraph
        document={drawnDocument(document)}
        label="Graph"
        selected={selected}
        onSelect={() => undefined}
        onMove={(...move) => moves.push(move)}
      />,
    );
    const box = elements('g').find((properties) => properties['data-node'] === 'a')!;
    box.onKeyDown({ key: name, preventDefault: () => undefined });
    return moves;
  };

  it('moves the selected node by key, and no other', () => {
    expect(press('ArrowLeft', 'a')).toEqual([['a', { x: 20, y: 40 }]]);
    expect(press('ArrowLeft', 'b')).toEqual([]);
  });

  it('draws a node automatically whose position is incomplete, or was cleared', () => {
    expect(drawnDocument(document).nodes.map(({ position }) => position)).toEqual([
      { x: 30, y: 40 },
      undefined,
    ]);
    expect(JSON.stringify(clearPositions(document))).not.toContain('position');
  });
});
