import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixedSleeps, mostFixedSleeps } from '../../../dev/gate/fixed-sleeps.mjs';

it('finds sleeps of a literal time, and neither short ones nor those of a setting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'demarc-sleeps-'));
  try {
    const lines = ['(1_500);', '(20);', '(6 * t1);', '(100);'].map((rest) => `await pause${rest}`);
    writeFileSync(join(folder, 'one.test.ts'), [...lines, `await sleep${'(400)'};`].join('\n'));
    expect(fixedSleeps(folder)).toEqual(['test/one.test.ts:1', 'test/one.test.ts:4', 'test/one.test.ts:5']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('allows no more of them than there are, so that their number only falls', () => {
  expect(fixedSleeps(join(import.meta.dirname, '..', '..'))).toHaveLength(mostFixedSleeps);
});
