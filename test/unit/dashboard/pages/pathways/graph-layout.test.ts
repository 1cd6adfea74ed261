import { describe, expect, it } from 'vitest';
import {
  type GraphLayout,
  type LayoutEdge,
  layoutGraph,
  nodeHeight,
  nodeWidth,
} from '../../../../../src/dashboard/pages/pathways/graph-layout.js';
import { layersOf } from '../../../../../src/dashboard/pages/pathways/layers.js';
import { crossings, orderLayers } from '../../../../../src/dashboard/pages/pathways/ordering.js';

/** `a>b c>d`: edges without a label; `a>b:word` has one. */
const edgesOf = (text: string): LayoutEdge[] =>
  text.split(' ').map((node, index) => {
    const [, from, to, label = ''] = /^(\w+)>(\w+)(?::(\w+))?$/.exec(node)!;
    return { id: `edge ${index}`, from: from!, to: to!, labelWidth: label.length * 7 };
  });
const idsOf = (edges: readonly LayoutEdge[]): string[] => [
  ...new Set(edges.flatMap(({ from, to }) => [from, to])),
];
const layout = (text: string, extra: readonly string[] = []): GraphLayout => {
  const edges = edgesOf(text);
  const ids = [...idsOf(edges), ...extra];
  return layoutGraph(ids, edges, ids[0]);
};
const placeOf = ({ nodes }: GraphLayout, id: string) => nodes.find((node) => node.id === id)!;

function expectNoOverlap({ nodes, width, height }: GraphLayout): void {
  for (const [index, node] of nodes.entries()) {
    expect(node.x).toBeGreaterThanOrEqual(0);
    expect(node.x + nodeWidth).toBeLessThanOrEqual(width);
    expect(node.y + nodeHeight).toBeLessThanOrEqual(height);
    for (const later of nodes.slice(index + 1)) {
      const isApart =
        Math.abs(node.x - later.x) >= nodeWidth - 0.001 || Math.abs(node.y - later.y) >= nodeHeight;
      expect(isApart, `${node.id} and ${later.id}`).toBe(true);
    }
  }
}

describe('layers of a graph', () => {
  it('puts each node below all its predecessors, not only below the nearest', () => {
    const { layerOf, backEdges } = layersOf(['a', 'b', 'c', 'd'], edgesOf('a>b b>c a>c c>d a>d'), 'a');
    expect(Object.fromEntries(layerOf)).toEqual({ a: 0, b: 1, c: 2, d: 3 });
    expect(backEdges.size).toBe(0);
  });

  it('breaks a cycle at the edge that leads back to where the walk came from', () => {
    const edges = edgesOf('a>b b>c c>a c>d');
    const { layerOf, backEdges } = layersOf(['a', 'b', 'c', 'd'], edges, 'a');
    expect(Object.fromEntries(layerOf)).toEqual({ a: 0, b: 1, c: 2, d: 3 });
    expect([...backEdges]).toEqual([edges[2]]);
  });

  it('puts what the start does not reach below the rest, in its own layers', () => {
    const { layerOf, reachable } = layersOf(['a', 'b', 'x', 'y'], edgesOf('a>b x>y y>b'), 'a');
    expect(Object.fromEntries(layerOf)).toEqual({ a: 0, b: 1, x: 2, y: 3 });
    expect([...reachable]).toEqual(['a', 'b']);
  });

  it('walks a chain of ten thousand nodes without a deep recursion', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `n${index}`);
    const edges = ids.slice(1).map((to, index) => ({ from: ids[index]!, to }));
    expect(layersOf(ids, edges, 'n0').layerOf.get('n9999')).toBe(9_999);
  });
});

describe('the order in layers', () => {
  it('removes crossings that a drawing does not need', () => {
    const layers = [
      ['a', 'b', 'c'],
      ['x', 'y', 'z'],
    ];
    const segments = edgesOf('a>z b>y c>x').map(({ from, to }) => ({ upper: from, lower: to }));
    const below = new Map(segments.map(({ upper, lower }) => [upper, [lower]]));
    expect(crossings(layers, below)).toBe(3);
    expect(crossings(orderLayers(layers, segments), below)).toBe(0);
  });
});

describe('a pathway as a graph', () => {
  it('draws a chain straight down', () => {
    const drawn = layout('a>b b>c');
    expect(new Set(drawn.nodes.map(({ x }) => Math.round(x))).size).toBe(1);
    for (const { path } of drawn.edges) expect(path).not.toContain('C');
    expectNoOverlap(drawn);
  });

  it('keeps nodes and labels apart, whatever the edges', () => {
    const drawn = layout('a>b:yes a>c:no a>d:maybe b>e c>e d>f:later e>g f>g g>a:again c>c:wait a>g:skip');
    expectNoOverlap(drawn);
    const labels = drawn.edges.filter(({ isBack }) => !isBack).map(({ label }) => label);
    for (const label of labels) {
      for (const node of drawn.nodes) {
        const isInside =
          label.x > node.x &&
          label.x < node.x + nodeWidth &&
          label.y > node.y &&
          label.y < node.y + nodeHeight;
        expect(isInside).toBe(false);
      }
    }
  });

  it('draws an edge that leads back upwards, and one to the same node as a loop', () => {
    const drawn = layout('a>b b>a b>b');
    const [forward, back, loop] = drawn.edges;
    expect([forward!.isBack, back!.isBack, loop!.isBack]).toEqual([false, true, true]);
    const startOf = (path: string): number => Number(/^M\S+ ([\d.]+)/.exec(path)![1]);
    expect(startOf(forward!.path)).toBeLessThan(placeOf(drawn, 'b').y);
    expect(startOf(back!.path)).toBe(placeOf(drawn, 'b').y);
    expect(forward!.path).not.toBe(back!.path);
    expect(drawn.width).toBeGreaterThan(placeOf(drawn, 'b').x + nodeWidth);
  });

  it('draws a line past other nodes in one column', () => {
    const { edges } = layout('a>b b>c c>d d>e a>e:skip');
    const path = edges.find(({ id }) => id === 'edge 4')!.path;
    const columns = [...path.matchAll(/L([\d.]+) /g)].map(([, x]) => Number(x));
    expect(columns.length).toBeGreaterThan(5);
    expect(new Set(columns).size).toBe(1);
  });

  it('marks nodes that no call reaches, and leaves out edges to missing nodes', () => {
    const edges = [...edgesOf('a>b'), { id: 'broken', from: 'b', to: 'missing', labelWidth: 0 }];
    const drawn = layoutGraph(['a', 'b', 'lost'], edges, 'a');
    expect(drawn.nodes.map(({ isReachable }) => isReachable)).toEqual([true, true, false]);
    expect(drawn.edges.map(({ id }) => id)).toEqual(['edge 0']);
    expectNoOverlap(drawn);
  });

  it('has an empty picture for no nodes, and one for a start that does not exist', () => {
    expect(layoutGraph([], [], undefined)).toMatchObject({ width: 0, height: 0, nodes: [], edges: [] });
    expect(layoutGraph(['a'], [], 'missing').nodes[0]!.isReachable).toBe(false);
  });

  it('draws the same picture for the same document, also for a large one with many crossings', () => {
    const ids = Array.from({ length: 80 }, (_, index) => `n${index}`);
    const edges = ids.flatMap((from, index) =>
      [2 * index + 1, 2 * index + 2, (index * 7) % 80]
        .filter((to) => to < 80)
        .map((to) => ({ id: `${index} ${to}`, from, to: ids[to]!, labelWidth: 40 })),
    );
    const drawn = layoutGraph(ids, edges, 'n0');
    expectNoOverlap(drawn);
    expect(layoutGraph(ids, edges, 'n0')).toEqual(drawn);
  });
});

describe('the path of an edge', () => {
  const edge = ({ edges }: GraphLayout, index = 0) => edges.find(({ id }) => id === `edge ${index}`)!;
  const lines = ({ path }: { path: string }): number => path.match(/[LC]/g)!.length;

  it('leads from node to node, and past its label from above to below', () => {
    expect(lines(edge(layout('a>b')))).toBe(3);
    const labelled = layout('a>b:word');
    const { path, label } = edge(labelled);
    const [first, last] = [placeOf(labelled, 'a'), placeOf(labelled, 'b')];
    const heights = [...path.matchAll(/ (-?[\d.]+)(?=[A-Z]|$)/g)].map(([, y]) => Number(y));
    expect(heights).toHaveLength(4);
    expect(heights[0]).toBe(first.y + nodeHeight);
    expect(heights[1]).toBeLessThan(label.y);
    expect(heights[2]).toBeGreaterThan(label.y);
    expect(heights[3]).toBe(last.y);
  });

  it('is drawn upwards where the edge leads back', () => {
    const back = layout('a>b b>c c>a');
    const startOf = (index: number): number =>
      Number(/^M-?[\d.]+ (-?[\d.]+)/.exec(edge(back, index).path)![1]);
    const endOf = (index: number): number => Number(/ (-?[\d.]+)$/.exec(edge(back, index).path)![1]);
    expect(startOf(0)).toBeLessThan(endOf(0));
    expect(startOf(2)).toBeGreaterThan(endOf(2));
    expect([edge(back, 0).isBack, edge(back, 2).isBack]).toEqual([false, true]);
  });
});
