import { writeFile } from 'node:fs/promises';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ApiClient, RequestFailure } from './api-client.js';
import { coverageLines, readCoverage } from './coverage.js';
import { failedAssertions, junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import { runTests, type TestOrder, UsageError } from './run-tests.js';
import type { Coverage, EndedTest } from './test-records.js';

/** What the command needs of its surroundings. */
export interface TestCommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  error(text: string): void;
}

/** Exit statuses; CI systems tell them apart. */
const exit = { done: 0, failed: 1, notRun: 2 } as const;

interface Options {
  readonly scenario: readonly string[];
  readonly pathway?: string;
  readonly persona?: string;
  readonly version?: number;
  readonly channel?: 'text' | 'voice';
  readonly data: Readonly<Record<string, string>>;
  readonly gate?: true;
  readonly junit?: string;
  readonly markdown?: string;
  readonly json?: true;
  readonly timeout: number;
  readonly url?: string;
}

const whole =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
const gathered = (text: string, earlier: readonly string[]): string[] => [...earlier, text];
const assigned = (text: string, earlier: Readonly<Record<string, string>>): Record<string, string> => {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be name=value.');
  return { ...earlier, [text.slice(0, at)]: text.slice(at + 1) };
};

/**
 * `demarc test …`. Returns the exit status: 0 the tests have run (with `--gate`: and all passed), 1 with `--gate`, a test failed, 2 a
 * test could not be run or judged, the API could not be reached, or wrong use.
 */
export async function runTestCommand(argv: readonly string[], io: TestCommandIo): Promise<number> {
  let status: number = exit.done;
  const program = new Command('demarc test')
    .description('Test agents.')
    .addHelpText('after', '\nEnvironment: DEMARC_API_KEY, DEMARC_URL.')
    .showHelpAfterError("'demarc test run --help' lists the options.")
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.error(text) });
  program
    .command('run')
    .description('Run scenarios, wait until they have ended, and print the results.')
    .option(
      '--scenario <id or name>',
      'a scenario; repeat it for several, which run at the same time',
      gathered,
      [],
    )
    .option('--pathway <id>', 'all enabled scenarios of a pathway, or where names are looked up')
    .option('--persona <id>', 'all enabled scenarios of a persona, or where names are looked up')
    .option(
      '--version <number>',
      'version of the pathway or persona; default: the draft, else the live version',
      whole(1, 2_147_483_647),
    )
    .addOption(new Option('--channel <channel>', 'text, or voice: real calls').choices(['text', 'voice']))
    .option('--data <name=value>', 'replaces a field of request_data; repeat it for several', assigned, {})
    .option('--gate', 'exit with 1 unless all pass')
    .option('--junit <file>', 'write a JUnit XML report')
    .option('--markdown <file>', 'write a summary in Markdown, for a comment on a change')
    .option('--json', 'print the results as JSON')
    .option('--timeout <seconds>', 'cancel the tests after so long', whole(1, 86_400), 900)
    .option('--url <url>', 'address of the API; default: DEMARC_URL, else http://127.0.0.1:8080')
    .addHelpText(
      'after',
      '\nExit status: 0 the tests have run, 1 a test failed (--gate), 2 a test could not be run or judged.\nEnvironment: DEMARC_API_KEY (required), DEMARC_URL.',
    )
    .action(async (options: Options) => {
      status = await run(options, io);
    });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return status;
  } catch (error) {
    // Commander has already printed the error; its status for help is 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exit.done : exit.notRun;
    io.error(`demarc test: ${(error as Error).message}\n`);
    return exit.notRun;
  }
}

async function run(options: Options, io: TestCommandIo): Promise<number> {
  const { DEMARC_API_KEY: key, DEMARC_URL: configured = 'http://127.0.0.1:8080' } = io.environment;
  if (key === undefined || key === '')
    throw new UsageError('DEMARC_API_KEY is required: an API key (demarc key create).');
  const url = (options.url ?? configured).replace(/\/+$/, '');
  if (!/^https?:\/\//.test(url)) throw new UsageError(`${url} is not an http:// or https:// address.`);
  const startedAt = new Date();
  const { timeout, data } = options;
  const interrupted = new AbortController();
  const onInterrupt = (): void =>
    interrupted.abort(new RequestFailure('Interrupted: the tests were cancelled.'));
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  const late = setTimeout(
    () =>
      interrupted.abort(
        new RequestFailure(`The tests did not end within ${timeout} s and were cancelled (--timeout).`),
      ),
    timeout * 1_000,
  );
  try {
    const order: TestOrder = {
      scenarios: options.scenario,
      pathway: options.pathway,
      persona: options.persona,
      version: options.version,
      channel: options.channel,
      ...(Object.keys(data).length === 0 ? {} : { data }),
    };
    const client = new ApiClient(url, key);
    const { batchId, tests } = await runTests(client, order, interrupted.signal);
    const coverage = await readCoverage(client, batchId, tests, interrupted.signal).catch(
      (error: unknown) => {
        // The tests have run: their result counts without it.
        if (!(error instanceof RequestFailure)) throw error;
        io.error(`demarc test: coverage is unavailable: ${error.message}\n`);
        return [];
      },
    );
    if (options.junit !== undefined) await writeFile(options.junit, junitReport(tests, startedAt, coverage));
    if (options.markdown !== undefined) await writeFile(options.markdown, markdownReport(tests, coverage));
    io.out(options.json === true ? jsonReport(batchId, tests, coverage) : textReport(tests, coverage));
    return exitStatus(tests, options.gate === true);
  } finally {
    clearTimeout(late);
    process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt);
  }
}

function exitStatus(tests: readonly EndedTest[], isGate: boolean): number {
  if (tests.some(({ status }) => status === 'ERROR' || status === 'CANCELLED')) return exit.notRun;
  return isGate && tests.some(({ status }) => status !== 'PASSED') ? exit.failed : exit.done;
}

function textReport(tests: readonly EndedTest[], coverage: readonly Coverage[]): string {
  const lines = tests.flatMap((test) => {
    const score = test.overall_score === null ? '' : `  score ${test.overall_score.toFixed(2)}`;
    const why =
      test.status === 'ERROR'
        ? [test.error_message ?? 'The run could not be judged.']
        : failedAssertions(test).map(({ name, type, reasoning }) => `${name ?? type}: ${reasoning}`);
    return [
      `${test.status.padEnd(9)}  ${test.scenario.name}${score}`,
      ...why.map((line) => `           ${line.replaceAll(/\s+/g, ' ')}`),
    ];
  });
  const passed = tests.filter(({ status }) => status === 'PASSED').length;
  const standIn = tests.some(({ models }) => models.is_stand_in)
    ? ['The stand-in that answers by rules took part: these results say nothing about the agent.']
    : [];
  return `${[...lines, ...coverage.flatMap(coverageLines), ...standIn, `${passed} of ${tests.length} passed`].join('\n')}\n`;
}

function jsonReport(batchId: string, tests: readonly EndedTest[], coverage: readonly Coverage[]): string {
  const passed = tests.every(({ status }) => status === 'PASSED');
  return `${JSON.stringify({ batch_id: batchId, passed, runs: tests, coverage }, null, 2)}\n`;
}

export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runTestCommand(argv, {
    environment: process.env,
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  });
}
