import { loadavg } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { faults } from './faults.js';
import { kinds } from './kinds.js';
import { type Notice, seconds } from './notice.js';
import { type Outcome, Verdicts } from './verdicts.js';

const readCount = (text: string): number => {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 5 || count > 1_000) throw new InvalidArgumentError('5 to 1000.');
  return count;
};

interface Options {
  readonly calls: number;
  readonly only?: string;
}

const resultsOf = ({ results = {} }: Outcome): string =>
  Object.entries(results)
    .map(([result, count]) => `${count} × ${result}`)
    .join(', ');

const noticedAfter = (notice: Notice | undefined): string =>
  notice === undefined ? '–' : `${seconds(notice.notGreenAfter)}, ${seconds(notice.namedAfter)}`;

function print(outcome: Outcome): void {
  const { name, organization, fleet, recovered, problems } = outcome;
  const last = recovered === undefined ? resultsOf(outcome) : seconds(recovered);
  const cells = [
    name,
    noticedAfter(organization),
    noticedAfter(fleet),
    organization?.says ?? fleet.says,
    last,
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
  if (organization !== undefined && fleet.says !== organization.says)
    process.stdout.write(`    fleet: ${fleet.says}\n`);
  for (const problem of problems) {
    process.stdout.write(`    ${problem}\n`);
    process.exitCode = 1;
  }
}

const head = (first: string, last: string): void => {
  process.stdout.write(
    `\n| ${first} | organization: not green, named after | fleet: not green, named after | says | ${last} |\n|---|---|---|---|---|\n`,
  );
};

/** `npm run verdicts`: exit code 1 when a page was green for more than ten seconds, or named another cause. */
async function main(): Promise<void> {
  const program = new Command('npm run verdicts --')
    .description(
      'Drives calls that fail in every way, and faults of every component, and measures when the verdict of the dashboard tells of them, and what it says.',
    )
    .option('-c, --calls <count>', 'of each kind', readCount, 60)
    .option('-o, --only <text>', 'only kinds and faults whose name contains this');
  program.parse();
  const { calls, only = '' } = program.opts<Options>();
  const chosen = faults.filter(({ name }) => name.includes(only));
  // Without good calls, pages have nothing to be green about before a fault.
  const driven = kinds.filter(
    ({ name, ends }) => name.includes(only) || (ends === undefined && chosen.length > 0),
  );
  if (driven.length === 0) program.error(`No kind or fault contains "${only}".`);
  const verdicts = await Verdicts.start();
  try {
    head('calls', 'results');
    for (const kind of driven) print(await verdicts.drive(kind, calls));
    if (chosen.length > 0) head('fault', 'green again after');
    for (const fault of chosen) print(await verdicts.fail(fault));
    process.stdout.write(`\nLoad of the machine: ${loadavg()[0]!.toFixed(1)}\n`);
  } finally {
    await verdicts.stop();
  }
}

await main();
process.exit();
