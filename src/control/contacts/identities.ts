import type { Kysely, Transaction } from 'kysely';
import { contactId as idOfNumber } from '../../contract/contact-id.js';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { InvalidRequest } from '../http/validation.js';
import { type Identifier, identifiersOf } from './contact-rows.js';

/** The query for the contact that has the identifier: one row of an index. */
export const ownerQuery = (
  database: Kysely<Database>,
  organizationId: string,
  { type, value }: Identifier,
) =>
  type === 'phone_number'
    ? database
        .selectFrom('contact_ids')
        .select('contact_id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', idOfNumber(organizationId, value))
    : database
        .selectFrom('contact_identifiers')
        .select('contact_id')
        .where('organization_id', '=', organizationId)
        .where('identifier_type', '=', type)
        .where('identifier_value', '=', value);

/** The contact that has the identifier. */
export async function ownerOf(
  database: Kysely<Database>,
  organizationId: string,
  identifier: Identifier,
): Promise<string | undefined> {
  const found = await ownerQuery(database, organizationId, identifier).executeTakeFirst();
  return found?.contact_id;
}

const identifierTaken = ({ type }: Identifier, owner: string): DemarcError =>
  new DemarcError(
    'CONTACT_IDENTIFIER_TAKEN',
    `${type} is that of contact ${owner}; merge the two (POST /v1/contacts/merge), or leave it out`,
  );

/** The value of the contact's primary identifier of a type. */
async function primaryOf(
  transaction: Transaction<Database>,
  organizationId: string,
  contactId: string,
  type: Identifier['type'],
): Promise<string | undefined> {
  const primary = await transaction
    .selectFrom('contact_identifiers')
    .select('identifier_value')
    .where('organization_id', '=', organizationId)
    .where('contact_id', '=', contactId)
    .where('identifier_type', '=', type)
    .where('is_primary', '=', true)
    .executeTakeFirst();
  return primary?.identifier_value;
}

/** Of one contact: answers and what a search finds it by stay small. */
export const maximumIdentifiers = 100;

/** Throws `InvalidRequest` when the contact has as many identifiers as it can, and not this one. */
async function requireRoom(
  transaction: Transaction<Database>,
  organizationId: string,
  contactId: string,
  { type, value }: Identifier,
): Promise<void> {
  const existing = await identifiersOf(transaction, organizationId, [contactId]);
  const isPresent = existing.some(
    (identity) => identity.identifier_type === type && identity.identifier_value === value,
  );
  if (isPresent || existing.length < maximumIdentifiers) return;
  throw InvalidRequest.at(
    type,
    `contact ${contactId} has ${existing.length} identifiers and the limit is ${maximumIdentifiers}; leave ${type} out.`,
  );
}

/**
 * Gives the contact an identifier, the first of its type as the primary one. One that it has already stays as it is. Throws
 * `DemarcError` `CONTACT_IDENTIFIER_TAKEN`, or `InvalidRequest` when the contact can have no more.
 */
export async function addIdentifier(
  transaction: Transaction<Database>,
  organizationId: string,
  contactId: string,
  identifier: Identifier,
): Promise<void> {
  const { type, value } = identifier;
  if (type === 'phone_number') {
    const id = idOfNumber(organizationId, value);
    await transaction
      .insertInto('contact_ids')
      .values({ organization_id: organizationId, id, contact_id: contactId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const owner = await ownerOf(transaction, organizationId, identifier);
  if (owner !== undefined && owner !== contactId) throw identifierTaken(identifier, owner);
  await requireRoom(transaction, organizationId, contactId, identifier);
  const primary = await primaryOf(transaction, organizationId, contactId, type);
  await transaction
    .insertInto('contact_identifiers')
    .values({
      organization_id: organizationId,
      contact_id: contactId,
      identifier_type: type,
      identifier_value: value,
      is_primary: primary === undefined,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // A request at the same time may have given it to another contact.
  const settled = await ownerOf(transaction, organizationId, identifier);
  if (settled !== contactId) throw identifierTaken(identifier, settled ?? 'unknown');
}

/** Replaces the contact's primary e-mail address or external id; null removes it, and the next one becomes the primary one. Throws `DemarcError` `CONTACT_IDENTIFIER_TAKEN`. */
export async function replacePrimary(
  transaction: Transaction<Database>,
  organizationId: string,
  contactId: string,
  type: Exclude<Identifier['type'], 'phone_number'>,
  value: string | null,
): Promise<void> {
  const primary = await primaryOf(transaction, organizationId, contactId, type);
  if (primary === value) return;
  await transaction
    .deleteFrom('contact_identifiers')
    .where('organization_id', '=', organizationId)
    .where('contact_id', '=', contactId)
    .where('identifier_type', '=', type)
    .where(({ eb, or }) =>
      or([eb('is_primary', '=', true), ...(value === null ? [] : [eb('identifier_value', '=', value)])]),
    )
    .execute();
  if (value !== null) {
    await addIdentifier(transaction, organizationId, contactId, { type, value });
    return;
  }
  const [next] = await transaction
    .selectFrom('contact_identifiers')
    .select('identifier_value')
    .where('organization_id', '=', organizationId)
    .where('contact_id', '=', contactId)
    .where('identifier_type', '=', type)
    .orderBy('created_at')
    .limit(1)
    .execute();
  if (next === undefined) return;
  await transaction
    .updateTable('contact_identifiers')
    .set({ is_primary: true })
    .where('organization_id', '=', organizationId)
    .where('identifier_type', '=', type)
    .where('identifier_value', '=', next.identifier_value)
    .execute();
}
