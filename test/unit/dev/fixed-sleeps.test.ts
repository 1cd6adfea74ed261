import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixedSleeps, mostFixedSleeps } from '../../../dev/gate/fixed-sleeps.mjs';

it('finds sleeps of a literal time, but no short ones, no fake ones, and none of a setting or of another program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'demarc-sleeps-'));
  try {
    const lines = ['(1_500);', '(20);', '(6 * t1);', '(100);'].map((rest) => `await pause${rest}`);
    const waits = ['100);', '99);'].map(
      (rest) => `await new Promise((resolve) => setTimeout(resolve, ${rest}`,
    );
    const text = [...lines, `await sleep${'(400)'};`, ...waits].join('\n');
    writeFileSync(join(folder, 'one.test.ts'), text);
    writeFileSync(join(folder, 'fake.test.ts'), `vi.useFakeTimers();\n${text}`);
    writeFileSync(join(folder, 'program.test.ts'), waits.map((wait) => `run("${wait}");`).join('\n'));
    expect(fixedSleeps(folder)).toEqual([1, 4, 5, 6].map((line) => `test/one.test.ts:${line}`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('allows no more of them than there are, so that their number only falls', () => {
  expect(fixedSleeps(join(import.meta.dirname, '..', '..'))).toHaveLength(mostFixedSleeps);
});
