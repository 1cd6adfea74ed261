import { Command, InvalidArgumentError } from 'commander';
import { fuzz } from './fuzz.js';

const whole =
  (low: number, high: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < low || value > high)
      throw new InvalidArgumentError(`${low} to ${high}.`);
    return value;
  };

interface Options {
  readonly minutes: number;
  readonly seed: number;
  readonly parallel: number;
  readonly most: number;
  readonly story?: number;
}

/** `npm run fuzz`: exit code 1 if anything was left behind or broken. */
async function main(): Promise<void> {
  const program = new Command('npm run fuzz --')
    .description(
      'Drives dialogs with odd trunks and agents against a real system on 127.0.0.1, then prints what they left behind.',
    )
    .option('-m, --minutes <count>', 'duration', whole(1, 600), 1)
    .option('-s, --seed <number>', 'the same seed makes the same stories', whole(0, 999_999_999), 1)
    .option('-p, --parallel <count>', 'stories at a time', whole(1, 200), 16)
    .option('--most <count>', 'stories in total', whole(1, 1_000_000), 1_000_000)
    .option('--story <number>', 'only that story of the seed, with whole messages', whole(0, 1_000_000));
  program.parse();
  const { minutes, ...rest } = program.opts<Options>();
  process.stdout.write(`seed ${rest.seed}\n`);
  const { stories, records, reasons, problems, histories } = await fuzz({ ...rest, seconds: minutes * 60 });
  for (const history of histories) process.stdout.write(`${history}\n`);
  process.stdout.write(`${JSON.stringify(reasons)}\n`);
  for (const problem of problems.slice(0, 200)) process.stdout.write(`    ${problem}\n`);
  process.stdout.write(
    `seed ${rest.seed}: ${stories} stories, ${records} records, ${problems.length} problems\n`,
  );
  if (problems.length > 0) process.exitCode = 1;
}

await main();
process.exit();
