/** Orders the members of each layer so that few lines cross: the barycenter method, best of several sweeps. */

/** A line between two members of adjacent layers. */
export interface Segment {
  readonly upper: string;
  readonly lower: string;
}

const sweeps = 12;

/** @param layers members of each layer, top first, in their first order */
export function orderLayers(
  layers: readonly (readonly string[])[],
  segments: readonly Segment[],
): readonly (readonly string[])[] {
  const above = neighbours(segments, 'lower', 'upper');
  const below = neighbours(segments, 'upper', 'lower');
  let current = layers.map((layer) => [...layer]);
  let best = current;
  let fewest = crossings(current, below);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0;
    current = current.map((layer) => [...layer]);
    const indices = [...current.keys()];
    for (const index of isDown ? indices.slice(1) : indices.reverse().slice(1)) {
      const fixed = positions(current[index + (isDown ? -1 : 1)]!);
      current[index] = byBarycenter(current[index]!, fixed, isDown ? above : below);
    }
    const crossed = crossings(current, below);
    if (crossed < fewest) [best, fewest] = [current, crossed];
  }
  return best;
}

function neighbours(
  segments: readonly Segment[],
  of: keyof Segment,
  which: keyof Segment,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const segment of segments) {
    const list = found.get(segment[of]) ?? [];
    list.push(segment[which]);
    found.set(segment[of], list);
  }
  return found;
}

const positions = (layer: readonly string[]): ReadonlyMap<string, number> =>
  new Map(layer.map((id, index) => [id, index]));

function byBarycenter(
  layer: readonly string[],
  fixed: ReadonlyMap<string, number>,
  linked: ReadonlyMap<string, readonly string[]>,
): string[] {
  const keyed = layer.map((id, index) => {
    const places = (linked.get(id) ?? []).map((neighbour) => fixed.get(neighbour) ?? 0);
    // A member without neighbours stays where it is.
    const mean = places.length === 0 ? index : places.reduce((sum, place) => sum + place, 0) / places.length;
    return { id, mean, index };
  });
  return keyed.sort((left, right) => left.mean - right.mean || left.index - right.index).map(({ id }) => id);
}

/** How many pairs of lines cross between adjacent layers. */
export function crossings(
  layers: readonly (readonly string[])[],
  below: ReadonlyMap<string, readonly string[]>,
): number {
  let total = 0;
  for (const [index, layer] of layers.slice(0, -1).entries()) {
    const fixed = positions(layers[index + 1]!);
    const ends = layer.flatMap((id) =>
      (below.get(id) ?? []).map((neighbour) => fixed.get(neighbour)!).sort((left, right) => left - right),
    );
    total += inversions(ends);
  }
  return total;
}

/** Pairs of which the larger one comes first, counted by a merge sort: rows have thousands of lines. */
function inversions(values: readonly number[]): number {
  let total = 0;
  const sorted = (from: number, to: number): readonly number[] => {
    if (to - from < 2) return values.slice(from, to);
    const middle = (from + to) >> 1;
    const left = sorted(from, middle);
    const right = sorted(middle, to);
    const merged: number[] = [];
    let taken = 0;
    for (const value of right) {
      while (taken < left.length && left[taken]! <= value) merged.push(left[taken++]!);
      total += left.length - taken;
      merged.push(value);
    }
    merged.push(...left.slice(taken));
    return merged;
  };
  sorted(0, values.length);
  return total;
}
