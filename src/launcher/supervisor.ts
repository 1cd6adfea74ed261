import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoff } from '../base/backoff.js';
import type { ProcessIdentity } from '../base/process-identity.js';
import { report } from './console.js';
import { LogFile } from './log-file.js';
import { ManagedProcess, PartFailed, type ProcessPlan } from './managed-process.js';
import type { StateDirectory } from './state-directory.js';

const logCheckMilliseconds = 5_000;
/** Between attempts to start a process that others can do without. */
const furtherAttempts = { first: 5_000, longest: 60_000 };

/** Starts the processes in the given order, or adopts those that an earlier supervisor left, and stops them in reverse order. */
export class Supervisor {
  private readonly processes: ManagedProcess[] = [];
  private readonly logs = new Map<string, LogFile>();
  private readonly logTimer: NodeJS.Timeout;
  private readonly outdated: string[] = [];
  private leftovers = new Map<string, ProcessIdentity>();
  private readonly adopted: string[] = [];
  private stopped = false;

  constructor(private readonly directory: StateDirectory) {
    this.logTimer = setInterval(() => {
      for (const log of this.logs.values()) log.bound();
    }, logCheckMilliseconds);
    this.logTimer.unref();
  }

  /** Looks for processes that an earlier supervisor left running; `run` adopts them. */
  findLeftovers(): void {
    this.leftovers = this.directory.leftovers();
  }

  /** Whether a process of that name was left running by an earlier supervisor. */
  isLeft(name: string): boolean {
    return this.leftovers.has(name) || this.adopted.includes(name);
  }

  /** Names of the processes that were adopted. */
  get adoptedNames(): readonly string[] {
    return this.adopted;
  }

  /** Names of adopted processes that were started with other settings than those of now. */
  get outdatedNames(): readonly string[] {
    return this.outdated;
  }

  /**
   * Starts or adopts a process, waits until it is ready, and keeps it running.
   * @throws PartFailed
   */
  async run(plan: ProcessPlan): Promise<ManagedProcess> {
    const process = this.manage(plan);
    this.processes.push(process);
    if (!(await this.adopt(process))) await process.start();
    return process;
  }

  /**
   * Like `run`, for a process that the others can do without: while `areOthersNeeded`, a failed start is repeated, later each time.
   * @throws PartFailed when it did not start and nothing else is needed
   */
  async runOrRepeat(plan: ProcessPlan, areOthersNeeded: () => Promise<boolean>): Promise<void> {
    for (let failures = 1; ; failures++) {
      try {
        await this.run(plan);
        return;
      } catch (failure) {
        const at = this.processes.findIndex(({ name }) => name === plan.name);
        if (at >= 0) this.processes.splice(at, 1);
        if (this.stopped || !(failure instanceof PartFailed) || !(await areOthersNeeded())) throw failure;
        const delay = backoff(furtherAttempts, failures);
        report(
          `${failure.message}\nActive calls continue without it; starting it again in ${delay / 1000} s`,
        );
        await sleep(delay);
      }
    }
  }

  /**
   * Has a process that can do so start its own successor; ends any other one and starts another in its place.
   * @throws PartFailed
   */
  async renew(name: string): Promise<void> {
    const process = this.processes.find((each) => each.name === name)!;
    await (process.canSucceed ? this.succeed(name) : this.replace(name));
  }

  /**
   * Ends a process and starts another one by the same plan in its place.
   * @param signal asks it to end
   * @param graceMilliseconds how long it may take; its plan's when absent
   * @throws PartFailed
   */
  async replace(name: string, signal?: NodeJS.Signals, graceMilliseconds?: number): Promise<void> {
    const at = this.processes.findIndex((process) => process.name === name);
    const previous = this.processes[at]!;
    await previous.stop(signal, graceMilliseconds);
    const next = this.manage(previous.plan);
    this.processes[at] = next;
    await next.start();
  }

  /**
   * Has a process start its own successor, which takes over its work without an interruption.
   * @throws PartFailed when there is none; the former process continues
   */
  async succeed(name: string): Promise<void> {
    const at = this.processes.findIndex((process) => process.name === name);
    const previous = this.processes[at]!;
    const identity = await previous.succeed();
    const next = this.manage(previous.plan);
    this.processes[at] = next;
    next.follow(identity);
  }

  /** Sends a signal to the process that has the name now, which may have taken the place of another one. */
  signal(name: string, signal: NodeJS.Signals): void {
    this.processes.find((process) => process.name === name)?.signal(signal);
  }

  /** Ends a process that is not needed any more. */
  async end(name: string, signal?: NodeJS.Signals, graceMilliseconds?: number): Promise<void> {
    const at = this.processes.findIndex((process) => process.name === name);
    await this.processes[at]?.stop(signal, graceMilliseconds);
    this.processes.splice(at, 1);
  }

  /** Ends left processes that no plan names, such as those of an earlier version. */
  async endUnclaimed(graceMilliseconds: number): Promise<void> {
    if (this.leftovers.size === 0) return;
    report(`Ending processes that are not needed any more: ${[...this.leftovers.keys()].join(', ')}`);
    await this.directory.endLeftovers(this.leftovers, graceMilliseconds);
    this.leftovers.clear();
  }

  /** Stops the processes, last started first, each within its grace time. */
  async stop(): Promise<void> {
    this.halt();
    for (const group of groupsOf(this.processes.toReversed()))
      await Promise.all(group.map((process) => process.stop()));
  }

  /** Leaves everything running, for the next supervisor. */
  letGo(): void {
    this.halt();
    for (const process of this.processes) process.letGo();
  }

  /** Kills everything at once. */
  async kill(): Promise<void> {
    this.halt();
    await Promise.all(this.processes.map((process) => process.kill()));
  }

  private halt(): void {
    this.stopped = true;
    clearInterval(this.logTimer);
  }

  private manage(plan: ProcessPlan): ManagedProcess {
    if (this.stopped) throw new PartFailed(`${plan.name} was not started: Demarc is stopping.`);
    const log = this.logs.get(plan.name) ?? new LogFile(join(this.directory.logs, `${plan.name}.log`));
    log.bound();
    this.logs.set(plan.name, log);
    return new ManagedProcess(plan, log, this.directory, {
      crashed: (how, delay) =>
        report(`${plan.name} ${how}; restarting in ${delay / 1000} s (see ${log.path})`),
      restarted: () => report(`${plan.name} is ready again.`),
    });
  }

  private async adopt(process: ManagedProcess): Promise<boolean> {
    const { name } = process;
    const identity = this.leftovers.get(name);
    if (identity === undefined) return false;
    const result = await process.adopt(identity);
    this.leftovers.delete(name);
    if (result === undefined) {
      report(`${name} (process ${identity.pid}) does not answer; starting it again.`);
      await this.directory.endLeftovers(new Map([[name, identity]]), 0);
      return false;
    }
    this.adopted.push(name);
    if (!result.isCurrent) this.outdated.push(name);
    return true;
  }
}

/** Edges get the signal together: none of them leaves calls to another one that ends as well. */
function groupsOf(processes: readonly ManagedProcess[]): ManagedProcess[][] {
  const groups: ManagedProcess[][] = [];
  for (const process of processes) {
    const last = groups.at(-1);
    if (last !== undefined && isEdge(last[0]!.name) && isEdge(process.name)) last.push(process);
    else groups.push([process]);
  }
  return groups;
}

export const isEdge = (name: string): boolean => /^edge(-\d+)?$/.test(name);
