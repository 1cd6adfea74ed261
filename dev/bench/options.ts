import { parseArgs } from 'node:util';
import { type AgentStream, streamFormats, streamRates } from '../../src/contract/agent-stream.js';
import { findBinary } from '../setup/system-packages.mjs';

/** A built clone to measure. */
export interface CloneOptions {
  readonly directory: string;
  readonly node: string;
  readonly nodeOptions: readonly string[];
}

export interface Options {
  readonly rates: readonly number[];
  readonly seconds: number;
  readonly holdMilliseconds: number;
  /** Calls before the first measured one. */
  readonly warm: number;
  /** How often each rate is measured, in alternation between the systems. */
  readonly rounds: number;
  /** This clone first, then those of `--system`. */
  readonly clones: readonly CloneOptions[];
  /** Pins the systems to these cores; undefined: no pinning. */
  readonly cores: string | undefined;
  readonly overload: boolean;
  /** Control and PostgreSQL run on the core of the callers, the rest of the system on the other one. */
  readonly storageApart: boolean;
  /** Directory for V8 CPU profiles of the systems' Node.js processes; profiling distorts the figures of the run. */
  readonly profile: string | undefined;
  /** Keeps logs and data. */
  readonly keep: boolean;
  /** Beside this clone also drachtio-server with a bare application, and the whole comparison. */
  readonly peers: boolean;
  /** The executable of a drachtio-server; undefined: it is not measured. */
  readonly drachtio: string | undefined;
  /** Searches the highest clean rate of each system. */
  readonly clean: boolean;
  /** Calls that are held at the same time, to measure what one costs; undefined: not measured. */
  readonly held: number | undefined;
  /** Idle TLS connections, to measure what one costs; undefined: not measured. */
  readonly connections: number | undefined;
  /** Calls at bots by WebSocket at the same time, one step each, in place of all other measurements. */
  readonly websocket: readonly number[] | undefined;
  /** Calls whose audio flows through rtpengine at the same time, one step each, in place of all other measurements. */
  readonly media: readonly number[] | undefined;
  /** Speech through Asterisk over a line that loses packets, in place of all other measurements. */
  readonly speech: boolean;
  /** Live calls beside the pages of the dashboard, in place of all other measurements. */
  readonly dashboard: number | undefined;
  /** Calls of an edge that is killed, which others take over, in place of all other measurements. */
  readonly takeover: number | undefined;
  /** Runs both sides of `websocket`, and what `speech` passes through, with a real-time priority. */
  readonly realTime: boolean;
  readonly format: AgentStream['format'];
  readonly sampleRate: AgentStream['sample_rate'];
  /** Measures what 1,000,000 numbers and several edges cost. */
  readonly growth: boolean;
  /** Node.js for the systems, also for the peer's application. */
  readonly node: string;
  /** File for all figures. */
  readonly json: string | undefined;
}

export const usage = `npm run bench -- [options]

  --rates 100,400       calls per second, one step each
  --seconds 10          length of a step
  --hold 1000           milliseconds between answer and hang-up
  --warm 3000           calls to each system before the first step
  --rounds 1            repeats each step, in alternation between the systems
  --system 'DIR [node=FILE] [flags=A,B]'
                        also measures the built clone in DIR; repeatable. With DIR=. it is this clone with other options of Node.js
  --node FILE           Node.js for all systems (default: the version of the images; where it cannot be installed, the running one)
  --only-systems        measures only the clones of --system
  --peers               compares with drachtio-server and a bare application on it: rates, held calls, highest clean rates, memory
                        a minute after the load; 9 minutes
  --drachtio FILE       the executable of that server (default: drachtio in PATH); without --peers it is measured at the rates only
  --clean               the highest rate with no failed call and 99 % answered in 250 ms
  --held 1000           memory and CPU of so many held calls, and of new calls beside them
  --connections 9000    memory of so many idle TLS connections, and the cost of new calls beside them
  --websocket 100,300   instead: so many calls at bots by WebSocket, both sides talking; one process on core 0, callers and bot on core 1
  --media 100           instead: so many calls whose audio flows through rtpengine, each release in turn, passed on and transcoded
  --speech              instead: speech through Asterisk at both ends, a twentieth of the packets lost, for each pair of codecs and each release
                        of rtpengine; as root, three minutes
  --format FORMAT       of these bots: media-streams (default) or pcm, and --sample-rate 8000, 16000 (default) or 24000
  --dashboard 2000      instead: first load of the dashboard on a slow line and processor, and its pages beside so many live calls
  --takeover 5000       instead: so many calls of an edge that is killed, until three others continue them; begun at the lowest of --rates, at most 50/s
  --real-time           runs both sides of --websocket, and what --speech passes through, with real-time priority (chrt, as root), for a
                        machine that others use; they wait meanwhile
  --growth              1,000 and 1,000,000 configured numbers; one, two and four edges on one engine
  --cores 0             keeps the systems to these cores (taskset)
  --storage-apart       control, PostgreSQL and the callers on core 1, engine, edge, Redis and rtpengine on core 0: what calls wait when storage
                        has another core than calls
  --overload            systems on core 0, callers on core 1: answered and refused calls beyond the capacity
  --profile DIR         V8 CPU profiles of the Node.js processes
  --json FILE           writes all figures
  --keep                keeps logs and data
`;

/** @throws Error with a text for the terminal */
export function readOptions(argv: readonly string[], here: string): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rates: { type: 'string', default: '100,400' },
      seconds: { type: 'string', default: '10' },
      hold: { type: 'string', default: '1000' },
      warm: { type: 'string', default: '3000' },
      rounds: { type: 'string' },
      system: { type: 'string', multiple: true, default: [] },
      'only-systems': { type: 'boolean', default: false },
      node: { type: 'string', default: process.execPath },
      cores: { type: 'string' },
      'storage-apart': { type: 'boolean', default: false },
      overload: { type: 'boolean', default: false },
      profile: { type: 'string' },
      peers: { type: 'boolean', default: false },
      drachtio: { type: 'string' },
      clean: { type: 'boolean', default: false },
      held: { type: 'string' },
      connections: { type: 'string' },
      websocket: { type: 'string' },
      media: { type: 'string' },
      speech: { type: 'boolean', default: false },
      dashboard: { type: 'string' },
      takeover: { type: 'string' },
      'real-time': { type: 'boolean', default: false },
      format: { type: 'string', default: 'media-streams' },
      'sample-rate': { type: 'string', default: '16000' },
      growth: { type: 'boolean', default: false },
      json: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const compared = values.system.map((text) => readClone(text, here, values.node));
  const mine = values['only-systems'] ? [] : [{ directory: here, node: values.node, nodeOptions: [] }];
  if (mine.length + compared.length === 0) throw new Error('--only-systems requires --system');
  return {
    rates: values.rates.split(',').map((text) => positive('--rates', text)),
    seconds: positive('--seconds', values.seconds),
    holdMilliseconds: positive('--hold', values.hold),
    warm: positive('--warm', values.warm),
    rounds: positive('--rounds', values.rounds ?? (values.peers ? '2' : '1')),
    clones: [...mine, ...compared],
    cores: values.overload || values['storage-apart'] ? '0' : values.cores,
    overload: values.overload,
    storageApart: values['storage-apart'],
    profile: values.profile,
    keep: values.keep,
    peers: values.peers,
    drachtio: values.drachtio ?? (values.peers ? findBinary('drachtio') : undefined),
    clean: values.clean || values.peers,
    held: values.held === undefined ? (values.peers ? 1_000 : undefined) : positive('--held', values.held),
    connections: values.connections === undefined ? undefined : positive('--connections', values.connections),
    websocket: values.websocket?.split(',').map((text) => positive('--websocket', text)),
    media: values.media?.split(',').map((text) => positive('--media', text)),
    speech: values.speech,
    dashboard: values.dashboard === undefined ? undefined : positive('--dashboard', values.dashboard),
    takeover: values.takeover === undefined ? undefined : positive('--takeover', values.takeover),
    realTime: values['real-time'],
    format: oneOf('--format', streamFormats, values.format),
    sampleRate: oneOf('--sample-rate', streamRates, Number(values['sample-rate'])),
    growth: values.growth,
    node: values.node,
    json: values.json,
  };
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${option}: must be a positive number, not ${text}`);
}

function oneOf<T>(option: string, choices: readonly T[], given: unknown): T {
  const found = choices.find((each) => each === given);
  if (found !== undefined) return found;
  throw new Error(`${option}: must be one of ${choices.join(', ')}`);
}

function readClone(text: string, here: string, node: string): CloneOptions {
  const [directory = '', ...settings] = text.trim().split(/\s+/);
  const values = new Map(
    settings.map((setting) => [setting.split('=', 1)[0]!, setting.slice(setting.indexOf('=') + 1)]),
  );
  for (const name of values.keys()) {
    if (name !== 'node' && name !== 'flags') throw new Error(`--system: no setting ${name}; use node, flags`);
  }
  return {
    directory: directory === '.' ? here : directory,
    node: values.get('node') ?? node,
    nodeOptions: values.get('flags')?.split(',') ?? [],
  };
}
