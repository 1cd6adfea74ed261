import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSecretKeys } from '../../config/control-settings.js';
import { SecretBox } from '../../contract/secret.js';
import { DemarcError } from '../../errors.js';
import { type CommandIo, processIo, runCommand } from '../organizations/command.js';
import { exportOrganization, importOrganization, isWritten, leaveCell } from './move.js';

const writtenMilliseconds = 15_000;
const pollMilliseconds = 50;

const readFile = async (file: string): Promise<string> => {
  try {
    return file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8');
  } catch (error) {
    const detail = `cannot read ${file}: ${(error as Error).message}`;
    throw new DemarcError('VALIDATION_ERROR', { detail, cause: error });
  }
};

/** `demarc cell export|import|leave` (docs/cells.md). Returns the exit status. */
export function runCellCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  return runCommand('cell', argv, io, (program, withDatabase) => {
    program.description('Move an organization to another cell (docs/cells.md).');
    program
      .command('export')
      .description(
        'Print what an organization needs in another cell, as JSON with sealed secrets: its numbers, trunks, directions, agents and keys.',
      )
      .argument('<organization>', 'id or name')
      .action(async (organization: string) => {
        await withDatabase(async (database) => io.out(await exportOrganization(database, organization)));
      });
    program
      .command('import')
      .description(
        'Give this cell an organization, or replace it; waits until control has written its numbers to Redis.',
      )
      .argument('<file>', 'of demarc cell export; - reads standard input')
      .action(async (file: string) => {
        const document = await readFile(file);
        const secrets = new SecretBox(readSecretKeys(io.environment));
        await withDatabase(async (database) => {
          const { organization, numbers, registering } = await importOrganization(
            database,
            document,
            secrets,
          );
          io.out(`Imported ${organization} with ${numbers} numbers.\n`);
          if (registering > 0)
            io.error(
              `${registering} directions register at a PBX, which has two contacts until the former cell has left: leave it soon.\n`,
            );
          if (!(await isWritten(database, writtenMilliseconds, () => sleep(pollMilliseconds))))
            throw new Error(
              'control of this cell has not written the numbers to Redis: move no carrier before it has (`projection` in /readyz)',
            );
        });
      });
    program
      .command('leave')
      .description(
        'Take the numbers of an organization out of this cell: new calls to them get 404; answered calls, keys and history stay.',
      )
      .argument('<organization>', 'id or name')
      .action(async (organization: string) => {
        await withDatabase(async (database) => {
          io.out(`${await leaveCell(database, organization)} numbers left.\n`);
        });
      });
  });
}

export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runCellCommand(argv, processIo);
}
