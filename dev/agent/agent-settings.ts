import { InvalidArgumentError, Option } from 'commander';
import { type LogLevel, logLevels } from '../../src/base/log-level.js';
import { parseSocketAddress } from '../../src/base/socket-address.js';
import type { HostPort } from '../../src/config/environment.js';
import { roleCommand } from '../../src/config/role-command.js';

/** The options of the demo agent. */
export interface AgentSettings {
  /** SIP over UDP and TCP, on the same port; 0: any free one. RTP is on the same address. */
  readonly listen: HostPort;
  readonly ringMilliseconds: number;
  readonly toneMilliseconds: number;
  readonly logLevel: LogLevel;
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
  anything else           answers, plays the tone, then echoes
`;

/** Parses the arguments of the demo agent; exits with a message when they are invalid. */
export function readAgentSettings(argv: readonly string[]): AgentSettings {
  const command = roleCommand(
    'npm run agent --',
    'Demo voice agent: answers, plays a 440 Hz tone, then echoes the audio it receives.',
  )
    .option('--listen <host:port>', 'SIP over UDP and TCP', hostPort, hostPort('127.0.0.1:5080'))
    .option('--ring-ms <ms>', 'ringing time before it answers', milliseconds, 200)
    .option('--tone-ms <ms>', 'duration of the tone before it echoes', milliseconds, 2_000)
    .addOption(
      new Option('--log-level <level>', 'minimum severity of log lines').choices(logLevels).default('info'),
    )
    .addHelpText('after', behaviours);
  command.parse([...argv], { from: 'user' });
  const options = command.opts<{ listen: HostPort; ringMs: number; toneMs: number; logLevel: LogLevel }>();
  return Object.freeze({
    listen: options.listen,
    ringMilliseconds: options.ringMs,
    toneMilliseconds: options.toneMs,
    logLevel: options.logLevel,
  });
}
