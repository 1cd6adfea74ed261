import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { builtSources } from './dev/gate/built-sources.mjs';
import { LongestFirst } from './dev/gate/longest-first.mjs';

/** A machine that others load as well may stand still for seconds. */
const expectations = { poll: { timeout: 15_000 } };

/** Files with real processes at the same time. Most of their time is waiting: five of them use two cores well. */
const processWorkers = Number(
  process.env.DEMARC_TEST_WORKERS ?? Math.max(3, Math.round(2.5 * availableParallelism())),
);

const realProcesses = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: expectations,
  maxWorkers: processWorkers,
} as const;
const plugins = process.env.DEMARC_TEST_DIST === undefined ? [] : [builtSources];

/** Each project is one kind of proof; unit is quick enough for every save, the others start real processes. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          // They mock no module: files of one worker share what they import.
          isolate: false,
          include: ['test/unit/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: expectations,
          // By default one core is left to others, which is half of a small machine. Some of these tests wait, too.
          maxWorkers: availableParallelism() + 1,
        },
      },
      { plugins, test: { name: 'contract', include: ['test/contract/**/*.test.ts'], ...realProcesses } },
      { plugins, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], ...realProcesses } },
    ],
  },
});
