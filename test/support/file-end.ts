import { afterAll } from 'vitest';
import { releasePorts } from './free-ports.js';

/** For vitest's `setupFiles`, which run before each file: test files of one worker share their imports, but not these. */
afterAll(() => releasePorts());
