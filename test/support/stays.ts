import { pause } from '../../src/testkit/waiting.js';

/** Repeats an assertion for that time: what must not happen fails the test in the moment in which it happens. */
export async function stays(assertion: () => unknown, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  // The last check begins after the end, because this process may have been stalled until then.
  for (let isLast = false; !isLast; ) {
    isLast = performance.now() >= end;
    await assertion();
    if (!isLast) await pause(20);
  }
}
