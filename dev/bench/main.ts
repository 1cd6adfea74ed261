/**
 * `npm run bench`: CPU per call, delays and memory of the whole of Demarc with everything enabled, by process: TLS from the
 * trunk, SRTP negotiated, admission, rtpengine offer, answer and delete, traces, records in Redis and PostgreSQL, metrics.
 * Other clones are measured in the same run, in alternation. Loopback figures of one machine: compare them only with each other.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestAuthority } from '../../test/support/certificates.js';
import { root } from '../setup/bootstrap.mjs';
import { measureGenerator } from './generator-check.js';
import { type Options, readOptions, usage } from './options.js';
import { Session } from './session.js';
import {
  type Calls,
  GeneratorUnusable,
  measureStep,
  refuseStarved,
  type Setting,
  type Step,
} from './step.js';
import { overloadLine, ratioLines, stepLine } from './table.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function run(options: Options, setting: Setting): Promise<{ generator: Calls[]; steps: Step[] }> {
  const { rates, seconds, holdMilliseconds } = options;
  const generator: Calls[] = [];
  const steps: Step[] = [];
  const session = new Session(setting, options);
  try {
    for (const callsPerSecond of rates) {
      const calls = await measureGenerator(setting, { callsPerSecond, seconds: 4, holdMilliseconds });
      print(
        `generator against itself ${callsPerSecond}/s: to 180 ${calls.ringing.p50}/${calls.ringing.p99} ms, ` +
          `to 200 ${calls.setup.p50}/${calls.setup.p99} ms (p50/p99)`,
      );
      generator.push(calls);
    }
    for (const [i, clone] of options.clones.entries()) {
      const system = await session.addClone(i === 0 ? 'demarc' : `system ${i + 1}`, clone);
      print(`${system.name}: ${system.description} (${clone.directory})`);
    }
    for (const system of session.systems) await session.warmUp(system, options.warm);
    for (const [i, callsPerSecond] of rates.entries()) {
      for (let round = 0; round < options.rounds; round++) {
        for (const system of session.systems) {
          const step = await measureStep(setting, system, { callsPerSecond, seconds, holdMilliseconds });
          steps.push(step);
          print(options.overload ? overloadLine(step, seconds) : stepLine(step, generator[i]));
          refuseStarved(step);
        }
      }
    }
    for (const line of ratioLines(steps)) print(line);
    return { generator, steps };
  } finally {
    await session.stop();
  }
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), root);
  const directory = mkdtempSync(join(tmpdir(), 'demarc-bench-'));
  const authority = await TestAuthority.create();
  try {
    const keys = await authority.issue('bench');
    print(
      `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${options.seconds} s a step, calls held ${options.holdMilliseconds} ms`,
    );
    const figures = await run(options, { directory, keys, generatorCore: options.overload ? 1 : undefined });
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, undefined, 2)}\n`);
  } finally {
    if (options.keep) print(`kept: ${directory}`);
    else rmSync(directory, { recursive: true, force: true });
    rmSync(authority.directory, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (failure) {
  if (failure instanceof GeneratorUnusable)
    process.stderr.write(`${failure.message}\nNo figures are reported.\n`);
  else process.stderr.write(`${failure instanceof Error ? failure.message : failure}\n\n${usage}`);
  process.exitCode = 1;
}
