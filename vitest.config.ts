import { defineConfig } from 'vitest/config';

/** A machine that others load as well may stand still for seconds. */
const expectations = { poll: { timeout: 15_000 } };

/** Each project is one kind of proof; unit is quick enough for every save, the others start real parts. */
export default defineConfig({
  test: {
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
        },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: expectations,
          fileParallelism: true,
          // Each takes a third of a core: most of their time is waiting.
          maxWorkers: 4,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: expectations,
          fileParallelism: true,
          maxWorkers: 3,
        },
      },
    ],
  },
});
