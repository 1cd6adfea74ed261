import { InTurn } from '../../support/in-turn.js';
import { CallBench } from './bench.js';

/** Its number is as at first, and nothing, no record either, is left of other calls. */
export async function clean(bench: CallBench): Promise<void> {
  await bench.clear(5_000);
  await bench.configure({});
}

/** The one with the usual settings, for the groups of `calls.test.ts`. */
export const plainBench = new InTurn(() => CallBench.start(), clean);
