import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { killsOf, soak } from './soak.js';
import { signalingText, writeSoakPage } from './soak-page.js';

const whole =
  (low: number, high: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < low || value > high)
      throw new InvalidArgumentError(`${low} to ${high}.`);
    return value;
  };

const readKill = (text: string): string => {
  if (killsOf(text).length === 0) throw new InvalidArgumentError(`The kills are: ${killsOf().join('; ')}.`);
  return text;
};

interface Options {
  readonly minutes: number;
  readonly seed: number;
  readonly kill?: string;
  readonly page?: true;
  readonly json?: string;
}

/** `npm run soak`: exit code 1 if a call was lost, something is left when none is up, or a process grows. */
async function main(): Promise<void> {
  const program = new Command('npm run soak --')
    .description(
      'Runs all of Demarc under calls of all kinds, kills every process and a machine at the beginning and at the end, and measures memory and descriptors between.',
    )
    .option('-m, --minutes <count>', 'duration', whole(1, 10_000), 10)
    .option('-s, --seed <number>', 'of the order of kinds and kills', whole(0, 999_999_999), 1)
    .option('-k, --kill <text>', 'only kills whose name contains this, such as media-stream', readKill)
    .option('--page', 'writes docs/soak.md and its pictures')
    .option('--json <file>', 'writes all figures');
  program.parse();
  const { minutes, seed, kill, page, json } = program.opts<Options>();
  const report = await soak({ minutes, seed, kill, onProgress: (line) => process.stdout.write(`${line}\n`) });
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report)}\n`);
  if (page === true) writeSoakPage(report);
  for (const { process: name, what, first, last } of (report.growth ?? []).filter(({ isFlat }) => !isFlat))
    process.stdout.write(`    ${name} grew from ${Math.round(first)} to ${Math.round(last)} ${what}\n`);
  if (report.growth === undefined) process.stdout.write('Growth was not judged: the soak was too short.\n');
  const calls = Object.values(report.calls).reduce((sum, count) => sum + count, 0);
  const kills = Object.values(report.kills).reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `seed ${seed}: ${calls} calls, ${kills} kills that ${report.outlived} calls outlived, ${report.problems.length} problems\n`,
  );
  process.stdout.write(
    `Seconds until the peers of a dead machine's calls knew another address: ${signalingText(report.signaling)}.\n`,
  );
  if (report.problems.length > 0) process.exitCode = 1;
}

await main();
process.exit();
