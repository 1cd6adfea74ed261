import type { ColumnType } from 'kysely';
import type { CreatedAt } from '../database/columns.js';
import type { Role } from '../http/roles.js';

/** The account of a person, who may belong to several organizations. */
export interface PeopleTable {
  id: string;
  /** In lower case. */
  email: string;
  name: string;
  /** As `passwords.ts` writes it. */
  password: string;
  password_changed_at: ColumnType<Date, Date | undefined, Date>;
  created_at: CreatedAt;
}

/** A person in one organization. */
export interface MembersTable {
  id: string;
  organization_id: string;
  person_id: string;
  role: Role;
  /** Sees the fleet and the totals of all organizations, like an operator key. */
  is_operator: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: CreatedAt;
  /** Last sign-in to this organization. */
  signed_in_at: Date | null;
}

export interface InvitationsTable {
  id: string;
  organization_id: string;
  email: string;
  role: Role;
  /** SHA-256 of the link's token, which is not stored. */
  hash: Buffer;
  /** Name of the key or member that invites. */
  invited_by: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
}

export interface PasswordResetsTable {
  /** SHA-256 of the link's token, which is not stored. */
  hash: Buffer;
  person_id: string;
  /** The organization whose owner created the link; null: the person requested it, or the command line did. */
  organization_id: string | null;
  expires_at: Date;
}

/** A browser in which the person signed in before: attempts from other browsers do not slow it down. */
export interface KnownBrowsersTable {
  /** SHA-256 of the cookie's token, which is not stored. */
  hash: Buffer;
  person_id: string;
  used_at: ColumnType<Date, Date | undefined, Date>;
}

/** A browser session, started with an API key or by a member with a password; it ends with the key or the membership. */
export interface SessionsTable {
  /** SHA-256 of the cookie's token, which is kept nowhere. */
  hash: Buffer;
  /** Null: of a member. */
  key_id: string | null;
  /** Null: of an API key. */
  member_id: string | null;
  created_at: ColumnType<Date, Date | undefined, never>;
  /** To the minute. */
  used_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
}

declare module '../database/tables.js' {
  interface Database {
    people: PeopleTable;
    members: MembersTable;
    invitations: InvitationsTable;
    password_resets: PasswordResetsTable;
    known_browsers: KnownBrowsersTable;
    sessions: SessionsTable;
  }
}
