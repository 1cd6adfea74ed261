import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import { lockForOrganization } from '../database/lock.js';
import type { Database } from '../database/tables.js';
import type { Role } from '../http/roles.js';
import { newId } from '../organizations/identifiers.js';
import { addMember, readMembers } from './members.js';
import { isTokenShaped, newToken, tokenHash } from './one-time-token.js';
import { findPersonByEmail, type Person } from './people.js';

export const invitationHours = 72;
/** Members and invitations of one organization: a script must not fill the table. */
export const maximumMembers = 500;

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface Row {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const columns = ['id', 'email', 'role', 'invited_by', 'created_at', 'expires_at'] as const;

const read = (row: Row): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/**
 * Invites, in place of an earlier invitation of the same address, whose link no longer works. The token is returned only here.
 * Throws `DemarcError` `ALREADY_MEMBER` or `TOO_MANY_MEMBERS`.
 */
export function invite(
  database: Kysely<Database>,
  organizationId: string,
  { email, role, invitedBy }: Pick<Invitation, 'email' | 'role' | 'invitedBy'>,
): Promise<{ readonly invitation: Invitation; readonly token: string }> {
  const token = newToken();
  const now = new Date();
  const fresh = {
    id: newId('inv'),
    role,
    hash: tokenHash(token),
    invited_by: invitedBy,
    created_at: now,
    expires_at: new Date(now.getTime() + invitationHours * 3_600_000),
  };
  return database.transaction().execute(async (transaction) => {
    await lockForOrganization(transaction, 'members', organizationId);
    await transaction.deleteFrom('invitations').where('expires_at', '<', now).execute();
    const members = await readMembers(transaction, organizationId);
    if (members.some((member) => member.email === email)) throw new DemarcError('ALREADY_MEMBER');
    const open = await readInvitations(transaction, organizationId);
    const invited = open.filter((invitation) => invitation.email !== email);
    if (members.length + invited.length >= maximumMembers) throw new DemarcError('TOO_MANY_MEMBERS');
    const row = await transaction
      .insertInto('invitations')
      .values({ organization_id: organizationId, email, ...fresh })
      .onConflict((conflict) => conflict.columns(['organization_id', 'email']).doUpdateSet(fresh))
      .returning(columns)
      .executeTakeFirstOrThrow();
    return { invitation: read(row), token };
  });
}

/** Open ones, newest first. */
export async function readInvitations(
  database: Kysely<Database> | Transaction<Database>,
  organizationId: string,
): Promise<Invitation[]> {
  const rows = await database
    .selectFrom('invitations')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('expires_at', '>', new Date())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(read);
}

/** Undefined: the organization has no such invitation. */
export async function withdrawInvitation(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<Invitation | undefined> {
  const row = await database
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  return row && read(row);
}

/** What a link invites to; undefined: it was used, replaced or withdrawn, or has expired. */
export async function lookUpInvitation(database: Kysely<Database>, token: string) {
  if (!isTokenShaped(token)) return undefined;
  return database
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .select(['organization_id', 'organizations.name as organization', 'email', 'role'])
    .select(['invited_by', 'expires_at'])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('people').select('people.id').whereRef('people.email', '=', 'invitations.email')).as(
        'has_account',
      ),
    )
    .where('hash', '=', tokenHash(token))
    .where('expires_at', '>', new Date())
    .executeTakeFirst();
}

/**
 * Uses up the link: of two simultaneous requests one gets undefined.
 * @param personOf the account, which must have the invitation's address; throws to leave the link unused
 */
export function acceptInvitation(
  database: Kysely<Database>,
  token: string,
  personOf: (
    transaction: Transaction<Database>,
    email: string,
    existing: Person | undefined,
  ) => Promise<Person>,
): Promise<
  { readonly memberId: string; readonly organizationId: string; readonly person: Person } | undefined
> {
  return database.transaction().execute(async (transaction) => {
    const used = await transaction
      .deleteFrom('invitations')
      .where('hash', '=', tokenHash(token))
      .where('expires_at', '>', new Date())
      .returning(['organization_id', 'email', 'role'])
      .executeTakeFirst();
    if (used === undefined) return undefined;
    const { organization_id: organizationId, email, role } = used;
    await lockForOrganization(transaction, 'members', organizationId);
    const person = await personOf(transaction, email, await findPersonByEmail(transaction, email));
    const memberId = await addMember(transaction, organizationId, person.id, role);
    return { memberId, organizationId, person };
  });
}
