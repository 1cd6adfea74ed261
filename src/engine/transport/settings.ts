import { defaultResolver, type ResolverSettings } from '../../naming/resolver-settings.js';
import type { Protocol } from './flow.js';

/** One socket to open. */
export interface ListenerSettings {
  readonly protocol: Protocol;
  /** An IP address; IPv6 without brackets. `0.0.0.0` and `::` mean every interface of that family. */
  readonly address: string;
  /** 0: a free port. */
  readonly port: number;
  /** External address or DNS name for Via, Contact and From; without it the bind address. */
  readonly advertisedHost?: string;
  /** Without it the bound port. */
  readonly advertisedPort?: number;
  /** UDP: answers go to the source port also for requests that do not ask for it by `rport` (RFC 3581). */
  readonly forceRport?: boolean;
}

/** What a TLS server requires of its clients. */
export type ClientCertificates = 'none' | 'optional' | 'required';

/** A host whose certificate is not verified, and why the operator accepted that. */
export interface UnverifiedHost {
  /** The host of the SIP URI, or `*` for every host. */
  readonly host: string;
  /** Kept with the setting, so that the exception explains itself. */
  readonly reason: string;
}

/** PEM files; certificate files may carry their chain. */
export interface TlsSettings {
  /** Our own pair, for TLS listeners. */
  readonly keyFile?: string;
  readonly certificateFile?: string;
  /** More certificates of our chain, when they are not in `certificateFile`. */
  readonly chainFile?: string;
  /** Authorities that may issue client certificates; needed unless `clientCertificates` is `none`. */
  readonly clientCaFile?: string;
  readonly clientCertificates: ClientCertificates;
  readonly minimumVersion: 'TLSv1.2' | 'TLSv1.3';
  /** Authorities that may issue the certificates of servers we connect to, besides the well-known ones. */
  readonly trustedCaFile?: string;
  /** False: only `trustedCaFile` is trusted. */
  readonly trustWellKnownAuthorities: boolean;
  /** Everyone else is verified: chain, dates and host name. */
  readonly unverifiedHosts: readonly UnverifiedHost[];
  /** Presented when the peer asks; default: our own pair. `none`: nothing is presented. */
  readonly outboundCertificate?: 'none' | { readonly keyFile: string; readonly certificateFile: string };
}

export const defaultTls: TlsSettings = {
  clientCertificates: 'none',
  minimumVersion: 'TLSv1.2',
  trustWellKnownAuthorities: true,
  unverifiedHosts: [],
};

/** What bounds memory and work; all times in milliseconds, all sizes in octets. */
export interface TransportLimits {
  readonly incomingConnections: number;
  readonly incomingConnectionsPerSource: number;
  readonly handshakes: number;
  readonly handshakesPerSource: number;
  readonly outgoingConnections: number;
  readonly handshakeMilliseconds: number;
  readonly firstMessageMilliseconds: number;
  readonly messageMilliseconds: number;
  readonly idleMilliseconds: number;
  readonly headerBytes: number;
  readonly messageBytes: number;
  readonly writeBacklogBytes: number;
  readonly pingsPerSecond: number;
  readonly connectMilliseconds: number;
}

export const defaultLimits: TransportLimits = {
  /** A connection costs about 50 kB with TLS; 10,000 stay below half a gigabyte and a usual descriptor limit. */
  incomingConnections: 10_000,
  /** A carrier opens a few, an office behind one address some hundred; a single address (IPv6: /64) cannot fill the total. */
  incomingConnectionsPerSource: 1_000,
  /** An unfinished TLS handshake is work given away; 512 at once are about a second of one core. */
  handshakes: 512,
  handshakesPerSource: 128,
  /** Enough for every trunk and agent; dialling to random hosts stops here. */
  outgoingConnections: 4_000,
  /** Three round trips on a bad mobile path, retransmissions included. */
  handshakeMilliseconds: 10_000,
  /** A peer that connects sends soon; OPTIONS probes of carriers come within a minute. */
  firstMessageMilliseconds: 60_000,
  /** From a message's first octet to its last: 64 KiB at modem speed. Ends slow senders (slowloris). */
  messageMilliseconds: 10_000,
  /** Longer than a registration or session refresh, so only abandoned connections are closed. */
  idleMilliseconds: 3_600_000,
  /** History-Info, several Identity headers and a long route set fit; nothing honest is longer. */
  headerBytes: 32_768,
  /** No UDP message can be longer either. */
  messageBytes: 65_535,
  /** A peer that leaves a megabyte of signaling unread is considered dead. */
  writeBacklogBytes: 1_048_576,
  /** RFC 5626 allows at most one ping in 24 seconds; a burst after a stall still passes. */
  pingsPerSecond: 20,
  /** A dead target costs four seconds instead of Timer B. */
  connectMilliseconds: 4_000,
};

/** RFC 5626 §3.5.1 keep-alive on connections that we opened. */
export interface KeepAliveSettings {
  /** Silence after which a ping is sent; 0 switches it off. */
  readonly intervalMilliseconds: number;
  /** RFC 5626 §4.4.1: ten seconds. */
  readonly pongMilliseconds: number;
  /**
   * `always`: a missing pong closes the flow. `once-seen`: only when this peer has answered a ping before, because a
   * peer without RFC 5626 ignores CRLF silently (RFC 3261 §7.5) and its connection is sound nevertheless.
   */
  readonly closeWithoutPong: 'always' | 'once-seen';
  /**
   * Pings and messages that the peer's host has not acknowledged for this long, in TCP itself, close the connection: routers and
   * firewalls forget flows silently, and many peers answer no ping (RFC 5626 §4.4.1).
   */
  readonly unacknowledgedMilliseconds: number;
}

const defaultKeepAlive: KeepAliveSettings = {
  /**
   * Below the 60 seconds after which common load balancers forget a connection, and short enough to notice a dead one within a minute;
   * not below the 24 seconds of RFC 5626 §4.4.1.
   */
  intervalMilliseconds: 25_000,
  pongMilliseconds: 10_000,
  closeWithoutPong: 'once-seen',
  /** Six retransmissions at least on most paths; a network that is back sooner costs no connection. */
  unacknowledgedMilliseconds: 20_000,
};

export interface TransportResolverSettings extends ResolverSettings {
  /** DNS servers as `address` or `address:port`; none: those of the system. */
  readonly servers: readonly string[];
  /** How long a target that refused or timed out is tried last. */
  readonly avoidMilliseconds: number;
  readonly hostsFile: string;
}

const defaultTransportResolver: TransportResolverSettings = {
  ...defaultResolver,
  servers: [],
  avoidMilliseconds: 30_000,
  hostsFile: '/etc/hosts',
};

export interface TransportSettings {
  /** Notice refused UDP targets on private networks at once, by asking them from a second socket (see RefusalProbe). */
  readonly probeDatagramTargets: boolean;
  readonly listeners: readonly ListenerSettings[];
  readonly tls: TlsSettings;
  readonly limits: TransportLimits;
  readonly keepAlive: KeepAliveSettings;
  readonly resolver: TransportResolverSettings;
}

/** The given settings, with defaults for the rest. */
export function transportSettings(options: {
  readonly listeners: readonly ListenerSettings[];
  readonly tls?: Partial<TlsSettings>;
  readonly limits?: Partial<TransportLimits>;
  readonly keepAlive?: Partial<KeepAliveSettings>;
  readonly resolver?: Partial<TransportResolverSettings>;
  readonly probeDatagramTargets?: boolean;
}): TransportSettings {
  return {
    listeners: options.listeners,
    tls: { ...defaultTls, ...options.tls },
    limits: { ...defaultLimits, ...options.limits },
    keepAlive: { ...defaultKeepAlive, ...options.keepAlive },
    resolver: { ...defaultTransportResolver, ...options.resolver },
    probeDatagramTargets: options.probeDatagramTargets ?? true,
  };
}
