import { rmSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, Option } from 'commander';
import { roleCommand } from '../../src/config/role-command.js';
import { complain, report } from '../../src/launcher/console.js';
import { hostPortText } from '../../src/launcher/part.js';
import { PrivatePorts } from '../../src/launcher/ports.js';
import { type ReadyFile, readReadyFile } from '../../src/launcher/ready-file.js';
import { readLauncherSettings, readStateDirectory } from '../../src/launcher/settings.js';
import { StateDirectory } from '../../src/launcher/state-directory.js';
import { Baresip, type BaresipCodec, baresipCodecs, CallClosed } from '../softphone/baresip.js';
import { hearTone } from '../softphone/tone.js';
import { answeredCodec, answerHertz, type CallResult, defectOf, describeCall } from './call-report.js';
import { withWebSocketAgent } from './websocket-agent.js';

/** The tone that the demo agent plays before it echoes. */
const agentToneHertz = 440;
/** Not a multiple of the agent's frequency, so that the two cannot be confused. */
const ownToneHertz = 1_000;
/** The demo agent greets for two seconds. */
const agentToneMilliseconds = 2_500;
const answerMilliseconds = 1_500;
const startMilliseconds = 60_000;
const answerWithinMilliseconds = 15_000;

interface Options {
  readonly seconds: number;
  readonly number?: string;
  readonly from: string;
  readonly codec: BaresipCodec;
  readonly startWithin: number;
  readonly digits?: string;
  readonly agent: 'sip' | 'websocket';
}

/** `npm run call`: a real softphone calls the running demo over TLS with mandatory SRTP. Exit code 0: audio both ways, at most 5 % of it missing. */
async function main(argv: readonly string[]): Promise<void> {
  const program = roleCommand(
    'npm run call --',
    'Calls the running demo with a softphone (baresip, TLS, mandatory SRTP) and prints a report.',
  )
    .option('-s, --seconds <seconds>', 'duration of the call after the answer', readSeconds, 6)
    .option('-n, --number <number>', 'number to call (default: the demo number)')
    .option('--from <number>', 'number or name of the caller', readCaller, 'caller')
    .option(
      '-c, --codec <codec>',
      `one of ${baresipCodecs.map(shortName).join(', ')}`,
      readCodec,
      baresipCodecs[0],
    )
    .option(
      '-d, --digits <digits>',
      'DTMF to press once the agent echoes: 1 to 3 ask its knowledge, 0 makes it remember the caller',
      readDigits,
    )
    .addOption(
      new Option('--agent <kind>', 'the demo agent, or a bot by WebSocket that this command runs')
        .choices(['sip', 'websocket'])
        .default('sip'),
    )
    .option('--start-within <seconds>', 'seconds in which a start may still begin', readSeconds, 0);
  program.parse([...argv], { from: 'user' });
  const stateDirectory = readStateDirectory(process.env);
  const options = program.opts<Options>();
  const ready = await waitForReady(stateDirectory, options.startWithin);
  if (ready === undefined) {
    complain(
      `Demarc is not running in ${stateDirectory} (no ready.json).\nRun 'npm start' in another terminal and wait for 'Demarc is up'. For another state directory set DEMARC_STATE_DIR.`,
    );
    process.exitCode = 1;
    return;
  }
  const folder = join(stateDirectory, 'softphone');
  const call =
    options.agent === 'sip'
      ? callDemo(ready, folder, options)
      : withWebSocketAgent(ready, (number) => callDemo(ready, folder, { ...options, number }));
  const result = await call.catch((failure: Error) => {
    complain(`the softphone failed to start: ${failure.message}`);
    return undefined;
  });
  if (result === undefined) {
    process.exitCode = 1;
    return;
  }
  process.stdout.write(describeCall(result, { agent: agentToneHertz, own: ownToneHertz }));
  const defect = defectOf(result);
  if (defect === undefined) {
    process.stdout.write('\nAudio went both ways.\n');
    return;
  }
  complain(`${defect}\nLogs: ${join(stateDirectory, 'log')}`);
  process.exitCode = 1;
}

/** @returns undefined when nothing runs there and nothing starts within `startWithin` seconds; waits for a service that is starting */
async function waitForReady(stateDirectory: string, startWithin: number): Promise<ReadyFile | undefined> {
  const directory = new StateDirectory(stateDirectory);
  const begin = performance.now();
  for (let isReported = false; ; isReported = true) {
    const ready = readReadyFile(stateDirectory);
    const waited = performance.now() - begin;
    if (ready !== undefined || waited > startMilliseconds) return ready;
    if (directory.owner === undefined && waited > startWithin * 1_000) return undefined;
    if (!isReported) report('Waiting for Demarc to start …');
    await sleep(200);
  }
}

/** One call from start to end. Does not reject when the call fails: the result says why. */
async function callDemo(ready: ReadyFile, directory: string, options: Options): Promise<CallResult> {
  // One folder per caller, so that two simultaneous calls do not share files.
  const ownDirectory = join(directory, `caller-${process.pid}`);
  const ports = new PrivatePorts(readLauncherSettings(process.env).privatePorts);
  const sipPort = await ports.takeRun(2);
  const rtpPort = await ports.takeRun(8);
  const address = callerAddress(ready.sip.host);
  const phone = await Baresip.start({
    directory: ownDirectory,
    address,
    sipPort,
    controlPort: await ports.take(),
    rtpPorts: { low: rtpPort, high: rtpPort + 7 },
    user: options.from,
    transport: 'tls',
    mediaEncryption: 'srtp-mand',
    codecs: [options.codec],
    toneHertz: ownToneHertz,
    caFile: ready.sip.caFile,
  });
  const uri = `sip:${options.number ?? ready.demo.number}@${hostPortText(ready.sip.host, ready.sip.port)}`;
  try {
    report(`baresip calls ${uri} over TLS …`);
    const failure = await talk(phone, uri, options, interruption());
    const srtp = phone.seen.findLast(({ type }) => type === 'CALL_MENC')?.param.split(',')[2];
    await phone.stop();
    const { trace } = phone;
    const heard = phone.heard.at(-1) ?? { samples: new Float32Array(), rate: 8_000 };
    return {
      uri,
      messages: trace,
      ownAddresses: phone.ownAddresses,
      codec: answeredCodec(trace),
      srtpSuite: srtp,
      packets: phone.packets,
      agentTone: hearTone(heard, agentToneHertz),
      echo: hearTone(heard, ownToneHertz),
      answers:
        options.digits === undefined
          ? undefined
          : {
              digits: options.digits.length,
              found: hearTone(heard, answerHertz.found),
              nothing: hearTone(heard, answerHertz.nothing),
            },
      failure,
    };
  } finally {
    await phone.stop();
    rmSync(ownDirectory, { recursive: true, force: true });
  }
}

/** Ctrl-C hangs up and reports what was heard so far: the phone would not end on its own. */
function interruption(): Promise<'interrupted'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('interrupted'));
  });
}

/** @returns the problem */
async function talk(
  phone: Baresip,
  uri: string,
  { seconds, digits }: Options,
  interrupted: Promise<'interrupted'>,
): Promise<string | undefined> {
  try {
    await phone.dial(uri);
    const isAnswered = phone.waitFor('CALL_ESTABLISHED', answerWithinMilliseconds);
    if ((await Promise.race([isAnswered, interrupted])) === 'interrupted') {
      isAnswered.catch(() => undefined);
      return 'interrupted before the call was answered.';
    }
    report(`Answered, sending audio for ${seconds} s …`);
    if (digits !== undefined) void press(phone, digits);
    const broken = await Promise.race([
      phone.waitFor('CALL_CLOSED', seconds * 1_000 + 5_000).then(({ param }) => param),
      sleep(seconds * 1_000, undefined, { ref: false }),
      interrupted.then(() => undefined),
    ]);
    if (typeof broken === 'string') return `the other side ended the call: ${broken}`;
    await phone.hangup();
    await phone.waitFor('CALL_CLOSED', 3_000);
    return undefined;
  } catch (failure) {
    if (failure instanceof CallClosed) return `the call was refused or failed: ${failure.message}`;
    return `the call could not be set up: ${failure instanceof Error ? failure.message : String(failure)}`;
  }
}

/** One digit at a time, each with the time for its answer. */
async function press(phone: Baresip, digits: string): Promise<void> {
  await sleep(agentToneMilliseconds);
  for (const digit of digits) {
    await phone
      .sendDtmf(digit)
      .catch((failure: Error) => report(`Digit ${digit} was not sent: ${failure.message}`));
    await sleep(answerMilliseconds);
  }
}

/** The phone uses the address it calls when that is local to this machine, else the first that is not loopback. */
function callerAddress(calledHost: string): string {
  const ipFamily = isIPv6(calledHost) ? 'IPv6' : 'IPv4';
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === ipFamily);
  if (calledHost.startsWith('127.')) return calledHost;
  return (
    own.find(({ address }) => address === calledHost)?.address ??
    own.find(({ internal }) => !internal)?.address ??
    '127.0.0.1'
  );
}

const shortName = (codec: BaresipCodec): string => codec.split('/')[0] ?? codec;

function readCodec(text: string): BaresipCodec {
  const codec = baresipCodecs.find((candidate) => shortName(candidate).toLowerCase() === text.toLowerCase());
  if (codec === undefined)
    throw new InvalidArgumentError(`Supported: ${baresipCodecs.map(shortName).join(', ')}.`);
  return codec;
}

function readCaller(text: string): string {
  if (!/^\+?[\w.-]{1,32}$/.test(text)) throw new InvalidArgumentError('must be a number or a name');
  return text;
}

function readDigits(text: string): string {
  if (!/^[0-9*#]{1,20}$/.test(text)) throw new InvalidArgumentError('Up to 20 of 0-9, * and #.');
  return text;
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 1 && seconds <= 3_600)) throw new InvalidArgumentError('Range 1 to 3600.');
  return seconds;
}

await main(process.argv.slice(2));
