import type { Verdict } from './workspace.js';

/** A mutant hangs that takes so many times as long as its tests do without it. */
const hangRatio = 4;

export interface SlowRun {
  /** The time that the mutant had and did not end within. */
  readonly seconds: number;
  /** Runs the same tests without the mutation; undefined: they do not pass. */
  readonly secondsAsIs: () => Promise<number | undefined>;
  /** Runs them with the mutation again. */
  readonly again: (seconds: number) => Promise<Verdict>;
}

/** Whether a mutant hangs, or only the machine was busy: the same tests without it say how long they take at that time. */
export async function judgeSlowRun({ seconds, secondsAsIs, again }: SlowRun): Promise<Verdict> {
  const asIs = await secondsAsIs();
  if (asIs === undefined) return { end: 'unsure' };
  const bound = hangRatio * asIs;
  return bound <= seconds ? { end: 'timeout' } : again(bound);
}
