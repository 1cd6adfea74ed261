import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { contactId as idOfNumber } from '../../contract/contact-id.js';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { InvalidRequest } from '../http/validation.js';
import { roomForContacts } from '../parties/contact-bounds.js';
import { soughtTerms } from '../parties/terms.js';
import { mergedMetadata } from './contact-input.js';
import { type Identifier, identifiersOf, indexContact, lockContacts } from './contact-rows.js';
import { summaryView } from './contact-view.js';
import { addIdentifier, ownerOf, replacePrimary } from './identities.js';

export interface ContactPage {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly search?: string | undefined;
}

/** Above every character of a term. */
const last = '\u{10ffff}';

/** The query for a page of contacts, newest first; reads the organization's own rows alone, by an index. */
export function contactPageQuery(database: Kysely<Database>, organizationId: string, page: ContactPage) {
  let query = database.selectFrom('contacts').selectAll().where('organization_id', '=', organizationId);
  for (const forms of soughtTerms(page.search ?? '')) {
    query = query.where(({ eb, selectFrom, or }) =>
      eb(
        'contacts.id',
        'in',
        selectFrom('contact_terms')
          .select('contact_terms.contact_id')
          .where('contact_terms.organization_id', '=', organizationId)
          .where(({ eb: term, and }) =>
            or(forms.map((form) => and([term('term', '>=', form), term('term', '<', form + last)])) as never),
          ),
      ),
    );
  }
  if (page.after !== undefined) {
    const { createdAt, id } = cursorOf(page.after);
    query = query.where(sql<boolean>`(created_at, id) < (${createdAt}, ${id}::uuid)`);
  }
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
}

/** The place of a contact, so that a page also follows one that was merged or deleted meanwhile. */
export const placeOf = (row: { readonly created_at: Date; readonly id: string }): string =>
  `${row.created_at.getTime()}_${row.id}`;

/** Throws `InvalidRequest` for what `placeOf` did not make. */
export function cursorOf(after: string): { createdAt: Date; id: string } {
  const match = /^(\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(after);
  if (match === null) throw InvalidRequest.at('after', 'after must be the next of an earlier page.');
  return { createdAt: new Date(Number(match[1])), id: match[2]! };
}

export async function listContacts(database: Kysely<Database>, organizationId: string, page: ContactPage) {
  const rows = await contactPageQuery(database, organizationId, page).execute();
  const shown = rows.slice(0, page.limit);
  const ids = shown.map(({ id }) => id);
  const identifiers = await identifiersOf(database, organizationId, ids);
  return {
    contacts: shown.map((row) => summaryView(row, identifiers)),
    next: rows.length > page.limit ? placeOf(shown.at(-1)!) : null,
  };
}

/** The contact that has the first of the identifiers that any contact has. */
export async function findContact(
  database: Kysely<Database>,
  organizationId: string,
  identifiers: readonly Identifier[],
): Promise<string | undefined> {
  for (const identifier of identifiers) {
    const owner = await ownerOf(database, organizationId, identifier);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

export interface ContactChanges {
  readonly name?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Lost to another request that created the contact. */
class CreatedMeanwhile extends Error {}
const maximumTries = 5;

/**
 * Finds the contact with these identifiers, or creates it. One that exists gets those that it lacks, and the name if it has none.
 * Throws `DemarcError` `CONTACT_IDENTIFIER_TAKEN` when they belong to different contacts, `TOO_MANY_CONTACTS`.
 */
export async function resolveContact(
  database: Kysely<Database>,
  organizationId: string,
  identifiers: readonly Identifier[],
  changes: ContactChanges,
): Promise<{ readonly id: string; readonly created: boolean }> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await database.transaction().execute(async (transaction) => {
        const found = await findContact(transaction, organizationId, identifiers);
        if (found === undefined) {
          return {
            id: await createContact(transaction, organizationId, identifiers, changes),
            created: true,
          };
        }
        const [id] = await lockContacts(transaction, organizationId, [found]);
        for (const identifier of identifiers)
          await addIdentifier(transaction, organizationId, id!, identifier);
        await changeContact(transaction, organizationId, id!, changes, { keepsName: true });
        await indexContact(transaction, organizationId, id!);
        return { id: id!, created: false };
      });
    } catch (error) {
      const isRace =
        error instanceof CreatedMeanwhile || (error instanceof DemarcError && error.code === 'NOT_FOUND');
      if (!isRace || tried === maximumTries) throw error;
    }
  }
}

async function createContact(
  transaction: Transaction<Database>,
  organizationId: string,
  identifiers: readonly Identifier[],
  { name = '', metadata = {} }: ContactChanges,
): Promise<string> {
  if ((await roomForContacts(transaction, organizationId)) === 0) throw new DemarcError('TOO_MANY_CONTACTS');
  const number = identifiers.find(({ type }) => type === 'phone_number');
  const id = number === undefined ? randomUUID() : idOfNumber(organizationId, number.value);
  // The id first, as when a call creates its contact: in another order the two could wait for each other.
  const { rows } = await sql`
    with claimed as (
      insert into contact_ids (organization_id, id, contact_id) values (${organizationId}, ${id}, ${id})
      on conflict do nothing
      returning organization_id, id
    )
    insert into contacts (organization_id, id, name, metadata)
    select organization_id, id, ${name}, ${JSON.stringify(mergedMetadata({}, metadata))}::jsonb from claimed
    on conflict do nothing
    returning id`.execute(transaction);
  if (rows.length === 0) throw new CreatedMeanwhile();
  for (const identifier of identifiers) {
    await addIdentifier(transaction, organizationId, id, identifier).catch((error: unknown) => {
      throw error instanceof DemarcError ? new CreatedMeanwhile() : error;
    });
  }
  await indexContact(transaction, organizationId, id);
  return id;
}

async function changeContact(
  transaction: Transaction<Database>,
  organizationId: string,
  id: string,
  { name, metadata }: ContactChanges,
  { keepsName }: { readonly keepsName: boolean },
): Promise<void> {
  const existing = await transaction
    .selectFrom('contacts')
    .select(['name', 'metadata'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('contacts')
    .set({ ...changedColumns(existing, { name, metadata }, { keepsName }), updated_at: new Date() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/**
 * What of the row a change sets. Throws `InvalidRequest` for metadata that would be too large.
 * @param options keepsName: a name is set only where there is none
 */
export const changedColumns = (
  existing: { readonly name: string; readonly metadata: Readonly<Record<string, unknown>> },
  { name, metadata }: ContactChanges,
  { keepsName }: { readonly keepsName: boolean },
) => ({
  ...(name !== undefined && (existing.name === '' || !keepsName) ? { name } : {}),
  ...(metadata === undefined
    ? {}
    : { metadata: JSON.stringify(mergedMetadata(existing.metadata, metadata)) }),
});

export interface ContactPatch extends ContactChanges {
  readonly email?: string | null | undefined;
  readonly external_id?: string | null | undefined;
}

/** Changes the named fields. Throws `DemarcError`: `NOT_FOUND`, `CONTACT_IDENTIFIER_TAKEN`. Returns the contact's id. */
export function updateContact(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  { email, external_id, ...changes }: ContactPatch,
): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    const [contactId] = await lockContacts(transaction, organizationId, [id]);
    if (email !== undefined) {
      await replacePrimary(transaction, organizationId, contactId!, 'email', email?.toLowerCase() ?? null);
    }
    if (external_id !== undefined)
      await replacePrimary(transaction, organizationId, contactId!, 'external_id', external_id);
    await changeContact(transaction, organizationId, contactId!, changes, { keepsName: false });
    await indexContact(transaction, organizationId, contactId!);
    return contactId!;
  });
}
