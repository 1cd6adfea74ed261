import type { Kysely } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/database.js';
import { allScopes, type Scope, scopeSchema } from '../http/scopes.js';
import { type CommandIo, processIo, readName, runCommand } from './command.js';
import { createKey, type KeySummary, listKeys, revokeKey, setOperator } from './keys.js';
import { organizationOf } from './organizations.js';

const organizationId = async (database: Kysely<Database>, idOrName: string): Promise<string> =>
  (await organizationOf(database, idOrName)).id;

interface CreateOptions {
  readonly name: string;
  readonly operator?: boolean;
  readonly scopes?: string;
  readonly expires?: string;
}

/** Throws `DemarcError` `VALIDATION_ERROR`. */
function readScopes(text: string): Scope[] {
  return text.split(/[\s,]+/).map((name) => {
    const read = scopeSchema.safeParse(name);
    if (read.success) return read.data;
    throw new DemarcError('VALIDATION_ERROR', `unknown scope ${name}; scopes are ${allScopes.join(' ')}`);
  });
}

/** Throws `DemarcError` `VALIDATION_ERROR`. */
function readExpiry(text: string): Date {
  const moment = new Date(text);
  if (moment.getTime() > Date.now()) return moment;
  throw new DemarcError(
    'VALIDATION_ERROR',
    `${text} is not a time in the future, such as 2099-01-31T00:00:00Z`,
  );
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
            expiresAt: options.expires === undefined ? null : readExpiry(options.expires),
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
            const scopes = key.scopes?.join(',') ?? 'all';
            const used = key.lastUsedAt?.toISOString() ?? 'never used';
            io.out(
              `${key.id}\t${key.organizationId}\t${key.name}\t${key.prefix}…\t${stateOf(key)}\t${key.isOperator ? 'operator' : ''}\t${scopes}\t${used}\n`,
            );
          }
        });
      });
  });
}

function stateOf({ revokedAt, expiresAt }: KeySummary): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt === null) return 'active';
  return `${expiresAt.getTime() > Date.now() ? 'active until' : 'expired'} ${expiresAt.toISOString()}`;
}

export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runKeyCommand(argv, processIo);
}
