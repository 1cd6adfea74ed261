import { afterEach, expect, it } from 'vitest';
import { catchesSignal } from '../../../src/base/caught-signals.js';

const handle = (): void => {};
afterEach(() => void process.off('SIGUSR2', handle));

it.runIf(process.platform === 'linux')('tells whether a process has a handler for a signal', () => {
  process.on('SIGUSR2', handle);
  expect(catchesSignal(process.pid, 'SIGUSR2')).toBe(true);
  process.off('SIGUSR2', handle);
  expect(catchesSignal(process.pid, 'SIGUSR2')).toBe(false);
});

it('knows nothing of a process that does not run', () => {
  expect(catchesSignal(4_194_304, 'SIGUSR2')).toBeUndefined();
});
