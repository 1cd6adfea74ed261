import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

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

/** A tenth of the main thread's share, where both want the same processor. */
const helperNiceness = 10;

/**
 * Gives the threads in which V8 marks garbage and compiles a lower priority than the main thread: a collection of an edge keeps four of
 * them busy, and calls waited for a processor while it lasted. Where the main thread waits for them, they have its share. Without effect
 * where these threads are not named (Node.js 20).
 */
export function preferMainThread(): void {
  try {
    const lower = Math.min(constants.priority.PRIORITY_LOW, getPriority() + helperNiceness);
    for (const thread of threadsOf(process.pid)) {
      if (readFileSync(`/proc/self/task/${thread}/comm`, 'utf8') === 'V8Worker\n') setPriority(thread, lower);
    }
  } catch {
    // Another system, or a thread that has just ended.
  }
}

/** Linux has a nice value for each thread; others have none to list. */
export function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
