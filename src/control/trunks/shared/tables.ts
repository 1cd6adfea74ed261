import type { ColumnType, Selectable } from 'kysely';
import type {
  StoredAlerts,
  StoredCodecs,
  StoredFailover,
  StoredLimits,
  StoredTransfer,
} from '../../numbers/tables.js';
import type { DirectionRequest } from '../direction-schema.js';

/** Sections of one direction; an absent one is not configured. */
export interface StoredSections {
  readonly failover?: StoredFailover | null;
  readonly codecs?: StoredCodecs | null;
  readonly alerts?: StoredAlerts | null;
  readonly limits?: StoredLimits | null;
  readonly transfer?: StoredTransfer | null;
}

export interface TrunksTable {
  id: string;
  organization_id: string;
  name: string;
  /** As `attach` takes them; every password is sealed. */
  directions: ColumnType<DirectionRequest[], string, string>;
  inbound: ColumnType<StoredSections, string, string>;
  outbound: ColumnType<StoredSections, string, string>;
  created_at: ColumnType<Date, Date | undefined, never>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

declare module '../../database/tables.js' {
  interface Database {
    trunks: TrunksTable;
  }
  interface Views {
    trunk_directions: Selectable<Pick<TrunksTable, 'organization_id' | 'directions'>>;
  }
}
