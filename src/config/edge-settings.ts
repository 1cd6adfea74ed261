import { hostname } from 'node:os';
import { z } from 'zod';
import { type LogLevel, logLevels } from '../base/log-level.js';
import type { RedisServers } from '../base/redis.js';
import { parseSocketAddress } from '../base/socket-address.js';
import { offeredSuites, type SrtpSuite, srtpSuite, srtpSuites } from '../sdp/srtp-key.js';
import { announcementProblem } from './announcement-file.js';
import {
  deepFreeze,
  type Environment,
  flag,
  type HostPort,
  hostPort,
  networkList,
  port,
  readEnvironment,
  SettingsError,
  weightedHostPorts,
  whole,
} from './environment.js';
import { metricsToken } from './metrics-token.js';
import { organizationLimitVariables } from './organization-limit.js';
import { screeningArguments, screeningVariables } from './screening-settings.js';
import { secretKey } from './secret-key.js';
import { redisServersOf, redisVariables } from './store-settings.js';
import { sampleVariable } from './telemetry-settings.js';

const suiteList = z.string().transform((text, context): readonly SrtpSuite[] => {
  const named = text.split(',').map((name) => name.trim());
  const unknown = named.filter((name) => !(srtpSuites as readonly string[]).includes(name));
  if (unknown.length === 0 && offeredSuites(named as SrtpSuite[]).length > 0) return named as SrtpSuite[];
  const message =
    unknown.length > 0
      ? `${unknown.join(', ')}: not among ${srtpSuites.join(', ')}`
      : 'AES_CM_128_HMAC_SHA1_32 is never offered: add another suite';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const hepForward = z.string().transform((text, context): HostPort & { readonly transport: 'udp' | 'tcp' } => {
  const [, transport = 'udp', place = ''] = /^(?:(udp|tcp):)?(.*)$/.exec(text) ?? [];
  const parsed = parseSocketAddress(place);
  if (parsed !== undefined) return { ...parsed, transport: transport as 'udp' | 'tcp' };
  context.addIssue({ code: 'custom', message: 'must be host:port or tcp:host:port' });
  return z.NEVER;
});

/** The edge's variables; each default with its reason. */
const variables = {
  /** Names this edge in records, logs and leases; the host's name is unique in most clusters. */
  DEMARC_EDGE_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'letters, digits, . _ - only')
    .optional(),
  /** Where the edge may write (records that wait for Redis); the working directory needs no rights elsewhere. */
  DEMARC_STATE_DIR: z.string().default('.demarc'),
  NODE_ENV: z.string().optional(),
  /** `info` writes a handful of lines a call. */
  DEMARC_LOG_LEVEL: z.enum(logLevels).default('info'),

  ...redisVariables,
  /** 32 bytes in base64url, base64 or hex: opens the trunk passwords. Required in production. */
  DEMARC_SECRET_KEY: secretKey.optional(),
  /** The key before the last change, still accepted for reading. */
  DEMARC_SECRET_KEY_PREVIOUS: secretKey.optional(),

  /** A drachtio-server to use; absent: the embedded engine is started as a child process. */
  DRACHTIO_HOST: z.string().optional(),
  DRACHTIO_PORT: port.default(9022),
  /** drachtio-server's own default. */
  DRACHTIO_SECRET: z.string().default('cymru'),

  /** Loopback, so that a first try on a laptop is not reachable from outside. */
  DEMARC_BIND: z.string().default('127.0.0.1'),
  /** Advertised to carriers instead of the bind address (Via, Contact). */
  DEMARC_ADVERTISED_HOST: z.string().optional(),
  /** RFC 3261 §19.1.2: the port of SIP over TLS. */
  DEMARC_SIP_TLS_PORT: port.default(5061),
  /** Plain SIP towards trunks is off unless asked for. */
  DEMARC_SIP_TCP_PORT: port.optional(),
  DEMARC_SIP_UDP_PORT: port.optional(),
  /** The private listener towards the agent runtime; any free port, because the agent learns it from each call. */
  DEMARC_AGENT_LISTEN: hostPort.default({ host: '127.0.0.1', port: 0 }),
  /**
   * Sources that may dial by INVITE on that listener: addresses and CIDRs. Default: this machine only, because such a source
   * can call any number at the customers' cost. With a drachtio-server, DEMARC_AGENT_LISTEN must say which of its listeners
   * is the private one.
   */
  DEMARC_AGENT_SOURCES: networkList.prefault('127.0.0.0/8,::1'),
  /**
   * What makes an INVITE on that listener an agent's: `credentials`, its digest answer, as the user below or as one of the
   * organization whose number it calls from; `address`, its source alone, so that any process there can call at any
   * organization's cost.
   */
  DEMARC_AGENT_TRUST: z.enum(['credentials', 'address']).default('credentials'),
  /** The operator's own agent runtime, which may call from every organization's numbers; without a password there is none. */
  DEMARC_AGENT_USERNAME: z.string().min(1).max(128).default('agent'),
  DEMARC_AGENT_PASSWORD: z.string().min(16, 'at least 16 characters').max(256).optional(),
  /** Off: RFC 3261 §18.2.2. On, answers reach callers behind a NAT that do not ask for it by `rport` (RFC 3581). */
  DEMARC_SIP_FORCE_RPORT: flag.default(false),
  ...screeningVariables,
  DEMARC_TLS_CERT: z.string().optional(),
  DEMARC_TLS_KEY: z.string().optional(),
  DEMARC_TLS_CA: z.string().optional(),

  DEMARC_RTPENGINE: weightedHostPorts.default([{ host: '127.0.0.1', port: 22_222 }]),
  /** An rtpengine on the same network answers in a millisecond; a second means it is gone or overloaded. */
  DEMARC_RTPENGINE_TIMEOUT_MS: whole(50, 10_000).default(1_000),
  /** Media for an address that has sent none yet: fifty packets, enough for peers that wait for ours before they send. */
  DEMARC_UNPROVEN_MEDIA_MS: whole(0, 60_000).default(1_000),
  DEMARC_SRTP_SUITES: suiteList.prefault(srtpSuite),
  /** A peer that offers so would also take an answer without keys, so RTP/SAVP alone is the default. */
  DEMARC_OPTIMISTIC_SRTP: z.enum(['refuse', 'accept']).default('refuse'),
  /** Learning an address from plain RTP needs rtpengine 26, and a network in which no stranger has an address of the side. */
  DEMARC_SYMMETRIC_RTP: z.enum(['off', 'agents', 'trunks', 'all']).default('off'),
  /** Its calls are dead to the people in them by then; a shorter loss of the way to it is forgiven. */
  DEMARC_RTPENGINE_LOST_SECONDS: whole(2, 3_600).default(10),
  /** A phone that has lost its connection to us notices it when it sends something, or by a keep-alive. */
  DEMARC_RECONNECT_SECONDS: whole(0, 3_600).default(60),
  /** The agent runtime for numbers that do not name their own. */
  DEMARC_AGENT_URI: z.string().default('sip:agent@127.0.0.1:5080;transport=tcp'),

  /** `none`: calls to a number that names no source are refused; `any` is for demos. */
  DEMARC_SOURCE_POLICY: z.enum(['none', 'any']).default('none'),
  /**
   * Addresses of datagrams can be forged, so over UDP an allowed source alone does not place a call; credentials do.
   * `true` for private networks without forged addresses.
   */
  DEMARC_TRUST_UDP_SOURCES: flag.default(false),
  /** Callers see it in the challenge; a constant, so that all edges of a cluster can share credentials. */
  DEMARC_DIGEST_REALM: z
    .string()
    .regex(/^[^"\\\x00-\x1f]{1,64}$/, 'no quotes, backslashes or control characters')
    .default('demarc'),
  /** A challenge is answered within a round trip; 60 s forgive a slow peer and leave little to replay. */
  DEMARC_DIGEST_NONCE_SECONDS: whole(5, 3_600).default(60),
  /** MD5 beside SHA-256 (`true`): most carriers and PBXs know nothing else. `only`: for ones that choke on SHA-256. */
  DEMARC_DIGEST_MD5: z.enum(['true', 'false', 'only']).default('true'),
  /** Wrong answers that one source may give in a minute before it gets 403 without a check. */
  DEMARC_DIGEST_FAILURES_PER_MINUTE: whole(1, 10_000).default(20),
  /** Calls that one source may attempt in a second before the call is examined; generous for carriers. */
  DEMARC_SOURCE_CALLS_PER_SECOND: whole(1, 100_000).default(1_000),
  /** Refused calls a second that are logged and recorded, a fifth of it from one source; a flood is only counted. */
  DEMARC_RECORDED_REFUSALS_PER_SECOND: whole(1, 100_000).default(50),
  /** Of all numbers together; 503 above. One edge process on one core carries a few hundred calls a second. */
  DEMARC_MAX_CALLS: whole(1, 100_000).default(5_000),
  ...organizationLimitVariables,
  /** What callers notice begins at a quarter of a second, and agent and network need their part of it; 0: off. */
  DEMARC_SETUP_DELAY_MS: whole(0, 10_000).default(100),
  DEMARC_ORGANIZATION_CALLS_PER_SECOND: whole(1, 10_000).default(100),
  /** What Retry-After says on 503: long enough to spare us, short enough for the next deployment. */
  DEMARC_RETRY_AFTER_SECONDS: whole(1, 3_600).default(5),

  /** Numbers kept in memory: about 1 KB each. */
  DEMARC_TRUNK_CACHE_SIZE: whole(10, 1_000_000).default(20_000),
  /** A call never waits longer for Redis than this. */
  DEMARC_TRUNK_WAIT_MS: whole(10, 5_000).default(250),

  /** HEP3 from the engine; the embedded engine is started with this port, a drachtio-server must be configured with a fixed one. */
  DEMARC_HEP_LISTEN: hostPort.default({ host: '127.0.0.1', port: 0 }),
  /** A Homer collector that also gets every message and record, redacted. */
  DEMARC_HEP_FORWARD: hepForward.optional(),
  /** Capture ID that separates this system's messages from those of other agents; the default is Homer's own. */
  DEMARC_HEP_FORWARD_ID: whole(0, 4_294_967_295).default(2_001),
  /** What the collector asks its agents for. */
  DEMARC_HEP_FORWARD_KEY: z.string().max(64).optional(),
  DEMARC_TRACE_MAX_MB: whole(1, 4_096).default(64),

  /** 127.0.0.1:8080 by default: health is for the machine's own supervisor unless bound otherwise. */
  DEMARC_HTTP_PORT: port.default(8080),
  /** The SIP engine's page of Prometheus metrics, to be read with ours; our own engine, when it is a child, is known. */
  DEMARC_ENGINE_METRICS_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Absent: /metrics is open to every client that reaches the port. The engine is asked with it as well. */
  DEMARC_METRICS_TOKEN: metricsToken.optional(),

  /** Entries kept in the stream of call records; control reads them long before. */
  DEMARC_CALL_STREAM_LENGTH: whole(1_000, 10_000_000).default(100_000),
  /** A record with its trace is 10 KB: 25,000 calls that control has not stored. Redis serves the edges before that. */
  DEMARC_CALL_STREAM_MB: whole(1, 100_000).default(256),

  /** Calls may continue this long after SIGTERM; orchestrators kill after 30 s by default. */
  DEMARC_DRAIN_SECONDS: whole(0, 86_400).default(25),
  /** Four hours: longer calls are nearly always forgotten ones. A number's own limit goes first. */
  DEMARC_MAX_DURATION_SECONDS: whole(1, 86_400).default(14_400),
  /** RFC 3261 timer C is above 180 s; a voice agent answers in a few. */
  DEMARC_AGENT_ANSWER_SECONDS: whole(1, 300).default(60),
  /** Agents and bots get `traceparent`, which costs a hash a call. */
  DEMARC_TRACE_CONTEXT: flag.default(false),
  ...sampleVariable,
  /** An agent that sends no provisional response by then is taken for dead. */
  DEMARC_AGENT_RESPONSE_SECONDS: whole(1, 60).default(5),
  /** A trunk's server that sends nothing for this long is taken for dead; a living one answers 100 at once. */
  DEMARC_TRUNK_RESPONSE_MS: whole(100, 32_000).default(4_000),
  /** From a trunk's 100 to its ringing: mobile and international routes take up to half a minute, roaming ones longer. */
  DEMARC_POST_DIAL_SECONDS: whole(1, 180).default(60),
  /** How long a called phone may ring; most networks end an unanswered call after a minute. */
  DEMARC_RING_SECONDS: whole(1, 180).default(60),
  /**
   * An agent that we call first waits this long for the trunk's description; then it is held until the callee answers. Below the
   * 32 s after which agents give up (RFC 3261 §13.3.1.4), and above what most people need to take a call.
   */
  DEMARC_HELD_ANSWER_SECONDS: whole(1, 28).default(20),
  /** Neither RTP nor RTCP from the trunk while not on hold. */
  DEMARC_MEDIA_TIMEOUT_SECONDS: whole(5, 3_600).default(30),
  /** After as much silence of the agent it is asked for a sign of life; callers wait for a dead one at most 15 s then. */
  DEMARC_AGENT_SILENCE_SECONDS: whole(0, 3_600).default(4),
  /** A shorter call may end before either party had to speak. */
  DEMARC_SILENT_CALL_SECONDS: whole(1, 86_400).default(5),
  /** What a caller hears before the BYE when the agent is lost. */
  DEMARC_AGENT_LOST_ANNOUNCEMENT: z.string().optional(),
  /** How often each server of the customers' is asked by OPTIONS; a minute shows an outage soon at almost no cost. */
  DEMARC_PROBE_INTERVAL_SECONDS: whole(1, 3_600).default(60),
  /** Over UDP the probe is sent four times by then. */
  DEMARC_PROBE_TIMEOUT_MS: whole(100, 32_000).default(5_000),
  /** Good probes in a row after which calls return to a server that failed: three minutes of calm, not one lucky answer. */
  DEMARC_FAILBACK_PROBES: whole(1, 1_000).default(3),
  /** What one edge does for all is taken over this long after its death. */
  DEMARC_LEASE_SECONDS: whole(1, 300).default(10),
  /** Answered calls survive this process. */
  DEMARC_CALL_TAKEOVER: flag.default(true),
  /** Redis is that of one system, whose peers allow the addresses of all its machines. */
  DEMARC_CALL_REHOMING: flag.default(true),
  /** A fixed port where a firewall is between the machines of a system. */
  DEMARC_PING_LISTEN: hostPort.optional(),
  /** An edge that stands still for longer loses its calls to another one; one that is gone loses them at once. */
  DEMARC_CALL_LEASE_SECONDS: whole(2, 60).default(5),
  /** What REGISTER asks for: a PBX that lost its bindings in a restart has them again after five minutes at the latest. */
  DEMARC_REGISTER_EXPIRES_SECONDS: whole(10, 86_400).default(300),
  /**
   * Control's setting, for data that only the edge has: the addresses that a customer's names lead to. A probe of a private
   * one would reveal our internal network to strangers.
   */
  DEMARC_PRIVATE_ENDPOINTS: z.enum(['allow', 'refuse']).optional(),
  /** Private networks that may be reached while the others are refused: where agents and known PBXs live. */
  DEMARC_PRIVATE_NETWORKS: networkList,
  /**
   * Whether discoveries may look into private networks, this machine's own included. Where customers do not trust each
   * other they must not; in a private installation that is their purpose.
   */
  DEMARC_DISCOVERY_ALLOW_PRIVATE: flag.default(false),
  /**
   * Carriers that merely list 100rel and send no PRACK would lose their calls, so only those that require it get it. Not
   * with drachtio-server, which dies of a missing PRACK.
   */
  DEMARC_RELIABLE_PROVISIONALS: z.enum(['never', 'required', 'early-media']).optional(),
  /** RFC 4028 §4 recommends 1800. */
  DEMARC_SESSION_EXPIRES_SECONDS: whole(90, 86_400).default(1_800),
} as const;

export interface TrunkSettings {
  readonly maximumCached: number;
  /** Bound of a call's wait for Redis; at least a second where there is no copy of the number. */
  readonly waitMilliseconds: number;
  /** A number not found is asked for again after this long, even without an invalidation. */
  readonly negativeMilliseconds: number;
  /** A document found is compared with Redis again after this long, in the background. */
  readonly revalidateMilliseconds: number;
  /** The last good configuration, for a start without Redis. */
  readonly keptFile: string;
  /** How long changes are gathered before they are written there. */
  readonly keepMilliseconds: number;
}

export interface AdmissionSettings {
  readonly sourcePolicy: 'none' | 'any';
  /** False: an allowed source is not enough over UDP. */
  readonly trustUdpSources: boolean;
  readonly defaultAgentUri: string;
  readonly retryAfterSeconds: number;
  readonly maximumCalls: number;
  readonly organizationMaximumCalls: number;
  readonly organizationCallsPerSecond: number;
  readonly sourceCallsPerSecond: number;
  readonly recordedRefusalsPerSecond: number;
  readonly load: { readonly setupDelayMilliseconds: number };
  readonly digest: DigestSettings;
}

export interface DigestSettings {
  readonly realm: string;
  readonly nonceSeconds: number;
  /** Offered in this order. */
  readonly algorithms: readonly ('SHA-256' | 'MD5')[];
  readonly failuresPerMinute: number;
}

export interface TraceSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly maximumBytes: number;
  /** A call's messages beyond this are not kept (the record says so). */
  readonly maximumBytesPerCall: number;
  readonly maximumMessagesPerCall: number;
  /** Messages of a Call-ID that no call claims are dropped after this long. */
  readonly maximumAgeMilliseconds: number;
  /** How long `take` waits for the last messages, which overtake the wire protocol or lag behind it. */
  readonly graceMilliseconds: number;
  /** How much longer it waits while a request has no answer yet, or a final response to an INVITE no ACK. */
  readonly patienceMilliseconds: number;
  readonly forward: HepForwardSettings | undefined;
}

export interface HepForwardSettings extends HostPort {
  readonly transport: 'udp' | 'tcp';
  readonly captureId: number;
  readonly authenticationKey: string | undefined;
}

export interface RecordSettings {
  readonly streamLength: number;
  /** Octets of the records that the stream holds, about. */
  readonly streamBytes: number;
  /** Records kept in memory while Redis is down; further ones go to the spill file. */
  readonly maximumWaiting: number;
  readonly maximumWaitingBytes: number;
  readonly spillFile: string;
}

export interface HealthSettings {
  readonly intervalMilliseconds: number;
  /** A server that has not answered by then is unreachable. */
  readonly timeoutMilliseconds: number;
  /** After this long without a sign of life of the edge that probes, another one does. */
  readonly leaseMilliseconds: number;
  /** A call that a server took outweighs unanswered probes this long. */
  readonly callEvidenceMilliseconds: number;
  /** A longer Retry-After is not believed: it could hide a server for days. */
  readonly maximumRetryAfterMilliseconds: number;
  /** Addresses of one endpoint that are probed. */
  readonly maximumTargets: number;
  /** Checks kept in the stream; control reads them long before. */
  readonly streamLength: number;
}

export interface EgressSettings {
  /** Whether servers, agents and registrars that customers name may be of private networks, or of this machine. */
  readonly allowPrivate: boolean;
  /** CIDRs that are allowed nevertheless. */
  readonly privateNetworks: readonly string[];
}

export interface OutboundSettings {
  readonly failbackProbes: number;
}

export interface RegistrationSettings {
  /** What a registrar is asked for; it may give less. */
  readonly expiresSeconds: number;
  /** A registrar that has not answered by then is taken for dead. */
  readonly timeoutMilliseconds: number;
  /** After this long without a sign of life of the edge that registers, another one does. */
  readonly leaseMilliseconds: number;
  /** Addresses of one registrar that are tried. */
  readonly maximumTargets: number;
}

export interface DiscoverySettings {
  readonly allowPrivate: boolean;
  /** Of one attempt. */
  readonly timeoutMilliseconds: number;
}

/** Who may place calls by SIP. */
export interface AgentCallSettings {
  /** The private listener; undefined: none is known, so no agent may call. Port 0: none of `trunkPorts`. */
  readonly listen: HostPort | undefined;
  readonly trunkPorts: readonly number[];
  /** Addresses and CIDRs. */
  readonly sources: readonly string[];
  readonly trustUdpSources: boolean;
  readonly trust: 'credentials' | 'address';
  /** Sources whose INVITEs may name every organization's numbers; undefined: none. */
  readonly operator: { readonly username: string; readonly password: string } | undefined;
}

export interface EngineSettingsOfEdge {
  readonly bind: string;
  readonly advertisedHost: string | undefined;
  readonly tlsPort: number;
  readonly tcpPort: number | undefined;
  readonly udpPort: number | undefined;
  /** Of the UDP listener towards trunks. */
  readonly forceRport: boolean;
  /** Options of `demarc engine`. */
  readonly screening: readonly string[];
  readonly agentListen: HostPort;
  readonly certificateFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly caFile: string | undefined;
}

/** All settings of the edge, read once at start and frozen. Times carry their unit in the name. */
export interface EdgeSettings {
  readonly edgeId: string;
  readonly stateDirectory: string;
  readonly production: boolean;
  readonly log: { readonly level: LogLevel };
  readonly redis: RedisServers;
  /** The keys of `contract/secret.ts`, current one first; empty: no sealed password can be opened. */
  readonly secretKeys: readonly string[];
  /** undefined: start the embedded engine. */
  readonly drachtio: { readonly host: string; readonly port: number; readonly secret: string } | undefined;
  /** For the embedded engine. */
  readonly engine: EngineSettingsOfEdge;
  readonly agentCalls: AgentCallSettings;
  readonly rtpengine: {
    /** Weight: share of new calls; default 1. */
    readonly nodes: readonly (HostPort & { readonly weight?: number })[];
    readonly timeoutMilliseconds: number;
    /** A node that is silent for this long has lost its calls. */
    readonly lostMilliseconds: number;
    /** How long a call with another session waits for a party that can only be reached over the connection that the party opens. */
    readonly reconnectMilliseconds: number;
    /** For how long an endpoint gets media that has sent none. */
    readonly unprovenMilliseconds: number;
    /** That trunks may use. */
    readonly srtpSuites: readonly SrtpSuite[];
    /** Trunks may offer SRTP as RTP/AVP with a key (RFC 8643). */
    readonly takesOptimisticSrtp: boolean;
    /** Sides of plain RTP that may send from another address than they describe, where a number does not decide. */
    readonly symmetric: { readonly trunk: boolean; readonly agent: boolean };
  };
  readonly trunks: TrunkSettings;
  readonly admission: AdmissionSettings;
  readonly trace: TraceSettings;
  readonly record: RecordSettings;
  readonly health: HealthSettings;
  readonly egress: EgressSettings;
  readonly outbound: OutboundSettings;
  readonly registration: RegistrationSettings;
  readonly discovery: DiscoverySettings;
  /** Calls that outlive their edge. */
  readonly survival: {
    readonly isEnabled: boolean;
    /** Calls of engines at other addresses continue here, once these are gone. */
    readonly isRehoming: boolean;
    /** Where pings of edges on other machines are answered; undefined: at an address of the engine. */
    readonly pingListen: HostPort | undefined;
    readonly leaseMilliseconds: number;
    readonly renewMilliseconds: number;
    /** How often lost edges are looked for. */
    readonly lookMilliseconds: number;
    /** How long calls wait for the engine to come back. */
    readonly graceMilliseconds: number;
  };
  readonly http: HostPort;
  readonly engineMetrics: string | undefined;
  /** Undefined: metrics need none. */
  readonly metricsToken: string | undefined;
  readonly drain: { readonly seconds: number; readonly retryAfterSeconds: number };
  readonly call: {
    readonly maximumDurationSeconds: number;
    readonly agentAnswerSeconds: number;
    /** Share of the calls whose trace is sampled, in `traceparent` of the INVITE to the agent; undefined: agents get none. */
    readonly traceSample: number | undefined;
    readonly agentResponseSeconds: number;
    readonly trunkResponseMilliseconds: number;
    readonly postDialSeconds: number;
    readonly ringSeconds: number;
    readonly heldAnswerSeconds: number;
    readonly mediaTimeoutSeconds: number;
    /** 0: its silence is never looked into. */
    readonly agentSilenceSeconds: number;
    /** An answered call of this length in which a side was never heard has failed. */
    readonly silentCallSeconds: number;
    /** WAV. */
    readonly agentLostAnnouncementFile: string | undefined;
    readonly sessionExpiresSeconds: number;
    /**
     * Who gets reliable provisional responses (RFC 3262): no caller, callers that require them, or those that support them as
     * well, for early media. Undefined: `required` with our own engine, `never` with drachtio-server.
     */
    readonly reliableProvisionals: 'never' | 'required' | 'early-media' | undefined;
  };
}

const digestAlgorithms = {
  true: ['SHA-256', 'MD5'],
  false: ['SHA-256'],
  only: ['MD5'],
} as const;

const megabyte = 1024 * 1024;

/** Reads the environment. Throws `SettingsError`, which names every variable that is wrong. */
export function readEdgeSettings(environment: Environment): EdgeSettings {
  const read = readEnvironment(variables, environment);
  const production = read.NODE_ENV === 'production';
  const secretKeys = [read.DEMARC_SECRET_KEY, read.DEMARC_SECRET_KEY_PREVIOUS].filter(
    (key) => key !== undefined,
  );
  const problems: string[] = [];
  if (production && read.DEMARC_SECRET_KEY === undefined) {
    problems.push('DEMARC_SECRET_KEY: required when NODE_ENV is production');
  }
  if ((read.DEMARC_TLS_CERT === undefined) !== (read.DEMARC_TLS_KEY === undefined)) {
    problems.push('DEMARC_TLS_CERT and DEMARC_TLS_KEY: set both or neither');
  }
  if (read.DRACHTIO_HOST === undefined && read.DEMARC_TLS_CERT === undefined) {
    problems.push('DEMARC_TLS_CERT and DEMARC_TLS_KEY: required for the embedded engine (PEM files)');
  }
  const trunkPorts = [read.DEMARC_SIP_TLS_PORT, read.DEMARC_SIP_TCP_PORT, read.DEMARC_SIP_UDP_PORT].filter(
    (port) => port !== undefined,
  );
  // Where the system chooses the private port, it must be known which ports are the trunks'.
  const canTellAgents =
    read.DEMARC_AGENT_LISTEN.port !== 0 || (read.DRACHTIO_HOST === undefined && !trunkPorts.includes(0));
  const announcement = read.DEMARC_AGENT_LOST_ANNOUNCEMENT;
  const announcementDefect = announcement === undefined ? undefined : announcementProblem(announcement);
  if (announcementDefect !== undefined)
    problems.push(`DEMARC_AGENT_LOST_ANNOUNCEMENT: ${announcementDefect}`);
  const redis = redisServersOf(read, problems);
  if (problems.length > 0) throw new SettingsError(problems);
  const allowPrivate = (read.DEMARC_PRIVATE_ENDPOINTS ?? (production ? 'refuse' : 'allow')) === 'allow';
  return deepFreeze({
    edgeId:
      read.DEMARC_EDGE_ID ??
      hostname()
        .replace(/[^A-Za-z0-9._-]/g, '-')
        .slice(0, 64),
    stateDirectory: read.DEMARC_STATE_DIR,
    production,
    log: { level: read.DEMARC_LOG_LEVEL },
    redis,
    secretKeys,
    drachtio:
      read.DRACHTIO_HOST === undefined
        ? undefined
        : { host: read.DRACHTIO_HOST, port: read.DRACHTIO_PORT, secret: read.DRACHTIO_SECRET },
    engine: {
      bind: read.DEMARC_BIND,
      advertisedHost: read.DEMARC_ADVERTISED_HOST,
      tlsPort: read.DEMARC_SIP_TLS_PORT,
      tcpPort: read.DEMARC_SIP_TCP_PORT,
      udpPort: read.DEMARC_SIP_UDP_PORT,
      forceRport: read.DEMARC_SIP_FORCE_RPORT,
      screening: screeningArguments(read),
      agentListen: read.DEMARC_AGENT_LISTEN,
      certificateFile: read.DEMARC_TLS_CERT,
      keyFile: read.DEMARC_TLS_KEY,
      caFile: read.DEMARC_TLS_CA,
    },
    agentCalls: {
      listen: canTellAgents ? read.DEMARC_AGENT_LISTEN : undefined,
      trunkPorts,
      sources: read.DEMARC_AGENT_SOURCES,
      trust: read.DEMARC_AGENT_TRUST,
      operator:
        read.DEMARC_AGENT_PASSWORD === undefined
          ? undefined
          : { username: read.DEMARC_AGENT_USERNAME, password: read.DEMARC_AGENT_PASSWORD },
      trustUdpSources: read.DEMARC_TRUST_UDP_SOURCES,
    },
    rtpengine: {
      nodes: read.DEMARC_RTPENGINE,
      timeoutMilliseconds: read.DEMARC_RTPENGINE_TIMEOUT_MS,
      lostMilliseconds: read.DEMARC_RTPENGINE_LOST_SECONDS * 1_000,
      reconnectMilliseconds: read.DEMARC_RECONNECT_SECONDS * 1_000,
      unprovenMilliseconds: read.DEMARC_UNPROVEN_MEDIA_MS,
      srtpSuites: read.DEMARC_SRTP_SUITES,
      takesOptimisticSrtp: read.DEMARC_OPTIMISTIC_SRTP === 'accept',
      symmetric: {
        trunk: ['trunks', 'all'].includes(read.DEMARC_SYMMETRIC_RTP),
        agent: ['agents', 'all'].includes(read.DEMARC_SYMMETRIC_RTP),
      },
    },
    trunks: {
      maximumCached: read.DEMARC_TRUNK_CACHE_SIZE,
      waitMilliseconds: read.DEMARC_TRUNK_WAIT_MS,
      negativeMilliseconds: 2_000,
      revalidateMilliseconds: 60_000,
      keptFile: `${read.DEMARC_STATE_DIR}/numbers-kept.ndjson`,
      keepMilliseconds: 5_000,
    },
    admission: {
      sourcePolicy: read.DEMARC_SOURCE_POLICY,
      trustUdpSources: read.DEMARC_TRUST_UDP_SOURCES,
      defaultAgentUri: read.DEMARC_AGENT_URI,
      retryAfterSeconds: read.DEMARC_RETRY_AFTER_SECONDS,
      maximumCalls: read.DEMARC_MAX_CALLS,
      organizationMaximumCalls: read.DEMARC_ORGANIZATION_MAX_CALLS,
      organizationCallsPerSecond: read.DEMARC_ORGANIZATION_CALLS_PER_SECOND,
      sourceCallsPerSecond: read.DEMARC_SOURCE_CALLS_PER_SECOND,
      recordedRefusalsPerSecond: read.DEMARC_RECORDED_REFUSALS_PER_SECOND,
      // A machine busy with other work still takes the calls of a small site.
      load: { setupDelayMilliseconds: read.DEMARC_SETUP_DELAY_MS },
      digest: {
        realm: read.DEMARC_DIGEST_REALM,
        nonceSeconds: read.DEMARC_DIGEST_NONCE_SECONDS,
        algorithms: digestAlgorithms[read.DEMARC_DIGEST_MD5],
        failuresPerMinute: read.DEMARC_DIGEST_FAILURES_PER_MINUTE,
      },
    },
    trace: {
      host: read.DEMARC_HEP_LISTEN.host,
      port: read.DEMARC_HEP_LISTEN.port,
      maximumBytes: read.DEMARC_TRACE_MAX_MB * megabyte,
      maximumBytesPerCall: 512 * 1024,
      maximumMessagesPerCall: 500,
      maximumAgeMilliseconds: 60_000,
      graceMilliseconds: 60,
      // Longer than the round trip to a distant peer: the ACK to a refusal is the last message of its call.
      patienceMilliseconds: 1_000,
      forward:
        read.DEMARC_HEP_FORWARD === undefined
          ? undefined
          : {
              ...read.DEMARC_HEP_FORWARD,
              captureId: read.DEMARC_HEP_FORWARD_ID,
              authenticationKey: read.DEMARC_HEP_FORWARD_KEY,
            },
    },
    record: {
      streamLength: read.DEMARC_CALL_STREAM_LENGTH,
      streamBytes: read.DEMARC_CALL_STREAM_MB * megabyte,
      maximumWaiting: 5_000,
      // Small enough to be written to disk in one turn of the event loop.
      maximumWaitingBytes: 16 * megabyte,
      spillFile: `${read.DEMARC_STATE_DIR}/calls-waiting.ndjson`,
    },
    health: {
      intervalMilliseconds: read.DEMARC_PROBE_INTERVAL_SECONDS * 1_000,
      timeoutMilliseconds: read.DEMARC_PROBE_TIMEOUT_MS,
      leaseMilliseconds: read.DEMARC_LEASE_SECONDS * 1_000,
      callEvidenceMilliseconds: 600_000,
      maximumRetryAfterMilliseconds: 300_000,
      maximumTargets: 8,
      streamLength: 100_000,
    },
    egress: { allowPrivate, privateNetworks: read.DEMARC_PRIVATE_NETWORKS },
    outbound: { failbackProbes: read.DEMARC_FAILBACK_PROBES },
    registration: {
      expiresSeconds: read.DEMARC_REGISTER_EXPIRES_SECONDS,
      timeoutMilliseconds: 6_000,
      leaseMilliseconds: read.DEMARC_LEASE_SECONDS * 1_000,
      maximumTargets: 4,
    },
    discovery: { allowPrivate: read.DEMARC_DISCOVERY_ALLOW_PRIVATE, timeoutMilliseconds: 3_000 },
    survival: {
      isEnabled: read.DEMARC_CALL_TAKEOVER,
      isRehoming: read.DEMARC_CALL_REHOMING,
      pingListen: read.DEMARC_PING_LISTEN,
      leaseMilliseconds: read.DEMARC_CALL_LEASE_SECONDS * 1_000,
      // Also what other machines know of this one beside its answers to their pings.
      renewMilliseconds: Math.min((read.DEMARC_CALL_LEASE_SECONDS * 1_000) / 4, 1_000),
      lookMilliseconds: 500,
      // As long as the engine keeps dialogs without an application.
      graceMilliseconds: 30_000,
    },
    http: { host: read.DEMARC_BIND, port: read.DEMARC_HTTP_PORT },
    engineMetrics: read.DEMARC_ENGINE_METRICS_URL,
    metricsToken: read.DEMARC_METRICS_TOKEN,
    drain: { seconds: read.DEMARC_DRAIN_SECONDS, retryAfterSeconds: read.DEMARC_RETRY_AFTER_SECONDS },
    call: {
      maximumDurationSeconds: read.DEMARC_MAX_DURATION_SECONDS,
      agentAnswerSeconds: read.DEMARC_AGENT_ANSWER_SECONDS,
      traceSample: read.DEMARC_TRACE_CONTEXT ? read.DEMARC_OTLP_SAMPLE : undefined,
      agentResponseSeconds: read.DEMARC_AGENT_RESPONSE_SECONDS,
      trunkResponseMilliseconds: read.DEMARC_TRUNK_RESPONSE_MS,
      postDialSeconds: read.DEMARC_POST_DIAL_SECONDS,
      ringSeconds: read.DEMARC_RING_SECONDS,
      heldAnswerSeconds: read.DEMARC_HELD_ANSWER_SECONDS,
      mediaTimeoutSeconds: read.DEMARC_MEDIA_TIMEOUT_SECONDS,
      agentSilenceSeconds: read.DEMARC_AGENT_SILENCE_SECONDS,
      silentCallSeconds: read.DEMARC_SILENT_CALL_SECONDS,
      agentLostAnnouncementFile: announcement,
      reliableProvisionals: read.DEMARC_RELIABLE_PROVISIONALS,
      sessionExpiresSeconds: read.DEMARC_SESSION_EXPIRES_SECONDS,
    },
  });
}
