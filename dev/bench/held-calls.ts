import { setTimeout as sleep } from 'node:timers/promises';
import { CpuMeter, type Metered, memoryOf } from './cpu.js';
import { startLoad } from './load.js';
import type { Held } from './report.js';
import { measureStep, type Setting } from './step.js';
import type { SystemUnderTest } from './system-under-test.js';

export interface HeldPlan {
  readonly calls: number;
  /** At which they are made. */
  readonly callsPerSecond: number;
  /** How long they are observed while nothing else happens. */
  readonly observeSeconds: number;
  /** Length of the step of new calls, without and under the held ones. */
  readonly stepSeconds: number;
}

/** Time for the processes to become quiet after calls. */
const quietMilliseconds = 3_000;

/** Memory and CPU of calls that are held, and what they add to the cost of a new call. */
export async function measureHeldCalls(
  setting: Setting,
  system: SystemUnderTest,
  plan: HeldPlan,
): Promise<Held> {
  const { calls, callsPerSecond, observeSeconds, stepSeconds } = plan;
  const { directory, keys, generatorCore: core } = setting;
  const { target, number } = system;
  const newCalls = { callsPerSecond: 100, seconds: stepSeconds, holdMilliseconds: 1_000 };
  const without = await measureStep(setting, system, newCalls);
  await sleep(quietMilliseconds);
  const processes = system.processes();
  const idle = await observe(processes, observeSeconds / 2);

  const rampSeconds = calls / callsPerSecond;
  const holdMilliseconds = (rampSeconds + observeSeconds + stepSeconds + 5) * 1_000 + 2 * quietMilliseconds;
  const load = { callsPerSecond, seconds: rampSeconds, holdMilliseconds };
  const held = await startLoad({ directory, keys, core, target, number, load });
  try {
    await sleep(rampSeconds * 1_000 + quietMilliseconds);
    const busy = await observe(system.processes(), observeSeconds);
    const under = await measureStep(setting, system, newCalls);
    const each = (value: (from: Observation, name: string) => number): Record<string, number> =>
      Object.fromEntries(
        processes.map(({ name }) => [name, (value(busy, name) - value(idle, name)) / calls]),
      );
    const result = {
      ...{ system: system.name, calls, heldSeconds: observeSeconds, without, under },
      kilobytes: each(({ lowest }, name) => (lowest.get(name) ?? 0) * 1024),
      cpuPerMinute: each(({ spent, seconds }, name) => ((spent.get(name) ?? 0) / seconds) * 60),
    };
    const { succeeded, failed, refused } = await held.result;
    if (failed + refused > 0) {
      throw new Error(
        `${system.name}: of ${calls} held calls ${succeeded} were held, ${failed + refused} failed.`,
      );
    }
    return result;
  } finally {
    held.stop();
  }
}

interface Observation {
  /** Proportional memory of each process at its lowest, in megabytes: garbage comes and goes. */
  readonly lowest: ReadonlyMap<string, number>;
  /** CPU milliseconds. */
  readonly spent: ReadonlyMap<string, number>;
  readonly seconds: number;
}

async function observe(processes: readonly Metered[], atLeastSeconds: number): Promise<Observation> {
  const meter = new CpuMeter(processes);
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 1_000;
  const lowest = new Map<string, number>();
  do {
    for (const [name, { pss }] of memoryOf(processes)) {
      lowest.set(name, Math.min(pss, lowest.get(name) ?? Number.POSITIVE_INFINITY));
    }
    await sleep(1_000);
  } while (elapsed() < atLeastSeconds);
  return { lowest, spent: meter.read(), seconds: elapsed() };
}
