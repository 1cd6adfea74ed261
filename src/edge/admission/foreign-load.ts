import { type ProcessorTime, processorTime } from '../../base/processor-time.js';

/** Reading takes tens of microseconds; sooner than this the kernel has counted little. */
const readMilliseconds = 200;
/** Older times fade with this period: one pause is not a busy machine, and a machine that becomes free is noticed. */
const memoryMilliseconds = 2_000;
/** Below it nothing can be concluded. */
const leastUsedMilliseconds = 5;
/**
 * Time waited and used, by time used, up to which the processes of Demarc itself may be the cause: at full load on a single core, engine,
 * edge, rtpengine and the databases make each other wait up to three times as long as they run.
 */
const ownRatio = 4;
const perRatio = 1.5;
const mostStretch = 10;

/**
 * How many times as long a setup may take because other programs use the processors: 1 to 10. It follows from how long the event loop
 * waits for a processor, compared with the time that it runs. An edge that is overloaded by its own calls runs most of the time.
 * @param read of this process's main thread; undefined: the system does not say
 * @param now monotonic milliseconds
 */
export function foreignLoad(
  now: () => number,
  read: () => ProcessorTime | undefined = () => processorTime(process.pid, 'main'),
): () => number {
  let last = read();
  let readAt = now();
  let used = 0;
  let waited = 0;
  return () => {
    const elapsed = now() - readAt;
    if (elapsed >= readMilliseconds) {
      const current = read();
      if (last !== undefined && current !== undefined) {
        const kept = Math.exp(-elapsed / memoryMilliseconds);
        // After a while without a question, what happened long ago must not count as if it were of the last two seconds.
        const share = Math.min(1, memoryMilliseconds / elapsed);
        used = used * kept + (current.used - last.used) * share;
        waited = waited * kept + (current.waited - last.waited) * share;
      }
      last = current;
      readAt = now();
    }
    if (used < leastUsedMilliseconds) return 1;
    const ratio = (used + waited) / used;
    return Math.min(mostStretch, Math.max(1, 1 + (ratio - ownRatio) * perRatio));
  };
}
