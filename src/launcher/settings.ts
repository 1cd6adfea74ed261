import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type Environment, flag, readEnvironment, SettingsError, whole } from '../config/environment.js';
import { screeningArguments, screeningVariables } from '../config/screening-settings.js';

const port = whole(1, 65_535);

/** Two legs, RTP and RTCP each. */
const portsOfOneCall = 4;

const portRange = z.string().transform((text, context) => {
  const match = /^(\d{4,5})-(\d{4,5})$/.exec(text);
  const low = Number(match?.[1]);
  const high = Number(match?.[2]);
  if (low >= 1024 && high <= 65_535 && low < high) return { low, high };
  context.addIssue({ code: 'custom', message: 'must be a range such as 10000-20000, from 1024 to 65535' });
  return z.NEVER;
});
export interface PortRange {
  readonly low: number;
  readonly high: number;
}

const variables = {
  /** The single folder for all written files, to inspect, back up or delete. */
  DEMARC_STATE_DIR: z.string().default('.demarc'),
  /** An existing PostgreSQL to use instead of a private one. */
  DATABASE_URL: z.string().optional(),
  /** Loopback by default: a demo that accepts calls from any source must not be exposed to a network by accident. */
  DEMARC_BIND: z
    .string()
    .refine((text) => isIP(text) !== 0, 'must be an IPv4 or IPv6 address, not a name')
    .default('127.0.0.1'),
  /** Advertised instead of the bind address, as behind NAT; also used for media when it is an IP address. */
  DEMARC_ADVERTISED_HOST: z
    .string()
    .refine(
      (text) => isIP(text) !== 0 || /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/.test(text),
      'must be an address or a DNS name, without a port',
    )
    .optional(),
  /** RFC 3261 §19.1.2: the port of SIP over TLS. */
  DEMARC_SIP_TLS_PORT: port.default(5061),
  /** Plain SIP, for trunks without TLS. Not set: a free port, so that another PBX on this machine may use 5060. */
  DEMARC_SIP_TCP_PORT: port.optional(),
  DEMARC_SIP_UDP_PORT: port.optional(),
  /** Same meaning as the edge's variable of this name. */
  DEMARC_SIP_FORCE_RPORT: flag.default(false),
  ...screeningVariables,
  /** Where the agent runtime sends outbound calls. Not set: a private port, written to `ready.json`. */
  DEMARC_AGENT_PORT: port.optional(),
  DEMARC_HTTP_PORT: port.default(8080),
  /** UDP ports for media; 10,000 carry 2,500 calls (two legs, RTP and RTCP each). */
  DEMARC_RTP_PORTS: portRange.default({ low: 10_000, high: 20_000 }),
  /** More memory indicates a leak: 2,500 calls use a tenth of it. Without a limit a leak would exhaust the machine's memory. */
  DEMARC_RTPENGINE_MEMORY_MB: whole(100, 1_048_576).default(2_048),
  /** The edge's; rtpengine must keep silent sessions longer. */
  DEMARC_MEDIA_TIMEOUT_SECONDS: whole(5, 3_600).default(30),
  /** Loopback ports of the private components; below the ephemeral range, so that a restarted component finds its port free. */
  DEMARC_PRIVATE_PORTS: portRange.default({ low: 21_000, high: 31_999 }),
  /** Same meaning as the edge's variable of this name: CA certificates for trunks and registrars, PEM. */
  DEMARC_TLS_CA: z
    .string()
    .refine((file) => existsSync(file), 'must be the path of an existing file')
    .optional(),
  /** A name in the certificate in addition to localhost and the host name, for callers that require a DNS name. */
  DEMARC_SIP_HOST: z.string().max(253).default('demarc.test'),
  /** From the range reserved for fictional use, so it belongs to no real subscriber. */
  DEMARC_DEMO_NUMBER: z
    .string()
    .regex(/^\+?[0-9]{3,15}$/, 'must be 3 to 15 digits')
    .default('12025550100'),
  /** With two, calls continue at the other one at once when one of them dies or is replaced. */
  DEMARC_EDGES: whole(1, 16).default(2),
  /** An engine, edge, rtpengine or control that answers nothing for so long is killed and started again. */
  DEMARC_UNRESPONSIVE_SECONDS: whole(2, 600).default(10),
  /** How long calls may continue after the first Ctrl-C; short, because a person waits at the terminal. */
  DEMARC_DRAIN_SECONDS: whole(0, 86_400).default(10),
} as const;

export interface LauncherSettings {
  /** Absolute path. */
  readonly stateDirectory: string;
  /** undefined: runs a private PostgreSQL. */
  readonly databaseUrl: string | undefined;
  readonly bind: string;
  /** The address or name that callers use; never a wildcard. */
  readonly publicHost: string;
  /** The local address for media; never a wildcard. */
  readonly mediaAddress: string;
  /** The address in SDP. */
  readonly publicMediaAddress: string;
  /** Loopback, in the address family of the media: the agent must be able to reach the addresses in the SDP it receives. */
  readonly agentSideAddress: string;
  /** Undefined: a private port. */
  readonly agentSidePort: number | undefined;
  readonly sipTlsPort: number;
  /** Undefined: any free port, unless the agent's loopback listeners also serve trunks. */
  readonly sipTcpPort: number | undefined;
  readonly sipUdpPort: number | undefined;
  /** Forces rport (RFC 3581) on the plain UDP listener. */
  readonly forceRport: boolean;
  /** Options of `demarc engine`. */
  readonly screening: readonly string[];
  readonly httpPort: number;
  readonly rtpPorts: PortRange;
  /** Resident memory above which rtpengine is restarted. */
  readonly rtpengineMegabytes: number;
  /** After so much silence rtpengine deletes a session that no edge has ended. */
  readonly rtpengineTimeoutSeconds: number;
  readonly privatePorts: PortRange;
  /** Absolute path; undefined: only the well-known CAs are trusted. */
  readonly tlsCaFile: string | undefined;
  /** Names in the server certificate. */
  readonly certificateNames: { readonly dns: readonly string[]; readonly addresses: readonly string[] };
  /** Digits without plus. */
  readonly demoNumber: string;
  readonly drainSeconds: number;
  /** Edges on the engine. */
  readonly edges: number;
  readonly unresponsiveSeconds: number;
}

const wildcards = new Set(['0.0.0.0', '::']);

/** The first address that other hosts can reach; loopback when there is none. */
function reachableAddress(family: 'IPv4' | 'IPv6'): string {
  const candidates = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const found = candidates.find(
    (candidate) =>
      candidate.family === family && !candidate.internal && !candidate.address.startsWith('fe80:'),
  );
  return found?.address ?? (family === 'IPv4' ? '127.0.0.1' : '::1');
}

/** The state directory of `demarc up` and `npm run call`. Throws `SettingsError`. */
export function readStateDirectory(environment: Environment): string {
  const { DEMARC_STATE_DIR } = readEnvironment({ DEMARC_STATE_DIR: variables.DEMARC_STATE_DIR }, environment);
  return resolve(DEMARC_STATE_DIR);
}

/** The settings of `demarc up` from the environment. Throws `SettingsError`, which names every invalid variable. */
export function readLauncherSettings(environment: Environment): LauncherSettings {
  const read = readEnvironment(variables, environment);
  const bind = read.DEMARC_BIND;
  const mediaAddress = wildcards.has(bind) ? reachableAddress(bind === '::' ? 'IPv6' : 'IPv4') : bind;
  const publicHost = read.DEMARC_ADVERTISED_HOST ?? mediaAddress;
  const publicMediaAddress = isIP(publicHost) === 0 ? mediaAddress : publicHost;
  const publicName = isIP(publicHost) === 0 ? [publicHost] : [];
  const { DEMARC_RTP_PORTS: rtpPorts, DEMARC_PRIVATE_PORTS: privatePorts } = read;
  if (privatePorts.low >= rtpPorts.low && privatePorts.high <= rtpPorts.high) {
    throw new SettingsError(['DEMARC_PRIVATE_PORTS: must not overlap DEMARC_RTP_PORTS']);
  }
  if (rtpPorts.high - rtpPorts.low + 1 < 2 * portsOfOneCall) {
    throw new SettingsError([
      `DEMARC_RTP_PORTS: the range is too small; each call needs ${portsOfOneCall} ports, and at least two calls must fit`,
    ]);
  }
  return Object.freeze({
    stateDirectory: resolve(read.DEMARC_STATE_DIR),
    databaseUrl: read.DATABASE_URL,
    bind,
    publicHost,
    mediaAddress,
    publicMediaAddress,
    agentSideAddress: isIP(mediaAddress) === 6 ? '::1' : '127.0.0.1',
    agentSidePort: read.DEMARC_AGENT_PORT,
    sipTlsPort: read.DEMARC_SIP_TLS_PORT,
    sipTcpPort: read.DEMARC_SIP_TCP_PORT,
    sipUdpPort: read.DEMARC_SIP_UDP_PORT,
    forceRport: read.DEMARC_SIP_FORCE_RPORT,
    screening: screeningArguments(read),
    httpPort: read.DEMARC_HTTP_PORT,
    rtpPorts,
    rtpengineMegabytes: read.DEMARC_RTPENGINE_MEMORY_MB,
    rtpengineTimeoutSeconds: read.DEMARC_MEDIA_TIMEOUT_SECONDS + 30,
    privatePorts,
    tlsCaFile: read.DEMARC_TLS_CA === undefined ? undefined : resolve(read.DEMARC_TLS_CA),
    certificateNames: {
      dns: [...new Set([...publicName, read.DEMARC_SIP_HOST, 'localhost', hostname()])],
      addresses: [...new Set([publicMediaAddress, mediaAddress, '127.0.0.1'])],
    },
    demoNumber: read.DEMARC_DEMO_NUMBER.replace('+', ''),
    drainSeconds: read.DEMARC_DRAIN_SECONDS,
    edges: read.DEMARC_EDGES,
    unresponsiveSeconds: read.DEMARC_UNRESPONSIVE_SECONDS,
  });
}
