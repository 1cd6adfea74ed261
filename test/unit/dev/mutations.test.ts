import { describe, expect, it } from 'vitest';
import { mutated, mutationsOf } from '../../../dev/mutants/mutations.js';

const mutants = (text: string, path = 'a.ts'): string[] =>
  mutationsOf(path, text).map((mutation) => `${mutation.kind}: ${mutated(text, mutation)}`);

describe('mutations of a source', () => {
  it.each([
    ['a < b;', ['boundary: a <= b;']],
    ['a >= (b);', ['boundary: a > (b);']],
    ['a === b;', ['equality: a !== b;']],
    [
      'if (a) b();',
      ['condition: if (!(a)) b();', 'forced: if (true) b();', 'forced: if (false) b();', 'call: if (a) {}'],
    ],
    ['const c = a ? 1 : 2;', ['condition: const c = !(a) ? 1 : 2;']],
    ['const c = a && b;', ['logic: const c = a || b;']],
    ['const f = () => { return true; };', ['boolean: const f = () => { return false; };']],
    [
      "const q = db.selectFrom('a').where('b', '=', 1).execute();",
      ["where: const q = db.selectFrom('a').execute();"],
    ],
  ])('%s', (text, expected) => {
    expect(mutants(text)).toEqual(expected);
  });

  it('leaves types, the log and texts alone', () => {
    expect(
      mutants(
        "type A<B> = B extends 1 ? 2 : 3; log.info('a'); call.log.warn({ a: b > 1 ? b : undefined }, 'b'); throw new Error('a'); if (a) log.warn('b'); if (b) { log.warn('c'); }",
      ),
    ).toEqual([]);
  });

  it('does not force past an early return for an empty list, which only saves work', () => {
    const forced = (text: string) => mutants(text).filter((each) => each.startsWith('forced'));
    const made = (text: string) => forced(`const f = () => { ${text} };`).length;
    expect(made('if (rows.length === 0) return [];')).toBe(1);
    expect(made('if (this.kept.size === 0) { return; }')).toBe(1);
    expect(made('if (rows.length === 0) throw new Error();')).toBe(2);
    expect(made('if (rows.length === 1) return [];')).toBe(2);
  });

  it('moves no boundary where one value stands for both', () => {
    const boundaries = (text: string) => mutants(text).filter((each) => each.startsWith('boundary'));
    expect(boundaries('if (a > b) a = b;')).toEqual([]);
    expect(boundaries('if (a < 0 || a > b) { a = b; }')).toHaveLength(1);
    expect(boundaries('c = a < 0 || b <= a ? b : a;')).toHaveLength(1);
    expect(boundaries('if (a > b) a = c;')).toHaveLength(1);
    expect(boundaries('if (a > b) a = b; else c();')).toHaveLength(1);
    expect(boundaries('c = a > b ? b : d;')).toHaveLength(1);
  });

  it('moves no boundary of a clock', () => {
    expect(mutants('const late = performance.now() > until;')).toEqual([]);
    expect(mutants('const late = this.now() > until;')).toHaveLength(1);
  });

  it('reads TSX, and names the line', () => {
    const text = '\nconst a = <p>{b < 3 && <i />}</p>;\n';
    expect(mutationsOf('a.tsx', text).map(({ kind, line }) => [kind, line])).toEqual([
      ['logic', 2],
      ['boundary', 2],
    ]);
  });
});
