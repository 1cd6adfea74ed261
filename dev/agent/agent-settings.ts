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
  /** Undefined: the demo agent. */
  readonly pathway?: PathwaySettings | undefined;
}

/** Of the reference agent for pathways, which takes calls by WebSocket at the address of `listen`. */
export interface PathwaySettings {
  /** Base URL of the API. */
  readonly apiUrl: string;
  /** BCP 47. */
  readonly language: string;
  /** URL of the agent as it is configured for numbers; undefined: handshakes are not checked. */
  readonly signedUrl: string | undefined;
}

const sipListener = '127.0.0.1:5080';
const streamListener = '127.0.0.1:8090';
const apiDefault = 'http://127.0.0.1:8080';

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

With --pathway it is another agent: it takes calls by WebSocket (agent of the number: ws://host:port/), reads the pathway of each
call from the API with the token of the call, and follows it. The model and the voices are those of DEMARC_LLM_*, DEMARC_TTS_* and
DEMARC_STT_*. Without them a stand-in answers by rules, espeak-ng speaks, and the caller is understood by keys alone.
With --signed-url it checks the signatures of handshakes with the secrets of AGENT_SIGNING_SECRETS (comma-separated).
`;

function language(text: string): string {
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text))
    throw new InvalidArgumentError('must be a language tag such as en-US');
  return text;
}

function question(text: string, before: Questions): Questions {
  const [, digit, words] = /^([0-9*#])=(.{1,500})$/.exec(text) ?? [];
  if (digit === undefined || words === undefined) throw new InvalidArgumentError('must be digit=question');
  return { ...before, [digit]: words };
}

function url(text: string): string {
  if (!/^https?:/.test(text) || !URL.canParse(text)) throw new InvalidArgumentError('must be an http URL');
  return text;
}

function signedUrl(text: string): string {
  if (!/^wss?:/.test(text) || !URL.canParse(text)) throw new InvalidArgumentError('must be a ws or wss URL');
  return text;
}

/** Parses the arguments of the demo agent; exits with a message when they are invalid. */
export function readAgentSettings(argv: readonly string[]): AgentSettings {
  const command = roleCommand(
    'npm run agent --',
    'Demo voice agent: answers, plays a 440 Hz tone, then echoes the audio it receives.',
  )
    .option(
      '--listen <host:port>',
      `SIP over UDP and TCP (default: ${sipListener}), or WebSocket with --pathway (default: ${streamListener})`,
      hostPort,
    )
    .option('--ring-ms <ms>', 'ringing time before it answers', milliseconds, 200)
    .option('--tone-ms <ms>', 'duration of the tone before it echoes', milliseconds, 2_000)
    .option(
      '--api <url>',
      `address of the API, to search the knowledge of calls (--pathway: ${apiDefault})`,
      url,
    )
    .option('--question <digit=question>', 'what a digit asks; may be repeated', question, usualQuestions)
    .option('--pathway', 'takes calls by WebSocket and follows their pathways')
    .option('--language <tag>', 'language of the callers of pathways', language, 'en-US')
    .option('--signed-url <url>', 'URL of --pathway that handshakes must be signed for', signedUrl)
    .addOption(
      new Option('--log-level <level>', 'minimum severity of log lines').choices(logLevels).default('info'),
    )
    .addHelpText('after', behaviours);
  command.parse([...argv], { from: 'user' });
  const options = command.opts<{
    listen?: HostPort;
    ringMs: number;
    toneMs: number;
    logLevel: LogLevel;
    api?: string;
    question: Questions;
    pathway?: true;
    language: string;
    signedUrl?: string;
  }>();
  const isPathway = options.pathway === true;
  return Object.freeze({
    listen: options.listen ?? hostPort(isPathway ? streamListener : sipListener),
    ringMilliseconds: options.ringMs,
    toneMilliseconds: options.toneMs,
    logLevel: options.logLevel,
    knowledge: options.api === undefined ? undefined : { url: options.api, questions: options.question },
    pathway: isPathway
      ? { apiUrl: options.api ?? apiDefault, language: options.language, signedUrl: options.signedUrl }
      : undefined,
  });
}
