/** Resolves after so many milliseconds. Unlike `setTimeout` of `node:timers/promises`, it follows the fake clock of a test. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
