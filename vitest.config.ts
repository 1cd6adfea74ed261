import { defineConfig } from 'vitest/config';

/**
 * Tests with real processes share two noisy cores: one that fails gets a second try, and `npm test` names each that needed it,
 * so that a race in the product stays visible.
 */
const retry = 1;

/** Each project is one kind of proof; unit is quick enough for every save, the others start real parts. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 10_000 } },
      {
        test: {
          name: 'contract',
          retry,
          include: ['test/contract/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: true,
          // Most of their time is waiting.
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'e2e',
          retry,
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 90_000,
          hookTimeout: 120_000,
          fileParallelism: true,
          maxWorkers: 2,
        },
      },
    ],
  },
});
