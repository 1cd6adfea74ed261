import { expect, it } from 'vitest';
import { filesWithErrors, groupsOf } from '../../../dev/mutants/compiled.js';

it('compiles mutants of different files together, and those of one file apart', () => {
  const mutants = ['a', 'b', 'a', 'c', 'a'].map((path, at) => ({ path, at }));
  expect(groupsOf(mutants).map((group) => group.map(({ at }) => at))).toEqual([[0, 1, 3], [2], [4]]);
  expect(groupsOf([])).toEqual([]);
});

it('reads which files have errors', () => {
  const output = [
    'src/sip/uri.ts(84,68): error TS2698: Spread types may only be created from object types.',
    "  Each member of the union type 'a(1,2): error' has signatures.",
    'src/sip/uri.ts(90,1): error TS6133: unused.',
    'src/dashboard/app/app.tsx(1,1): error TS1005: expected.',
    "error TS6053: File 'src/none.ts' not found.",
    'Found 3 errors.',
  ].join('\n');
  expect([...filesWithErrors(output)]).toEqual(['src/sip/uri.ts', 'src/dashboard/app/app.tsx']);
  expect(filesWithErrors('').size).toBe(0);
});
