import type { ColumnType, Generated, Selectable } from 'kysely';
import type { HeaderMapping } from '../../contract/header-mapping.js';
import type { TransferPolicy } from '../../contract/transfer.js';
import type { CreatedAt, Json, UpdatedAt } from '../database/columns.js';
import type { StoredStream } from './agent-streams.js';

export interface NumbersTable {
  /** E.164 digits without plus. */
  number: string;
  organization_id: string;
  /** The trunk shared with other numbers; null: the number has its own configurations. */
  trunk_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** Answers calls to the number; null: none. */
  persona_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** Its calls follow it; null: that of its persona. */
  pathway_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** Null: the live version. */
  pathway_version: ColumnType<number | null, number | null | undefined, number | null>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** An operator's statement that an organization holds a number. */
export interface NumberProofsTable {
  number: string;
  organization_id: string;
  /** The operator's API key. */
  key_id: string;
  proven_at: CreatedAt;
}

export type Direction = 'inbound' | 'outbound';

/** What an API caller gave in `options`, without the password. */
export interface StoredOptions {
  port?: number;
  transport?: 'udp' | 'tcp' | 'tls';
  secure_media?: boolean;
  symmetric_rtp?: boolean;
  sip_username?: string;
  sip_realm?: string;
  /** PEM. */
  tls_ca?: string;
  /** Inbound, in place of one agent. */
  agents?: { strategy: 'ring_all'; endpoints: string[] };
}

export interface StoredFailover {
  enabled: boolean;
  endpoints: { host: string; port?: number; transport?: 'udp' | 'tcp' | 'tls'; priority: number }[];
  triggers: ('unreachable' | 'auth_failure' | 'timeout')[];
  failback: 'auto' | 'manual';
}

export interface StoredCodecs {
  /** Names as in the number document. */
  order: ('PCMU' | 'PCMA' | 'opus' | 'G722' | 'G729')[];
  transcode: boolean;
}

export interface StoredAlerts {
  enabled: boolean;
  thresholds: {
    unreachable_minutes?: number;
    failure_rate_percent?: number;
    failure_rate_window_minutes?: number;
    response_time_ms?: number;
  };
  channels: { email?: boolean; sms?: boolean; webhook?: string };
}

export interface StoredLimits {
  concurrent_calls?: number;
  calls_per_second?: number;
  max_duration_seconds?: number;
}

/** As in the number document. */
export type StoredTransfer = TransferPolicy;

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
  /** Outbound: the agent of calls that the number places; null: that of its inbound direction. */
  agent: ColumnType<string | null, string | null | undefined, string | null>;
  /** Settings of those agents that are WebSocket servers, by their URLs. */
  agent_streams: ColumnType<StoredStream[], string | undefined, string>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export type Configuration = Selectable<ConfigurationsTable>;

/** What an organization's connections to WebSocket agents are signed with. */
export interface StreamSecretsTable {
  id: string;
  organization_id: string;
  /** Sealed. */
  secret: string;
  created_at: CreatedAt;
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
  updated_at: UpdatedAt;
}

/** `int8` is read as text by `pg`: revisions are compared as numbers, and stay far below 2^53. */
type BigInteger = ColumnType<string, number, number>;

/** How often a number's configuration was changed; the row outlives the configuration. */
export interface NumberRevisionsTable {
  /** E.164 digits without plus. */
  number: string;
  revision: BigInteger;
}

/** Numbers with committed changes that are not in Redis yet. */
export interface ProjectionOutboxTable {
  id: Generated<string>;
  number: string;
}

declare module '../database/tables.js' {
  interface Database {
    numbers: NumbersTable;
    number_proofs: NumberProofsTable;
    configurations: ConfigurationsTable;
    direction_settings: DirectionSettingsTable;
    stream_secrets: StreamSecretsTable;
    number_revisions: NumberRevisionsTable;
    projection_outbox: ProjectionOutboxTable;
  }
}
