import { afterEach, describe, expect, it, vi } from 'vitest';
import { withMarks } from '../../../dev/mutants/marks.js';
import { mutationsOf } from '../../../dev/mutants/mutations.js';

const reached: number[] = [];

/** Runs a text with a mark at each place that a mutation changes. @returns the kinds of the places that the run came to */
function kindsReached(text: string, names: Readonly<Record<string, unknown>>): string[] {
  const mutations = mutationsOf('a.js', text);
  const marked = withMarks(
    text,
    mutations.map(({ reached: place }, number) => ({ number, reached: place })),
  );
  vi.stubGlobal('demarcReached', (number: number) => reached.push(number));
  const run = new Function(...Object.keys(names), marked) as (...values: unknown[]) => void;
  run(...Object.values(names));
  return [...new Set(reached)].sort((a, b) => a - b).map((number) => mutations[number]!.kind);
}

describe('marks of the places that mutations change', () => {
  afterEach(() => {
    reached.length = 0;
    vi.unstubAllGlobals();
  });

  it.each([
    [
      'if (a > 1 && b) call();',
      { a: 2, b: 1 },
      ['boundary', 'logic', 'condition', 'forced', 'forced', 'call'],
    ],
    ['if (a > 1 && b) call();', { a: 0, b: 1 }, ['boundary', 'logic', 'condition', 'forced', 'forced']],
    ['a && (b === 1 ? call() : 0);', { a: 0, b: 1 }, ['logic']],
    [
      'const f = () => { return true; }; if (a) f();',
      { a: 1, b: 1 },
      ['boolean', 'condition', 'forced', 'forced', 'call'],
    ],
    [
      'if (a) { for (const c of [1]) call(); } else call();',
      { a: 0, b: 0 },
      ['condition', 'forced', 'forced', 'call'],
    ],
    ["db.from('a').where('b', '=', 1).run();", { a: 0, b: 0 }, ['call', 'where']],
  ])('say what %s comes to with %o', (text, values, kinds) => {
    let calls = 0;
    const db = { from: () => db, where: () => db, run: () => undefined };
    const names = { ...values, call: () => calls++, db };
    expect(kindsReached(text, names).sort()).toEqual([...kinds].sort());
  });

  it('change nothing where nothing asks for them', () => {
    vi.stubGlobal('demarcReached', undefined);
    const marked = withMarks('return a > 1;', [
      { number: 3, reached: { is: 'expression', start: 7, end: 12 } },
    ]);
    expect(marked).toBe('return (globalThis.demarcReached?.(3), a > 1);');
    expect(new Function('a', marked)(2)).toBe(true);
  });
});
