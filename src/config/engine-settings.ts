import { type Command, InvalidArgumentError, Option } from 'commander';
import { type LogLevel, logLevels } from '../base/log-level.js';
import { parseSocketAddress } from '../base/socket-address.js';
import type { HostPort } from './environment.js';
import { isMetricsToken, metricsTokenRule } from './metrics-token.js';
import { roleCommand } from './role-command.js';

export type ListenerProtocol = 'udp' | 'tcp' | 'tls';

export interface EngineListener extends HostPort {
  readonly protocol: ListenerProtocol;
  /** UDP: answers go to the source port, whether `rport` asks for it (RFC 3581) or not. */
  readonly forceRport?: boolean;
  /** Advertises the bind address in spite of `externalHost`: for peers in the network of the engine, as agents behind the same NAT. */
  readonly isInternal?: boolean;
}

export interface HepTarget extends HostPort {
  readonly transport: 'udp' | 'tcp';
}

/** `refuse`: 603 Decline. `ignore`: no answer at all. */
export type ScreeningAction = 'refuse' | 'ignore';

/** What requests are kept from applications for, as drachtio-server's `spammers` and `user-agent-options-auto-respond`. */
export interface ScreeningSettings {
  /** A request whose header holds the text, in any letter case, is from a scanner. */
  readonly scanners: readonly { readonly header: string; readonly text: string }[];
  readonly action: ScreeningAction;
  /** Over TCP and TLS. */
  readonly streamAction: ScreeningAction;
  /** OPTIONS outside dialogs whose User-Agent holds one of these are answered 200 by the engine; `*`: all of them. */
  readonly answeredOptions: readonly string[];
}

/** Options of `demarc engine`. Times in milliseconds unless the name says otherwise. */
export interface EngineSettings {
  /** Where applications connect. */
  readonly admin: HostPort;
  readonly secret: string;
  readonly listeners: readonly EngineListener[];
  /** Advertised in place of the bind address: an address or a DNS name. */
  readonly externalHost: string | undefined;
  readonly tls: {
    readonly certificateFile: string | undefined;
    readonly keyFile: string | undefined;
    readonly chainFile: string | undefined;
    /** Shown to servers that ask for one; undefined: our own pair. */
    readonly outbound?: { readonly certificateFile: string; readonly keyFile: string } | undefined;
    /** Issuers of the certificates of peers, in both directions. */
    readonly caFile: string | undefined;
    readonly clientCertificate: 'none' | 'optional' | 'required';
    /** False: certificates of those we connect to are not verified. */
    readonly verify: boolean;
    readonly unverifiedHosts: readonly string[];
  };
  readonly hep: HepTarget | undefined;
  readonly hepCaptureId: number;
  readonly metrics: HostPort | undefined;
  /** Undefined: metrics need none. */
  readonly metricsToken: string | undefined;
  readonly timers: { readonly t1: number; readonly t2: number; readonly t4: number };
  readonly inviteTimeout: number;
  readonly ringingTimeout: number;
  readonly minimumSessionExpiresSeconds: number;
  /** How long dialogs that an application marked wait for its successor. */
  readonly keepSeconds: number;
  /**
   * How long after the start in-dialog requests that match no dialog wait for one that is restored; longer while no application
   * that keeps dialogs is ready. 0: they get 481 at once.
   */
  readonly restoreSeconds: number;
  /** The listeners' addresses may be elsewhere, and come. */
  readonly isStandby: boolean;
  readonly screening: ScreeningSettings;
  readonly drainSeconds: number;
  /** Octets of a frame from an application. */
  readonly maximumFrame: number;
  readonly logLevel: LogLevel;
}

/** drachtio-server's: larger frames wedge its connection for good (wire protocol §2). */
const drachtioMaximumFrame = 12_228;

export const engineDefaults = {
  /** drachtio-server's port, so that applications find either. */
  admin: '127.0.0.1:9022',
  /** A large offer with candidates is 20 kB; `adopt` names every dialog of an edge, 100 octets each. */
  maximumFrame: 8 * 1_048_576,
  /** 128·T1: twice what a caller waits for a 100 that never comes. */
  inviteTimeout: 64_000,
  /** Longer than any phone rings, and than timer C (RFC 3261 §16.6) of the proxies before us. */
  ringingTimeout: 300_000,
  /** RFC 4028 §5. */
  minimumSessionExpiresSeconds: 90,
  /** The peer of a request that waits gives up after 32 s (64·T1). */
  keepSeconds: 30,
  screening: { scanners: [], action: 'refuse', streamAction: 'refuse', answeredOptions: [] },
  drainSeconds: 5,
} as const;

type ListenAddress = HostPort & Pick<EngineListener, 'isInternal'>;
type UdpAddress = ListenAddress & Pick<EngineListener, 'forceRport'>;

interface Options {
  admin: HostPort;
  secret?: string;
  udp: UdpAddress[];
  tcp: ListenAddress[];
  tls: ListenAddress[];
  cert?: string;
  key?: string;
  chain?: string;
  ca?: string;
  externalIp?: string;
  clientCertificate: 'none' | 'optional' | 'required';
  tlsVerify: 'on' | 'off';
  tlsUnverifiedHost: string[];
  outboundCert?: string;
  outboundKey?: string;
  hep?: HepTarget;
  hepId: number;
  metrics?: HostPort;
  metricsToken?: string;
  t1: number;
  t2: number;
  t4: number;
  inviteTimeout: number;
  ringingTimeout: number;
  minSe: number;
  keepSeconds: number;
  restoreSeconds: number;
  standby?: boolean;
  scanner: { header: string; text: string }[];
  scannerAction: ScreeningAction;
  scannerStreamAction?: ScreeningAction;
  answerOptions: string[];
  drainSeconds: number;
  strictParity?: boolean;
  logLevel: LogLevel;
}

function hostPort(text: string): HostPort {
  const parsed = parseSocketAddress(text);
  if (parsed === undefined) throw new InvalidArgumentError('must be host:port, an IPv6 address in brackets');
  return parsed;
}

function hepTarget(text: string): HepTarget {
  const [, transport, target = ''] = /^(?:(tcp|udp):)?(.*)$/.exec(text) ?? [];
  return { transport: transport === 'tcp' ? 'tcp' : 'udp', ...hostPort(target) };
}

const internalSuffix = ',internal';
const forceRportSuffix = ',force-rport';

function listenAddress(text: string): ListenAddress {
  if (!text.endsWith(internalSuffix)) return hostPort(text);
  return { ...hostPort(text.slice(0, -internalSuffix.length)), isInternal: true };
}

function udpAddresses(text: string, before: UdpAddress[]): UdpAddress[] {
  if (!text.endsWith(forceRportSuffix)) return [...before, listenAddress(text)];
  return [...before, { ...listenAddress(text.slice(0, -forceRportSuffix.length)), forceRport: true }];
}

const listenAddresses = (text: string, before: ListenAddress[]): ListenAddress[] => [
  ...before,
  listenAddress(text),
];

function whole(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum)
      throw new InvalidArgumentError(`must be a whole number from ${minimum} to ${maximum}`);
    return value;
  };
}

/** `header=text`; a text alone is of the User-Agent. */
function scanner(text: string, before: Options['scanner']): Options['scanner'] {
  const [, header = 'User-Agent', wanted = ''] = /^(?:([A-Za-z-]+)=)?(.*)$/.exec(text) ?? [];
  if (wanted === '') throw new InvalidArgumentError('must be [header=]text');
  return [...before, { header, text: wanted }];
}

const milliseconds = whole(1, 3_600_000);

function engineCommand(): Command {
  return roleCommand(
    'demarc engine',
    'The SIP engine. drachtio-srf applications connect to it as they would to drachtio-server.',
  )
    .addOption(
      new Option('--admin <host:port>', 'where applications connect')
        .argParser(hostPort)
        .default(hostPort(engineDefaults.admin), engineDefaults.admin),
    )
    .addOption(
      new Option('--secret <text>', 'secret that applications authenticate with (required)').env(
        'DEMARC_ENGINE_SECRET',
      ),
    )
    .addOption(
      new Option(
        '--udp <host:port[,internal][,force-rport]>',
        'SIP over UDP; may be repeated. force-rport: respond to the source port, as drachtio-server does, even if the ' +
          'request has no rport (RFC 3581)',
      )
        .argParser(udpAddresses)
        .default([], 'none'),
    )
    .addOption(
      new Option('--tcp <host:port[,internal]>', 'SIP over TCP; may be repeated')
        .argParser(listenAddresses)
        .default([], 'none'),
    )
    .addOption(
      new Option('--tls <host:port[,internal]>', 'SIP over TLS; may be repeated')
        .argParser(listenAddresses)
        .default([], 'none'),
    )
    .option('--cert <file>', 'server certificate, PEM, with its chain')
    .option('--key <file>', 'its private key, PEM')
    .option('--chain <file>', 'additional chain certificates, PEM')
    .option('--ca <file>', 'authorities trusted in addition to the well-known ones, PEM')
    .option(
      '--external-ip <host>',
      'address or DNS name to advertise instead of the bind address, except on internal listeners',
    )
    .addOption(
      new Option('--client-certificate <policy>', 'whether TLS clients must present a certificate')
        .choices(['none', 'optional', 'required'])
        .default('none'),
    )
    .addOption(
      new Option('--tls-verify <on|off>', 'verify chain and host name of servers')
        .choices(['on', 'off'])
        .default('on'),
    )
    .addOption(
      new Option('--tls-unverified-host <host>', 'accept any certificate of this host; may be repeated')
        .argParser((host: string, before: string[]) => [...before, host])
        .default([], 'none'),
    )
    .option(
      '--outbound-cert <file>',
      'client certificate for TLS servers that request one, PEM (default: --cert)',
    )
    .option('--outbound-key <file>', 'its private key, PEM')
    .option(
      '--hep <[tcp:]host:port>',
      'send every SIP message as HEP3, over UDP or with the prefix tcp: over TCP',
      hepTarget,
    )
    .option('--hep-id <number>', 'capture id in HEP3', whole(0, 4_294_967_295), 1)
    .option('--metrics <host:port>', 'HTTP with /metrics (Prometheus), /counts (JSON) and /livez', hostPort)
    .addOption(
      new Option(
        '--metrics-token <text>',
        'bearer token for /metrics and /counts (default: none required)',
      ).env('DEMARC_METRICS_TOKEN'),
    )
    .option('--t1 <ms>', 'RFC 3261 timer T1', milliseconds, 500)
    .option('--t2 <ms>', 'RFC 3261 timer T2', milliseconds, 4000)
    .option('--t4 <ms>', 'RFC 3261 timer T4', milliseconds, 5000)
    .option(
      '--invite-timeout <ms>',
      'time for an application to send any response to an INVITE',
      milliseconds,
      engineDefaults.inviteTimeout,
    )
    .option(
      '--ringing-timeout <ms>',
      'time for an application to send the final response to a ringing INVITE',
      milliseconds,
      engineDefaults.ringingTimeout,
    )
    .option(
      '--min-se <seconds>',
      'shortest session timer accepted (RFC 4028)',
      whole(1, 86_400),
      engineDefaults.minimumSessionExpiresSeconds,
    )
    .option(
      '--keep-seconds <n>',
      'time that dialogs marked with Engine-Keep wait for an application after theirs has disconnected',
      whole(0, 3_600),
      engineDefaults.keepSeconds,
    )
    .option(
      '--restore-seconds <n>',
      'time after the start that requests within unknown dialogs wait for an application to restore them, up to 20 s ' +
        'while none that keeps dialogs is connected and ready; 0: they get 481 at once',
      whole(0, 30),
      0,
    )
    .option(
      '--standby',
      'wait for the addresses of the listeners if this machine lacks them, and exit when one leaves: for an address that ' +
        'moves between machines',
    )
    .addOption(
      new Option(
        '--scanner <[header=]text>',
        'requests whose header (default: User-Agent) contains this text, case-insensitive, are from ' +
          'scanners; may be repeated',
      )
        .argParser(scanner)
        .default([], 'none'),
    )
    .addOption(
      new Option('--scanner-action <action>', 'response to scanners: 603 Decline, or nothing')
        .choices(['refuse', 'ignore'])
        .default('refuse'),
    )
    .addOption(
      new Option(
        '--scanner-stream-action <action>',
        'the same over TCP and TLS (default: --scanner-action)',
      ).choices(['refuse', 'ignore']),
    )
    .addOption(
      new Option(
        '--answer-options <text>',
        'answer 200 to OPTIONS if the User-Agent contains this text (*: all), without involving an application; may be repeated',
      )
        .argParser((text: string, before: string[]) => [...before, text])
        .default([], 'none'),
    )
    .option(
      '--drain-seconds <n>',
      'time for calls to finish after SIGTERM',
      whole(0, 86_400),
      engineDefaults.drainSeconds,
    )
    .option(
      '--strict-parity',
      `refuse frames that drachtio-server cannot handle (over ${drachtioMaximumFrame} bytes)`,
    )
    .addOption(
      new Option('--log-level <level>', 'minimum severity of log lines').choices(logLevels).default('info'),
    );
}

/**
 * Reads the arguments of `demarc engine`. Ends the process with a message when they cannot be used, or with the help text
 * when that is asked for.
 */
export function readEngineSettings(argv: readonly string[]): EngineSettings {
  const command: Command = engineCommand();
  command.parse([...argv], { from: 'user' });
  const options = command.opts<Options>();
  const listeners = (['udp', 'tcp', 'tls'] as const).flatMap((protocol) =>
    options[protocol].map((address): EngineListener => ({ protocol, ...address })),
  );
  if (options.secret === undefined || options.secret === '')
    command.error('error: --secret or DEMARC_ENGINE_SECRET is required');
  if (listeners.length === 0) command.error('error: at least one of --udp, --tcp, --tls is required');
  if (options.tls.length > 0 && (options.cert === undefined || options.key === undefined))
    command.error('error: --tls requires --cert and --key');
  if ((options.outboundCert === undefined) !== (options.outboundKey === undefined))
    command.error('error: --outbound-cert and --outbound-key must be set together');
  // An empty variable counts as absent, as everywhere.
  const token = options.metricsToken === '' ? undefined : options.metricsToken;
  if (token !== undefined && !isMetricsToken(token))
    command.error(`error: --metrics-token or DEMARC_METRICS_TOKEN ${metricsTokenRule}`);
  return Object.freeze({
    admin: options.admin,
    secret: options.secret,
    listeners,
    externalHost: options.externalIp,
    tls: {
      certificateFile: options.cert,
      keyFile: options.key,
      chainFile: options.chain,
      caFile: options.ca,
      clientCertificate: options.clientCertificate,
      verify: options.tlsVerify === 'on',
      unverifiedHosts: options.tlsUnverifiedHost,
      outbound:
        options.outboundCert === undefined || options.outboundKey === undefined
          ? undefined
          : { certificateFile: options.outboundCert, keyFile: options.outboundKey },
    },
    hep: options.hep,
    hepCaptureId: options.hepId,
    metrics: options.metrics,
    metricsToken: token,
    timers: { t1: options.t1, t2: options.t2, t4: options.t4 },
    inviteTimeout: options.inviteTimeout,
    ringingTimeout: options.ringingTimeout,
    minimumSessionExpiresSeconds: options.minSe,
    keepSeconds: options.keepSeconds,
    restoreSeconds: options.restoreSeconds,
    isStandby: options.standby === true,
    screening: {
      scanners: options.scanner,
      action: options.scannerAction,
      streamAction: options.scannerStreamAction ?? options.scannerAction,
      answeredOptions: options.answerOptions,
    },
    drainSeconds: options.drainSeconds,
    maximumFrame: options.strictParity === true ? drachtioMaximumFrame : engineDefaults.maximumFrame,
    logLevel: options.logLevel,
  });
}
