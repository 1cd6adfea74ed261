import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { Command, CommanderError, Option } from 'commander';
import { Redis } from 'ioredis';
import { SecretBox, SecretError } from '../../contract/secret.js';
import { DemarcError } from '../../errors.js';
import { readNumberDocument } from './number-document.js';
import { NumberWriter } from './number-writer.js';
import {
  documentFromFile,
  documentFromOptions,
  type PutOptions,
  readNumber,
  withoutSecrets,
} from './put-options.js';

interface PutCommandOptions extends PutOptions {
  readonly file?: string;
  readonly passwordStdin?: boolean;
  readonly passwordEnv?: string;
}

/** What the command needs of its surroundings. */
export interface TrunkCommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream;
  out(text: string): void;
  error(text: string): void;
}

const examples = `
Examples:
  demarc trunk put +14155550100 --organization acme --source 203.0.113.0/24 --source 2001:db8::/48
  printf %s "$PASSWORD" | demarc trunk put 14155550100 --username acme --password-stdin
  demarc trunk put 14155550100 --outbound sip.example.com --codecs opus,PCMU --transcode --concurrent 20
  demarc trunk put --file number.json
  demarc trunk get 14155550100

Environment: DEMARC_REDIS_URL (redis://127.0.0.1:6379), DEMARC_SECRET_KEY (32 bytes; needed with --username).
Exit status: 0 done, 1 not found or Redis not reachable, 2 wrong use or refused configuration.
`;

/** `demarc trunk`: number configurations in Redis by hand. Returns the exit status. */
export async function runTrunkCommand(argv: readonly string[], io: TrunkCommandIo): Promise<number> {
  let status = 0;
  const program = new Command('demarc trunk')
    .description('Put, get, list or delete the configuration of a number.')
    .option('--redis <url>', 'redis:// address or path of a socket (default: DEMARC_REDIS_URL)')
    .addHelpText('after', examples)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.error(text) });

  const withRedis = async (work: (numbers: NumberWriter) => Promise<void>): Promise<void> => {
    const given = program.opts<{ redis?: string }>().redis ?? io.environment.DEMARC_REDIS_URL;
    const url = given === undefined || given === '' ? 'redis://127.0.0.1:6379' : given;
    const redis = connect(url);
    try {
      await redis.connect().catch((error: Error) => {
        throw new Error(`Redis at ${withoutPassword(url)} is not reachable (${error.message})`);
      });
      await work(new NumberWriter(redis));
    } finally {
      redis.disconnect();
    }
  };

  program
    .command('put')
    .description('Write the configuration of a number, replacing the one there is.')
    .argument('[number]', 'E.164, with or without plus')
    .option('--file <path>', 'a whole document as JSON; "-" reads standard input')
    .option('--organization <name>', 'whose number it is', 'default')
    .option('--source <cidr...>', 'addresses that may call: CIDR or single, IPv4 or IPv6')
    .option('--username <name>', 'digest user that may call from anywhere')
    .option('--password-stdin', 'read the password from standard input')
    .option('--password-env <variable>', 'take the password from that environment variable')
    .option('--agent-uri <uri>', "the agent's SIP URI (default: DEMARC_AGENT_URI of the edge)")
    .option('--outbound <server...>', 'your servers: host[:port][;transport=udp|tcp|tls]')
    .option('--codecs <list>', 'enabled codecs by preference, e.g. opus,PCMU,PCMA')
    .option('--transcode', 'convert when the two sides share no codec')
    .option('--concurrent <calls>', 'most calls at once')
    .option('--rate <calls>', 'most new calls a second')
    .addOption(new Option('--max-duration <seconds>', 'longest call'))
    .action(async (number: string | undefined, options: PutCommandOptions) => {
      const secrets = secretsOf(io);
      const document =
        options.file === undefined
          ? documentFromOptions(requireNumber(number), options, await passwordOf(options, io), secrets)
          : documentFromFile(await readJson(options.file, io), number, secrets);
      await withRedis((numbers) => numbers.put(document));
      io.out(`${JSON.stringify(withoutSecrets(document), null, 2)}\n`);
    });

  program
    .command('get')
    .description('Print the configuration of a number; passwords are not shown.')
    .argument('<number>')
    .action(async (number: string) => {
      const digits = readNumber(number);
      await withRedis(async (numbers) => {
        const raw = await numbers.get(digits);
        if (raw === null) throw new DemarcError('not_found', digits);
        const read = readNumberDocument(raw, digits);
        if (!read.ok) throw new DemarcError('invalid_document', `${digits} in Redis: ${read.problem}`);
        io.out(`${JSON.stringify(withoutSecrets(read.document), null, 2)}\n`);
      });
    });

  program
    .command('list')
    .description('Print all numbers, one a line, with organization and ways in.')
    .action(async () => {
      await withRedis(async (numbers) => {
        for (const digits of await numbers.list()) {
          const raw = await numbers.get(digits);
          if (raw !== null) io.out(`${digits}\t${summaryOf(raw, digits)}\n`);
        }
      });
    });

  program
    .command('delete')
    .description('Delete the configuration of a number: it is answered 404 from now on.')
    .argument('<number>')
    .action(async (number: string) => {
      const digits = readNumber(number);
      await withRedis(async (numbers) => {
        if (!(await numbers.delete(digits))) throw new DemarcError('not_found', digits);
        io.out(`Deleted ${digits}.\n`);
      });
    });

  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    status = report(error, io);
  }
  return status;
}

export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runTrunkCommand(argv, {
    environment: process.env,
    stdin: process.stdin,
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  });
}

function report(error: unknown, io: TrunkCommandIo): number {
  // Commander has said it already; its own status for help and version is 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  io.error(`demarc trunk: ${message}\n`);
  if (error instanceof DemarcError) return error.code === 'not_found' ? 1 : 2;
  return error instanceof SecretError ? 2 : 1;
}

function connect(url: string): Redis {
  const options = {
    lazyConnect: true,
    connectTimeout: 2_000,
    commandTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  };
  const redis = url.startsWith('/') ? new Redis({ ...options, path: url }) : new Redis(url, options);
  // The awaited call reports it.
  redis.on('error', () => {});
  return redis;
}

const withoutPassword = (url: string): string => url.replace(/\/\/[^@/]*@/, '//');

function secretsOf({ environment }: TrunkCommandIo): SecretBox {
  const keys = [environment.DEMARC_SECRET_KEY, environment.DEMARC_SECRET_KEY_PREVIOUS];
  return new SecretBox(keys.flatMap((key) => (key === undefined || key === '' ? [] : [key])));
}

function requireNumber(number: string | undefined): string {
  if (number === undefined) throw new DemarcError('invalid_document', 'give a number, or --file');
  return number;
}

async function passwordOf(options: PutCommandOptions, io: TrunkCommandIo): Promise<string | undefined> {
  const { username, passwordStdin, passwordEnv } = options;
  if (username === undefined) {
    if (passwordStdin === true || passwordEnv !== undefined) {
      throw new DemarcError('invalid_document', 'a password needs --username');
    }
    return undefined;
  }
  if ((passwordStdin === true) === (passwordEnv !== undefined)) {
    throw new DemarcError('invalid_document', '--username needs either --password-stdin or --password-env');
  }
  if (passwordEnv === undefined) return (await readAll(io.stdin)).replace(/\r?\n$/, '');
  const password = io.environment[passwordEnv];
  if (password === undefined) {
    throw new DemarcError('invalid_document', `the environment has no ${passwordEnv}`);
  }
  return password;
}

async function readJson(path: string, io: TrunkCommandIo): Promise<unknown> {
  let text: string;
  try {
    text = path === '-' ? await readAll(io.stdin) : await readFile(path, 'utf8');
  } catch (error) {
    throw new DemarcError('invalid_document', `${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new DemarcError('invalid_document', `${path} is not JSON`);
  }
}

function summaryOf(raw: string, digits: string): string {
  const read = readNumberDocument(raw, digits);
  if (!read.ok) return `malformed: ${read.problem}`;
  const { organization, inbound, outbound } = read.document;
  const sources = inbound.reduce((count, { allowed_sources }) => count + allowed_sources.length, 0);
  const users = inbound.reduce((count, { credentials }) => count + credentials.length, 0);
  return `${organization}\t${sources} sources, ${users} users, ${outbound.length} outbound servers`;
}
