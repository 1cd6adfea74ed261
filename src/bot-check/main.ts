import { Command, Option } from 'commander';
import { version } from '../config/version.js';
import { agentStreamSchema, streamFormats, streamRates } from '../contract/agent-stream.js';
import { trustedAuthorities } from '../media-stream/bot/authorities.js';
import { botSockets } from '../media-stream/bot/bot-socket.js';
import { Handshakes } from '../media-stream/bot/handshakes.js';
import { EgressPolicy } from '../naming/egress.js';
import { checkBot } from './check.js';
import { type Finding, printed } from './findings.js';
import { RestTwin } from './rest-twin.js';

interface Options {
  readonly format: string;
  readonly sampleRate: string;
  readonly preamble: string;
  readonly header: readonly string[];
  readonly parameter: readonly string[];
  readonly secret?: string;
  readonly ca?: string;
  readonly seconds: string;
  readonly hangUp?: string;
  readonly http?: string;
  readonly key?: string;
  readonly json: boolean;
}

const listed = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const pairs = (texts: readonly string[], separator: string): Record<string, string> =>
  Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );

/** `demarc bot check URL`. Exit status: 0 without problems, 1 with some, 2 for wrong usage. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('demarc bot').description('Tools for voice agents that are WebSocket servers.');
  program
    .command('check')
    .description('Plays the service’s side of some calls against a bot, and says what is wrong.')
    .argument('<url>', 'wss:// URL of the bot, or ws:// for one on this machine')
    .addOption(new Option('--format <format>', 'messages').choices(streamFormats).default('media-streams'))
    .addOption(
      new Option('--sample-rate <hertz>', 'of pcm').choices(streamRates.map(String)).default('16000'),
    )
    .addOption(new Option('--preamble <name>', 'of pcm').choices(['demarc', 'listen']).default('demarc'))
    .option('--header <name:value>', 'header of the handshake; repeatable', listed, [])
    .option('--parameter <name=value>', 'parameter of the number; repeatable', listed, [])
    .option('--secret <text>', 'signing secret of the handshake')
    .option('--ca <file>', 'PEM file of further authorities')
    .option('--seconds <number>', 'how long the bot may take to its first words', '10')
    .option('--hang-up <digits>', 'digits after which the bot hangs up')
    .option('--http <host:port>', 'serve the call resource of the API there, by which the bot hangs up')
    .option('--key <text>', 'API key that the bot must send by HTTP; default: any')
    .option('--json', 'print JSON, one finding a line', false)
    .action(run);
  program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  for (const command of program.commands)
    command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  await program.parseAsync([...argv], { from: 'user' });
}

async function run(url: string, options: Options): Promise<void> {
  const read = agentStreamSchema.safeParse({
    url,
    format: options.format,
    sample_rate: Number(options.sampleRate),
    preamble: options.preamble,
    parameters: pairs(options.parameter, '='),
  });
  const seconds = Number(options.seconds);
  const { hangUp: hangUpDigits } = options;
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(options.http ?? '') ?? [];
  if (!read.success) return usage(read.error.issues[0]!.message);
  if (!(seconds > 0)) return usage('--seconds must be a number');
  if (hangUpDigits !== undefined && !/^[0-9*#A-D]{1,16}$/.test(hangUpDigits))
    return usage('--hang-up must be 1 to 16 digits, * or #');
  if (options.http !== undefined && (host === '' || Number(port) > 65_535))
    return usage('--http must be an address and a port, such as 127.0.0.1:8099');
  if (options.http !== undefined && hangUpDigits === undefined)
    return usage('--http requires --hang-up: the digits after which the bot hangs up');
  const twin = options.http === undefined ? undefined : await twinAt(host, Number(port), options.key);
  const findings: Finding[] = [];
  await checkBot(
    {
      stream: read.data,
      headers: pairs(options.header, ':'),
      secrets: options.secret === undefined ? [] : [options.secret],
      open: botSockets({
        secureContext: trustedAuthorities(options.ca),
        egress: new EgressPolicy({ allowPrivate: true }),
        handshakes: new Handshakes(),
      }),
      version,
      greetingMilliseconds: seconds * 1_000,
      ...(hangUpDigits === undefined ? {} : { hangUpDigits }),
      ...(twin === undefined ? {} : { twin }),
    },
    (finding) => {
      findings.push(finding);
      process.stdout.write(`${options.json ? JSON.stringify(finding) : printed(finding)}\n`);
    },
  );
  twin?.stop();
  const problems = findings.filter(({ level }) => level === 'problem').length;
  if (!options.json) process.stdout.write(problems === 0 ? 'No problems.\n' : `Problems: ${problems}.\n`);
  process.exit(problems === 0 ? 0 : 1);
}

function usage(problem: string): never {
  process.stderr.write(`demarc bot check: ${problem}\n`);
  process.exit(2);
}

const twinAt = (host: string, port: number, key: string | undefined): Promise<RestTwin> =>
  RestTwin.start(host.replace(/^\[|\]$/g, ''), port, key).catch((error: unknown) =>
    usage(`--http ${host}:${port}: ${(error as Error).message}`),
  );
