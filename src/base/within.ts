/** The promise's value. Rejects with what it rejects with, or with `late` when it has not settled after so many milliseconds. */
export async function withinOrThrow<T>(milliseconds: number, promise: Promise<T>, late: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<never>((_, reject) => {
    // A value that arrived while this process was stalled is read before its time is up.
    timer = setTimeout(() => setImmediate(() => reject(new Error(late))), milliseconds);
  });
  try {
    return await Promise.race([promise, bound]);
  } finally {
    clearTimeout(timer);
  }
}

/** The promise's value; undefined when it rejects, or has not settled after so many milliseconds. */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  return withinOrThrow(milliseconds, promise, 'late').catch(() => undefined);
}
