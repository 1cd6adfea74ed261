import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { numberKey } from '../../src/contract/keys.js';
import { numberDocumentSchema } from '../../src/contract/number.js';
import { type Children, portAccepts, until } from './children.js';
import type { Metered } from './cpu.js';

export const number = '15550100100';

/** Ports of one run, all on loopback. */
export interface Ports {
  readonly redis: number;
  readonly ng: number;
  readonly admin: number;
  readonly tls: number;
  readonly tcp: number;
  readonly hep: number;
  readonly http: number;
  readonly agent: number;
}

export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** The SIP server under the edge: Demarc's engine, or the executable of a drachtio-server. */
export type Server = { readonly kind: 'embedded' } | { readonly kind: 'drachtio'; readonly file: string };

/** Makes Node write a CPU profile of each process to that directory on exit. */
const nodeArguments = (profileDirectory: string | undefined): string[] =>
  profileDirectory === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profileDirectory];

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface StackOptions {
  /** Directory for V8 CPU profiles. */
  readonly profile?: string | undefined;
  /** True: the edge sheds load as in production. */
  readonly sheds: boolean;
}

/** Starts Redis, rtpengine, the SIP server and the edge, as in production: traces, records and admission on. */
export async function startStack(
  children: Children,
  directory: string,
  ports: Ports,
  certificate: Certificate,
  server: Server,
  { profile: profileDirectory, sheds }: StackOptions,
): Promise<Metered[]> {
  const redis = children.start(
    'redis',
    'redis-server',
    ['--bind', '127.0.0.1', '--port', String(ports.redis), '--save', '', '--appendonly', 'no'].concat(
      '--dir',
      directory,
    ),
  );
  await portAccepts(ports.redis);
  await writeNumber(ports);
  const rtpengine = children.start('rtpengine', 'rtpengine', [
    '--config-file=none',
    '--foreground',
    '--log-stderr',
    '--log-level=3',
    '--table=-1',
    '--interface=127.0.0.1',
    `--listen-ng=127.0.0.1:${ports.ng}`,
    '--port-min=32768',
    '--port-max=60000',
  ]);
  const secret = randomBytes(16).toString('hex');
  const engine = startServer(children, directory, ports, certificate, server, secret, profileDirectory);
  await portAccepts(ports.admin);
  await portAccepts(ports.tls);
  const edge = children.start('edge', process.execPath, [...nodeArguments(profileDirectory), cli, 'edge'], {
    NODE_ENV: 'production',
    DEMARC_LOG_LEVEL: 'info',
    DEMARC_STATE_DIR: directory,
    DEMARC_REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
    DEMARC_SECRET_KEY: randomBytes(32).toString('base64url'),
    DEMARC_RTPENGINE: `127.0.0.1:${ports.ng}`,
    DEMARC_HEP_LISTEN: `127.0.0.1:${ports.hep}`,
    DEMARC_HTTP_PORT: String(ports.http),
    DEMARC_AGENT_URI: `sip:agent@127.0.0.1:${ports.agent};transport=tcp`,
    // The load's parties are on loopback, and send no media.
    DEMARC_PRIVATE_NETWORKS: '127.0.0.0/8',
    DEMARC_AGENT_SILENCE_SECONDS: '0',
    DEMARC_ORGANIZATION_MAX_CALLS: '100000',
    DEMARC_ORGANIZATION_CALLS_PER_SECOND: '10000',
    // Shedding would distort a measurement of the cost per call.
    ...(sheds ? {} : { DEMARC_SETUP_DELAY_MS: '0' }),
    DEMARC_SOURCE_CALLS_PER_SECOND: '100000',
    DEMARC_MAX_CALLS: '100000',
    DRACHTIO_HOST: '127.0.0.1',
    DRACHTIO_PORT: String(ports.admin),
    DRACHTIO_SECRET: secret,
  });
  await until(async () => (await fetch(`http://127.0.0.1:${ports.http}/readyz`)).ok, 'the edge', 30_000);
  return [
    { name: 'server', pid: engine },
    { name: 'edge', pid: edge },
    { name: 'rtpengine', pid: rtpengine },
    { name: 'redis', pid: redis },
  ];
}

function startServer(
  children: Children,
  directory: string,
  ports: Ports,
  { certificateFile, keyFile, caFile }: Certificate,
  server: Server,
  secret: string,
  profileDirectory: string | undefined,
): number {
  if (server.kind === 'embedded') {
    return children.start(
      'server',
      process.execPath,
      [
        [...nodeArguments(profileDirectory), cli, 'engine', '--admin', `127.0.0.1:${ports.admin}`],
        ['--tls', `127.0.0.1:${ports.tls}`],
        ['--cert', certificateFile, '--key', keyFile, '--ca', caFile],
        ['--tcp', `127.0.0.1:${ports.tcp}`, '--hep', `tcp:127.0.0.1:${ports.hep}`],
      ].flat(),
      { DEMARC_ENGINE_SECRET: secret, NODE_ENV: 'production' },
    );
  }
  const configuration = join(directory, 'drachtio.conf.xml');
  writeFileSync(
    configuration,
    `<drachtio><admin port="${ports.admin}" secret="${secret}">127.0.0.1</admin><sip><contacts>` +
      `<contact>sips:127.0.0.1:${ports.tls};transport=tls</contact><contact>sip:127.0.0.1:${ports.tcp};transport=tcp</contact>` +
      `</contacts><tls><key-file>${keyFile}</key-file><cert-file>${certificateFile}</cert-file>` +
      `<chain-file>${caFile}</chain-file></tls><capture-server port="${ports.hep}" hep-version="3" id="1">127.0.0.1` +
      `</capture-server></sip><logging><console/><loglevel>error</loglevel><sofia-loglevel>0</sofia-loglevel></logging></drachtio>\n`,
    { mode: 0o600 },
  );
  return children.start('server', server.file, ['-f', configuration]);
}

async function writeNumber({ redis: port }: Ports): Promise<void> {
  const redis = new Redis({ host: '127.0.0.1', port });
  const document = numberDocumentSchema.parse({
    version: 1,
    number,
    organization: 'bench',
    updated_at: new Date().toISOString(),
    inbound: [{ id: 'bench', allowed_sources: ['127.0.0.1/32'] }],
  });
  await redis.set(numberKey(number), JSON.stringify(document));
  await redis.quit();
}
