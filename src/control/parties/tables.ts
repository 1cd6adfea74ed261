import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Json, UpdatedAt } from '../database/columns.js';

/** A person or company that an organization talks to. */
export interface ContactsTable {
  organization_id: string;
  /** UUID; of a contact that a call made: `contactId` of its number. */
  id: string;
  name: Generated<string>;
  metadata: ColumnType<Record<string, unknown>, string | undefined, string>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** Every id that leads to a contact. Who inserts the id of a number owns the number: it decides races between calls and requests. */
export interface ContactIdsTable {
  organization_id: string;
  id: string;
  contact_id: string;
}

export const identifierTypes = ['phone_number', 'email', 'external_id'] as const;
export type IdentifierType = (typeof identifierTypes)[number];

export interface ContactIdentifiersTable {
  organization_id: string;
  id: Generated<string>;
  contact_id: string;
  identifier_type: IdentifierType;
  /** E.164 with plus; an e-mail address in lower case. */
  identifier_value: string;
  is_primary: boolean;
  created_at: CreatedAt;
}

/** What a search finds a contact by (`termsOf`). */
export interface ContactTermsTable {
  organization_id: string;
  term: string;
  contact_id: string;
}

/** A number whose contact was deleted: records of its calls that arrive later lose what names it. */
export interface ContactErasuresTable {
  organization_id: string;
  /** `contactId` of the number. */
  contact_id: string;
  erased_at: Date;
  /** Ids of its calls that were active at that time. */
  call_ids: Json<string[]>;
}

/** How many contacts an organization has, counted now and then. */
export interface ContactCountsTable {
  organization_id: string;
  contacts: number;
  counted_at: Date;
}

/** Callers of a number on a day (UTC) who had no contact, also those beyond the bound. */
export interface NewCallersTable {
  organization_id: string;
  /** The called number, E.164 without plus. */
  number: string;
  day: string;
  callers: string;
  /** The log has said that the bound is reached. */
  is_reported: boolean;
}

declare module '../database/tables.js' {
  interface Database {
    contact_counts: ContactCountsTable;
    new_callers: NewCallersTable;
    contacts: ContactsTable;
    contact_ids: ContactIdsTable;
    contact_identifiers: ContactIdentifiersTable;
    contact_terms: ContactTermsTable;
    contact_erasures: ContactErasuresTable;
  }
}
