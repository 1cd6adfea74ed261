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
  /** Everything that is written goes here: one folder to look into, back up or delete. */
  DEMARC_STATE_DIR: z.string().default('.demarc'),
  /** A PostgreSQL to use instead of a private one. */
  DATABASE_URL: z.string().optional(),
  /** Loopback: a demo that takes calls from any source must not face a network by accident. */
  DEMARC_BIND: z
    .string()
    .refine((text) => isIP(text) !== 0, 'must be an IPv4 or IPv6 address, not a name')
    .default('127.0.0.1'),
  /** Advertised instead of the bind address, as behind NAT; also used for media when it is an address. */
  DEMARC_ADVERTISED_HOST: z
    .string()
    .refine(
      (text) => isIP(text) !== 0 || /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/.test(text),
      'must be an address or a DNS name, without a port',
    )
    .optional(),
  /** RFC 3261 §19.1.2: the port of SIP over TLS. */
  DEMARC_SIP_TLS_PORT: port.default(5061),
  /** Plain SIP, for trunks that want no TLS. Not set: chosen by us, so that another PBX on this machine may have 5060. */
  DEMARC_SIP_TCP_PORT: port.optional(),
  DEMARC_SIP_UDP_PORT: port.optional(),
  /** The edge's variable of this name says the same. */
  DEMARC_SIP_FORCE_RPORT: flag.default(false),
  ...screeningVariables,
  /** Where the agent runtime places calls. Not set: a private port, which `ready.json` contains. */
  DEMARC_AGENT_PORT: port.optional(),
  DEMARC_HTTP_PORT: port.default(8080),
  /** UDP ports for media; 10,000 carry 2,500 calls (two legs, RTP and RTCP each). */
  DEMARC_RTP_PORTS: portRange.default({ low: 10_000, high: 20_000 }),
  /** More is a fault: 2,500 calls take a tenth of it. One that grows without end would take the machine with it. */
  DEMARC_RTPENGINE_MEMORY_MB: whole(100, 1_048_576).default(2_048),
  /** Loopback ports of the private parts; below the ephemeral range, so that a restarted part finds its port free. */
  DEMARC_PRIVATE_PORTS: portRange.default({ low: 21_000, high: 31_999 }),
  /** The edge's variable of this name says the same: issuers of the certificates of trunks and registrars, PEM. */
  DEMARC_TLS_CA: z
    .string()
    .refine((file) => existsSync(file), 'must be the path of an existing file')
    .optional(),
  /** A name in the certificate besides localhost and this machine's, for callers that insist on a DNS name. */
  DEMARC_SIP_HOST: z.string().max(253).default('demarc.test'),
  /** From the range that is reserved for fiction: it rings nowhere else. */
  DEMARC_DEMO_NUMBER: z
    .string()
    .regex(/^\+?[0-9]{3,15}$/, 'must be 3 to 15 digits')
    .default('12025550100'),
  /** Calls may continue this long after the first Ctrl-C; short, because a person waits at the terminal. */
  DEMARC_DRAIN_SECONDS: whole(0, 86_400).default(10),
} as const;

export interface LauncherSettings {
  /** Absolute path. */
  readonly stateDirectory: string;
  /** undefined: a private PostgreSQL is run. */
  readonly databaseUrl: string | undefined;
  readonly bind: string;
  /** The address or name that callers use: never a wildcard. */
  readonly publicHost: string;
  /** The local address that media uses: never a wildcard. */
  readonly mediaAddress: string;
  /** The address that SDP says. */
  readonly publicMediaAddress: string;
  /** Loopback, of the family that media has: the agent must be able to answer the addresses it is offered. */
  readonly agentSideAddress: string;
  /** Undefined: a private port. */
  readonly agentSidePort: number | undefined;
  readonly sipTlsPort: number;
  /** Undefined: any that is free, where the loopback listeners towards the agent do not serve trunks as well. */
  readonly sipTcpPort: number | undefined;
  readonly sipUdpPort: number | undefined;
  /** Of the plain UDP listener. */
  readonly forceRport: boolean;
  /** Options of `demarc engine`. */
  readonly screening: readonly string[];
  readonly httpPort: number;
  readonly rtpPorts: PortRange;
  /** Resident memory above which rtpengine is started again. */
  readonly rtpengineMegabytes: number;
  readonly privatePorts: PortRange;
  /** Absolute path; undefined: only the well-known authorities are trusted. */
  readonly tlsCaFile: string | undefined;
  /** What the server certificate stands for. */
  readonly certificateNames: { readonly dns: readonly string[]; readonly addresses: readonly string[] };
  /** Digits without plus. */
  readonly demoNumber: string;
  readonly drainSeconds: number;
}

const wildcards = new Set(['0.0.0.0', '::']);

/** The first address that others can reach; loopback when there is none. */
function reachableAddress(family: 'IPv4' | 'IPv6'): string {
  const candidates = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const found = candidates.find(
    (candidate) =>
      candidate.family === family && !candidate.internal && !candidate.address.startsWith('fe80:'),
  );
  return found?.address ?? (family === 'IPv4' ? '127.0.0.1' : '::1');
}

/** The folder of `demarc up` and `npm run call`. Throws `SettingsError`. */
export function readStateDirectory(environment: Environment): string {
  const { DEMARC_STATE_DIR } = readEnvironment({ DEMARC_STATE_DIR: variables.DEMARC_STATE_DIR }, environment);
  return resolve(DEMARC_STATE_DIR);
}

/** The settings of `demarc up` from the environment. Throws `SettingsError`, which names every variable that is wrong. */
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
    privatePorts,
    tlsCaFile: read.DEMARC_TLS_CA === undefined ? undefined : resolve(read.DEMARC_TLS_CA),
    certificateNames: {
      dns: [...new Set([...publicName, read.DEMARC_SIP_HOST, 'localhost', hostname()])],
      addresses: [...new Set([publicMediaAddress, mediaAddress, '127.0.0.1'])],
    },
    demoNumber: read.DEMARC_DEMO_NUMBER.replace('+', ''),
    drainSeconds: read.DEMARC_DRAIN_SECONDS,
  });
}
