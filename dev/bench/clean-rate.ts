import { runLoad } from './load.js';
import type { Calls, CleanRate } from './report.js';
import { callsOf, isGeneratorStarved, type Setting } from './step.js';
import type { SystemUnderTest } from './system-under-test.js';

/** A rate is clean when no call fails and 99 % of the calls are answered within this time. */
const longestSetupMilliseconds = 250;

export interface SearchPlan {
  readonly from: number;
  readonly by: number;
  readonly to: number;
  /** Of a step. */
  readonly seconds: number;
  readonly holdMilliseconds: number;
}

/** Why the rate is not clean; undefined: it is. */
function flaw(calls: Calls): 'failed calls' | 'delay' | 'generator' | undefined {
  if (calls.failed > 0 || calls.refused > 0) return 'failed calls';
  if (isGeneratorStarved(calls)) return 'generator';
  return calls.setup.p99 < longestSetupMilliseconds ? undefined : 'delay';
}

/**
 * The highest rate that is clean, by steps from `from`. A step that is not clean is repeated once, because one pause of a shared machine is
 * enough to spoil it. With all cores busy the generator may be the first to fall behind; the result then says so.
 */
export async function searchCleanRate(
  setting: Setting,
  system: SystemUnderTest,
  plan: SearchPlan,
  onStep: (calls: Calls) => void,
): Promise<CleanRate> {
  const { seconds, holdMilliseconds } = plan;
  const steps: Calls[] = [];
  const attempt = async (callsPerSecond: number): Promise<ReturnType<typeof flaw>> => {
    const { target, number } = system;
    const { directory, keys, generatorCore: core } = setting;
    const load = { callsPerSecond, seconds, holdMilliseconds };
    const calls = callsOf(await runLoad({ directory, keys, core, target, number, load }), load);
    steps.push(calls);
    onStep(calls);
    return flaw(calls);
  };
  const repeated = async (rate: number) => (await attempt(rate)) && (await attempt(rate));
  return { ...(await searchRates(plan, repeated)), system: system.name, steps };
}

/**
 * Upwards while rates are clean, downwards while none was.
 * @param flawOf why a rate is not clean; undefined: it is
 * @returns `clean` 0: not even the lowest rate is
 */
export async function searchRates<Flaw>(
  { from, by, to }: Pick<SearchPlan, 'from' | 'by' | 'to'>,
  flawOf: (rate: number) => Promise<Flaw | undefined>,
): Promise<{ readonly clean: number; readonly boundBy: Flaw | 'limit' }> {
  let boundBy = await flawOf(from);
  if (boundBy !== undefined) {
    for (let rate = from - by; rate > 0; rate -= by) {
      const lower = await flawOf(rate);
      if (lower === undefined) return { clean: rate, boundBy };
      boundBy = lower;
    }
    return { clean: 0, boundBy };
  }
  let clean = from;
  for (let rate = from + by; rate <= to; rate += by) {
    boundBy = await flawOf(rate);
    if (boundBy !== undefined) return { clean, boundBy };
    clean = rate;
  }
  return { clean, boundBy: 'limit' };
}
