export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Rejects with `what` when the promise takes longer than that. The promise itself goes on. */
export async function within<T>(promise: Promise<T>, milliseconds: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${milliseconds} ms.`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Polls until the condition holds. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
  what: string | (() => string),
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`${typeof what === 'string' ? what : what()}: not within ${milliseconds} ms.`);
    }
    await pause(10);
  }
}
