import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import { lockForOrganization } from '../database/lock.js';
import type { Database } from '../database/tables.js';
import { type Granter, type Role, requireRights } from '../http/roles.js';
import { newId } from '../organizations/identifiers.js';

type Connection = Kysely<Database> | Transaction<Database>;

const withPeople = (database: Connection) =>
  database
    .selectFrom('members')
    .innerJoin('people', 'people.id', 'members.person_id')
    .select(['members.id', 'organization_id', 'person_id', 'email', 'name', 'role', 'is_operator'])
    .select(['members.created_at', 'signed_in_at']);

/** A person in one organization. */
export type Member = Awaited<ReturnType<ReturnType<typeof withPeople>['executeTakeFirstOrThrow']>>;

/** In the order in which they joined; unpaged, because an organization has few. */
export const readMembers = (database: Connection, organizationId: string): Promise<Member[]> =>
  withPeople(database)
    .where('organization_id', '=', organizationId)
    .orderBy('members.created_at')
    .orderBy('members.id')
    .execute();

export const findMember = (
  database: Connection,
  organizationId: string,
  id: string,
): Promise<Member | undefined> =>
  withPeople(database)
    .where('members.id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

/** The person's memberships, the one signed in to last first. */
export const membershipsOf = (database: Connection, personId: string) =>
  database
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(['members.id', 'organization_id', 'organizations.name', 'role', 'is_operator'])
    .where('person_id', '=', personId)
    .orderBy('signed_in_at', (order) => order.desc().nullsLast())
    .orderBy('members.created_at')
    .orderBy('members.id')
    .execute();

/** Adds a person, or changes the role of one who is a member already. Returns the member's id. */
export async function addMember(
  database: Connection,
  organizationId: string,
  personId: string,
  role: Role,
): Promise<string> {
  const { id } = await database
    .insertInto('members')
    .values({
      id: newId('mem'),
      organization_id: organizationId,
      person_id: personId,
      role,
      signed_in_at: null,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'person_id']).doUpdateSet({ role }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Applies to the next request of the member's sessions. Throws `DemarcError` `NOT_FOUND`, `LAST_OWNER` or `INSUFFICIENT_SCOPE`.
 */
export function changeRole(
  database: Kysely<Database>,
  granter: Granter & { readonly organizationId: string },
  id: string,
  role: Role,
): Promise<Member> {
  return asOnlyChange(database, granter, id, role === 'owner', async (transaction, member) => {
    requireRights(granter, role);
    await transaction.updateTable('members').set({ role }).where('id', '=', id).execute();
    return { ...member, role };
  });
}

/** Their sessions end at once. Throws `DemarcError` `NOT_FOUND`, `LAST_OWNER` or `INSUFFICIENT_SCOPE`. */
export function removeMember(
  database: Kysely<Database>,
  granter: Granter & { readonly organizationId: string },
  id: string,
): Promise<Member> {
  return asOnlyChange(database, granter, id, false, async (transaction, member) => {
    await transaction.deleteFrom('members').where('id', '=', id).execute();
    return member;
  });
}

/** One change of an organization's members at a time: two owners who remove each other leave one. */
function asOnlyChange(
  database: Kysely<Database>,
  granter: Granter & { readonly organizationId: string },
  id: string,
  staysOwner: boolean,
  act: (transaction: Transaction<Database>, member: Member) => Promise<Member>,
): Promise<Member> {
  const { organizationId } = granter;
  return database.transaction().execute(async (transaction) => {
    await lockForOrganization(transaction, 'members', organizationId);
    const all = await readMembers(transaction, organizationId);
    const member = all.find((candidate) => candidate.id === id);
    if (member === undefined) throw new DemarcError('NOT_FOUND', 'Member not found');
    requireRights(granter, member.role);
    if (!staysOwner && isLastOwner(all, member)) throw new DemarcError('LAST_OWNER');
    return act(transaction, member);
  });
}

/** An organization without an owner could not invite another one. */
export const isLastOwner = (
  all: readonly { readonly role: Role }[],
  member: { readonly role: Role },
): boolean => member.role === 'owner' && all.filter(({ role }) => role === 'owner').length === 1;
