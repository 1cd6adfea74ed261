import { CallBench } from './bench.js';

let bench: Promise<CallBench> | undefined;

/** The one with the usual settings, which the groups of `calls.test.ts` use one after the other. */
export const PlainBench = {
  /** It runs, its number is as at first, and no record of the group before is left. */
  async take(): Promise<CallBench> {
    bench ??= CallBench.start();
    const taken = await bench;
    await taken.clear(5_000);
    await taken.configure({});
    return taken;
  },

  async end(): Promise<void> {
    await (await bench)?.stop();
    bench = undefined;
  },
};
