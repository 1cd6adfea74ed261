/** Resolves after so many milliseconds. Unlike `setTimeout` of `node:timers/promises`, it follows the fake clock of a test. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** As `pause`, but does not keep the process alive. */
export const idlePause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
