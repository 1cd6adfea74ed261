/** For faults of the running test. */
const undos: (() => unknown)[] = [];

/**
 * Undoes a fault after the running test, however that ends, so that one failure stays one failure. What is broken outside of tests stays
 * broken.
 */
export function undoAfterTest(undo: () => unknown): void {
  undos.push(undo);
}

/** Before each test. */
export function forgetFaults(): void {
  undos.length = 0;
}

/** After each test: the last fault first. */
export async function undoFaults(): Promise<void> {
  for (const undo of undos.splice(0).reverse()) await undo();
}
