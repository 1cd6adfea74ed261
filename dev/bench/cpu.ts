import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process whose CPU time is measured. */
export interface Metered {
  readonly name: string;
  readonly pid: number;
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU milliseconds (user + system, all threads) since the process started; from /proc/PID/stat, fields 14 and 15. */
function cpuMilliseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
}

/** Resident megabytes. */
export function residentMegabytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}

/** CPU milliseconds of each process since the meter was created. */
export class CpuMeter {
  private readonly before: ReadonlyMap<string, number>;

  constructor(private readonly processes: readonly Metered[]) {
    this.before = new Map(processes.map(({ name, pid }) => [name, cpuMilliseconds(pid)]));
  }

  read(): Map<string, number> {
    return new Map(
      this.processes.map(({ name, pid }) => [name, cpuMilliseconds(pid) - (this.before.get(name) ?? 0)]),
    );
  }
}
