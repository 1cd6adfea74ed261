import { setTimeout as sleep } from 'node:timers/promises';
import { CpuMeter, memoryOf } from './cpu.js';
import { type Load, type LoadResult, percentile, runLoad } from './load.js';
import type { Calls, Delay, Step } from './report.js';
import type { KeyPair } from './sipp.js';
import type { SystemUnderTest } from './system-under-test.js';

/** What every step of a run uses. */
export interface Setting {
  readonly directory: string;
  readonly keys: KeyPair;
  /** Pins the callers to this core; undefined: no pinning. */
  readonly generatorCore?: number | undefined;
}

/** The generator got too little CPU or fails without a system: figures of such a run would be wrong. */
export class GeneratorUnusable extends Error {}

/** The share of the asked rate below which the generator counts as starved. */
const starvedBelow = 0.95;

/** Records of the last calls are stored after the load ends, and are part of its cost. */
const settleMilliseconds = 1_500;

const delay = (sorted: readonly number[]): Delay => ({
  p50: percentile(sorted, 0.5),
  p99: percentile(sorted, 0.99),
  longest: sorted.at(-1) ?? 0,
});

export const callsOf = (result: LoadResult, { callsPerSecond }: Load): Calls => {
  const { ringing, setups, sentPerSecond, succeeded, refused, failed, retransmissions } = result;
  return {
    callsPerSecond,
    sentPerSecond,
    succeeded,
    refused,
    failed,
    retransmissions,
    ringing: delay(ringing),
    setup: delay(setups),
  };
};

/** Calls to one system at one rate; CPU is counted until the records are stored. */
export async function measureStep(setting: Setting, system: SystemUnderTest, load: Load): Promise<Step> {
  const { target, number } = system;
  const meter = new CpuMeter(system.processes());
  const result = await runLoad({
    directory: setting.directory,
    keys: setting.keys,
    core: setting.generatorCore,
    target,
    number,
    load,
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

/** True: nothing failed, but the generator could not send what was asked: it was starved. */
export function isGeneratorStarved(calls: Calls): boolean {
  return (
    calls.failed === 0 && calls.refused === 0 && calls.sentPerSecond < starvedBelow * calls.callsPerSecond
  );
}

/** @throws GeneratorUnusable */
export function refuseStarved(calls: Calls): void {
  if (!isGeneratorStarved(calls)) return;
  throw new GeneratorUnusable(
    `The generator was starved: asked ${calls.callsPerSecond}/s, sent ${calls.sentPerSecond.toFixed(1)}/s. ` +
      'Run it on an idle machine, or at lower rates.',
  );
}
