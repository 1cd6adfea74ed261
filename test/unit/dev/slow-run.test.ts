import { expect, it, vi } from 'vitest';
import { judgeSlowRun } from '../../../dev/mutants/slow-run.js';
import type { Verdict } from '../../../dev/mutants/workspace.js';

/** The verdict on a mutant that did not end within 120 s. */
async function judged(asIs: number | undefined, repeated: Verdict = { end: 'passed' }) {
  const again = vi.fn(async (_seconds: number) => repeated);
  const verdict = await judgeSlowRun({ seconds: 120, secondsAsIs: async () => asIs, again });
  return { verdict, again };
}

it('finds that a mutant hangs whose tests take a quarter of its time without it', async () => {
  const { verdict, again } = await judged(30);
  expect(verdict).toEqual({ end: 'timeout' });
  expect(again).not.toHaveBeenCalled();
});

it.each<Verdict>([{ end: 'passed' }, { end: 'timeout' }, { end: 'failed', by: 'a test', file: undefined }])(
  'gives a mutant four times as long as its tests take without it: $end',
  async (repeated) => {
    const { verdict, again } = await judged(31, repeated);
    expect(again).toHaveBeenCalledExactlyOnceWith(124);
    expect(verdict).toBe(repeated);
  },
);

it('decides nothing where the tests fail without the mutation too', async () => {
  const { verdict, again } = await judged(undefined);
  expect(verdict).toEqual({ end: 'unsure' });
  expect(again).not.toHaveBeenCalled();
});
