import { Command, CommanderError } from 'commander';
import type { Kysely } from 'kysely';
import { readDatabaseUrl } from '../../config/control-settings.js';
import { SettingsError } from '../../config/environment.js';
import { DemarcError } from '../../errors.js';
import { type Database, isUnavailable, migrate, openDatabase } from '../database/database.js';

/** What an administrator's command needs of its surroundings. */
export interface CommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  error(text: string): void;
}

export const processIo: CommandIo = {
  environment: process.env,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
};

export type WithDatabase = (work: (database: Kysely<Database>) => Promise<void>) => Promise<void>;

/**
 * Runs a command whose actions work on the database. Returns the exit status:
 * 0 done, 1 not found or database not reachable, 2 wrong use.
 */
export async function runCommand(
  name: string,
  argv: readonly string[],
  io: CommandIo,
  define: (program: Command, withDatabase: WithDatabase) => void,
): Promise<number> {
  const program = new Command(`demarc ${name}`)
    .addHelpText('after', '\nEnvironment: DATABASE_URL.')
    .showHelpAfterError(`'demarc ${name} --help' lists the commands and options.`)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.error(text) });
  define(program, async (work) => {
    const url = readDatabaseUrl(io.environment);
    await migrate(url);
    const database = openDatabase({ url, maximumConnections: 1, timeoutMilliseconds: 10_000 }, () => {});
    try {
      await work(database);
    } finally {
      await database.destroy();
    }
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the error; its status for help and version is 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const message =
      error instanceof Error ? error.message || String(error.cause ?? error.name) : String(error);
    io.error(
      `demarc ${name}: ${isUnavailable(error) ? `PostgreSQL is not reachable (${message})` : message}\n`,
    );
    if (error instanceof SettingsError) return 2;
    return error instanceof DemarcError && error.code === 'VALIDATION_ERROR' ? 2 : 1;
  }
}

/** A name as people choose one: printable, no tabs, because lists are tab-separated. */
export function readName(text: string): string {
  const name = text.trim();
  // Commands take an organization's id or name: a name that is another one's id would mean both.
  if (/^org_/i.test(name)) throw new DemarcError('VALIDATION_ERROR', 'a name must not begin with org_');
  if (name.length >= 1 && name.length <= 64 && !/[\x00-\x1f\x7f]/.test(name)) return name;
  throw new DemarcError('VALIDATION_ERROR', 'a name must have 1 to 64 printable characters');
}
