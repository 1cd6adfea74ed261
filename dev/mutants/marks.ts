import type { Mutation } from './mutations.js';

/** A place in a text that says when a run comes to it. */
export interface Marked {
  readonly number: number;
  readonly reached: Mutation['reached'];
}

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** Of two places that begin or end together, the longer holds the shorter. */
  readonly length: number;
  readonly isEnd: boolean;
}

/** The text, which calls the function of `reached.mjs` with its number before each place is evaluated, and does the same otherwise. */
export function withMarks(text: string, places: readonly Marked[]): string {
  const insertions = places.flatMap(({ number, reached: { is, start, end } }): Insertion[] => {
    const mark = `globalThis.demarcReached?.(${number})`;
    const [before, after] = is === 'statement' ? [`{ ${mark}; `, ' }'] : [`(${mark}, `, ')'];
    const length = end - start;
    return [
      { at: start, text: before, length, isEnd: false },
      { at: end, text: after, length, isEnd: true },
    ];
  });
  insertions.sort(
    (left, right) =>
      left.at - right.at ||
      Number(right.isEnd) - Number(left.isEnd) ||
      (left.isEnd ? left.length - right.length : right.length - left.length),
  );
  let from = 0;
  let marked = '';
  for (const { at, text: inserted } of insertions) {
    marked += text.slice(from, at) + inserted;
    from = at;
  }
  return marked + text.slice(from);
}
