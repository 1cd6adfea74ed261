import { RoleMetrics } from '../metrics/role-metrics.js';
import { type Engine, engineVersion } from './engine.js';
import type { TransportCounters } from './transport/counters.js';

type CounterName = keyof TransportCounters;

/** Transport counters that are one metric, by the value of its label. */
const groups = {
  demarc_engine_messages_total: {
    help: 'SIP messages on all transports.',
    label: 'direction',
    values: { received: 'messagesReceived', sent: 'messagesSent' },
  },
  demarc_engine_bytes_total: {
    help: 'Octets of SIP messages.',
    label: 'direction',
    values: { received: 'bytesReceived', sent: 'bytesSent' },
  },
  demarc_engine_connections_total: {
    help: 'Connections accepted, opened and closed by the engine, and failed attempts.',
    label: 'event',
    values: {
      accepted: 'connectionsAccepted',
      opened: 'connectionsOpened',
      closed: 'connectionsClosed',
      failed: 'connectFailures',
    },
  },
  demarc_engine_connections_refused_total: {
    help: 'Connections refused before reading: too many in total, from one source, or in a handshake.',
    label: 'reason',
    values: { total: 'refusedTotal', source: 'refusedPerSource', handshakes: 'refusedHandshakes' },
  },
  demarc_engine_connections_dropped_total: {
    help: 'Connections closed by the engine, by reason.',
    label: 'reason',
    values: {
      no_message: 'closedNoMessage',
      slow_message: 'closedSlowMessage',
      idle: 'closedIdle',
      backlog: 'closedBacklog',
      ping_flood: 'closedPingFlood',
      no_pong: 'closedNoPong',
      unacknowledged: 'closedUnacknowledged',
      framing: 'framingErrors',
    },
  },
  demarc_engine_tls_handshakes_total: {
    help: 'TLS handshakes, inbound and outbound; failures only of inbound ones.',
    label: 'result',
    values: { completed: 'handshakes', failed: 'handshakeFailures' },
  },
  demarc_engine_malformed_messages_total: {
    help: 'Messages that are not SIP, and datagrams that are too long.',
    label: 'kind',
    values: { message: 'malformed', too_long: 'datagramsTooLong' },
  },
} as const satisfies Record<
  string,
  { help: string; label: string; values: Readonly<Record<string, CounterName>> }
>;

const single = {
  demarc_engine_send_errors_total: ['sendErrors', 'Messages that could not be sent.'],
  demarc_engine_keepalives_total: ['keepAlives', 'CRLF pings and other datagrams too short to be SIP.'],
  demarc_engine_defects_total: ['defects', 'Messages whose handling failed with an internal error.'],
} as const satisfies Record<string, readonly [CounterName, string]>;

/** The engine's metrics; those that drachtio-server also has use its names (wire protocol §10.5). */
export class EngineMetrics extends RoleMetrics {
  constructor(engine: () => Engine | undefined) {
    super('engine');
    const startedAt = Math.floor(Date.now() / 1_000);
    const snapshot = () => engine()?.snapshot();
    const counters = () => engine()?.transport.counters;
    this.gauge(
      {
        name: 'drachtio_build_info',
        help: 'Always 1.',
        labels: { version: "of drachtio-server's protocol" },
      },
      () => [{ labels: { version: engineVersion }, value: 1 }],
    );
    this.gauge(
      {
        name: 'demarc_engine_certificate_expiry_seconds',
        help: "Unix time at which the TLS listeners' certificate expires; absent without TLS.",
      },
      () => {
        const expiresAt = engine()?.transport.certificateExpiresAt;
        return expiresAt === undefined ? [] : [{ value: expiresAt / 1_000 }];
      },
    );
    this.gauge(
      { name: 'drachtio_time_started', help: 'Unix time of the start, in seconds.' },
      () => startedAt,
    );
    this.counted(
      {
        name: 'drachtio_sip_requests_in_total',
        help: 'SIP requests received.',
        labels: { method: 'registered methods; OTHER for all others' },
      },
      () => [...(engine()?.core.received ?? [])].map(([method, value]) => ({ labels: { method }, value })),
    );
    this.gauge(
      { name: 'drachtio_stable_dialogs', help: 'Confirmed dialogs.', labels: { type: 'inbound, outbound' } },
      () => [
        { labels: { type: 'inbound' }, value: snapshot()?.userAgent.confirmedInbound ?? 0 },
        { labels: { type: 'outbound' }, value: snapshot()?.userAgent.confirmedOutbound ?? 0 },
      ],
    );
    this.gauge(
      { name: 'demarc_engine_dialogs', help: 'Dialogs, including early ones.' },
      () => snapshot()?.userAgent.dialogs ?? 0,
    );
    this.gauge(
      { name: 'drachtio_registered_endpoints', help: 'Connections of registered phones.' },
      () => snapshot()?.userAgent.registeredFlows ?? 0,
    );
    this.gauge(
      { name: 'drachtio_app_connections', help: 'Connected applications.' },
      () => snapshot()?.applicationConnections ?? 0,
    );
    this.gauge(
      { name: 'drachtio_sofia_client_txn_hash_size', help: 'Client transactions.' },
      () => snapshot()?.transactions.client ?? 0,
    );
    this.gauge(
      { name: 'drachtio_sofia_server_txn_hash_size', help: 'Server transactions.' },
      () => snapshot()?.transactions.server ?? 0,
    );
    this.counted(
      { name: 'drachtio_sofia_server_retransmissions_total', help: 'Retransmissions received.' },
      () => engine()?.transactions.statistics.retransmissionsReceived ?? 0,
    );
    this.counted(
      { name: 'drachtio_sofia_client_retransmissions_total', help: 'Retransmissions sent.' },
      () => engine()?.transactions.statistics.retransmissionsSent ?? 0,
    );
    this.counted(
      {
        name: 'demarc_engine_transactions_refused_total',
        help: 'Requests answered 503, or not sent, because the engine was at its transaction limit.',
      },
      () => engine()?.transactions.statistics.overloaded ?? 0,
    );
    this.counted(
      {
        name: 'demarc_engine_requests_screened_total',
        help: 'Requests from scanners, answered 603 or dropped (--scanner).',
      },
      () => engine()?.transactions.statistics.screened ?? 0,
    );
    this.counted(
      {
        name: 'demarc_engine_transactions_unanswered_total',
        help: 'Server transactions that ended without an ACK or a final response.',
      },
      () => engine()?.transactions.statistics.unanswered ?? 0,
    );
    this.gauge(
      { name: 'demarc_engine_connections', help: 'Open connections of trunks and agents.' },
      () => snapshot()?.openConnections ?? 0,
    );
    for (const [name, { help, label, values }] of Object.entries(groups)) {
      const names = Object.entries(values) as [string, CounterName][];
      this.counted({ name, help, labels: { [label]: names.map(([value]) => value).join(', ') } }, () =>
        names.map(([value, counter]) => ({ labels: { [label]: value }, value: counters()?.[counter] ?? 0 })),
      );
    }
    for (const [name, [counter, help]] of Object.entries(single)) {
      this.counted({ name, help }, () => counters()?.[counter] ?? 0);
    }
  }
}
