import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unstableProblems } from '../../../dev/gate/unstable-tests.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const now = Date.parse('2027-02-01T12:00:00Z');
const entry = { file: 'test/unit/dev/unstable-tests.test.ts', reason: 'a race', since: '2027-01-20' };

describe('the list of unstable tests', () => {
  it('accepts five recent entries of files that exist', () => {
    expect(unstableProblems(root, Array(5).fill(entry), now)).toEqual([]);
  });

  it.each([
    ['a sixth entry', Array(6).fill(entry), '6 entries, at most 5 are allowed'],
    ['an entry of more than 30 days', [{ ...entry, since: '2026-12-30' }], 'is older than 30 days'],
    ['an entry without a day', [{ ...entry, since: 'today' }], 'is older than 30 days'],
    ['an entry without a reason', [{ ...entry, reason: ' ' }], 'has no reason'],
    ['a file that does not exist', [{ ...entry, file: 'test/gone.test.ts' }], 'does not exist'],
  ])('rejects %s', (_title, tests, problem) => {
    expect(unstableProblems(root, tests, now)).toEqual([expect.stringContaining(problem)]);
  });
});
