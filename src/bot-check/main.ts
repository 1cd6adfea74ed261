import { Command, Option } from 'commander';
import { version } from '../config/version.js';
import { agentStreamSchema, streamFormats, streamRates } from '../contract/agent-stream.js';
import { trustedAuthorities } from '../media-stream/bot/authorities.js';
import { botSockets } from '../media-stream/bot/bot-socket.js';
import { Handshakes } from '../media-stream/bot/handshakes.js';
import { EgressPolicy } from '../naming/egress.js';
import { checkBot } from './check.js';
import { type Finding, printed } from './findings.js';

interface Options {
  readonly format: string;
  readonly sampleRate: string;
  readonly preamble: string;
  readonly header: readonly string[];
  readonly parameter: readonly string[];
  readonly secret?: string;
  readonly ca?: string;
  readonly seconds: string;
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
    .description('Plays the service’s side of two calls against a bot, and says what is wrong.')
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
  if (!read.success || !(seconds > 0)) {
    const problem = read.success ? '--seconds must be a number' : read.error.issues[0]!.message;
    process.stderr.write(`demarc bot check: ${problem}\n`);
    process.exit(2);
  }
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
    },
    (finding) => {
      findings.push(finding);
      process.stdout.write(`${options.json ? JSON.stringify(finding) : printed(finding)}\n`);
    },
  );
  const problems = findings.filter(({ level }) => level === 'problem').length;
  if (!options.json) process.stdout.write(problems === 0 ? 'No problems.\n' : `Problems: ${problems}.\n`);
  process.exit(problems === 0 ? 0 : 1);
}
