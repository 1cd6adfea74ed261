import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

/** Identifies a process, and distinguishes it from a later one with the same pid. */
export const processIdentitySchema = z.strictObject({
  pid: z.int().positive(),
  /** Start time in a system-specific unit; only compared. */
  started: z.string(),
  /** Digest of the command line and environment that the launcher started it with. */
  plan: z.string().optional(),
});
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** Identifies this boot of the machine; empty: unknown. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/**
 * Start time of a process, or undefined when it does not exist (a zombie counts as ended).
 * Linux counts ticks since boot, so the boot id is included.
 */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command name is in parentheses and may contain any character, so fields are counted after its end.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${fields[19]}@${bootId()}`;
    } catch {
      return undefined;
    }
  }
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

export function identify(pid: number): ProcessIdentity | undefined {
  const started = startOf(pid);
  return started === undefined ? undefined : { pid, started };
}

/** True while exactly this process runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return startOf(identity.pid) === identity.started;
}

/** Where process ids have a meaning: a pid namespace of a boot of this machine. */
export function processSpace(): string {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** True while the process has ended, but its parent has not noticed: its id is still taken. */
export function isZombie(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return startOf(pid) === undefined;
}

/** True when exactly this process has certainly ended; false also where that cannot be seen, as of another user's processes. */
export function hasEnded({ pid, started }: ProcessIdentity): boolean {
  let isOurs = true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
    isOurs = false;
  }
  const now = startOf(pid);
  return now === undefined ? isOurs : now !== started;
}

/** Signals this process, never another one with the same pid. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch {
    // The process has ended meanwhile.
  }
}
