import { isIP } from 'node:net';
import { z } from 'zod';
import { type LogLevel, logLevels } from '../base/log-level.js';
import type { RedisServers } from '../base/redis.js';
import { maximumGraceSeconds as callTokenGrace } from '../contract/call-token.js';
import { type AgentTestSettings, agentTestSettings, agentTestVariables } from './agent-test-settings.js';
import {
  deepFreeze,
  type Environment,
  flag,
  type HostPort,
  networkList,
  port,
  readEnvironment,
  SettingsError,
  whole,
} from './environment.js';
import { type KnowledgeSettings, knowledgeSettings, knowledgeVariables } from './knowledge-settings.js';
import { metricsToken } from './metrics-token.js';
import { type ModelSettings, modelProblems, modelSettings, modelVariables } from './model-settings.js';
import { type NoticeSettings, noticeProblems, noticeSettings, noticeVariables } from './notice-settings.js';
import { organizationLimitVariables } from './organization-limit.js';
import { ownListenersOf } from './own-listeners.js';
import {
  type PortingSettings,
  portingProblems,
  portingSettings,
  portingVariables,
} from './porting-settings.js';
import { secretKey } from './secret-key.js';
import { speechVariables, type TestCallSettings, testCallSettings } from './speech-settings.js';
import { databaseHosts, databaseUrl, redisServersOf, redisVariables } from './store-settings.js';
import { type TelemetrySettings, telemetrySettings, telemetryVariables } from './telemetry-settings.js';

const regionSchema = z.strictObject({
  sip_host: z.string().min(1).max(253),
  ip_addresses: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).max(200),
});

const regions = z.string().transform((text, context) => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
  const read = z.record(z.string().regex(/^[a-z0-9-]{1,32}$/), regionSchema).safeParse(value);
  if (read.success && Object.keys(read.data).length > 0) return read.data;
  context.addIssue({
    code: 'custom',
    message: 'must have the form {"us1": {"sip_host": "sip.example.com", "ip_addresses": ["192.0.2.1"]}}',
  });
  return z.NEVER;
});

/** `[name=]url`, separated by commas. */
const edgeUrls = z.string().transform((text, context): readonly EdgeHealthUrl[] => {
  const edges = text.split(',').map((each) => {
    const [, name = 'edge', url = ''] =
      /^(?:([A-Za-z0-9._-]{1,64})=)?(https?:\/\/.*)$/.exec(each.trim()) ?? [];
    return { name, url };
  });
  const names = new Set(edges.map(({ name }) => name));
  if (edges.every(({ url }) => URL.canParse(url)) && names.size === edges.length) return edges;
  context.addIssue({
    code: 'custom',
    message: 'must be a URL, or several as name=url, separated by commas, with different names',
  });
  return z.NEVER;
});

const portList = z
  .string()
  .regex(/^\d{1,5}(,\d{1,5})*$/, 'must be ports, separated by commas')
  .transform((text): readonly number[] => text.split(',').map(Number));

/** Control's variables; each default with its reason. */
const variables = {
  NODE_ENV: z.string().optional(),
  DEMARC_LOG_LEVEL: z.enum(logLevels).default('info'),
  /** No default: the system of record must not be in a database that was not chosen. */
  DATABASE_URL: databaseUrl,
  /** Two processes with this many stay well below PostgreSQL's own default of 100. */
  DEMARC_DATABASE_CONNECTIONS: whole(2, 200).default(10),
  /** Statements take milliseconds; five seconds mean that the database is overloaded or stuck. */
  DEMARC_DATABASE_TIMEOUT_MS: whole(100, 60_000).default(5_000),
  /** PostgreSQL and control are often started together. */
  DEMARC_DATABASE_WAIT_SECONDS: whole(0, 600).default(30),
  ...redisVariables,
  /** 32 bytes in base64url, base64 or hex: seals the trunk passwords. Required in production. */
  DEMARC_SECRET_KEY: secretKey.optional(),
  /** The key before the last change, still accepted for reading. */
  DEMARC_SECRET_KEY_PREVIOUS: secretKey.optional(),
  /** `refuse`: secrets of PostgreSQL that earlier releases sealed for any place are not opened. */
  DEMARC_UNBOUND_SECRETS: z.enum(['accept', 'refuse']).default('accept'),
  /** `false` in this release: edges of the release before it refuse documents of numbers with bound passwords. */
  DEMARC_BIND_NUMBER_SECRETS: flag.default(false),

  /** Loopback, so that a first try on a laptop is not reachable from outside. */
  DEMARC_BIND: z.string().default('127.0.0.1'),
  DEMARC_HTTP_PORT: port.default(8080),
  /** PEM files, both or none: the API and the dashboard speak HTTPS. Absent: plain HTTP, for loopback or a proxy with TLS. */
  DEMARC_HTTP_TLS_CERT: z.string().optional(),
  DEMARC_HTTP_TLS_KEY: z.string().optional(),
  /** Further ports of this service's SIP, admin, metrics and media control listeners: URLs of customers never lead to them. */
  DEMARC_OWN_PORTS: portList.default([]),
  /** Behind the operator's own proxy: only the address that it adds to X-Forwarded-For counts, not what the client sent. */
  DEMARC_TRUST_PROXY: flag.default(false),
  /** Bursts of a script pass, a runaway loop does not. */
  DEMARC_API_REQUESTS_PER_SECOND: whole(1, 10_000).default(100),
  /** Of all keys and members of an organization together, because keys are free. Default: three times that of a key. */
  DEMARC_API_ORGANIZATION_REQUESTS_PER_SECOND: whole(1, 100_000).optional(),
  ...organizationLimitVariables,
  /** Searches, exports and statistics of an organization: one reads thousands of rows. Default: a fifth of what a key may. */
  DEMARC_API_SEARCHES_PER_SECOND: whole(1, 10_000).optional(),
  /** Requests without a good key that one address may send in a minute before it gets 429: guessing a key is hopeless anyway. */
  DEMARC_API_WRONG_KEYS_PER_MINUTE: whole(1, 10_000).default(600),

  /** A day covers every retry of a client; longer keeps answers that are no longer requested. */
  DEMARC_IDEMPOTENCY_HOURS: whole(1, 720).default(24),
  /** A process renews it while it runs a request: after this long without, it is dead and the request may run again. */
  DEMARC_IDEMPOTENCY_LEASE_SECONDS: whole(1, 600).default(10),

  /** After its call: an agent writes its summary within minutes, and a token that leaked is worth little. */
  DEMARC_CALL_TOKEN_GRACE_SECONDS: whole(0, callTokenGrace).default(300),

  /** Of one address: people log in a few times a day, and guessing a key is hopeless anyway. */
  DEMARC_LOGINS_PER_MINUTE: whole(1, 10_000).default(30),
  /** A shift at the NOC: a session does not expire in the middle of a night. */
  DEMARC_SESSION_HOURS: whole(1, 720).default(12),
  /** An open dashboard counts as use; a closed one is forgotten within the hour. */
  DEMARC_SESSION_IDLE_MINUTES: whole(1, 43_200).default(60),

  /**
   * Whether numbers may name servers and agents by private addresses. Where customers do not trust each other they must
   * not reach into the edge's own network; a private installation needs them.
   */
  DEMARC_PRIVATE_ENDPOINTS: z.enum(['allow', 'refuse']).optional(),
  /** Private networks that numbers may name nevertheless. */
  DEMARC_PRIVATE_NETWORKS: networkList,

  /** One's own numbers need no proof; customers who do not know each other must not attach each other's. */
  DEMARC_NUMBER_PROOF: z.enum(['none', 'required']).default('none'),

  /** The edges' setting, so that a forbidden address is refused at once. */
  DEMARC_DISCOVERY_ALLOW_PRIVATE: flag.default(false),

  /** What customers configure in their PBX, by region; absent: one region made of the three variables below. */
  DEMARC_REGIONS: regions.optional(),
  DEMARC_ADVERTISED_HOST: z.string().optional(),
  /** RFC 3261 §19.1.2: the port of SIP over TLS. */
  DEMARC_SIP_TLS_PORT: port.default(5061),
  /** PEM file with the CA of the SIP certificate, for PBXs. Absent: a well-known one, which they trust already. */
  DEMARC_SIP_CA_CERT: z.string().optional(),
  DEMARC_RTP_PORTS: z
    .string()
    .regex(/^\d{1,5}-\d{1,5}$/, 'must be a range such as 10000-20000')
    .default('10000-20000'),
  /** The edges' setting for calls to a number that names no source. Control only shows it to customers. */
  DEMARC_SOURCE_POLICY: z.enum(['none', 'any']).default('none'),

  /** Orders to call from one number that wait for its limits; more would be dialed long after the order. */
  DEMARC_CALL_QUEUE_LENGTH: whole(1, 10_000).default(100),
  /** A call that rings more than ten minutes after its order surprises the callee. */
  DEMARC_CALL_QUEUE_SECONDS: whole(1, 86_400).default(600),

  /** Ninety days answer the questions of a monthly bill; 0 keeps calls for ever. */
  DEMARC_CALL_RETENTION_DAYS: whole(0, 36_500).default(90),
  /** Where traces of ended calls go: PostgreSQL needs nothing else, the object store of DEMARC_DOCUMENT_S3_URL is cheaper for millions a day. */
  DEMARC_TRACE_STORE: z.enum(['database', 's3']).default('database'),
  /** Of those in the object store; 0 keeps them as long as their calls. */
  DEMARC_TRACE_RETENTION_DAYS: whole(0, 36_500).default(0),
  /** The edges' /readyz and /metrics, passed on by ours where only one port is reachable. */
  DEMARC_EDGE_HEALTH_URL: edgeUrls.optional(),
  /** Absent: /metrics is open to every client that reaches the port, on loopback unless bound otherwise. The edge is asked with it as well. */
  DEMARC_METRICS_TOKEN: metricsToken.optional(),
  ...telemetryVariables,
  ...noticeVariables,
  ...portingVariables,
  ...modelVariables,
  ...speechVariables,
  ...knowledgeVariables,
  ...agentTestVariables,
} as const;

export interface EdgeHealthUrl {
  /** In the names of its components and in the label `edge` of its metrics; `edge` when the setting has none. */
  readonly name: string;
  readonly url: string;
}

export interface Region {
  readonly name: string;
  readonly sipHost: string;
  readonly ipAddresses: readonly string[];
}

export interface ControlSettings {
  readonly production: boolean;
  readonly log: { readonly level: LogLevel };
  readonly database: {
    readonly url: string;
    readonly maximumConnections: number;
    readonly timeoutMilliseconds: number;
    readonly waitMilliseconds: number;
  };
  readonly redis: RedisServers;
  /** The keys of `contract/secret.ts`, current one first; empty: passwords cannot be stored. */
  readonly secretKeys: readonly string[];
  readonly unboundSecrets: 'accept' | 'refuse';
  /** Passwords that edges read are bound to their organization. */
  readonly bindsNumberSecrets: boolean;
  readonly http: HostPort;
  /** Undefined: plain HTTP. */
  readonly httpTls: { readonly certificateFile: string; readonly keyFile: string } | undefined;
  readonly trustProxy: boolean;
  readonly requestsPerSecond: number;
  readonly requestsPerSecondOfOrganization: number;
  /** Concurrent calls of an organization without a separate limit, at all edges together. */
  readonly organizationMaximumCalls: number;
  readonly searchesPerSecond: number;
  readonly wrongKeysPerMinute: number;
  /** How long answers to requests with an `Idempotency-Key` are kept, and how long one may be silent that runs. */
  readonly idempotency: { readonly keptMilliseconds: number; readonly leaseMilliseconds: number };
  /** How long the token of a call works after its end. */
  readonly callTokenGraceSeconds: number;
  readonly loginsPerMinute: number;
  readonly session: { readonly absoluteMilliseconds: number; readonly idleMilliseconds: number };
  readonly privateEndpoints: 'allow' | 'refuse';
  /** CIDRs that are allowed while the others are refused. */
  readonly privateNetworks: readonly string[];
  /** Whether a number must be proven before an organization attaches it. */
  readonly numberProof: 'none' | 'required';
  readonly discoverPrivate: boolean;
  /** The first one is that of organizations that name none. */
  readonly regions: readonly Region[];
  readonly sipTlsPort: number;
  /** PEM file of the CA that PBXs must trust; undefined: a well-known one. */
  readonly sipAuthorityFile: string | undefined;
  /** `10000-20000` */
  readonly rtpPorts: string;
  readonly sourcePolicy: 'none' | 'any';
  /** Orders that wait for the limits of a number. */
  readonly callQueue: { readonly length: number; readonly seconds: number };
  /** 0: for ever. */
  readonly callRetentionDays: number;
  readonly traces: {
    readonly store: 'database' | 's3';
    /** Of those in the object store; 0: as long as their calls. */
    readonly retentionDays: number;
  };
  readonly edgeHealth: readonly EdgeHealthUrl[];
  /** Undefined: metrics need none. */
  readonly metricsToken: string | undefined;
  /** Undefined: no spans are made. */
  readonly telemetry: TelemetrySettings | undefined;
  readonly notices: NoticeSettings;
  readonly porting: PortingSettings;
  readonly models: ModelSettings;
  /** Agent tests by voice. */
  readonly testCalls: TestCallSettings;
  readonly knowledge: KnowledgeSettings;
  readonly agentTests: AgentTestSettings;
}

type Read = z.output<z.ZodObject<typeof variables>>;

/** Reads the environment. Throws `SettingsError`, which names every variable that is wrong. */
export function readControlSettings(environment: Environment): ControlSettings {
  const read = readEnvironment(variables, environment);
  const production = read.NODE_ENV === 'production';
  const problems = [...noticeProblems(read), ...portingProblems(read), ...modelProblems(read)];
  if (production && read.DEMARC_SECRET_KEY === undefined) {
    problems.push('DEMARC_SECRET_KEY: required when NODE_ENV is production');
  }
  const { DEMARC_HTTP_TLS_CERT: certificateFile, DEMARC_HTTP_TLS_KEY: keyFile } = read;
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    problems.push('DEMARC_HTTP_TLS_CERT and DEMARC_HTTP_TLS_KEY: set both or neither');
  }
  if (read.DEMARC_TRACE_STORE === 's3' && read.DEMARC_DOCUMENT_S3_URL === undefined) {
    problems.push('DEMARC_TRACE_STORE: s3 needs DEMARC_DOCUMENT_S3_URL');
  }
  const redis = redisServersOf(read, problems);
  if (problems.length > 0) throw new SettingsError(problems);
  const regionList = regionsOf(read);
  const edgePorts = (read.DEMARC_EDGE_HEALTH_URL ?? []).map(({ url }) => Number(new URL(url).port));
  const own = ownListenersOf(
    [read.DEMARC_BIND, ...regionList.flatMap(({ ipAddresses }) => ipAddresses)],
    [
      ...[read.DEMARC_HTTP_PORT, read.DEMARC_SIP_TLS_PORT, ...edgePorts, ...read.DEMARC_OWN_PORTS],
      ...databaseHosts(read.DATABASE_URL).flatMap((url) => storePort(url, 5_432)),
      ...storePort(read.DEMARC_REDIS_URL, 6_379),
      ...(read.DEMARC_REDIS_SENTINELS ?? []).map(({ port }) => port),
    ],
  );
  return deepFreeze({
    production,
    log: { level: read.DEMARC_LOG_LEVEL },
    database: {
      url: read.DATABASE_URL,
      maximumConnections: read.DEMARC_DATABASE_CONNECTIONS,
      timeoutMilliseconds: read.DEMARC_DATABASE_TIMEOUT_MS,
      waitMilliseconds: read.DEMARC_DATABASE_WAIT_SECONDS * 1_000,
    },
    redis,
    secretKeys: [read.DEMARC_SECRET_KEY, read.DEMARC_SECRET_KEY_PREVIOUS].filter((key) => key !== undefined),
    unboundSecrets: read.DEMARC_UNBOUND_SECRETS,
    bindsNumberSecrets: read.DEMARC_BIND_NUMBER_SECRETS,
    http: { host: read.DEMARC_BIND, port: read.DEMARC_HTTP_PORT },
    httpTls:
      certificateFile === undefined || keyFile === undefined ? undefined : { certificateFile, keyFile },
    trustProxy: read.DEMARC_TRUST_PROXY,
    requestsPerSecond: read.DEMARC_API_REQUESTS_PER_SECOND,
    requestsPerSecondOfOrganization:
      read.DEMARC_API_ORGANIZATION_REQUESTS_PER_SECOND ?? 3 * read.DEMARC_API_REQUESTS_PER_SECOND,
    organizationMaximumCalls: read.DEMARC_ORGANIZATION_MAX_CALLS,
    searchesPerSecond:
      read.DEMARC_API_SEARCHES_PER_SECOND ?? Math.ceil(read.DEMARC_API_REQUESTS_PER_SECOND / 5),
    wrongKeysPerMinute: read.DEMARC_API_WRONG_KEYS_PER_MINUTE,
    idempotency: {
      keptMilliseconds: read.DEMARC_IDEMPOTENCY_HOURS * 3_600_000,
      leaseMilliseconds: read.DEMARC_IDEMPOTENCY_LEASE_SECONDS * 1_000,
    },
    callTokenGraceSeconds: read.DEMARC_CALL_TOKEN_GRACE_SECONDS,
    loginsPerMinute: read.DEMARC_LOGINS_PER_MINUTE,
    session: {
      absoluteMilliseconds: read.DEMARC_SESSION_HOURS * 3_600_000,
      idleMilliseconds: read.DEMARC_SESSION_IDLE_MINUTES * 60_000,
    },
    privateEndpoints: read.DEMARC_PRIVATE_ENDPOINTS ?? (production ? 'refuse' : 'allow'),
    privateNetworks: read.DEMARC_PRIVATE_NETWORKS,
    numberProof: read.DEMARC_NUMBER_PROOF,
    discoverPrivate: read.DEMARC_DISCOVERY_ALLOW_PRIVATE,
    regions: regionList,
    sipTlsPort: read.DEMARC_SIP_TLS_PORT,
    sipAuthorityFile: read.DEMARC_SIP_CA_CERT,
    rtpPorts: read.DEMARC_RTP_PORTS,
    sourcePolicy: read.DEMARC_SOURCE_POLICY,
    callQueue: { length: read.DEMARC_CALL_QUEUE_LENGTH, seconds: read.DEMARC_CALL_QUEUE_SECONDS },
    callRetentionDays: read.DEMARC_CALL_RETENTION_DAYS,
    traces: { store: read.DEMARC_TRACE_STORE, retentionDays: read.DEMARC_TRACE_RETENTION_DAYS },
    edgeHealth: read.DEMARC_EDGE_HEALTH_URL ?? [],
    metricsToken: read.DEMARC_METRICS_TOKEN,
    telemetry: telemetrySettings(read),
    notices: noticeSettings(read, own),
    porting: portingSettings(read),
    models: modelSettings(read),
    testCalls: testCallSettings(read),
    knowledge: knowledgeSettings(read),
    agentTests: agentTestSettings(read),
  });
}

/** The port of a store that is reached over TCP, wherever it is: the stores of other processes of this machine are as private. */
function storePort(url: string, usual: number): number[] {
  if (!/^(rediss?|postgres(ql)?):/.test(url) || !URL.canParse(url)) return [];
  const { hostname, port } = new URL(url);
  return hostname === '' ? [] : [port === '' ? usual : Number(port)];
}

const regionsOf = (
  read: Pick<Read, 'DEMARC_REGIONS' | 'DEMARC_ADVERTISED_HOST' | 'DEMARC_BIND'>,
): readonly Region[] =>
  read.DEMARC_REGIONS === undefined
    ? [onlyRegion(read.DEMARC_ADVERTISED_HOST ?? read.DEMARC_BIND)]
    : Object.entries(read.DEMARC_REGIONS).map(([name, region]) => ({
        name,
        sipHost: region.sip_host,
        ipAddresses: region.ip_addresses,
      }));

const onlyRegionName = 'local';

const onlyRegion = (host: string): Region => ({
  name: onlyRegionName,
  sipHost: host,
  ipAddresses: isIP(host) === 0 ? [] : [host],
});

/** The names of the regions, the first of which is that of organizations without one. Throws `SettingsError`. */
export function readRegionNames(environment: Environment): readonly string[] {
  const { DEMARC_REGIONS } = variables;
  const read = readEnvironment({ DEMARC_REGIONS }, environment).DEMARC_REGIONS;
  return read === undefined ? [onlyRegionName] : Object.keys(read);
}

/** Alone, for commands; the current key first. Throws `SettingsError`. */
export function readSecretKeys(environment: Environment): readonly string[] {
  const { DEMARC_SECRET_KEY, DEMARC_SECRET_KEY_PREVIOUS } = variables;
  const read = readEnvironment({ DEMARC_SECRET_KEY, DEMARC_SECRET_KEY_PREVIOUS }, environment);
  return [read.DEMARC_SECRET_KEY, read.DEMARC_SECRET_KEY_PREVIOUS].filter((key) => key !== undefined);
}

/** What the `org` and `key` commands need. Throws `SettingsError`. */
export function readDatabaseUrl(environment: Environment): string {
  const { DATABASE_URL } = variables;
  return readEnvironment({ DATABASE_URL }, environment).DATABASE_URL;
}
