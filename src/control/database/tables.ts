import type { ColumnType, Generated } from 'kysely';
import type { HeaderMapping } from '../../contract/header-mapping.js';
import type { AgentCredentialTables } from '../agent-credentials/tables.js';
import type { AlertTables } from '../alerts/tables.js';
import type { BatchTables } from '../batches/tables.js';
import type { CallOrderTables } from '../calls/tables.js';
import type { DeliveryTables } from '../deliveries/tables.js';
import type { HealthTables } from '../health/tables.js';
import type { HistoryTables } from '../history/tables.js';
import type { IdempotencyTables } from '../idempotency/tables.js';
import type { Scope } from '../keys/scopes.js';
import type { PortingTables } from '../porting/tables.js';
import type { ProjectionTables } from '../projection/tables.js';
import type { SessionTables } from '../session/tables.js';
import type { TrunkTables } from '../shared-trunks/tables.js';
import type { UsageTables } from '../usage/tables.js';
import type { WebhookEndpointTables } from '../webhooks/endpoints/tables.js';
import type {
  Direction,
  StoredAlerts,
  StoredCodecs,
  StoredFailover,
  StoredLimits,
  StoredOptions,
  StoredTransfer,
} from './stored-sections.js';

export type {
  Direction,
  StoredAlerts,
  StoredCodecs,
  StoredFailover,
  StoredLimits,
  StoredOptions,
  StoredTransfer,
} from './stored-sections.js';

/** Written once as a Date or left to the database, read as a Date. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;
type Changing = ColumnType<Date, Date | undefined, Date>;
/** JSON goes in as text, because `pg` turns arrays into PostgreSQL arrays otherwise. */
type Json<Value> = ColumnType<Value, string, string>;

export interface OrganizationsTable {
  id: string;
  name: string;
  sip_enabled: boolean;
  /** Key of `DEMARC_REGIONS`; null: the first region. */
  region: string | null;
  created_at: CreatedAt;
}

export interface ApiKeysTable {
  id: string;
  organization_id: string;
  name: string;
  /** The first characters of the key, for people to tell keys apart. */
  prefix: string;
  /** SHA-256 of the whole key. */
  hash: Buffer;
  is_operator: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: CreatedAt;
  revoked_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Null: everything that the organization may. */
  scopes: ColumnType<Scope[] | null, string | null | undefined, string | null>;
  expires_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** To the minute. */
  last_used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface NumbersTable {
  /** E.164 digits without plus. */
  number: string;
  organization_id: string;
  /** The trunk that it shares with other numbers; null: its configurations are its own. */
  trunk_id: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: CreatedAt;
  updated_at: Changing;
}

/** An operator's word that an organization holds a number. */
export interface NumberProofsTable {
  number: string;
  organization_id: string;
  /** The operator's API key. */
  key_id: string;
  proven_at: CreatedAt;
}

export interface ConfigurationsTable {
  id: string;
  number: string;
  direction: Direction;
  /** Order among the number's configurations. */
  position: Generated<string>;
  /** Outbound: the server. Inbound: the agent that calls are forwarded to; null: the service's own. */
  sip_endpoint: string | null;
  /** Inbound with `register`: where to register; null: at the number's first outbound server. */
  registrar: ColumnType<string | null, string | null | undefined, string | null>;
  auth_mode: 'ip' | 'register' | null;
  register_username: string | null;
  /** Sealed, as all passwords are (`contract/secret.ts`). */
  register_password: string | null;
  /** The derived password that the customer's PBX uses towards us. */
  pbx_password: string | null;
  options: Json<StoredOptions>;
  sip_password: string | null;
  allowed_ips: Json<string[]>;
  headers: Json<HeaderMapping[]>;
  created_at: CreatedAt;
  updated_at: Changing;
}

/** What holds for one direction of a number, whatever its configurations are. */
export interface DirectionSettingsTable {
  number: string;
  direction: Direction;
  failover: Json<StoredFailover | null> | null;
  codecs: Json<StoredCodecs | null> | null;
  alerts: Json<StoredAlerts | null> | null;
  limits: Json<StoredLimits | null> | null;
  transfer: Json<StoredTransfer | null> | null;
  updated_at: Changing;
}

export interface Database
  extends ProjectionTables,
    HistoryTables,
    HealthTables,
    CallOrderTables,
    BatchTables,
    TrunkTables,
    SessionTables,
    AlertTables,
    AgentCredentialTables,
    DeliveryTables,
    WebhookEndpointTables,
    IdempotencyTables,
    PortingTables,
    UsageTables {
  organizations: OrganizationsTable;
  api_keys: ApiKeysTable;
  numbers: NumbersTable;
  number_proofs: NumberProofsTable;
  configurations: ConfigurationsTable;
  direction_settings: DirectionSettingsTable;
}
