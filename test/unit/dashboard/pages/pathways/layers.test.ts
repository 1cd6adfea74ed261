import { describe, expect, it } from 'vitest';
import { layersOf } from '../../../../../src/dashboard/pages/pathways/layers.js';
import { crossings, orderLayers } from '../../../../../src/dashboard/pages/pathways/ordering.js';

const edges = (...pairs: string[]) => pairs.map((pair) => ({ from: pair[0]!, to: pair[1]! }));
const layers = (ids: string, pairs: string[], start: string | null = 'a') => {
  const { layerOf, backEdges, reachable } = layersOf([...ids], edges(...pairs), start ?? undefined);
  return {
    layers: Object.fromEntries(layerOf),
    back: [...backEdges].map(({ from, to }) => from + to),
    reachable: [...reachable].sort().join(''),
  };
};

describe('the layers of a graph', () => {
  it('put each node below all that lead to it', () => {
    expect(layers('abcd', ['ab', 'ac', 'bd', 'cd', 'ad'])).toEqual({
      layers: { a: 0, b: 1, c: 1, d: 2 },
      back: [],
      reachable: 'abcd',
    });
    expect(layers('abcd', ['ad', 'ab', 'bc', 'cd']).layers).toEqual({ a: 0, b: 1, c: 2, d: 3 });
  });

  it('ignore the edge that closes a cycle', () => {
    expect(layers('abc', ['ab', 'bc', 'ca'])).toMatchObject({ layers: { a: 0, b: 1, c: 2 }, back: ['ca'] });
    expect(layers('a', ['aa'])).toMatchObject({ layers: { a: 0 }, back: ['aa'] });
  });

  it('put what the start does not reach below what it reaches, and lead its edges upwards', () => {
    expect(layers('abxy', ['ab', 'xy', 'ya'])).toEqual({
      layers: { a: 0, b: 1, x: 2, y: 3 },
      back: ['ya'],
      reachable: 'ab',
    });
  });

  it('begin with the first node where there is no start, or an unknown one', () => {
    expect(layers('ab', ['ab'], null)).toEqual({ layers: { a: 0, b: 1 }, back: [], reachable: '' });
    expect(layers('ab', ['ab'], 'z').reachable).toBe('');
  });

  it('leave out edges of nodes that are not there', () => {
    expect(layers('ab', ['ab', 'az', 'za'])).toMatchObject({ layers: { a: 0, b: 1 }, reachable: 'ab' });
  });

  it('are found for a chain of thousands of nodes', () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => String(index));
    const chain = ids.slice(1).map((id, index) => ({ from: String(index), to: id }));
    expect(layersOf(ids, chain, '0').layerOf.get('4999')).toBe(4_999);
  });
});

describe('the order within layers', () => {
  const segments = (...pairs: string[]) => pairs.map((pair) => ({ upper: pair[0]!, lower: pair[1]! }));
  const below = (...pairs: string[]) => {
    const found = new Map<string, string[]>();
    for (const pair of pairs) found.set(pair[0]!, [...(found.get(pair[0]!) ?? []), pair[1]!]);
    return found;
  };

  it('counts each pair of lines that cross', () => {
    expect(
      crossings(
        [
          ['a', 'b'],
          ['x', 'y'],
        ],
        below('ax', 'by'),
      ),
    ).toBe(0);
    expect(
      crossings(
        [
          ['a', 'b'],
          ['x', 'y'],
        ],
        below('ay', 'bx'),
      ),
    ).toBe(1);
    expect(
      crossings(
        [
          ['a', 'b'],
          ['x', 'y'],
        ],
        below('ax', 'ay', 'bx', 'by'),
      ),
    ).toBe(1);
    expect(
      crossings(
        [
          ['a', 'b', 'c'],
          ['x', 'y', 'z'],
        ],
        below('az', 'by', 'cx'),
      ),
    ).toBe(3);
    expect(crossings([['a', 'b'], ['x']], below('ax', 'bx'))).toBe(0);
  });

  it('lets lines cross no more than they must', () => {
    const ordered = orderLayers(
      [
        ['a', 'b', 'c'],
        ['x', 'y', 'z'],
      ],
      segments('az', 'by', 'cx'),
    );
    expect(crossings(ordered, below('az', 'by', 'cx'))).toBe(0);
    const deep = orderLayers(
      [
        ['a', 'b'],
        ['k', 'l'],
        ['x', 'y'],
      ],
      segments('al', 'bk', 'lx', 'ky'),
    );
    expect(crossings(deep, below('al', 'bk', 'lx', 'ky'))).toBe(0);
  });

  it('stays as it is where nothing crosses, members without lines too', () => {
    const given = [
      ['a', 'b', 'c'],
      ['x', 'y', 'z'],
    ];
    expect(orderLayers(given, segments('ax', 'cz'))).toEqual(given);
    expect(orderLayers([], [])).toEqual([]);
  });
});
