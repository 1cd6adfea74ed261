/** The promise's value; undefined when it rejects, or has not come after so many milliseconds. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<undefined>((resolve) => {
    // What came while this process stood still is read before its time is up.
    timer = setTimeout(() => setImmediate(resolve, undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, bound]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
