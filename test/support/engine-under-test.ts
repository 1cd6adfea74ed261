import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Address, PeerProtocol } from '../../src/testkit/sip-peer.js';
import type { TestAuthority } from './certificates.js';
import { freePort } from './free-ports.js';
import { TestProcess } from './processes.js';
import { WireClient } from './wire-client.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** True when DRACHTIO_HOST names a running drachtio-server that the suite shall be held against. */
export const isRealServer = process.env.DRACHTIO_HOST !== undefined;

export interface EngineOptions {
  /** T1, T2, T4 in milliseconds for the embedded engine; a real server keeps its own. */
  readonly t1?: number;
  readonly t2?: number;
  readonly t4?: number;
  /** Takes the place of the system's hosts file for the embedded engine; needs root and `unshare`. */
  readonly hostsFile?: string;
  /** A killed engine whose listeners the new one gets. */
  readonly successorOf?: EngineUnderTest;
  /** Further command line options, for the embedded engine only. */
  readonly options?: readonly string[];
  /** Issues the engine's certificate; the engine trusts it for outbound connections. Absent: no TLS listener. */
  readonly authority?: TestAuthority;
}

/** A SIP engine with its addresses: the embedded one as a separate process, or the real server. */
export interface EngineUnderTest {
  readonly kind: 'embedded' | 'drachtio';
  readonly admin: Address;
  readonly secret: string;
  /** Listener by protocol; undefined where it has none. */
  readonly listeners: Readonly<Record<PeerProtocol, Address | undefined>>;
  /** Listeners on an IPv6 address, host without brackets. */
  readonly ipv6Listeners: Readonly<Record<PeerProtocol, Address | undefined>>;
  /** T1 in milliseconds. */
  readonly t1: number;
  /** Page of Prometheus metrics. */
  readonly metricsUrl: string | undefined;
  readonly pid: number | undefined;
  /** Live objects by name; undefined for the real server, which does not tell. */
  counts(): Promise<Readonly<Record<string, number>> | undefined>;
  output(): string;
  isRunning(): boolean;
  stop(): Promise<void>;
}

function splitAddress(text: string): Address {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}

/** `host:port` from the environment; undefined when not set. */
function addressFrom(name: string): Address | undefined {
  const text = process.env[name];
  return text === undefined || text === '' ? undefined : splitAddress(text);
}

/** The SIP addresses a server announces when an app authenticates, unless the environment sets others. */
async function listenersOf(admin: Address, secret: string): Promise<EngineUnderTest['listeners']> {
  const wire = await WireClient.connect(admin);
  const reply = await wire.authenticate(secret);
  await wire.close();
  if (reply.fields[3] !== 'OK') throw new Error(`drachtio-server: ${reply.fields.slice(3).join(' ')}.`);
  const listeners = (reply.fields[6] ?? '').split(',');
  const listener = (protocol: PeerProtocol): Address | undefined => {
    const named = addressFrom(`DRACHTIO_SIP_${protocol.toUpperCase()}`);
    const entry = listeners.find((each) => each.startsWith(`${protocol}/`))?.slice(protocol.length + 1);
    return named ?? (entry === undefined ? undefined : splitAddress(entry));
  };
  return { udp: listener('udp'), tcp: listener('tcp'), tls: listener('tls') };
}

async function realServer(): Promise<EngineUnderTest> {
  const worker = process.env.VITEST_POOL_ID ?? '1';
  if (worker !== '1') {
    throw new Error(
      'Files share one real server, and with it its round robin: run with --no-file-parallelism.',
    );
  }
  const admin = { host: process.env.DRACHTIO_HOST!, port: Number(process.env.DRACHTIO_PORT ?? 9022) };
  const secret = process.env.DRACHTIO_SECRET ?? 'cymru';
  return {
    kind: 'drachtio',
    admin,
    secret,
    listeners: await listenersOf(admin, secret),
    ipv6Listeners: { udp: undefined, tcp: undefined, tls: undefined },
    t1: 500,
    metricsUrl: undefined,
    pid: undefined,
    counts: async () => undefined,
    output: () => '',
    isRunning: () => true,
    stop: async () => {},
  };
}

interface Ready {
  readonly type: 'ready';
  readonly admin: Address;
  readonly listeners: readonly { protocol: string; address: string; port: number }[];
}

let started = 0;

const isReady = (message: unknown): Ready | undefined =>
  typeof message === 'object' && message !== null && (message as { type?: unknown }).type === 'ready'
    ? (message as Ready)
    : undefined;

/** Flattens `{ a: { b: 1 } }` to `{ 'a.b': 1 }`, numbers only. */
function flatten(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => flatten(each, path === '' ? key : `${path}.${key}`));
}

/**
 * Options of Node.js for the executable, in any folder: from source, or built when DEMARC_TEST_DIST is set; `npm test` also names a bundle of the
 * build, which takes half the processor time to start.
 */
export function demarcProgram(): readonly string[] {
  const isBuilt = process.env.DEMARC_TEST_DIST !== undefined;
  if (!isBuilt) return ['--import', import.meta.resolve('tsx'), join(root, 'src/cli.ts')];
  return [resolve(root, process.env.DEMARC_TEST_ROLES ?? 'dist/cli.js')];
}

/** The command line of the executable. */
export const demarcCommand = (
  role: string,
  options: readonly string[],
): readonly [string, readonly string[]] => [process.execPath, [...demarcProgram(), role, ...options]];

/** The command line of the demo agent, built where the executable is. */
export function demoAgentCommand(options: readonly string[]): readonly [string, readonly string[]] {
  const isBuilt = process.env.DEMARC_TEST_DIST !== undefined;
  const built = process.env.DEMARC_TEST_AGENT ?? 'dist-dev/agent.js';
  const program = isBuilt ? [built] : ['--import', 'tsx', 'dev/agent/main.ts'];
  return [process.execPath, [...program, ...options]];
}

/** The same command in a separate mount namespace with that hosts file. */
function behindHostsFile(
  hostsFile: string | undefined,
  command: string,
  commandLine: readonly string[],
): readonly [string, readonly string[]] {
  if (hostsFile === undefined) return [command, commandLine];
  const script = 'mount --bind "$0" /etc/hosts && exec "$@"';
  return ['unshare', ['--mount', 'sh', '-c', script, hostsFile, command, ...commandLine]];
}

/** Starts `demarc engine` on free loopback ports, or gives the real server when one is named. */
export async function startEngine(options: EngineOptions = {}): Promise<EngineUnderTest> {
  if (isRealServer) return realServer();
  const t1 = options.t1 ?? 50;
  const secret = 'contract-suite';
  const before = options.successorOf;
  const metrics =
    before?.metricsUrl === undefined ? await freePort() : Number(new URL(before.metricsUrl).port);
  const at = (address: Address | undefined): string => `127.0.0.1:${address?.port ?? 0}`;
  const argv = [
    ...['--admin', at(before?.admin), '--udp', at(before?.listeners.udp)],
    ...['--tcp', at(before?.listeners.tcp)],
    ...['--metrics', `127.0.0.1:${metrics}`],
    ...['--t1', String(t1), '--t2', String(options.t2 ?? t1 * 8), '--t4', String(options.t4 ?? t1 * 10)],
  ];
  if (options.authority !== undefined) {
    // Engines of one authority start at the same time, and each reads its own files.
    const issued = await options.authority.issue(`engine-${++started}`);
    argv.push('--tls', '127.0.0.1:0', '--cert', issued.certFile, '--key', issued.keyFile);
    argv.push('--ca', options.authority.caFile);
  }
  const [command, commandLine] = demarcCommand('engine', [...argv, ...(options.options ?? [])]);
  const child = new TestProcess(...behindHostsFile(options.hostsFile, command, commandLine), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, DEMARC_ENGINE_SECRET: secret },
  });
  let ready: Ready;
  try {
    ready = await child.message(isReady, 20_000, 'engine ready');
  } catch (error) {
    await child.stop();
    throw error;
  }
  const listener = (protocol: PeerProtocol, isIpv6 = false): Address | undefined => {
    const found = ready.listeners.find(
      (each) => each.protocol === protocol && each.address.includes(':') === isIpv6,
    );
    return found === undefined ? undefined : { host: found.address, port: found.port };
  };
  return {
    kind: 'embedded',
    admin: ready.admin,
    secret,
    listeners: { udp: listener('udp'), tcp: listener('tcp'), tls: listener('tls') },
    ipv6Listeners: { udp: listener('udp', true), tcp: listener('tcp', true), tls: listener('tls', true) },
    t1,
    metricsUrl: `http://127.0.0.1:${metrics}/metrics`,
    pid: child.pid,
    counts: async () => {
      // A connection that is kept may be closed at the other side just when it is used again.
      const response = await fetch(`http://127.0.0.1:${metrics}/counts`, {
        headers: { connection: 'close' },
      });
      if (!response.ok) throw new Error(`/counts answered ${response.status}.`);
      return Object.fromEntries(flatten(await response.json()));
    },
    output: () => child.output,
    isRunning: () => child.isRunning,
    stop: () => child.stop(),
  };
}
