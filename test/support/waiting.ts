/**
 * Resolves after that time and what has arrived by then: after a stop of this process its timers would fire before its
 * sockets are read.
 */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(() => setImmediate(resolve), milliseconds));

/**
 * How long to wait, at the most, for what takes `milliseconds` on a machine that has nothing else to do: one that shares its
 * cores with others may need many times that. A wait for what never comes costs a failing test that much. A bound below a second
 * stays as it is: such a look is repeated by the one who takes it.
 */
export const patient = (milliseconds: number): number =>
  milliseconds < 1_000 ? milliseconds : Math.max(milliseconds, Math.min(5 * milliseconds, 40_000));

/** Rejects with `what` if the promise takes longer. The promise itself is not cancelled. */
export async function within<T>(promise: Promise<T>, milliseconds: number, what: string): Promise<T> {
  const bound = patient(milliseconds);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = (): void => reject(new Error(`${what}: not within ${bound} ms.`));
    timer = setTimeout(() => setImmediate(giveUp), bound);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Polls until the condition holds, patiently. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
  what: string | (() => string),
): Promise<void> {
  const bound = patient(milliseconds);
  const end = performance.now() + bound;
  for (;;) {
    // The last look begins after the end: a process that stood still may have slept through it.
    const isLast = performance.now() > end;
    if (await condition()) return;
    if (isLast) throw new Error(`${typeof what === 'string' ? what : what()}: not within ${bound} ms.`);
    await pause(20);
  }
}
