import { join, relative } from 'node:path';
import { beforeAll } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** For vitest's `setupFiles`: what runs from here, also in other processes, runs for this test file. */
// biome-ignore lint/correctness/noEmptyPattern: vitest parses the parameter, and refuses any other form of it.
beforeAll(({}, file) => {
  process.env.DEMARC_REACHED_BY = relative(root, file.file.filepath);
});
