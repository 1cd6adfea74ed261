import { constants, setPriority } from 'node:os';

/**
 * Asks the scheduler to prefer this process, for one that speaks or hears in real time: a pause of 100 ms within a line is heard. Without
 * the right to it (CAP_SYS_NICE, or RLIMIT_NICE) the process runs as any other.
 */
export function preferThisProcess(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {
    // Not permitted, which most users are not.
  }
}
