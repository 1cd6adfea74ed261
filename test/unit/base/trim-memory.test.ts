import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { fullCollection } from '../../../src/base/idle-memory.js';
import { trimMemory } from '../../../src/base/trim-memory.js';

const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
const isGlibc = header.glibcVersionRuntime !== undefined;

const residentMegabytes = (): number => process.memoryUsage.rss() / 1024 ** 2;

/** Blocks of 16 KB of which each 64th stays in use: what is freed between them does not lie at the end of the area. */
function allocateAndFree(megabytes: number): readonly Buffer[] {
  const blocks = Array.from({ length: megabytes * 64 }, () => Buffer.allocUnsafeSlow(16 * 1024).fill(1));
  return blocks.filter((_, index) => index % 64 === 0);
}

it('gives freed memory back that lies between blocks in use', async ({ skip }) => {
  skip(!isGlibc, 'only glibc has malloc_trim');
  const collect = fullCollection();
  const used = allocateAndFree(128);
  for (let collection = 0; collection < 3; collection++) {
    await turn();
    collect();
  }
  const freed = residentMegabytes();
  trimMemory();
  expect(freed - residentMegabytes()).toBeGreaterThan(64);
  expect(used.length).toBe(128);
});
