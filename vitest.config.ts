import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { builtCode, builtSources } from './dev/gate/built-sources.mjs';
import { LongestFirst } from './dev/gate/longest-first.mjs';
import { mostFiles } from './dev/gate/room.mjs';

/** On a machine with other load a process may stall for seconds. */
const expectations = { poll: { timeout: 15_000 } };

/** Of a long log often only the last lines are kept, with one for each failure: it says what was found. */
const chaiConfig = { truncateThreshold: 1_000 };

const { DEMARC_TEST_WORKERS: workers, DEMARC_TEST_ROOM: room } = process.env;
/** Maximum parallel files with real processes. They wait for half of their time; in `npm test` each also waits for room. */
const processWorkers = Number(workers ?? (room === undefined ? 2 * availableParallelism() + 1 : mostFiles));

/** `npm run mutants` asks which test files reach a place. */
const reaching = process.env.DEMARC_REACHED === undefined ? [] : ['dev/mutants/test-file.ts'];

const realProcesses = {
  testTimeout: 120_000,
  // On a busy machine the first files wait for the start of what they share.
  hookTimeout: 300_000,
  expect: expectations,
  chaiConfig,
  maxWorkers: processWorkers,
  // No test mocks a module. A start of a worker with the imports takes more than a second of CPU, so files of one worker share them.
  isolate: false,
  setupFiles: [
    'test/support/end-with-run.ts',
    'test/support/room-for-file.ts',
    'test/support/file-end.ts',
    ...reaching,
  ],
  server: { deps: { external: [builtCode] } },
};
const plugins = process.env.DEMARC_TEST_DIST === undefined ? [] : [builtSources];

const contract = {
  include: ['test/contract/**/*.test.ts'],
  globalSetup: ['test/support/shared-postgres.ts'],
};
const endToEnd = { include: ['test/e2e/*.test.ts'], globalSetup: contract.globalSetup };
const dashboard = {
  include: ['test/e2e/dashboard/*.test.ts'],
  globalSetup: ['test/e2e/dashboard/shared-system.ts'],
};

/** One project per kind of test; unit is fast enough to run on every save, the others start real processes. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Of the unit tests: here, since `--maxWorkers` does not reach what a project sets. By default vitest leaves one core free, which is
    // half of a small machine. Some of these tests also wait.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        plugins,
        // Outside of src/dashboard no tsconfig.json says so.
        oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
        test: {
          name: 'unit',
          // Unit tests mock no module, so the files of one worker can share their imports.
          isolate: false,
          setupFiles: ['test/support/end-with-run.ts', ...reaching],
          include: ['test/unit/**/*.test.{ts,tsx}'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: expectations,
          chaiConfig,
          server: { deps: { external: [builtCode] } },
        },
      },
      { plugins, test: { name: 'contract', ...contract, ...realProcesses } },
      { plugins, test: { name: 'e2e', ...endToEnd, ...realProcesses } },
      { plugins, test: { name: 'dashboard', ...dashboard, ...realProcesses } },
      {
        // The three above, for `npm test`: files of one project share workers.
        plugins,
        test: {
          name: 'processes',
          include: [...contract.include, ...endToEnd.include, ...dashboard.include],
          globalSetup: [...contract.globalSetup, ...dashboard.globalSetup],
          ...realProcesses,
        },
      },
    ],
  },
});
