import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Memory } from './report.js';

/** A process to account for, together with the processes below it (PostgreSQL has one per connection). */
export interface Metered {
  readonly name: string;
  readonly pid: number;
  /** True: its child processes are accounted elsewhere. */
  readonly alone?: boolean;
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

interface ProcessTimes {
  readonly parent: number;
  /** Clock ticks of all threads, user and system. */
  readonly mine: number;
  /** The same of child processes that have ended and were waited for. */
  readonly ended: number;
}

/** From /proc/PID/stat (proc(5)): fields 4 and 14 to 17. Undefined: the process has ended. */
function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((i) => fields[i] ?? 0);
    return { parent: parent!, mine: user! + system!, ended: endedUser! + endedSystem! };
  } catch {
    return undefined;
  }
}

function allTimes(): Map<number, ProcessTimes> {
  const times = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const found = readTimes(pid);
    if (found !== undefined) times.set(pid, found);
  }
  return times;
}

/** The process and everything below it. */
function tree(root: number, times: ReadonlyMap<number, ProcessTimes>): number[] {
  const found = [root];
  for (const pid of found) {
    for (const [child, { parent }] of times) if (parent === pid) found.push(child);
  }
  return found;
}

/** The processes, everything below them, and what they start later. */
export function pinToCore(core: number, processes: readonly Metered[]): void {
  const times = allTimes();
  for (const { name, pid } of processes) {
    for (const member of tree(pid, times)) {
      const { status } = spawnSync('taskset', ['-acp', String(core), String(member)], { stdio: 'ignore' });
      // Those below may have ended meanwhile.
      if (status !== 0 && member === pid)
        throw new Error(`${name} (process ${pid}) cannot be pinned to core ${core}.`);
    }
  }
}

/** CPU milliseconds since the processes started; several with one name together. @throws when one has ended */
function cpuMilliseconds(processes: readonly Metered[]): Map<string, number> {
  const times = allTimes();
  const spent = new Map<string, number>();
  for (const { name, pid, alone } of processes) {
    if (!times.has(pid)) throw new Error(`${name} (process ${pid}) has ended.`);
    const members = alone === true ? [pid] : tree(pid, times);
    const ticks = members.reduce((sum, member) => {
      const { mine, ended } = times.get(member)!;
      return sum + mine + (alone === true ? 0 : ended);
    }, 0);
    spent.set(name, (spent.get(name) ?? 0) + (ticks * 1_000) / ticksPerSecond);
  }
  return spent;
}

/** CPU milliseconds of each process since the meter was created. */
export class CpuMeter {
  private readonly before: ReadonlyMap<string, number>;

  constructor(private readonly processes: readonly Metered[]) {
    this.before = cpuMilliseconds(processes);
  }

  read(): Map<string, number> {
    const now = cpuMilliseconds(this.processes);
    return new Map([...now].map(([name, value]) => [name, value - (this.before.get(name) ?? 0)]));
  }
}

/** Megabytes of each process with everything below it. */
export function memoryOf(processes: readonly Metered[]): Map<string, Memory> {
  const times = allTimes();
  const memory = new Map<string, Memory>();
  for (const { name, pid, alone } of processes) {
    for (const { rss, pss } of (alone === true ? [pid] : tree(pid, times)).map(memoryOfOne)) {
      const before = memory.get(name) ?? { rss: 0, pss: 0 };
      memory.set(name, { rss: before.rss + rss, pss: before.pss + pss });
    }
  }
  return memory;
}

function memoryOfOne(pid: number): Memory {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const megabytes = (title: string): number =>
      Number(new RegExp(`^${title}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
    return { rss: megabytes('Rss'), pss: megabytes('Pss') };
  } catch {
    return { rss: 0, pss: 0 };
  }
}
