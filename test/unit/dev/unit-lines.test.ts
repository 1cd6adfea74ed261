import { expect, it } from 'vitest';
import { describeLines, unitLines } from '../../../dev/mutants/unit-lines.js';

const texts = new Map([
  ['src/control/a.ts', 'one\n\ntwo\n'],
  ['src/control/calls/b.ts', 'three\n  \nfour'],
  ['src/controller/c.ts', 'another area'],
  ['test/unit/control/a.test.ts', 'one'],
  ['test/contract/control/a.test.ts', 'no unit test'],
  ['src/edge/d.ts', 'one\ntwo\nthree\nfour'],
  ['test/unit/edge/d.test.ts', 'one\ntwo'],
]);

it('counts the lines of an area that are not empty', () => {
  expect(unitLines(texts, ['control', 'edge', 'sip'])).toEqual([
    { area: 'control', sources: 4, tests: 1, ratio: 0.25, goal: 0.25 },
    { area: 'edge', sources: 4, tests: 2, ratio: 0.5, goal: undefined },
    { area: 'sip', sources: 0, tests: 0, ratio: 0, goal: undefined },
  ]);
});

it('says which area is below its goal', () => {
  const lines = { area: 'control', sources: 100, tests: 25, ratio: 0.25, goal: 0.25 };
  expect(describeLines(lines)).toBe(
    'control: 25 lines of unit tests for 100 of sources (0.25, meets the goal of 0.25)',
  );
  expect(describeLines({ ...lines, tests: 24, ratio: 0.24 })).toContain('(0.24, below the goal of 0.25)');
  expect(describeLines({ ...lines, area: 'edge', goal: undefined })).toContain('(0.25)');
});
