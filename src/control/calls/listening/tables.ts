import type { ColumnType } from 'kysely';
import type { ActorKind } from '../../audit/tables.js';

/** A person or key that listens to an active call now. */
export interface ListeningsTable {
  id: string;
  organization_id: string;
  call_id: string;
  actor_kind: ActorKind;
  actor_id: string;
  actor_name: string;
  /** Remote address. */
  address: string | null;
  began_at: ColumnType<Date, Date | undefined, never>;
  /** Renewed by the process that relays the audio. */
  seen_at: ColumnType<Date, Date | undefined, Date>;
}

declare module '../../database/tables.js' {
  interface Database {
    listenings: ListeningsTable;
  }
}
