import { setTimeout as sleep } from 'node:timers/promises';
import { CpuMeter, type Metered, memoryOf } from './cpu.js';
import { type RunningLoad, startLoad } from './load.js';
import type { Held, Step } from './report.js';
import { measureStep, type Setting } from './step.js';
import type { SystemUnderTest } from './system-under-test.js';

export interface HeldPlan {
  readonly calls: number;
  /** At which each system gets them. */
  readonly callsPerSecond: number;
  /** How long the systems are observed while nothing else happens: idle before, and with the held calls. */
  readonly observeSeconds: number;
  /** Length of the step of new calls, without and under the held ones. */
  readonly stepSeconds: number;
}

/**
 * An edge compresses the messages of its calls after 20 s, and collects its garbage after 30 s without a load, at most once a minute: before
 * that, half of its growth may be garbage.
 */
const quietMilliseconds = 75_000;
const marginSeconds = 5;

/**
 * Memory and CPU of calls that are held, and what they add to the cost of a new call. All systems hold their calls at the same
 * time, because most of the measurement is waiting; the steps of new calls come one after the other.
 */
export async function measureHeldCalls(
  setting: Setting,
  systems: readonly SystemUnderTest[],
  plan: HeldPlan,
): Promise<Held[]> {
  const { calls, callsPerSecond, observeSeconds } = plan;
  await sleep(quietMilliseconds);
  const idle = await observe(systems, observeSeconds);
  // As the step beside the held calls, after a quiet time: the first calls after one cost more.
  const without = await stepOfEach(setting, systems, plan);
  const loads: RunningLoad[] = [];
  try {
    const { directory, keys, generatorCore: core } = setting;
    const holdMilliseconds = longestHold(plan, systems.length) * 1_000;
    const load = { callsPerSecond, seconds: calls / callsPerSecond, holdMilliseconds };
    for (const { target, number } of systems) {
      loads.push(await startLoad({ directory, keys, core, target, number, load }));
    }
    await sleep(load.seconds * 1_000 + quietMilliseconds);
    const busy = await observe(systems, observeSeconds);
    const under = await stepOfEach(setting, systems, plan);
    const results = await Promise.all(loads.map(({ result }) => result));
    return systems.map((system, i) => {
      const { succeeded, failed, refused } = results[i]!;
      if (succeeded < calls) {
        throw new Error(
          `${system.name}: of ${calls} calls ${succeeded} were held; ${refused} refused, ${failed} failed.`,
        );
      }
      return compose(system, plan, idle[i]!, busy[i]!, without[i]!, under[i]!);
    });
  } finally {
    for (const load of loads) load.stop();
  }
}

/** Seconds from the first call's answer until everything was measured. */
const longestHold = (plan: HeldPlan, systems: number): number =>
  plan.calls / plan.callsPerSecond +
  quietMilliseconds / 1_000 +
  plan.observeSeconds +
  systems * (plan.stepSeconds + marginSeconds);

async function stepOfEach(
  setting: Setting,
  systems: readonly SystemUnderTest[],
  { stepSeconds }: HeldPlan,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const system of systems) {
    const load = { callsPerSecond: 100, seconds: stepSeconds, holdMilliseconds: 1_000 };
    steps.push(await measureStep(setting, system, load));
  }
  return steps;
}

function compose(
  system: SystemUnderTest,
  { calls }: HeldPlan,
  idle: Observation,
  busy: Observation,
  without: Step,
  under: Step,
): Held {
  const each = (value: (from: Observation, name: string) => number): Record<string, number> =>
    Object.fromEntries(
      [...idle.spent.keys()].map((name) => [name, (value(busy, name) - value(idle, name)) / calls]),
    );
  return {
    system: system.name,
    calls,
    heldSeconds: busy.seconds,
    without,
    under,
    kilobytes: each(({ lowest }, name) => (lowest.get(name) ?? 0) * 1024),
    cpuPerMinute: each(({ spent, seconds }, name) => ((spent.get(name) ?? 0) / seconds) * 60),
  };
}

interface Observation {
  /** Proportional memory of each process at its lowest, in megabytes: garbage comes and goes. */
  readonly lowest: ReadonlyMap<string, number>;
  /** CPU milliseconds. */
  readonly spent: ReadonlyMap<string, number>;
  readonly seconds: number;
}

/** Every system for so long, all at the same time. */
function observe(systems: readonly SystemUnderTest[], seconds: number): Promise<Observation[]> {
  return Promise.all(systems.map((system) => observeOne(system.processes(), seconds)));
}

async function observeOne(processes: readonly Metered[], atLeastSeconds: number): Promise<Observation> {
  const meter = new CpuMeter(processes);
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 1_000;
  const lowest = new Map<string, number>();
  do {
    for (const [name, { pss }] of memoryOf(processes)) {
      lowest.set(name, Math.min(pss, lowest.get(name) ?? Number.POSITIVE_INFINITY));
    }
    await sleep(2_000);
  } while (elapsed() < atLeastSeconds);
  return { lowest, spent: meter.read(), seconds: elapsed() };
}
