import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { catchesSignal } from '../base/caught-signals.js';
import { childEnvironment } from '../base/child-environment.js';
import { identify, isRunning, type ProcessIdentity, signalProcess } from '../base/process-identity.js';
import { threadsOf } from '../base/process-priority.js';
import type { WatchedLimits } from '../base/process-watchdog.js';
import { processorTime } from '../base/processor-time.js';
import { outlivesParent } from '../base/stop-requests.js';
import { successionFileVariable, successionOutcomeSchema } from '../base/successor.js';
import { type StartedProcess, SupervisedProcess } from '../base/supervised-process.js';
import { UnansweredPings } from '../base/unanswered-pings.js';
import { within } from '../base/within.js';
import type { LogFile } from './log-file.js';
import type { SystemUser } from './postgres-cluster.js';
import type { StateDirectory } from './state-directory.js';

/** How to run one process. */
export interface ProcessPlan {
  /** File name of its log, and its name in messages. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** True: it gets `environment` and the system's variables, but not Demarc's settings and secrets. */
  readonly isolated?: boolean;
  /** The user it runs as; the current user when absent. Only root may name another. */
  readonly user?: SystemUser | undefined;
  /** True: a Demarc role, which reports `{ type: 'ready' }` on an IPC channel. */
  readonly channel?: boolean;
  /** Waits for what must be over before the process is started. */
  readonly mayStart?: () => Promise<void>;
  /** Resolves once the process is ready; rejects when it never will be. */
  readonly ready: (started: StartedProcess) => Promise<void>;
  readonly readyWithinMilliseconds: number;
  /** Whether it does its work, to see before it is adopted; `limits.isAlive` when absent. */
  readonly answers?: () => Promise<boolean>;
  /** True: on SIGUSR2 it starts its own successor, and ends when that has its work. */
  readonly succeeds?: boolean;
  /** Asks it to end for good; SIGTERM when absent. */
  readonly stopSignal?: NodeJS.Signals;
  /** Time from that signal to SIGKILL. */
  readonly graceMilliseconds: number;
  /**
   * Nice value while it is ready and answers in time, 1 to 19: processes that carry calls have priority when the processors are busy. A
   * negative one, for what these wait for, holds also while it answers late; only root may set it.
   */
  readonly niceness?: number;
  /** Longest delay between restarts. Default 10 s. */
  readonly longestRestartMilliseconds?: number;
  /** Limits; beyond them the process is killed and restarted. */
  readonly limits?: WatchedLimits;
}

export interface ProcessEvents {
  /** The process exited unexpectedly; it is restarted after the delay. */
  crashed: (how: string, restartInMilliseconds: number) => void;
  restarted: () => void;
}

/** A process did not start; the message ends with its last log lines. */
export class PartFailed extends Error {}

/** How often we look for a successor. */
const successionPollMilliseconds = 50;

/** Pings, as counted by `UnansweredPings`, before a process that was left running counts as hung, and the time of each. */
const adoptionPings = 3;
const adoptionMilliseconds = 2_000;
/** One that waited for a processor all this time is adopted: its watchdog tells whether it hangs. */
const longestAdoptionPings = 15;

function setNiceness(pid: number, niceness: number): void {
  // Each child leads a session, and with autogroups Linux shares the processors among sessions before it considers nice values (sched(7)).
  const settings = [
    () => setThreads(pid, niceness),
    () => writeFileSync(`/proc/${pid}/autogroup`, String(niceness)),
  ];
  for (const set of settings) {
    try {
      set();
    } catch {
      // The process ended at once, this system has no autogroups, or only root may set a nice value below 0 or lower it again.
    }
  }
}

/** A nice value is a thread's; one that has chosen another than the main thread's keeps it. */
function setThreads(pid: number, niceness: number): void {
  const before = getPriority(pid);
  for (const thread of threadsOf(pid)) if (getPriority(thread) === before) setPriority(thread, niceness);
}

/**
 * A supervised process with a log file and an entry in the state directory. It outlives the supervisor, and the next one finds it
 * by that entry. It leads its own process group: Ctrl-C in the terminal must reach only the supervisor, which drains in order.
 */
export class ManagedProcess {
  private readonly process: SupervisedProcess;
  private isAdopted = false;
  /** Of what it is started with. */
  private readonly digest: string;

  constructor(
    readonly plan: ProcessPlan,
    private readonly log: LogFile,
    private readonly directory: StateDirectory,
    events: ProcessEvents,
    private readonly readTime = processorTime,
  ) {
    this.digest = digestOf(plan);
    const { name, ready, readyWithinMilliseconds, graceMilliseconds, limits } = plan;
    this.process = new SupervisedProcess(
      {
        ready,
        readyWithinMilliseconds,
        graceMilliseconds,
        limits,
        restart: { first: 200, longest: plan.longestRestartMilliseconds ?? 10_000 },
        spawn: () => this.spawn(),
      },
      {
        ...events,
        spawned: (pid) => {
          directory.noteProcess(name, pid, this.isAdopted ? undefined : this.digest);
          this.isAdopted = false;
        },
        // A start is short and others wait for it, and one that answers late needs the processor.
        ready: (pid) => this.setPriority(pid, 'background'),
        late: (pid, isLate) => this.setPriority(pid, isLate ? 'normal' : 'background'),
        ended: () => directory.forgetProcess(name),
      },
    );
  }

  get name(): string {
    return this.plan.name;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /**
   * Starts the process, waits until it is ready, and keeps it running from then on.
   * @throws PartFailed
   */
  async start(): Promise<void> {
    try {
      await this.plan.mayStart?.();
      await this.process.start();
    } catch (failure) {
      const tail = this.log.tail(12);
      const lines = tail === '' ? '' : `\nLast lines of ${this.log.path}:\n${tail.replace(/^/gm, '  ')}`;
      throw new PartFailed(`${this.name} ${(failure as Error).message}.${lines}`, { cause: failure });
    }
  }

  /**
   * Keeps a process running that an earlier supervisor started, and ends it when it hangs.
   * @returns undefined: it hung. `isCurrent`: it was started with the same command line and environment
   */
  async adopt(identity: ProcessIdentity): Promise<{ readonly isCurrent: boolean } | undefined> {
    // Others wait for the adoption, as for a start.
    this.setPriority(identity.pid, 'normal');
    if (!(await this.answers(identity.pid))) {
      signalProcess(identity, 'SIGKILL');
      return undefined;
    }
    this.isAdopted = true;
    this.follow(identity);
    return { isCurrent: identity.plan === this.digest };
  }

  /** True: on SIGUSR2 the running process starts its successor; one of an earlier release would end. */
  get canSucceed(): boolean {
    const { pid, plan } = this;
    return plan.succeeds === true && pid !== undefined && catchesSignal(pid, 'SIGUSR2') !== false;
  }

  /**
   * Has the process start its successor by this plan, which takes over its sockets and connections. The former process ends
   * when its work is done.
   * @returns the successor; rejects when there is none, and the former process continues
   */
  async succeed(): Promise<ProcessIdentity> {
    const { pid } = this;
    if (!this.canSucceed || pid === undefined)
      throw new PartFailed(
        `${this.name} was not replaced: it is of a release that cannot be, or does not run. A restart of the system replaces it.`,
      );
    // The successor inherits the priority, and others wait for its start.
    this.setPriority(pid, 'normal');
    try {
      return await this.successor();
    } catch (failure) {
      this.setPriority(pid, 'background');
      throw failure;
    }
  }

  private async successor(): Promise<ProcessIdentity> {
    const file = this.directory.successionFile(this.name);
    const { file: program, args } = this.plan;
    this.directory.writeSuccession(this.name, { file: program, args, environment: this.environment() });
    this.process.signal('SIGUSR2');
    const deadline = performance.now() + this.plan.readyWithinMilliseconds;
    while (performance.now() < deadline) {
      await sleep(successionPollMilliseconds);
      const outcome = successionOutcomeSchema.safeParse(readJson(file));
      if (!outcome.success) continue;
      rmSync(file, { force: true });
      if ('error' in outcome.data)
        throw new PartFailed(`${this.name} was not replaced: ${outcome.data.error}`);
      const identity = identify(outcome.data.pid);
      if (identity === undefined) break;
      this.process.letGo();
      return identity;
    }
    rmSync(file, { force: true });
    throw new PartFailed(`${this.name} was not replaced: it did not start a successor.`);
  }

  /** Supervises the successor of a process of this plan. */
  follow(identity: ProcessIdentity): void {
    this.process.adopt({
      pid: identity.pid,
      isRunning: () => isRunning(identity),
      signal: (signal) => signalProcess(identity, signal),
    });
  }

  /** Leaves the process to the next supervisor. */
  letGo(): void {
    this.process.letGo();
  }

  /** Sends a signal to the process if it is running. */
  signal(signal: NodeJS.Signals): void {
    this.process.signal(signal);
  }

  /** Stops the process for good: its signal or another one, then SIGKILL after its grace time. Resolves once it has ended. */
  stop(signal = this.plan.stopSignal, graceMilliseconds?: number): Promise<void> {
    return this.process.stop(signal, graceMilliseconds);
  }

  /** Kills the process at once. */
  kill(): Promise<void> {
    return this.process.kill();
  }

  private setPriority(pid: number, priority: 'normal' | 'background'): void {
    const { niceness } = this.plan;
    if (niceness !== undefined) setNiceness(pid, priority === 'normal' ? Math.min(0, niceness) : niceness);
  }

  private environment(): NodeJS.ProcessEnv {
    const { environment, isolated, succeeds, name } = this.plan;
    const own = {
      ...environment,
      [outlivesParent]: 'yes',
      ...(succeeds === true && { [successionFileVariable]: this.directory.successionFile(name) }),
    };
    return isolated === true ? childEnvironment(process.env, own) : { ...process.env, ...own };
  }

  private async answers(pid: number): Promise<boolean> {
    const { limits } = this.plan;
    const answers = this.plan.answers ?? limits?.isAlive;
    if (answers === undefined) return true;
    const pings = new UnansweredPings(pid, limits?.threads ?? 'main', this.readTime);
    for (let ping = 0; ping < longestAdoptionPings; ping++) {
      pings.begin();
      const answer = answers().catch(() => false);
      if ((await within(adoptionMilliseconds, answer)) === true) return true;
      pings.add();
      if (pings.reach(adoptionPings)) return false;
    }
    return true;
  }

  private spawn() {
    const descriptor = this.log.open();
    const { file, args, user, channel } = this.plan;
    const stdio: ('ignore' | 'ipc' | number)[] = ['ignore', descriptor, descriptor];
    if (channel === true) stdio.push('ipc');
    const child = spawn(file, args, {
      stdio,
      detached: true,
      env: this.environment(),
      ...user,
    });
    this.log.close(descriptor);
    return child;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Variables of the launcher's own environment that are settings of the processes it starts. */
const isSetting = (name: string): boolean => /^(DEMARC|DRACHTIO|DATABASE|LLM|NODE)_/.test(name);

function digestOf({ file, args, environment, isolated }: ProcessPlan): string {
  const inherited = isolated === true ? [] : Object.entries(process.env).filter(([name]) => isSetting(name));
  const all = { ...Object.fromEntries(inherited), ...environment };
  return createHash('sha256')
    .update(JSON.stringify([file, args, Object.entries(all).sort()]))
    .digest('base64url');
}
