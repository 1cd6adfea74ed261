import { join } from 'node:path';
import { report } from './console.js';
import { LogFile } from './log-file.js';
import { ManagedProcess, PartFailed, type ProcessPlan } from './managed-process.js';
import type { StateDirectory } from './state-directory.js';

const logCheckMilliseconds = 5_000;

/** Starts the processes in the given order and stops them in reverse order. */
export class Supervisor {
  private readonly processes: ManagedProcess[] = [];
  private readonly logs: LogFile[] = [];
  private readonly logTimer: NodeJS.Timeout;
  private stopped = false;

  constructor(private readonly directory: StateDirectory) {
    this.logTimer = setInterval(() => {
      for (const log of this.logs) log.bound();
    }, logCheckMilliseconds);
    this.logTimer.unref();
  }

  /**
   * Starts a process, waits until it is ready, and keeps it running.
   * @throws PartFailed
   */
  async run(plan: ProcessPlan): Promise<ManagedProcess> {
    if (this.stopped) throw new PartFailed(`${plan.name} was not started: Demarc is stopping.`);
    const log = new LogFile(join(this.directory.logs, `${plan.name}.log`));
    log.bound();
    const process = new ManagedProcess(plan, log, this.directory, {
      crashed: (how, delay) =>
        report(`${plan.name} ${how}; restarting in ${delay / 1000} s (see ${log.path})`),
      restarted: () => report(`${plan.name} is ready again.`),
    });
    this.logs.push(log);
    this.processes.push(process);
    await process.start();
    return process;
  }

  /** Stops the processes, last started first, each within its grace time. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.logTimer);
    for (const process of this.processes.toReversed()) await process.stop();
  }

  /** Kills everything at once. */
  async kill(): Promise<void> {
    this.stopped = true;
    clearInterval(this.logTimer);
    await Promise.all(this.processes.map((process) => process.kill()));
  }
}
