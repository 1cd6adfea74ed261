import { InvalidArgumentError, Option } from 'commander';
import { type LogLevel, logLevels } from '../../src/base/log-level.js';
import { parseSocketAddress } from '../../src/base/socket-address.js';
import type { HostPort } from '../../src/config/environment.js';
import { roleCommand } from '../../src/config/role-command.js';
import { type Knowledge, type Questions, usualQuestions } from './question.js';

/** The options of the demo agent. */
export interface AgentSettings {
  /** SIP over UDP and TCP, on the same port; 0: any free one. RTP is on the same address. */
  readonly listen: HostPort;
  readonly ringMilliseconds: number;
  readonly toneMilliseconds: number;
  readonly logLevel: LogLevel;
  /** Undefined: digits have no effect. */
  readonly knowledge?: Knowledge | undefined;
}

function hostPort(text: string): HostPort {
  const parsed = parseSocketAddress(text);
  if (parsed === undefined) throw new InvalidArgumentError('must be host:port');
  return parsed;
}

function milliseconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('must be milliseconds');
  return Number(text);
}

const behaviours = `
The called user, or a header X-Agent-Behaviour, selects the behaviour:
  busy, reject-<status>   refuses with 486 or that status
  ring                    rings until the caller hangs up
  noanswer                sends no response
  slow-<seconds>          rings that long, then answers
  early                   183 with a tone, then answers
  hangup-<seconds>        answers and hangs up after that time
  hold-<seconds>          answers, puts the caller on hold after that time, resumes after the same time
  silent                  answers and sends no audio
  tone                    answers and plays the tone until the call ends
  talk-<ms>               speaks and understands the tone code of agent tests, and replies after that time
  insist-<ms>             the same, but talks on when it is interrupted
  interrupt-<ms>          the same, but interrupts the caller
  anything else           answers, plays the tone, then echoes

With --api, a digit (DTMF) during the echo asks the call's knowledge a question, with the token of the call, and the agent
plays 880 Hz for a second if a passage is found, 220 Hz if none is. The digit 0 counts the call in the memory of its contact.
`;

function question(text: string, before: Questions): Questions {
  const [, digit, words] = /^([0-9*#])=(.{1,500})$/.exec(text) ?? [];
  if (digit === undefined || words === undefined) throw new InvalidArgumentError('must be digit=question');
  return { ...before, [digit]: words };
}

function url(text: string): string {
  if (!/^https?:/.test(text) || !URL.canParse(text)) throw new InvalidArgumentError('must be an http URL');
  return text;
}

/** Parses the arguments of the demo agent; exits with a message when they are invalid. */
export function readAgentSettings(argv: readonly string[]): AgentSettings {
  const command = roleCommand(
    'npm run agent --',
    'Demo voice agent: answers, plays a 440 Hz tone, then echoes the audio it receives.',
  )
    .option('--listen <host:port>', 'SIP over UDP and TCP', hostPort, hostPort('127.0.0.1:5080'))
    .option('--ring-ms <ms>', 'ringing time before it answers', milliseconds, 200)
    .option('--tone-ms <ms>', 'duration of the tone before it echoes', milliseconds, 2_000)
    .option('--api <url>', 'address of the API, to search the knowledge of calls', url)
    .option('--question <digit=question>', 'what a digit asks; may be repeated', question, usualQuestions)
    .addOption(
      new Option('--log-level <level>', 'minimum severity of log lines').choices(logLevels).default('info'),
    )
    .addHelpText('after', behaviours);
  command.parse([...argv], { from: 'user' });
  const options = command.opts<{
    listen: HostPort;
    ringMs: number;
    toneMs: number;
    logLevel: LogLevel;
    api?: string;
    question: Questions;
  }>();
  return Object.freeze({
    listen: options.listen,
    ringMilliseconds: options.ringMs,
    toneMilliseconds: options.toneMs,
    logLevel: options.logLevel,
    knowledge: options.api === undefined ? undefined : { url: options.api, questions: options.question },
  });
}
