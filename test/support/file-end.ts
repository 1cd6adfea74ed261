import { afterAll, aroundEach } from 'vitest';
import { undoingFaults } from './after-test.js';
import { endStores } from './async-stores.js';
import { releasePorts } from './free-ports.js';
import { processorSeconds } from './processor-use.js';
import { leaveShared } from './shared-by-files.js';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a file: processor time of the worker and of the processes that it started and ended, from the imports to the end. */
    processorSeconds?: number;
  }
}

/** For vitest's `setupFiles`, which run before each file: test files of one worker share their imports, but not these. */
const before = processorSeconds();
aroundEach((runTest, { task }) => undoingFaults(runTest, task));
// biome-ignore lint/correctness/noEmptyPattern: vitest parses the parameter, and refuses any other form of it.
afterAll(({}, file) => {
  releasePorts();
  endStores();
  leaveShared(file.name);
  const after = processorSeconds();
  if (before !== undefined && after !== undefined) file.meta.processorSeconds = after - before;
});
