const longestMilliseconds = 50;

/**
 * How long a call waits before it asks again for what other edges return: they answer within a round trip, unless their machine is busy.
 * @param attempt 0 for the first
 * @param bound milliseconds after which it asks no more: undefined
 */
export function recallWait(attempt: number, bound: number): number | undefined {
  let waited = 0;
  let wait = 2;
  for (let before = 0; before < attempt; before++) {
    waited += wait;
    wait = Math.min(2 * wait, longestMilliseconds);
  }
  return waited < bound ? wait : undefined;
}
