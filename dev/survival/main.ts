import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { Stack } from '../../test/e2e/stack.js';
import { randomKills } from './random-kills.js';
import { type Row, rows } from './rows.js';
import { problemsOf, refusalOf, runRow } from './run-row.js';

const readCount = (text: string): number => {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 7 || count > 200) throw new InvalidArgumentError('7 to 200.');
  return count;
};

const readTimes = (text: string): number => {
  const times = Number(text);
  if (!Number.isInteger(times) || times < 1 || times > 1_000) throw new InvalidArgumentError('1 to 1000.');
  return times;
};

const readKills = (text: string): number => {
  const kills = Number(text);
  if (!Number.isInteger(kills) || kills < 1 || kills > 10_000) throw new InvalidArgumentError('1 to 10000.');
  return kills;
};

const readSeed = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A number of at most nine digits.');
  return Number(text);
};

interface Options {
  readonly calls: number;
  readonly row?: string;
  readonly times: number;
  readonly kills?: number;
  readonly seed: number;
}

const killsPerRound = 10;

/** Each round has its own seed, with which it can be repeated. */
async function killAtRandom(kills: number, firstSeed: number): Promise<void> {
  let failed = 0;
  for (let done = 0, seed = firstSeed; done < kills; done += killsPerRound, seed++) {
    const stack = await Stack.start({ edge: { DEMARC_LOG_LEVEL: 'debug' } });
    try {
      const count = Math.min(killsPerRound, kills - done);
      const { answered, tested, problems, histories } = await randomKills(stack, seed, count);
      process.stdout.write(
        `seed ${seed}: ${count} kills, ${answered} answered calls, ${tested} of them up at a kill, ${problems.length} problems\n`,
      );
      for (const problem of problems) process.stdout.write(`    ${problem}\n`);
      if (problems.length === 0) continue;
      failed++;
      const file = join(mkdtempSync(join(tmpdir(), `demarc-kills-${seed}-`)), 'log');
      writeFileSync(file, `${histories.join('\n')}\n${stack.logs}`);
      process.stdout.write(`${histories.join('\n')}\n    Logs of all processes: ${file}\n`);
    } finally {
      await stack.stop();
    }
  }
  if (failed > 0) process.exitCode = 1;
}

/** `npm run survival`: what held calls make of the death of each process, as a table. Exit code 1 when a call was lost or silent for too long. */
async function main(): Promise<void> {
  const program = new Command('npm run survival --')
    .description(
      'Ends one process after another under held calls with audio, and prints what became of them.',
    )
    .option(
      '-c, --calls <count>',
      'calls held in each row: two of them on hold, two ordered, one being transferred',
      readCount,
      20,
    )
    .option('-r, --row <text>', 'only rows whose name contains this')
    .option('-t, --times <count>', 'each row so often', readTimes, 1)
    .option('-k, --kills <count>', 'instead: so many random kills, in rounds of ten', readKills)
    .option('-s, --seed <number>', 'of the first round; the following rounds count up', readSeed, 1);
  program.parse();
  const { calls, row: wanted, times, kills, seed } = program.opts<Options>();
  if (kills !== undefined) {
    await killAtRandom(kills, seed);
    return;
  }
  const chosen = rows
    .filter(({ name }) => wanted === undefined || name.includes(wanted))
    .flatMap((row) => Array<Row>(times).fill(row));
  if (chosen.length === 0) program.error(`No row contains "${wanted}".`);
  process.stdout.write('| event | calls up | longest gap of audio | new call answered after | records |\n');
  process.stdout.write('|---|---|---|---|---|\n');
  for (const row of chosen) {
    const refusal = refusalOf(row);
    if (refusal !== undefined) {
      process.stdout.write(`    skipped: ${row.name}: ${refusal}\n`);
      continue;
    }
    const outcome = await runRow(row, calls);
    const { up, gap, newCall, signaling, records } = outcome;
    // The call that is begun after the event counts as well.
    const of = `of ${outcome.calls}`;
    process.stdout.write(
      `| ${row.name} | ${up} ${of} | ${gap} ms | ${seconds(newCall)} | ${records} ${of} |\n`,
    );
    if (signaling !== undefined)
      process.stdout.write(`    All peers knew the new address after ${seconds(signaling)}.\n`);
    for (const problem of problemsOf(row, outcome)) {
      process.stdout.write(`    ${problem}\n`);
      process.exitCode = 1;
    }
  }
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

await main();
process.exit();
