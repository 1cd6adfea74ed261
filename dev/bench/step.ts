import { setTimeout as sleep } from 'node:timers/promises';
import { CpuMeter, type Memory, memoryOf } from './cpu.js';
import { isStarved, type Load, type LoadResult, percentile, runLoad } from './load.js';
import type { KeyPair } from './sipp.js';
import type { SystemUnderTest } from './system-under-test.js';

/** Milliseconds. */
export interface Delay {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** Calls at one rate, as the callers saw them. */
export interface Calls {
  readonly callsPerSecond: number;
  readonly sentPerSecond: number;
  readonly succeeded: number;
  readonly refused: number;
  readonly failed: number;
  readonly retransmissions: number;
  /** INVITE to 180. */
  readonly ringing: Delay;
  /** INVITE to 200, which includes 10 ms of ringing. */
  readonly setup: Delay;
}

/** A measured step of one system. */
export interface Step extends Calls {
  readonly system: string;
  /** CPU milliseconds per call of each process, and their sum. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly total: number;
  /** Megabytes of each process at the end of the step. */
  readonly memory: Readonly<Record<string, Memory>>;
}

/** What every step of a run uses. */
export interface Setting {
  readonly directory: string;
  readonly keys: KeyPair;
  /** Pins the callers to this core; undefined: no pinning. */
  readonly generatorCore?: number | undefined;
}

/** The generator got too little CPU, or fails by itself: figures of such a run would be wrong. */
export class GeneratorUnusable extends Error {}

/** Records of the last calls are stored after the load ends, and are part of its cost. */
const settleMilliseconds = 1_500;

const delay = (sorted: readonly number[]): Delay => ({
  p50: percentile(sorted, 0.5),
  p99: percentile(sorted, 0.99),
  longest: sorted.at(-1) ?? Number.NaN,
});

export const callsOf = (result: LoadResult, { callsPerSecond }: Load): Calls => {
  const { ringing, setups, sentPerSecond, succeeded, refused, failed, retransmissions } = result;
  return {
    ...{ callsPerSecond, sentPerSecond, succeeded, refused, failed, retransmissions },
    ringing: delay(ringing),
    setup: delay(setups),
  };
};

/** Calls to one system at one rate; CPU is counted until the records are stored. */
export async function measureStep(setting: Setting, system: SystemUnderTest, load: Load): Promise<Step> {
  const { target, number } = system;
  const meter = new CpuMeter(system.processes());
  const result = await runLoad({
    ...{
      directory: setting.directory,
      keys: setting.keys,
      core: setting.generatorCore,
      target,
      number,
      load,
    },
  });
  await sleep(settleMilliseconds);
  const processes = system.processes();
  const calls = Math.max(1, result.succeeded + result.refused + result.failed);
  const cpu = Object.fromEntries([...meter.read()].map(([name, spent]) => [name, spent / calls]));
  return {
    system: system.name,
    ...callsOf(result, load),
    cpu,
    total: Object.values(cpu).reduce((sum, each) => sum + each, 0),
    memory: Object.fromEntries(memoryOf(processes)),
  };
}

/**
 * Throws where the generator could not send what was asked although nothing failed: then it was starved, not the system overloaded.
 * @throws GeneratorUnusable
 */
export function refuseStarved(step: Calls): void {
  const load = { callsPerSecond: step.callsPerSecond, seconds: 0, holdMilliseconds: 0 };
  if (step.failed > 0 || step.refused > 0) return;
  if (isStarved({ ...step, ringing: [], setups: [] }, load)) {
    throw new GeneratorUnusable(
      `The generator was starved: asked ${step.callsPerSecond}/s, sent ${step.sentPerSecond.toFixed(1)}/s. ` +
        'Run it on an idle machine, or at lower rates.',
    );
  }
}
