import { AsyncLocalStorage } from 'node:async_hooks';

/** For faults of each running test: several may run at the same time. */
const undos = new AsyncLocalStorage<(() => unknown)[]>();

/**
 * Undoes a fault after the running test, however that ends, so that one failure stays one failure. What is broken outside of tests stays
 * broken.
 */
export function undoAfterTest(undo: () => unknown): void {
  undos.getStore()?.push(undo);
}

/** Around each test: undoes its faults, the last one first. */
export async function undoingFaults(runTest: () => Promise<void>): Promise<void> {
  const ofTest: (() => unknown)[] = [];
  try {
    await undos.run(ofTest, runTest);
  } finally {
    for (const undo of ofTest.reverse()) await undo();
  }
}
