import type { TransferPolicy } from '../../contract/transfer.js';

export type Direction = 'inbound' | 'outbound';

/** What an API caller gave in `options`, without the password. */
export interface StoredOptions {
  port?: number;
  transport?: 'udp' | 'tcp' | 'tls';
  secure_media?: boolean;
  sip_username?: string;
  sip_realm?: string;
  /** PEM. */
  tls_ca?: string;
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
