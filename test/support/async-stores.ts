import { AsyncLocalStorage } from 'node:async_hooks';

const { run } = AsyncLocalStorage.prototype;
const used = new Set<AsyncLocalStorage<unknown>>();

AsyncLocalStorage.prototype.run = function (
  this: AsyncLocalStorage<unknown>,
  ...given: Parameters<typeof run>
) {
  used.add(this);
  return run.apply(this, given);
} as typeof run;

/**
 * Ends every store that code of this process has used, that of Playwright included. Before Node.js 24 each promise costs more than twice as
 * much from the first use of a store until all are ended: an eighth of the processor time of tests.
 */
export function endStores(): void {
  for (const store of used) store.disable();
  used.clear();
}
