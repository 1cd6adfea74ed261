import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { respondTo } from '../../src/sip/response.js';
import { seededRandom } from '../../src/testkit/index.js';
import type { SipPeer } from '../../src/testkit/sip-peer.js';
import { until } from '../../src/testkit/waiting.js';
import { memoryOf } from '../bench/cpu.js';
import { stopAtSignal } from '../bench/stop-at-signal.js';
import { LaunchedSystem } from '../survival/launched-system.js';
import { rows } from '../survival/rows.js';
import { problemsOf, refusalOf, runRow } from '../survival/run-row.js';
import { type Growth, growthOf, type Sample } from './growth.js';
import { Outages } from './outages.js';
import { SoakBot } from './soak-bot.js';
import { type CallKind, type Line, SoakCalls, type WorkerKind } from './soak-calls.js';

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Only kills whose name contains it; absent: all. */
  readonly kill?: string | undefined;
  /** Prints a line of progress. */
  readonly onProgress: (line: string) => void;
}

export interface SoakReport {
  readonly minutes: number;
  readonly seed: number;
  /** How many of each kind went as they should. */
  readonly calls: Readonly<Partial<Record<CallKind, number>>>;
  /** Attempts that failed while a process was down. */
  readonly disturbed: number;
  /** Answered calls that a kill met, and that had to outlive it. */
  readonly outlived: number;
  /** Of each machine that died: milliseconds until the peers of its calls knew another address. */
  readonly signaling: readonly number[];
  /** How often each process was killed. */
  readonly kills: Readonly<Record<string, number>>;
  readonly samples: readonly Sample[];
  /** Undefined: the soak was too short to judge. */
  readonly growth: readonly Growth[] | undefined;
  readonly problems: readonly string[];
}

const workers: readonly WorkerKind[] = [
  ...Array<WorkerKind>(6).fill('inbound'),
  ...Array<WorkerKind>(2).fill('outbound'),
  ...Array<WorkerKind>(2).fill('transfer'),
  ...Array<WorkerKind>(2).fill('bot'),
];
/** Processes are killed at the beginning and at the end, so that they grow old between. */
const troubled = [
  { from: 0, to: 0.25 },
  { from: 0.88, to: 0.97 },
] as const;
const victims = [
  'edge-1',
  'edge-2',
  'engine',
  'media-stream',
  'rtpengine',
  'control',
  'postgres',
  'redis',
] as const;
const everything = 'all but rtpengine and the agent at once';
const replacement = 'replaced, all of them';
const machine = 'a machine';
const everyKill: readonly string[] = [...victims, everything, replacement, machine];
const machineRow = rows.find(({ name }) => name.startsWith('a machine with engine and edge dies'))!;
const machineCalls = 14;
const pauseBetweenKills = 12_000;
/** Between two samples. */
const longestPeriod = 300;
const shortestPeriod = 60;
const samplesPerSoak = 24;
/** 64·T1, after which transactions are gone. */
const settlingMilliseconds = 50_000;
const zeroGauges =
  /^(?:demarc_(?:calls|ending|dialogs|admitted|watched|owed_deletions|records_waiting|setups_waiting|stream_calls|engine_dialogs)|drachtio_sofia_(?:client|server)_txn_hash_size)$/;

/** All that `npm start` runs, under calls of all kinds, while its processes are killed and get older. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const system = await LaunchedSystem.start({ DEMARC_DRAIN_SECONDS: '10' });
  let machines: Promise<unknown> = Promise.resolve();
  let running: Soak | undefined;
  const stop = async (): Promise<void> => {
    running?.end();
    await system.stop();
    // It ends what it started.
    await machines;
  };
  stopAtSignal(stop);
  try {
    const bot = await SoakBot.start(await system.issue('bot', ['localhost']));
    running = new Soak(system, bot, options, (row) => {
      machines = row.catch(() => {});
    });
    const report = await running.run();
    await bot.stop();
    return report;
  } finally {
    await stop();
  }
}

/** Those whose name contains the text. */
export const killsOf = (text = ''): readonly string[] => everyKill.filter((name) => name.includes(text));

class Soak {
  private readonly random: () => number;
  private readonly outages = new Outages();
  private readonly chosenKills: readonly string[];
  private readonly calls: SoakCalls;
  private readonly samples: Sample[] = [];
  private readonly problems: string[] = [];
  private readonly kills = new Map<string, number>();
  private readonly signaling: number[] = [];
  private began = performance.now();
  private readonly trunkPorts = new Map<number, number>();
  private readonly lines = new Map<number, Line>();
  private isOpen = true;
  private isOver = false;
  private hasEnded = false;
  private active = 0;
  /** Kills and samples take turns. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly system: LaunchedSystem,
    private readonly bot: SoakBot,
    private readonly options: SoakOptions,
    /** Called with what a killed machine's row does until it is over. */
    private readonly onMachines: (row: Promise<unknown>) => void,
  ) {
    this.random = seededRandom(options.seed);
    this.chosenKills = killsOf(options.kill);
    this.calls = new SoakCalls(system, bot, this.random, this.outages, (text) => this.problem(text));
  }

  async run(): Promise<SoakReport> {
    for (const index of workers.keys()) await this.openLine(index);
    // The first kills must meet calls, also where opening the lines took long.
    this.began = performance.now();
    const work = workers.map((kind, index) => this.work(kind, index));
    await Promise.all([this.killAll(), this.sampleAll()]);
    this.isOver = true;
    await Promise.all(work);
    await Promise.all([...this.lines.values()].map(({ trunk }) => trunk.close()));
    const { calls, samples } = this;
    const growth = growthOf(samples);
    const grown = (growth ?? [])
      .filter(({ isFlat }) => !isFlat)
      .map(
        ({ process, what, first, last }) =>
          `${process} grew from ${Math.round(first)} to ${Math.round(last)} ${what}`,
      );
    return {
      minutes: this.options.minutes,
      seed: this.options.seed,
      calls: Object.fromEntries(calls.done),
      disturbed: calls.disturbed,
      outlived: calls.outlived,
      signaling: this.signaling,
      kills: Object.fromEntries(this.kills),
      samples,
      growth,
      problems: [...this.problems, ...this.bot.problems, ...grown],
    };
  }

  /** The system is being stopped: no more calls, and what fails from now on is no problem. */
  end(): void {
    this.isOver = true;
    this.hasEnded = true;
  }

  private problem(text: string): void {
    if (this.hasEnded) return;
    this.problems.push(text);
    this.options.onProgress(`    ${text}`);
  }

  private get minutes(): number {
    return (performance.now() - this.began) / 60_000;
  }

  private get share(): number {
    return this.minutes / this.options.minutes;
  }

  private async work(kind: WorkerKind, index: number): Promise<void> {
    while (!this.isOver) {
      if (!this.isOpen) {
        await sleep(200);
        continue;
      }
      this.active++;
      try {
        await this.calls.make(kind, this.lines.get(index)!);
      } finally {
        this.active--;
      }
      await sleep(this.random() * 1_000);
    }
  }

  /** A number of the worker's own, and the trunk that its ordered calls and transfers go to, always at the same port. */
  private async openLine(index: number): Promise<void> {
    const number = `120255501${String(10 + index)}`;
    const trunk = await this.system.open(this.trunkPorts.get(index) ?? 0);
    const agent = workers[index] === 'bot' ? this.bot.urlOf(number) : undefined;
    if (!this.trunkPorts.has(index)) await this.system.number(trunk, number, agent);
    this.trunkPorts.set(index, trunk.port);
    this.lines.set(index, { number, trunk });
    void answerProbes(trunk);
  }

  private async killAll(): Promise<void> {
    let left: string[] = [];
    while (this.share < 1) {
      await sleep(1_000);
      if (!troubled.some(({ from, to }) => this.share >= from && this.share < to)) continue;
      if (left.length === 0) left = this.shuffled(this.chosenKills);
      await this.inTurn(() => this.kill(left.pop()!));
      await sleep(pauseBetweenKills);
    }
  }

  private async kill(victim: string): Promise<void> {
    const { system, outages } = this;
    const at = performance.now();
    try {
      if (victim === machine) await this.killMachine();
      // Nothing may fail then: calls continue, and new ones are taken.
      else if (victim === replacement) await system.replace();
      else if (victim === everything)
        await outages.during(async () => {
          await system.kill();
          await system.up();
        });
      else await outages.during(() => system.restart(victim));
      this.kills.set(victim, (this.kills.get(victim) ?? 0) + 1);
    } catch (error) {
      this.problem(`kill of ${victim}: ${(error as Error).message.split('\n')[0]}`);
    }
    this.options.onProgress(
      `${this.minutes.toFixed(1)} min: ${victim}, back after ${seconds(performance.now() - at)}`,
    );
  }

  /** Machines are network namespaces apart from the system. */
  private async killMachine(): Promise<void> {
    const refusal = refusalOf(machineRow);
    if (refusal !== undefined) {
      this.options.onProgress(`skipped: ${machine}: ${refusal}`);
      return;
    }
    const row = runRow(machineRow, machineCalls);
    this.onMachines(row);
    const outcome = await row;
    if (outcome.signaling !== undefined) this.signaling.push(outcome.signaling);
    for (const problem of problemsOf(machineRow, outcome)) this.problem(`${machine}: ${problem}`);
  }

  private async sampleAll(): Promise<void> {
    const period = Math.min(
      longestPeriod,
      Math.max(shortestPeriod, (this.options.minutes * 60) / samplesPerSoak),
    );
    for (let next = period; this.share < 1; ) {
      await sleep(1_000);
      if (this.minutes * 60 < next) continue;
      await this.inTurn(() => this.sample());
      next = this.minutes * 60 + period;
    }
    await this.inTurn(() => this.sample());
  }

  /** Waits until nothing is up, then counts what is left and measures the processes. */
  private async sample(): Promise<void> {
    this.isOpen = false;
    await until(() => this.active === 0, 120_000, 'the end of all calls');
    for (const [index, { trunk }] of this.lines) {
      await trunk.close();
      await this.openLine(index);
    }
    let left: string[] = [];
    const isIdle = async (): Promise<boolean> => {
      const gauges = await Promise.all([
        this.system.gauges(zeroGauges),
        this.system.streamGauges(zeroGauges),
      ]).then(
        (pages) => new Map(pages.flatMap((page) => [...page])),
        () => new Map([['metrics', 1]]),
      );
      left = [...gauges].filter(([, value]) => value !== 0).map(([name, value]) => `${name} ${value}`);
      return gauges.size > 0 && left.length === 0;
    };
    await until(isIdle, settlingMilliseconds, 'gauges at zero').catch(() => {
      this.problem(`${this.minutes.toFixed(1)} min: left without a call: ${left.join(', ')}`);
    });
    await this.calls.checkRecords();
    const isTroubled = troubled.some(({ from, to }) => this.share >= from && this.share < to + 0.02);
    this.samples.push({ minutes: Math.round(this.minutes * 10) / 10, isTroubled, ...this.measure() });
    const done = [...this.calls.done.values()].reduce((sum, count) => sum + count, 0);
    const problems = this.problems.length;
    this.options.onProgress(`${this.minutes.toFixed(1)} min: ${done} calls, ${problems} problems`);
    this.isOpen = true;
  }

  private measure(): Pick<Sample, 'megabytes' | 'descriptors'> {
    const running = [...this.system.processes()].map(([name, { pid }]) => ({ name, pid }));
    const memory = memoryOf(running);
    const megabytes = Object.fromEntries(
      [...memory].map(([name, { pss }]) => [name, Math.round(pss * 10) / 10]),
    );
    const descriptors = Object.fromEntries(running.map(({ name, pid }) => [name, descriptorsOf(pid)]));
    return { megabytes, descriptors };
  }

  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.turn.then(act);
    this.turn = result.catch(() => {});
    return result;
  }

  private shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, at: this.random() }))
      .sort((first, second) => first.at - second.at)
      .map(({ value }) => value);
  }
}

/** Health probes of the trunk. */
async function answerProbes(trunk: SipPeer): Promise<void> {
  const day = 86_400_000;
  for (;;) {
    const probe = await trunk.expectRequest('OPTIONS', { milliseconds: day });
    await trunk.send(respondTo(probe.message, 200, { toTag: 'trunk' }), probe.route).catch(() => {});
  }
}

const descriptorsOf = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
