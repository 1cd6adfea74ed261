import { readRegionNames } from '../../config/control-settings.js';
import { DemarcError } from '../../errors.js';
import { type CommandIo, processIo, readName, runCommand } from './command.js';
import {
  createOrganization,
  listOrganizations,
  type Organization,
  setCallRetention,
  setEntitlement,
} from './organizations.js';

const longestDays = 36_500;

/** A line of `demarc org list`: columns separated by tabs. */
export const organizationLine = ({
  id,
  name,
  sipEnabled,
  region,
  callRetentionDays,
}: Organization): string => {
  const retention = callRetentionDays === null ? 'default retention' : `${callRetentionDays} days`;
  return `${id}\t${name}\t${sipEnabled ? 'sip' : 'no sip'}\t${region ?? 'default region'}\t${retention}\n`;
};

/** Throws `DemarcError` `VALIDATION_ERROR`. @returns null: the service's */
export function readDays(text: string): number | null {
  if (text === 'default') return null;
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= longestDays) return days;
  throw new DemarcError(
    'VALIDATION_ERROR',
    `days must be a whole number of 1 to ${longestDays}, or default, not ${text}`,
  );
}

/** Throws `DemarcError` `VALIDATION_ERROR`: the customer's firewall rules would name another region's addresses. */
function requireRegion({ environment }: CommandIo, region: string): void {
  const names = readRegionNames(environment);
  if (names.includes(region)) return;
  throw new DemarcError(
    'VALIDATION_ERROR',
    `unknown region ${region}; DEMARC_REGIONS has ${names.join(', ')} (run this command with control's environment)`,
  );
}

/** `demarc org create|entitle|retention|list`. Returns the exit status. */
export function runOrganizationCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  return runCommand('org', argv, io, (program, withDatabase) => {
    program.description('Create or list organizations, and set what they may do.');
    program
      .command('create')
      .description('Create an organization; prints its id.')
      .argument('<name>')
      .option('--sip', 'with the SIP entitlement')
      .option('--region <name>', 'its region, a key of DEMARC_REGIONS')
      .action(async (name: string, options: { sip?: boolean; region?: string }) => {
        await withDatabase(async (database) => {
          const { sip, region } = options;
          if (region !== undefined) requireRegion(io, region);
          const created = await createOrganization(database, {
            name: readName(name),
            sipEnabled: sip === true,
            ...(region === undefined ? {} : { region }),
          });
          io.out(`${created.id}\n`);
        });
      });
    program
      .command('entitle')
      .description('Grant or revoke the SIP entitlement of an organization.')
      .argument('<organization>', 'id or name')
      .option('--revoke', 'revoke it; numbers stay attached')
      .action(async (organization: string, options: { revoke?: boolean }) => {
        await withDatabase(async (database) => {
          io.out(organizationLine(await setEntitlement(database, organization, options.revoke !== true)));
        });
      });
    program
      .command('retention')
      .description('Keep the call records of an organization for fewer days than DEMARC_CALL_RETENTION_DAYS.')
      .argument('<organization>', 'id or name')
      .argument('<days>', 'a number of days; default: as long as those of the others')
      .action(async (organization: string, days: string) => {
        await withDatabase(async (database) => {
          io.out(organizationLine(await setCallRetention(database, organization, readDays(days))));
        });
      });
    program
      .command('list')
      .description('Print all organizations, one per line: id, name, entitlement, region, retention.')
      .action(async () => {
        await withDatabase(async (database) => {
          for (const organization of await listOrganizations(database))
            io.out(organizationLine(organization));
        });
      });
  });
}

export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runOrganizationCommand(argv, processIo);
}
