import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { checks } from './checks/index.js';
import { doctorContext, type Role, roles } from './context.js';
import { examine } from './doctor.js';
import { textOf } from './report.js';

export interface DoctorIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  error(text: string): void;
}

/** Exit statuses; monitoring tells them apart. */
const exit = { healthy: 0, problem: 1, wrongUse: 2 } as const;

interface Options {
  readonly json?: true;
  readonly only?: readonly string[];
  readonly role?: Role;
  readonly strict?: true;
}

const names = checks.map(({ name }) => name);

function named(text: string): string[] {
  const wanted = text.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown === undefined) return wanted;
  throw new InvalidArgumentError(`There is no check '${unknown}'. The checks are: ${names.join(', ')}.`);
}

/** `demarc doctor`. Returns the exit status: 0 no problem (there may be warnings), 1 a problem, 2 wrong use. */
export async function runDoctor(argv: readonly string[], io: DoctorIo): Promise<number> {
  let status: number = exit.healthy;
  const program = new Command('demarc doctor')
    .description(
      'Examine this machine and what Demarc needs, with the environment of demarc edge, media-stream and control.',
    )
    .option('--json', 'print the report as JSON')
    .option('--only <checks>', `only these checks, separated by commas: ${names.join(', ')}`, named)
    .addOption(
      new Option(
        '--role <role>',
        'whose environment this is (default: control where DATABASE_URL is set, media-stream where DEMARC_STREAM_LISTEN or DEMARC_STREAM_HTTP is, edge where DEMARC_TLS_CERT or DRACHTIO_HOST is)',
      ).choices(roles),
    )
    .option('--strict', 'exit with 1 also for warnings')
    .addHelpText('after', '\nExit status: 0 no problem, 1 a problem, 2 wrong use. It changes nothing.')
    .showHelpAfterError("'demarc doctor --help' lists the options.")
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.error(text) })
    .action(async ({ json, only, role, strict }: Options) => {
      const chosen = checks.filter(({ name }) => only?.includes(name) ?? true);
      const report = await examine(chosen, doctorContext(io.environment, role));
      io.out(json === true ? `${JSON.stringify(report, undefined, 2)}\n` : textOf(report));
      if (report.verdict === 'problem' || (strict === true && report.verdict === 'warning'))
        status = exit.problem;
    });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exit.healthy : exit.wrongUse;
  }
  return status;
}

export async function main(argv: readonly string[]): Promise<void> {
  const io: DoctorIo = {
    environment: process.env,
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
  };
  process.exitCode = await runDoctor(argv, io);
}
