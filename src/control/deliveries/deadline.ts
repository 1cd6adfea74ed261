/**
 * Runs `act` with a signal that aborts with `signal`, or when the time is over; then with a `TimeoutError` as its reason.
 * What `AbortSignal.any` makes of `AbortSignal.timeout` may be collected as garbage in Node.js 20 and then never aborts:
 * a hung receiver would block its slot forever.
 */
export async function withDeadline<Result>(
  signal: AbortSignal,
  milliseconds: number,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController();
  const stop = (): void => deadline.abort(signal.reason);
  const late = setTimeout(() => {
    deadline.abort(new DOMException(`No response within ${milliseconds} ms`, 'TimeoutError'));
  }, milliseconds);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await act(deadline.signal);
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
  }
}
