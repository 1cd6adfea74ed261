import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { callProcessOptions, mediaStreamEnvironment } from '../../src/base/garbage-collection.js';
import { freePorts } from '../../test/support/free-ports.js';
import { root } from '../setup/bootstrap.mjs';
import { findBinary } from '../setup/system-packages.mjs';
import { Children, portAccepts } from './children.js';
import { CpuMeter, type Metered, memoryOf } from './cpu.js';
import type { CloneOptions, Options } from './options.js';
import { type StreamFigures, type StreamLoad, streamFiguresSchema } from './stream-figures.js';

const generator = fileURLToPath(new URL('stream-load.ts', import.meta.url));
const secretKey = randomBytes(32).toString('hex');
/** The process under test has one core, callers and bot have the other. */
const cores = { system: '0', generator: '1' };
const callsPerSecond = 20;
const settleMilliseconds = 4_000;
/**
 * With `--real-time`. The compiler and the collector of V8 run in other threads of the same core: with the priority of the main thread
 * they would never have their turn, and the main thread would wait for them.
 */
const priorities = { all: ['nice', '-n', '-20'], mainThread: ['-f', '-p', '10'] };

export interface StreamSetting {
  readonly directory: string;
  readonly authority: { readonly caFile: string };
  readonly certificate: StreamLoad['certificate'];
}

interface StreamSystem {
  readonly name: string;
  readonly target: StreamLoad['target'];
  readonly process: Metered;
  /** Of its private HTTP. */
  readonly url: string;
  /** Least resident megabytes by the number of calls: later rounds also hold what earlier ones have left. */
  readonly megabytes: Map<number, number>;
}

/**
 * `--websocket`: CPU, lateness, delay and memory of calls at bots by WebSocket over TLS, both directions talking all the time, at one
 * media-stream process. rtpengine and the edge take no part: callers send to the process as rtpengine does.
 */
export async function measureStreams(
  options: Options,
  setting: StreamSetting,
  print: (line: string) => void,
): Promise<void> {
  const children = new Children(setting.directory, { cores: cores.system });
  const program = await buildGenerator();
  try {
    const [redisPort] = await freePorts(1);
    const redis = findBinary('redis-server');
    if (redis === undefined) throw new Error('--websocket requires redis-server');
    children.start('redis', redis, ['--port', String(redisPort), '--save', '', '--bind', '127.0.0.1']);
    await portAccepts(redisPort!);
    const systems: StreamSystem[] = [];
    for (const [index, clone] of options.clones.entries())
      systems.push(await startStreams(children, setting, { clone, index, redisPort: redisPort!, options }));
    for (const calls of options.websocket ?? [])
      for (let round = 0; round < options.rounds; round++)
        for (const system of systems) print(await measureStep(options, setting, system, { program, calls }));
    for (const system of systems) for (const line of growthOf(system)) print(line);
  } finally {
    await children.stop();
  }
}

/** Compiled beforehand: the thread in which `tsx` translates modules starves under a real-time priority. */
async function buildGenerator(): Promise<string> {
  const outDir = join(root, 'dist-dev', 'bench');
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: { ssr: generator, target: 'node20', outDir, emptyOutDir: true },
  });
  return join(outDir, 'stream-load.js');
}

/** The command of a program of Node.js. */
function commandOf(
  { realTime: isRealTime, profile }: Options,
  node: string,
  argv: readonly string[],
): string[] {
  const profiled = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
  return [...(isRealTime ? priorities.all : []), node, ...profiled, ...argv];
}

function prefer({ realTime }: Options, pid: number): void {
  if (realTime) execFileSync('chrt', [...priorities.mainThread, String(pid)]);
}

async function startStreams(
  children: Children,
  { directory, authority }: StreamSetting,
  {
    clone,
    index,
    redisPort,
    options,
  }: {
    readonly clone: CloneOptions;
    readonly index: number;
    readonly redisPort: number;
    readonly options: Options;
  },
): Promise<StreamSystem> {
  const name = index === 0 ? 'demarc' : `system ${index + 1}`;
  const program = join(clone.directory, 'dist', 'cli.js');
  if (!existsSync(program))
    throw new Error(`${program} is missing: run npm run build in ${clone.directory}.`);
  const [sip, http] = await freePorts(2);
  const home = join(directory, name.replace(' ', '-'));
  mkdirSync(home);
  const nodeOptions = [...callProcessOptions, ...clone.nodeOptions];
  const [file, ...argv] = commandOf(options, clone.node, [...nodeOptions, program, 'media-stream']);
  const pid = children.start(`stream-${index}`, file!, argv, {
    ...mediaStreamEnvironment,
    NODE_ENV: 'production',
    DEMARC_STREAM_ID: name.replace(' ', '-'),
    DEMARC_REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    DEMARC_SECRET_KEY: secretKey,
    DEMARC_STREAM_LISTEN: `127.0.0.1:${sip}`,
    DEMARC_STREAM_HTTP: `127.0.0.1:${http}`,
    DEMARC_STREAM_CA: authority.caFile,
    DEMARC_STREAM_ALLOW_PRIVATE: 'true',
    // The figures say when it is late.
    DEMARC_STREAM_MAX_LATENESS_MS: '1000',
    DEMARC_DRAIN_SECONDS: '0',
  });
  await portAccepts(sip!);
  prefer(options, pid);
  const measured = { name: 'media-stream', pid };
  return {
    name,
    target: { host: '127.0.0.1', port: sip! },
    process: measured,
    url: `http://127.0.0.1:${http}`,
    megabytes: new Map(),
  };
}

async function measureStep(
  options: Options,
  { certificate }: StreamSetting,
  { name, target, process: measured, url, megabytes }: StreamSystem,
  { program, calls }: { readonly program: string; readonly calls: number },
): Promise<string> {
  const { seconds, format, sampleRate } = options;
  const load: StreamLoad = {
    target,
    secretKey,
    certificate,
    calls,
    callsPerSecond,
    settleMilliseconds,
    seconds,
    format,
    sampleRate,
  };
  const before = memoryOf([measured]).get(measured.name)!.rss;
  const command = commandOf(options, options.node, [program, JSON.stringify(load)]);
  const child = spawn('taskset', ['-c', cores.generator, ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: child.stdout });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The callers of ${calls} calls have ended before they measured.`);
    });
    ended.catch(() => {});
    const ready = once(lines, 'line');
    await Promise.race([ready, ended]);
    prefer(options, child.pid!);
    const next = async (): Promise<string> => String((await Promise.race([once(lines, 'line'), ended]))[0]);
    await next();
    const meter = new CpuMeter([measured]);
    const open = memoryOf([measured]).get(measured.name)!.rss;
    megabytes.set(calls, Math.min(open, megabytes.get(calls) ?? open));
    await next();
    const spent = meter.read().get(measured.name)!;
    const ticks = await latenessOf(url);
    const figures = streamFiguresSchema.parse(JSON.parse(await next())) as StreamFigures;
    const memory = { megabytes: open, kilobytesPerCall: ((open - before) * 1_024) / calls };
    return lineOf(name, calls, spent / (seconds * 1_000), memory, ticks, figures);
  } finally {
    child.kill();
  }
}

/** What a call costs in memory without what the process costs: the difference between two numbers of calls. */
function growthOf({ name, megabytes }: StreamSystem): string[] {
  const steps = [...megabytes].sort(([a], [b]) => a - b);
  return steps.slice(1).map(([calls, most], index) => {
    const [fewerCalls, least] = steps[index]!;
    const kilobytes = ((most - least) * 1_024) / (calls - fewerCalls);
    return `${name.padEnd(10)} ${kilobytes.toFixed(0)} KB a call between ${fewerCalls} and ${calls} calls`;
  });
}

/** What the process says of its ticks in the last seconds, in milliseconds. */
async function latenessOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^demarc_stream_frame_lateness_seconds(?:\{\S*\})? (\S+)/m.exec(text)?.[1]) * 1_000;
}

function lineOf(
  name: string,
  calls: number,
  core: number,
  { megabytes, kilobytesPerCall }: { readonly megabytes: number; readonly kilobytesPerCall: number },
  ticks: number,
  figures: StreamFigures,
): string {
  const { lateness, toBot, toCaller, clear, arrived, heard, generatorCore } = figures;
  const of = ({ p50, p99 }: StreamFigures['lateness']): string => `${figure(p50)}/${figure(p99)}`;
  return (
    `${name.padEnd(10)} ${String(calls).padStart(4)} calls  ${(core * 100).toFixed(0)} % of a core ` +
    `(${((core * 1_000) / calls).toFixed(2)} ms a call and second)  ${megabytes.toFixed(0)} MB, ${kilobytesPerCall.toFixed(0)} KB a call more than before  ` +
    `ticks late ${ticks.toFixed(0)} ms (p99), RTP late ${of(lateness)}/${figure(lateness.p999)} ms (p50/p99/p99.9), ${(arrived * 100).toFixed(2)} % came  ` +
    `to the bot ${of(toBot)} (${(heard * 100).toFixed(2)} % whole), to the caller ${of(toCaller)}, clear ${of(clear)} ms (p50/p99)  ` +
    `callers and bot ${(generatorCore * 100).toFixed(0)} % of the other core`
  );
}

const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(1));
