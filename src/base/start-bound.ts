import { processorTime } from './processor-time.js';

/** A start or task may take this many times its bound, however busy the machine is. */
const longestFactor = 5;

/**
 * Calls `expired` when a process has had its time to start, or for a task. The time in which it waited for a processor does not count: on a busy
 * machine another attempt would only start over.
 * @returns ends the observation
 */
export function boundStart(
  pid: number | undefined,
  milliseconds: number,
  expired: () => void,
  read = processorTime,
): () => void {
  const startedAt = performance.now();
  const check = (): void => {
    const waited = pid === undefined ? 0 : (read(pid, 'main')?.waited ?? 0);
    const allowed = Math.min(milliseconds + waited, milliseconds * longestFactor);
    const rest = startedAt + allowed - performance.now();
    if (rest <= 0) expired();
    else timer = setTimeout(check, rest);
  };
  let timer = setTimeout(check, milliseconds);
  return () => clearTimeout(timer);
}
