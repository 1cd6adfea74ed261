/** Words that differ between two texts. Pure. */

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The table of a longer comparison would not fit a browser: such texts are shown whole. */
const largestTable = 4_000_000;

/** Parts in reading order: the longest common subsequence of words stays, the rest is removed or added. */
export function diffWords(before: string, after: string): readonly DiffPart[] {
  const [old, current] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < Math.min(old.length, current.length) && old[start] === current[start]) start++;
  let end = 0;
  while (
    end < Math.min(old.length, current.length) - start &&
    old[old.length - 1 - end] === current[current.length - 1 - end]
  )
    end++;
  const middle = compare(old.slice(start, old.length - end), current.slice(start, current.length - end));
  const same = (words: readonly string[]): DiffPart[] =>
    words.length === 0 ? [] : [{ kind: 'same', text: words.join('') }];
  return merged([...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))]);
}

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

function compare(old: readonly string[], current: readonly string[]): DiffPart[] {
  if (old.length * current.length > largestTable) {
    return [
      { kind: 'removed', text: old.join('') },
      { kind: 'added', text: current.join('') },
    ];
  }
  const width = current.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = current.length - 1; column >= 0; column--) {
      longest[row * width + column] =
        old[row] === current[column]
          ? longest[(row + 1) * width + column + 1]! + 1
          : Math.max(longest[(row + 1) * width + column]!, longest[row * width + column + 1]!);
    }
  }
  const parts: DiffPart[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < current.length) {
    if (row < old.length && column < current.length && old[row] === current[column]) {
      parts.push({ kind: 'same', text: old[row]! });
      row++;
      column++;
    } else if (
      column === current.length ||
      (row < old.length && longest[(row + 1) * width + column]! >= longest[row * width + column + 1]!)
    ) {
      parts.push({ kind: 'removed', text: old[row++]! });
    } else {
      parts.push({ kind: 'added', text: current[column++]! });
    }
  }
  return parts;
}

function merged(parts: readonly DiffPart[]): readonly DiffPart[] {
  const result: DiffPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.kind === part.kind)
      result[result.length - 1] = { kind: part.kind, text: last.text + part.text };
    else result.push(part);
  }
  return result.filter(({ text }) => text !== '');
}
