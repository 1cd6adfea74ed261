import { readdirSync, readFileSync } from 'node:fs';

/** What threads of a process had of the processors since they began, in milliseconds. */
export interface ProcessorTime {
  /** They ran. */
  readonly used: number;
  /** They could have run, but every processor was busy with other threads. */
  readonly waited: number;
}

/** Whose time counts: the main thread, which has the event loop of Node.js, or all threads together. */
export type CountedThreads = 'main' | 'all';

/** Reads the scheduler's statistics (proc_pid_schedstat). Undefined where the system has none, or the process has ended. */
export function processorTime(pid: number, threads: CountedThreads): ProcessorTime | undefined {
  try {
    const ids = threads === 'main' ? [String(pid)] : readdirSync(`/proc/${pid}/task`);
    const times = ids.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' '));
    const milliseconds = (field: number): number =>
      times.reduce((sum, fields) => sum + Number(fields[field]), 0) / 1e6;
    return { used: milliseconds(0), waited: milliseconds(1) };
  } catch {
    return undefined;
  }
}

/**
 * The share of the time between two readings in which the threads had the processor that they needed: 1 unless they waited for one
 * most of that time.
 * @param elapsed milliseconds between the readings
 */
export function processorShare(
  before: ProcessorTime | undefined,
  after: ProcessorTime | undefined,
  elapsed: number,
): number {
  if (before === undefined || after === undefined) return 1;
  const waited = after.waited - before.waited;
  const used = after.used - before.used;
  return waited > elapsed / 2 ? used / (used + waited) : 1;
}
