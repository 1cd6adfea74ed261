import { afterAll, afterEach, beforeEach } from 'vitest';
import { forgetFaults, undoFaults } from './after-test.js';
import { releasePorts } from './free-ports.js';

/** For vitest's `setupFiles`, which run before each file: test files of one worker share their imports, but not these. */
beforeEach(() => forgetFaults());
afterEach(() => undoFaults());
afterAll(() => releasePorts());
