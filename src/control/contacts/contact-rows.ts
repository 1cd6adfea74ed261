import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import type { IdentifierType } from '../parties/tables.js';
import { termsOf } from '../parties/terms.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The same for an id of another organization and one that does not exist. */
export const unknownContact = (): DemarcError => new DemarcError('NOT_FOUND', 'Contact not found');

/** The contact that an id leads to: its own, a number's, or that of a contact merged into it. */
export async function findContactId(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<string | undefined> {
  if (!uuid.test(id)) return undefined;
  const found = await database
    .selectFrom('contact_ids')
    .select('contact_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.contact_id;
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function requireContactId(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<string> {
  const found = await findContactId(database, organizationId, id);
  if (found === undefined) throw unknownContact();
  return found;
}

/** A merge ends one contact at a time, so a few looks always suffice. */
export const maximumLooks = 10;

/** A contact was merged or deleted while the transaction waited for its lock and holds another one's: repeat the transaction. */
export class ContactsChanged extends Error {}

/**
 * The contacts that the ids lead to, locked until the end of the transaction, in the order of the ids. Locks are taken in one
 * order, so that opposite merges wait for each other instead of deadlocking. Throws `DemarcError` `NOT_FOUND`; with several ids
 * also `ContactsChanged`.
 */
export async function lockContacts(
  transaction: Transaction<Database>,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  for (let look = 0; look < maximumLooks; look += 1) {
    const found: string[] = [];
    for (const id of ids) found.push(await requireContactId(transaction, organizationId, id));
    const uniqueIds = [...new Set(found)];
    const locked = await transaction
      .selectFrom('contacts')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', uniqueIds)
      .orderBy('id')
      .forUpdate()
      .execute();
    // Fewer: another request has merged or deleted one of them meanwhile.
    if (locked.length === uniqueIds.length) return found;
    // With that lock held, locking a further contact could deadlock.
    if (locked.length > 0) throw new ContactsChanged();
  }
  throw new DemarcError('SERVICE_UNAVAILABLE');
}

export interface Identifier {
  readonly type: IdentifierType;
  readonly value: string;
}

export async function identifiersOf(
  database: Kysely<Database>,
  organizationId: string,
  contactIds: readonly string[],
) {
  if (contactIds.length === 0) return [];
  return database
    .selectFrom('contact_identifiers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('contact_id', 'in', contactIds)
    .orderBy('identifier_type')
    .orderBy('is_primary', 'desc')
    .orderBy('identifier_value')
    .execute();
}

/** The contact's numbers, E.164 with plus. */
export async function numbersOf(
  database: Kysely<Database>,
  organizationId: string,
  contactId: string,
): Promise<string[]> {
  const rows = await identifiersOf(database, organizationId, [contactId]);
  return rows.flatMap(({ identifier_type: type, identifier_value: value }) =>
    type === 'phone_number' ? [value] : [],
  );
}

/** Rewrites what a search finds the contact by; call it after a change of name or identifiers. */
export async function indexContact(
  transaction: Transaction<Database>,
  organizationId: string,
  contactId: string,
): Promise<void> {
  const { name } = await transaction
    .selectFrom('contacts')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', contactId)
    .executeTakeFirstOrThrow();
  const rows = await identifiersOf(transaction, organizationId, [contactId]);
  const identifiers = rows.map((row) => ({ type: row.identifier_type, value: row.identifier_value }));
  await transaction
    .deleteFrom('contact_terms')
    .where('organization_id', '=', organizationId)
    .where('contact_id', '=', contactId)
    .execute();
  const terms = termsOf({ name, identifiers });
  if (terms.length === 0) return;
  await transaction
    .insertInto('contact_terms')
    .values(terms.map((term) => ({ organization_id: organizationId, contact_id: contactId, term })))
    .execute();
}
