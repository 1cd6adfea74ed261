import { Stage } from './stage.js';

let stage: Promise<Stage> | undefined;

/** The one with the usual settings, which the groups of `calls.test.ts` use one after the other. */
export const UsualStage = {
  /** It runs, and its number is as at first. */
  async take(): Promise<Stage> {
    stage ??= Stage.start();
    const taken = await stage;
    await taken.configure({});
    return taken;
  },

  async end(): Promise<void> {
    await (await stage)?.stop();
    stage = undefined;
  },
};
