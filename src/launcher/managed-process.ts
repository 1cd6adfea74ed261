import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../base/child-environment.js';
import type { LogFile } from './log-file.js';
import type { SystemUser } from './postgres-cluster.js';
import { isRunning, type ProcessIdentity, signalProcess } from './process-identity.js';
import { type WatchedLimits, watchProcess } from './process-watchdog.js';
import type { StateDirectory } from './state-directory.js';

/** How one part is run. */
export interface ProcessPlan {
  /** File name of its log, and what people read. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** True: it gets `environment` and the system's own variables, and none of our settings and secrets. */
  readonly isolated?: boolean;
  /** Whom it runs as; ourselves when absent. Only root may name another. */
  readonly user?: SystemUser | undefined;
  /** True: the part reports `{ type: 'ready' }` on an IPC channel. */
  readonly channel?: boolean;
  /** Resolves once the part can do its work; rejects when asked to stop waiting. */
  readonly ready: (started: StartedProcess) => Promise<void>;
  readonly readyWithinMilliseconds: number;
  /** From SIGTERM to SIGKILL. */
  readonly graceMilliseconds: number;
  /** 1 to 19: the processes that carry calls come first when the processors are busy. */
  readonly niceness?: number;
  /** Beyond them it is killed and started again. */
  readonly limits?: WatchedLimits;
}

export interface StartedProcess {
  readonly child: ChildProcess;
  /** Aborted when the part ends, is stopped or takes too long. */
  readonly signal: AbortSignal;
}

export interface ProcessEvents {
  /** The part ended by itself; it is started again after the delay. */
  crashed: (how: string, restartInMilliseconds: number) => void;
  restarted: () => void;
}

/** A part did not come up; the text ends with its last log lines. */
export class PartFailed extends Error {}

const firstRestartMilliseconds = 200;
const longestRestartMilliseconds = 10_000;
/** After running this long a crash counts as the first again. */
const stableMilliseconds = 30_000;

function lowerPriority(pid: number, niceness: number | undefined): void {
  if (niceness === undefined) return;
  try {
    setPriority(pid, niceness);
    // Each child leads a session, and Linux may share the processors among sessions before it looks at their processes (sched(7)).
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // It ended at once, or this system has no autogroups.
  }
}

/**
 * A child process that is kept running: started, watched, restarted with growing delays, ended.
 * Each child leads a process group of its own: Ctrl-C in the terminal must reach the supervisor only, which drains in order.
 */
export class ManagedProcess {
  private child: ChildProcess | undefined;
  private identity: ProcessIdentity | undefined;
  private ended: Promise<void> = Promise.resolve();
  private stopping = false;
  private restartDelay = firstRestartMilliseconds;
  private restartTimer: NodeJS.Timeout | undefined;
  private startedAt = 0;

  constructor(
    private readonly plan: ProcessPlan,
    private readonly log: LogFile,
    private readonly directory: StateDirectory,
    private readonly events: ProcessEvents,
  ) {}

  get name(): string {
    return this.plan.name;
  }

  get pid(): number | undefined {
    return this.identity?.pid;
  }

  /**
   * Starts it and waits until it is ready. From then on it is kept running.
   * @throws PartFailed
   */
  async start(): Promise<void> {
    const failure = await this.launch();
    if (failure === undefined) {
      this.watch();
      return;
    }
    await this.stop();
    const tail = this.log.tail(12);
    const lines = tail === '' ? '' : `\nLast lines of ${this.log.path}:\n${tail.replace(/^/gm, '  ')}`;
    throw new PartFailed(`${this.name} ${failure}.${lines}`);
  }

  /** @returns why it is not ready */
  private async launch(): Promise<string | undefined> {
    const descriptor = this.log.open();
    const { file, args, environment, isolated, user, channel } = this.plan;
    const stdio: ('ignore' | 'ipc' | number)[] = ['ignore', descriptor, descriptor];
    if (channel === true) stdio.push('ipc');
    const child = spawn(file, args, {
      stdio,
      detached: true,
      env:
        isolated === true ? childEnvironment(process.env, environment) : { ...process.env, ...environment },
      ...user,
    });
    this.log.close(descriptor);
    this.child = child;
    this.startedAt = performance.now();
    const over = new AbortController();
    let how = '';
    this.ended = new Promise((resolve) => {
      const finish = (text: string): void => {
        how ||= text;
        this.directory.forgetProcess(this.name);
        this.identity = undefined;
        over.abort();
        resolve();
      };
      child.once('error', (failure) => finish(`could not be started: ${failure.message}`));
      child.once('exit', (code, signal) =>
        finish(signal === null ? `exited with code ${code}` : `was killed by ${signal}`),
      );
    });
    if (child.pid !== undefined) lowerPriority(child.pid, this.plan.niceness);
    if (child.pid !== undefined) this.identity = this.directory.noteProcess(this.name, child.pid);
    const deadline = setTimeout(() => {
      how ||= `was not ready within ${this.plan.readyWithinMilliseconds / 1000} s`;
      over.abort();
    }, this.plan.readyWithinMilliseconds);
    const aborted = new Promise<void>((resolve) => {
      over.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    // A readiness check that loses the race may still fail later; that is no news then.
    const ready = this.plan.ready({ child, signal: over.signal }).then(
      () => undefined,
      (failure: unknown) => (over.signal.aborted ? undefined : String(failure)),
    );
    const failure = await Promise.race([ready, aborted]);
    clearTimeout(deadline);
    if (typeof failure === 'string') return `is not ready: ${failure}`;
    return over.signal.aborted ? how : undefined;
  }

  private watch(): void {
    const child = this.child;
    let killedFor: string | undefined;
    const unwatch = this.watchLimits((what) => {
      killedFor = what;
      this.signal('SIGKILL');
    });
    void this.ended.then(() => {
      unwatch();
      if (this.stopping || this.child !== child) return;
      if (performance.now() - this.startedAt > stableMilliseconds)
        this.restartDelay = firstRestartMilliseconds;
      const how =
        child?.signalCode == null
          ? `exited with code ${child?.exitCode ?? '?'}`
          : `was killed by ${child.signalCode}`;
      this.scheduleRestart(killedFor ?? how);
    });
  }

  private watchLimits(failed: (what: string) => void): () => void {
    const { limits } = this.plan;
    const { pid } = this;
    return limits === undefined || pid === undefined ? () => {} : watchProcess(pid, limits, failed);
  }

  private scheduleRestart(how: string): void {
    const delay = this.restartDelay;
    this.restartDelay = Math.min(delay * 2, longestRestartMilliseconds);
    this.events.crashed(how, delay);
    this.restartTimer = setTimeout(() => void this.restart(), delay);
  }

  private async restart(): Promise<void> {
    if (this.stopping) return;
    const failure = await this.launch();
    if (this.stopping) return;
    if (failure === undefined) {
      this.events.restarted();
      this.watch();
      return;
    }
    await this.end('SIGKILL', 0);
    if (!this.stopping) this.scheduleRestart(failure);
  }

  /** Sends a signal to the running process, if there is one. */
  signal(signal: NodeJS.Signals): void {
    if (this.identity !== undefined) signalProcess(this.identity, signal);
  }

  /** Ends it for good: SIGTERM, then SIGKILL after its grace time. Resolves once it is gone. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restartTimer);
    await this.end('SIGTERM', this.plan.graceMilliseconds);
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restartTimer);
    await this.end('SIGKILL', 0);
  }

  private async end(signal: NodeJS.Signals, graceMilliseconds: number): Promise<void> {
    const identity = this.identity;
    if (identity === undefined) return this.ended;
    signalProcess(identity, signal);
    const grace = new AbortController();
    await Promise.race([
      this.ended,
      sleep(graceMilliseconds, undefined, { signal: grace.signal }).catch(() => undefined),
    ]);
    grace.abort();
    if (isRunning(identity)) signalProcess(identity, 'SIGKILL');
    await this.ended;
  }
}
