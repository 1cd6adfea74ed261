/** Length of the longest common subsequence; time and memory grow with the product and the shorter length. */
export function commonSubsequenceLength(left: readonly string[], right: readonly string[]): number {
  let previous = new Array<number>(right.length + 1).fill(0);
  for (const item of left) {
    const current = [0];
    for (const [index, candidate] of right.entries()) {
      current.push(
        item === candidate ? previous[index]! + 1 : Math.max(previous[index + 1]!, current[index]!),
      );
    }
    previous = current;
  }
  return previous[right.length]!;
}

/**
 * How well a path matches a reference, 0–1. `exact`: 2·LCS ÷ (both lengths), which other nodes between lower; `subsequence`:
 * LCS ÷ length of the reference, which they do not.
 */
export function traversalScore(
  path: readonly string[],
  reference: readonly string[],
  mode: 'exact' | 'subsequence',
): number {
  const common = commonSubsequenceLength(path, reference);
  return mode === 'exact' ? (2 * common) / (path.length + reference.length) : common / reference.length;
}
