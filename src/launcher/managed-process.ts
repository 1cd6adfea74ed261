import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { childEnvironment } from '../base/child-environment.js';
import type { WatchedLimits } from '../base/process-watchdog.js';
import { type StartedProcess, SupervisedProcess } from '../base/supervised-process.js';
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
  /** True: a Demarc role, which reports `{ type: 'ready' }` on an IPC channel and ends when that closes. */
  readonly channel?: boolean;
  /** Resolves once the process is ready; rejects when it never will be. */
  readonly ready: (started: StartedProcess) => Promise<void>;
  readonly readyWithinMilliseconds: number;
  /** Time from SIGTERM to SIGKILL. */
  readonly graceMilliseconds: number;
  /** Nice value, 1 to 19: processes that carry calls have priority when the processors are busy. */
  readonly niceness?: number;
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

const restart = { first: 200, longest: 10_000 };

function lowerPriority(pid: number, niceness: number | undefined): void {
  if (niceness === undefined) return;
  try {
    setPriority(pid, niceness);
    // Each child leads a session, and with autogroups Linux shares the processors among sessions before it considers nice values (sched(7)).
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // The process ended at once, or this system has no autogroups.
  }
}

/**
 * A supervised process with a log file and an entry in the state directory, by which the next start finds it when the supervisor was killed.
 * It leads its own process group: Ctrl-C in the terminal must reach only the supervisor, which drains in order.
 */
export class ManagedProcess {
  private readonly process: SupervisedProcess;

  constructor(
    private readonly plan: ProcessPlan,
    private readonly log: LogFile,
    directory: StateDirectory,
    events: ProcessEvents,
  ) {
    const { name, ready, readyWithinMilliseconds, graceMilliseconds, limits } = plan;
    this.process = new SupervisedProcess(
      {
        ...{ ready, readyWithinMilliseconds, graceMilliseconds, limits, restart },
        spawn: () => this.spawn(),
      },
      {
        ...events,
        spawned: (pid) => {
          lowerPriority(pid, plan.niceness);
          directory.noteProcess(name, pid);
        },
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
      await this.process.start();
    } catch (failure) {
      const tail = this.log.tail(12);
      const lines = tail === '' ? '' : `\nLast lines of ${this.log.path}:\n${tail.replace(/^/gm, '  ')}`;
      throw new PartFailed(`${this.name} ${(failure as Error).message}.${lines}`);
    }
  }

  /** Sends a signal to the process if it is running. */
  signal(signal: NodeJS.Signals): void {
    this.process.signal(signal);
  }

  /** Stops the process for good: SIGTERM, then SIGKILL after its grace time. Resolves once it has ended. */
  stop(): Promise<void> {
    return this.process.stop();
  }

  /** Kills the process at once. */
  kill(): Promise<void> {
    return this.process.kill();
  }

  private spawn() {
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
    return child;
  }
}
