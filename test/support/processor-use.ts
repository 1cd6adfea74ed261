import { readFileSync } from 'node:fs';

/** USER_HZ, the unit of proc_pid_stat(5): 100 on every Linux platform of Node.js. */
const ticksPerSecond = 100;

/** Fields after the name of the program, which may contain spaces: utime, stime, cutime, cstime (proc_pid_stat). */
const timesBegin = 11;
const timesEnd = 15;

/** Seconds of processor time of this process and of its children that have ended, with theirs; undefined: not Linux. */
export function processorSeconds(): number | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
    const ticks = fields.slice(timesBegin, timesEnd).reduce((sum, field) => sum + Number(field), 0);
    return ticks / ticksPerSecond;
  } catch {
    return undefined;
  }
}

/** Milliseconds of processor time that this process takes for it: unlike the time of the clock, not much longer on a busy machine. */
export function processorMilliseconds(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
