import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { MediaType } from './documents/document-inspection.js';
import type { NumberType } from './number-plan.js';
import type { Actor, PortStatus } from './port-status.js';

type CreatedAt = ColumnType<Date, Date | undefined, never>;
type Changing = ColumnType<Date, Date | undefined, Date>;
type Json<Value> = ColumnType<Value, string, string>;

export interface PortRequestsTable {
  id: string;
  organization_id: string;
  /** Follows from the numbers' (`requestStatus`). */
  status: PortStatus;
  carrier: 'manual' | 'twilio';
  /** The carrier's id of the request; null: the carrier has not confirmed it. */
  carrier_reference: string | null;
  /** Sealed JSON: what the losing carrier compares, with account number and PIN. */
  information: string;
  authorized_email: string;
  notification_emails: Json<string[]>;
  /** Ids of the uploaded documents. */
  documents: Json<string[]>;
  /** `2026-11-29`, in the carrier's time zone. */
  target_day: string;
  /** When the carrier is asked next; null: it is not. */
  carrier_due_at: Date | null;
  /** The process that asks it now has the request until then. */
  carrier_lease_until: Date | null;
  /** Failures of the carrier in a row. */
  carrier_failures: Generated<number>;
  /** What the last failure was; null: the carrier answered. */
  carrier_problem: string | null;
  /** Set before the request is sent to the carrier: from then on it may have it. */
  submission_begun_at: Date | null;
  /** When the carrier was notified of the cancellation. */
  carrier_canceled_at: Date | null;
  created_at: CreatedAt;
  updated_at: Changing;
  /** When the last number reached a final state. */
  ended_at: Date | null;
}

export interface PortNumbersTable {
  request_id: string;
  organization_id: string;
  /** E.164 digits without plus. */
  number: string;
  position: number;
  status: PortStatus;
  number_type: NumberType;
  /** Why it failed or was canceled; null: neither. */
  reason: string | null;
  /** When it became an inbound number of the organization. */
  attached_at: Date | null;
  updated_at: Changing;
}

/** Audit: every move, once. */
export interface PortMovesTable {
  id: GeneratedAlways<string>;
  request_id: string;
  /** Null: of the request as a whole. */
  number: string | null;
  from_status: PortStatus | null;
  to_status: PortStatus;
  actor: Actor;
  /** API key, mail address or carrier that acted. */
  actor_name: string;
  reason: string;
  moved_at: CreatedAt;
}

export interface PortDocumentsTable {
  id: string;
  organization_id: string;
  kind: 'proof' | 'letter' | 'signed_letter';
  /** Null: uploaded, not used yet. */
  request_id: string | null;
  media_type: MediaType;
  octets: number;
  /** Of the document, not of what is stored. */
  sha256: Buffer;
  /** The key that the stored octets are encrypted with, sealed. */
  sealed_key: string;
  created_at: CreatedAt;
}

/** The Letter of Authorization of a request, and its signature. */
export interface PortLettersTable {
  request_id: string;
  /** Counts the links that were sent: only the last one works. */
  link_number: number;
  /** SHA-256 of the token. */
  token_hash: Buffer;
  expires_at: Date;
  letter_id: string;
  signed_letter_id: string | null;
  signer_name: string | null;
  signer_address: string | null;
  signer_agent: string | null;
  /** SHA-256 of the letter that was shown. */
  shown_sha256: Buffer | null;
  signed_at: Date | null;
}

declare module '../database/tables.js' {
  interface Database {
    port_requests: PortRequestsTable;
    port_numbers: PortNumbersTable;
    port_moves: PortMovesTable;
    port_documents: PortDocumentsTable;
    port_letters: PortLettersTable;
  }
}
