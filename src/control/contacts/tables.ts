import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { CreatedAt, Json, UpdatedAt } from '../database/columns.js';

export type FactValue = string | number | boolean;
export type Facts = Readonly<Record<string, FactValue>>;

export const priorities = ['low', 'medium', 'high'] as const;

/** Something left to do for a contact; type and description name it. */
export interface OpenItem {
  readonly type: string;
  readonly description: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly priority: (typeof priorities)[number];
  readonly related_to: { readonly entity_type: string; readonly entity_id: string } | null;
}

/** Something that a contact talks about, such as an order; type and id name it. */
export interface Entity {
  readonly entity_type: string;
  readonly entity_id: string;
  readonly facts: Facts;
  readonly status: string;
  /** ISO 8601. */
  readonly last_discussed_at: string;
  readonly notes: string | null;
}

/** What one persona, or the agent of one number, remembers of a contact. */
export interface ContactMemoriesTable {
  organization_id: string;
  id: Generated<string>;
  contact_id: string;
  /** Empty: an agent without a persona. */
  persona_id: string;
  /** E.164 with plus; null: of all numbers. */
  agent_number: string | null;
  summary: Generated<string>;
  facts: ColumnType<Facts, string | undefined, string>;
  open_items: ColumnType<OpenItem[], string | undefined, string>;
  entities: ColumnType<Entity[], string | undefined, string>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export const messageRoles = ['user', 'assistant'] as const;
export const messageChannels = ['call', 'sms'] as const;

export interface ContactMessagesTable {
  organization_id: string;
  id: GeneratedAlways<string>;
  memory_id: string;
  /** The call whose agent wrote it; null: written with a key. */
  call_id: string | null;
  role: (typeof messageRoles)[number];
  content: string;
  channel: (typeof messageChannels)[number];
  sent_at: Date;
}

/** One merge; the merged contact's id leads to the contact. */
export interface ContactMergesTable {
  organization_id: string;
  id: Generated<string>;
  contact_id: string;
  merged_contact_id: string;
  /** Id of the API key. */
  merged_by: string;
  merged_at: CreatedAt;
  /** The merged contact as it was. */
  merged: Json<Record<string, unknown>>;
}

/** That a contact was deleted, without what names it. */
export interface ContactDeletionsTable {
  organization_id: string;
  id: Generated<string>;
  /** Id of the API key. */
  deleted_by: string;
  deleted_at: CreatedAt;
  removed: Json<Record<string, number>>;
}

declare module '../database/tables.js' {
  interface Database {
    contact_memories: ContactMemoriesTable;
    contact_messages: ContactMessagesTable;
    contact_merges: ContactMergesTable;
    contact_deletions: ContactDeletionsTable;
  }
}
