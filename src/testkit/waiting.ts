/** Resolves after that time, and after the sockets were read: if this process was stalled, its timers fire before that. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(() => setImmediate(resolve), milliseconds));

/**
 * The longest wait for what takes `milliseconds` on an idle machine; a machine that shares its cores may need many times that.
 * Only a failing test waits that long. A bound below one second is not extended, because its caller repeats the check.
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

const pollMilliseconds = 20;
/** Longest pause before a question is repeated; each costs another process a response. */
const longestPollMilliseconds = 250;
/** Of the time so far: what a pause may add to it. */
const pollShare = 0.15;

/**
 * Polls until the condition holds; rejects with `what` after the time that `patient` allows. An asynchronous condition is checked less often
 * the longer it takes.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
  what: string | (() => string),
): Promise<void> {
  const bound = patient(milliseconds);
  const began = performance.now();
  const end = began + bound;
  for (;;) {
    // The last check begins after the end, because this process may have been stalled until then.
    const now = performance.now();
    const isLast = now > end;
    const answer = condition();
    if (await answer) return;
    if (isLast) throw new Error(`${typeof what === 'string' ? what : what()}: not within ${bound} ms.`);
    const share = typeof answer === 'boolean' ? 0 : pollShare * (now - began);
    await pause(Math.min(longestPollMilliseconds, Math.max(pollMilliseconds, share)));
  }
}
