/** The promise's value; undefined when it rejects, or has not come after so many milliseconds. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([promise, bound]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
