import type { Kysely } from 'kysely';
import type { Database } from '../database/database.js';
import { allScopes } from '../http/scopes.js';
import { type CommandIo, processIo, readName, runCommand } from './command.js';
import { keyLine, readExpiry, readScopes } from './key-texts.js';
import { createKey, listKeys, revokeKey, setOperator } from './keys.js';
import { organizationOf } from './organizations.js';

const organizationId = async (database: Kysely<Database>, idOrName: string): Promise<string> =>
  (await organizationOf(database, idOrName)).id;

interface CreateOptions {
  readonly name: string;
  readonly operator?: boolean;
  readonly scopes?: string;
  readonly expires?: string;
}

/** `demarc key create|operator|revoke|list`. Returns the exit status. */
export function runKeyCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  return runCommand('key', argv, io, (program, withDatabase) => {
    program.description('Create, revoke or list API keys, and manage operator keys.');
    program
      .command('create')
      .description(
        'Create a key; prints the key (only this once) to standard output, its id to standard error.',
      )
      .argument('<organization>', 'id or name')
      .option('--name <name>', 'what it is for', 'default')
      .option('--scopes <list>', `comma-separated scopes: ${allScopes.join(' ')}; default: all`)
      .option('--expires <time>', 'ISO 8601 with a time zone; default: never')
      .option('--operator', 'also sees the fleet and the totals of all organizations')
      .action(async (organization: string, options: CreateOptions) => {
        await withDatabase(async (database) => {
          const id = await organizationId(database, organization);
          const created = await createKey(database, id, readName(options.name), {
            isOperator: options.operator === true,
            scopes: options.scopes === undefined ? null : readScopes(options.scopes),
            expiresAt: options.expires === undefined ? null : readExpiry(options.expires, Date.now()),
          });
          io.error(`${created.id}: store the key now, it is not shown again.\n`);
          io.out(`${created.key}\n`);
        });
      });
    program
      .command('operator')
      .description('Give a key access to the fleet and the totals of all organizations.')
      .argument('<id>')
      .option('--revoke', 'no longer')
      .action(async (id: string, options: { revoke?: boolean }) => {
        await withDatabase(async (database) => {
          const isOperator = options.revoke !== true;
          await setOperator(database, id, isOperator);
          io.out(`${id} is ${isOperator ? 'now' : 'no longer'} an operator key.\n`);
        });
      });
    program
      .command('revoke')
      .description('Revoke a key: it is refused from the next request on.')
      .argument('<id>')
      .action(async (id: string) => {
        await withDatabase(async (database) => {
          await revokeKey(database, id);
          io.out(`Revoked ${id}.\n`);
        });
      });
    program
      .command('list')
      .description(
        'Print keys, one per line: id, organization, name, first characters, state, operator or not, scopes, last use.',
      )
      .option('--org <organization>', 'only this organization, by id or name')
      .action(async (options: { org?: string }) => {
        await withDatabase(async (database) => {
          const id = options.org === undefined ? undefined : await organizationId(database, options.org);
          for (const key of await listKeys(database, id)) {
            io.out(keyLine(key, Date.now()));
          }
        });
      });
  });
}

export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runKeyCommand(argv, processIo);
}
