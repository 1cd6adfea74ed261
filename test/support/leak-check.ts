import { patient, pause } from '../../src/testkit/waiting.js';
import type { EngineUnderTest } from './engine-under-test.js';

export type Counts = Readonly<Record<string, number>>;

/** The counts that match and are not zero, as text; empty when there is none. */
function alive(counts: Counts, which: RegExp): string {
  return Object.entries(counts)
    .filter(([name, count]) => which.test(name) && count !== 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

/**
 * Fails unless the engine's live objects of that kind reach zero in time.
 * A real server does not tell its counts; there it checks nothing.
 */
export async function expectNoneAlive(
  engine: EngineUnderTest,
  which: RegExp,
  milliseconds: number,
): Promise<void> {
  const end = Date.now() + patient(milliseconds);
  for (;;) {
    const counts = await engine.counts();
    if (counts === undefined) return;
    if (!Object.keys(counts).some((name) => which.test(name))) {
      throw new Error(
        `The engine reports no count that matches ${which}: ${Object.keys(counts).join(', ')}.`,
      );
    }
    const left = alive(counts, which);
    if (left === '') return;
    if (Date.now() > end) throw new Error(`Left in the engine after ${milliseconds} ms: ${left}.`);
    await pause(25);
  }
}
