import type { ColumnType, GeneratedAlways } from 'kysely';

/** `key`: an API key or a session begun with it; `member`: a person who signed in; `command`: the command line. */
export const actorKinds = ['key', 'member', 'command'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** One change, with who made it. Values of fields are not stored: some are secrets. */
export interface AuditEventsTable {
  id: GeneratedAlways<string>;
  organization_id: string;
  occurred_at: ColumnType<Date, Date | undefined, never>;
  actor_kind: ActorKind;
  actor_id: string;
  /** Name at that time. */
  actor_name: string;
  /** operationId of the API, or the name of what a person did. */
  action: string;
  /** The action in words. */
  summary: string;
  /** What was changed: ids and names; may be empty. */
  subject: string;
  /** Names of the fields in the request, comma-separated. */
  fields: string;
  /** Remote address; null: the command line. */
  address: string | null;
}

declare module '../database/tables.js' {
  interface Database {
    audit_events: AuditEventsTable;
  }
}
