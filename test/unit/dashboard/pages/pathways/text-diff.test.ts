import { describe, expect, it } from 'vitest';
import { diffWords } from '../../../../../src/dashboard/pages/pathways/text-diff.js';

const words = (count: number, name: string): string =>
  Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ');

describe('the words that differ', () => {
  it('of very long texts are shown whole, as their comparison would not fit a browser', () => {
    const [before, after] = [words(1_001, 'a'), words(1_001, 'b')];
    expect(diffWords(before, after)).toEqual([
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]);
    // Blanks stay the same where the texts are compared.
    expect(diffWords(words(900, 'a'), words(900, 'b')).some(({ kind }) => kind === 'same')).toBe(true);
  });

  it('of a long text with one change are marked', () => {
    const before = words(3_000, 'a');
    expect(diffWords(before, before.replace('a1500', 'new')).filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: 'a1500' },
      { kind: 'added', text: 'new' },
    ]);
  });
});
