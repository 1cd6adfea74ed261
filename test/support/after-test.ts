import { AsyncLocalStorage } from 'node:async_hooks';

type Undos = (() => unknown)[];

interface Task {
  readonly concurrent?: boolean;
  readonly suite?: Task | undefined;
}

/** For faults of each running test, where several run at the same time: see `endStores` for its cost. */
const besideOthers = new AsyncLocalStorage<Undos>();
/** Of the only running test. */
let alone: Undos | undefined;

/**
 * Undoes a fault after the running test, however that ends, so that one failure stays one failure. What is broken outside of tests stays
 * broken.
 */
export function undoAfterTest(undo: () => unknown): void {
  (besideOthers.getStore() ?? alone)?.push(undo);
}

/** Around each test: undoes its faults, the last one first. */
export async function undoingFaults(runTest: () => Promise<void>, task: Task): Promise<void> {
  const ofTest: Undos = [];
  try {
    if (isBesideOthers(task)) await besideOthers.run(ofTest, runTest);
    else {
      alone = ofTest;
      await runTest();
    }
  } finally {
    alone = undefined;
    for (const undo of ofTest.reverse()) await undo();
  }
}

const isBesideOthers = ({ concurrent, suite }: Task): boolean =>
  concurrent === true || (suite !== undefined && isBesideOthers(suite));
