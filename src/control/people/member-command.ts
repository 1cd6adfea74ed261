import type { Kysely } from 'kysely';
import { readControlSettings } from '../../config/control-settings.js';
import { DemarcError } from '../../errors.js';
import { noteEvent } from '../audit/audit-log.js';
import type { Database } from '../database/tables.js';
import { publicUrl } from '../http/public-url.js';
import { type Role, roles } from '../http/roles.js';
import { type CommandIo, processIo, runCommand } from '../organizations/command.js';
import { type Organization, organizationOf } from '../organizations/organizations.js';
import { invitationHours, invite } from './invitations.js';
import { changeRole, type Member, readMembers, removeMember } from './members.js';
import { createReset, resetHours } from './password-resets.js';
import { emailSchema, findPersonByEmail } from './people.js';

const actor = { kind: 'command', id: 'command', name: 'command line' } as const;
/** The command line may do everything. */
const rights = { scopes: null, keyExpiresAt: null };

function readEmail(text: string): string {
  const read = emailSchema.safeParse(text);
  if (read.success) return read.data;
  throw new DemarcError('VALIDATION_ERROR', `${text} is not an email address`);
}

function readRole(text: string): Role {
  const role = roles.find((role) => role === text);
  if (role !== undefined) return role;
  throw new DemarcError('VALIDATION_ERROR', `unknown role ${text}; roles are ${roles.join(', ')}`);
}

async function memberOf(database: Kysely<Database>, organizationId: string, email: string): Promise<Member> {
  const member = (await readMembers(database, organizationId)).find(
    (member) => member.email === readEmail(email),
  );
  if (member === undefined) throw new DemarcError('NOT_FOUND', `member ${email}`);
  return member;
}

/** `demarc member invite|list|role|operator|remove|reset`. Returns the exit status. */
export function runMemberCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  /** Before any change: a link that cannot be printed is lost. */
  const linksTo = (path: string): ((token: string) => string) => {
    const url = publicUrl(readControlSettings(io.environment));
    return (token) => `${url}/${path}#${token}`;
  };
  const note = (
    database: Kysely<Database>,
    { id }: Organization,
    action: string,
    summary: string,
    subject: string,
  ) => noteEvent(database, { organizationId: id, actor, action, summary, subject, address: null });
  return runCommand('member', argv, io, (program, withDatabase) => {
    program.description('Invite, list, change or remove the members of an organization.');
    program
      .command('invite')
      .description(`Invite a person; prints a link that works once, for ${invitationHours} hours.`)
      .argument('<organization>', 'id or name')
      .argument('<email>')
      .option('--role <role>', roles.join(', '), 'owner')
      .action(async (name: string, email: string, options: { role: string }) => {
        const role = readRole(options.role);
        const linkOf = linksTo('join');
        await withDatabase(async (database) => {
          const organization = await organizationOf(database, name);
          const address = readEmail(email);
          const { token } = await invite(database, organization.id, {
            email: address,
            role,
            invitedBy: actor.name,
          });
          await note(database, organization, 'inviteMember', 'Invite a person', `${address} ${role}`);
          io.out(`${linkOf(token)}\n`);
        });
      });
    program
      .command('list')
      .description('Print members, one per line: id, email, name, role, operator or not, last sign-in.')
      .argument('<organization>', 'id or name')
      .action(async (name: string) => {
        await withDatabase(async (database) => {
          const { id } = await organizationOf(database, name);
          for (const member of await readMembers(database, id)) {
            const last = member.signed_in_at?.toISOString() ?? 'never signed in';
            const operator = member.is_operator ? 'operator' : '';
            io.out(`${[member.id, member.email, member.name, member.role, operator, last].join('\t')}\n`);
          }
        });
      });
    program
      .command('role')
      .description('Change the role of a member.')
      .argument('<organization>', 'id or name')
      .argument('<email>')
      .argument('<role>', roles.join(', '))
      .action(async (name: string, email: string, wanted: string) => {
        const role = readRole(wanted);
        await withDatabase(async (database) => {
          const organization = await organizationOf(database, name);
          const member = await memberOf(database, organization.id, email);
          await changeRole(database, { ...rights, organizationId: organization.id }, member.id, role);
          await note(
            database,
            organization,
            'updateMember',
            'Change the role of a member',
            `${member.id} ${role}`,
          );
          io.out(`${member.email} is now ${role}.\n`);
        });
      });
    program
      .command('operator')
      .description('Give a member access to the fleet and the totals of all organizations.')
      .argument('<organization>', 'id or name')
      .argument('<email>')
      .option('--revoke', 'no longer')
      .action(async (name: string, email: string, options: { revoke?: boolean }) => {
        await withDatabase(async (database) => {
          const organization = await organizationOf(database, name);
          const member = await memberOf(database, organization.id, email);
          const isOperator = options.revoke !== true;
          await database
            .updateTable('members')
            .set({ is_operator: isOperator })
            .where('id', '=', member.id)
            .execute();
          const summary = isOperator ? 'Give access to the fleet' : 'Revoke access to the fleet';
          await note(database, organization, 'setOperator', summary, member.id);
          io.out(`${member.email} ${isOperator ? 'now sees' : 'no longer sees'} the fleet.\n`);
        });
      });
    program
      .command('remove')
      .description('Remove a member; the sessions of the member end at once.')
      .argument('<organization>', 'id or name')
      .argument('<email>')
      .action(async (name: string, email: string) => {
        await withDatabase(async (database) => {
          const organization = await organizationOf(database, name);
          const member = await memberOf(database, organization.id, email);
          await removeMember(database, { ...rights, organizationId: organization.id }, member.id);
          await note(
            database,
            organization,
            'removeMember',
            'Remove a member',
            `${member.id} ${member.email}`,
          );
          io.out(`Removed ${member.email}.\n`);
        });
      });
    program
      .command('reset')
      .description(`Print a link with which a person sets a new password, once, within ${resetHours} hours.`)
      .argument('<email>')
      .action(async (email: string) => {
        const linkOf = linksTo('reset');
        await withDatabase(async (database) => {
          const person = await findPersonByEmail(database, readEmail(email));
          if (person === undefined) throw new DemarcError('NOT_FOUND', `account ${email}`);
          const { token } = await createReset(database, person.id, null);
          io.out(`${linkOf(token)}\n`);
        });
      });
  });
}

export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runMemberCommand(argv, processIo);
}
