import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type ContactSummary = api.ContactSummary;
export type Contact = api.Contact;
export type Memory = api.ContactMemory;
export type Merge = api.ContactMerge;

export interface ContactSearch {
  readonly search?: string | undefined;
  readonly after?: string | undefined;
}

/** The answer with its cursor, which is beside `data`. */
export async function readContacts(
  search: ContactSearch,
  signal?: AbortSignal,
): Promise<{ readonly contacts: readonly ContactSummary[]; readonly next: string | null }> {
  const asked = demarc.listContacts({ limit: 50, ...search }, { signal });
  const [{ contacts }, { next }] = await Promise.all([ask(asked), asked]);
  return { contacts, next };
}

const path = (id: string) => ({ contact_id: id });

export const readContact = (id: string, signal?: AbortSignal): Promise<Contact> =>
  ask(demarc.getContact(path(id), { signal }));

export async function readContactCalls(
  id: string,
  after: string | undefined,
  signal?: AbortSignal,
): Promise<{ readonly calls: readonly api.Call[]; readonly next: string | null }> {
  const asked = demarc.listContactCalls(path(id), { limit: 10, after }, { signal });
  const [{ calls }, { next }] = await Promise.all([ask(asked), asked]);
  return { calls, next };
}

export const readMerges = (id: string, signal?: AbortSignal): Promise<readonly Merge[]> =>
  ask(demarc.listContactMerges(path(id), { signal })).then(({ merges }) => merges);

export const renamingOf =
  (id: string, name: string): ApiRequest<Contact> =>
  (client) =>
    client.updateContact(path(id), { name });

/** The contact with one of these identifiers, which gets the others; a new one if there is none. */
export const resolutionOf =
  (body: api.ResolveContactBody): ApiRequest<api.ResolveContactAnswer['data']> =>
  (client) =>
    client.resolveContact(body);

export type RecordedDeletion = api.ListContactDeletionsAnswer['data']['deletions'][number];

/** The newest fifty. */
export const readDeletions = (signal?: AbortSignal): Promise<readonly RecordedDeletion[]> =>
  ask(demarc.listContactDeletions({ limit: 50 }, { signal })).then(({ deletions }) => deletions);

export const mergeOf =
  (primary: string, duplicate: string): ApiRequest<Contact> =>
  (client) =>
    client.mergeContacts({ primary_contact_id: primary, duplicate_contact_id: duplicate });

export type Deletion = api.DeleteContactAnswer['data'];

export const deleteContact = (id: string): Promise<Deletion> => ask(demarc.deleteContact(path(id)));

/** Download URL of everything that is stored of a contact. */
export const exportAddress = (id: string): string => `/v1/contacts/${encodeURIComponent(id)}/export`;

/** The name, or what the contact is recognized by. */
export const titleOf = ({ name, identifiers }: ContactSummary): string =>
  name || primaryOf(identifiers) || 'Unnamed contact';

/** The primary number, else another identifier. */
export const primaryOf = (identifiers: ContactSummary['identifiers']): string | undefined =>
  identifiers.find((identifier) => identifier.identifier_type === 'phone_number' && identifier.is_primary)
    ?.identifier_value ?? identifiers[0]?.identifier_value;
