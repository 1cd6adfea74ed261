import { readFileSync } from 'node:fs';
import { type CountedThreads, processorShare, processorTime } from './processor-time.js';

/** Limits within which a running process counts as healthy. */
export interface WatchedLimits {
  /** Whether it answers; a slow question counts as unanswered, so the promise must settle without an abort. */
  readonly isAlive?: () => Promise<boolean>;
  /** Pings in a row without an answer after which it has failed. Default 5. */
  readonly maximumUnanswered?: number;
  /** Which of its threads answer. Default: the main thread. */
  readonly threads?: CountedThreads;
  /** Resident memory, in megabytes. */
  readonly maximumMegabytes?: number;
}

export interface WatchEvents {
  /** It runs but does not respond, or exceeds its memory limit. Ends the watch. */
  readonly failed: (what: string) => void;
  /** True: it left a ping unanswered. False: it has answered for a while since. */
  readonly late?: (isLate: boolean) => void;
}

const intervalMilliseconds = 1_000;
/** Counted, not timed: a stall of this machine must not kill the process. */
const defaultMaximumUnanswered = 5;
/** Answers in a row after which it is no longer late. */
const answersUntilInTime = 10;

/**
 * Checks a process once a second. A ping without an answer counts by the share of the processor that the process, and the watcher,
 * got meanwhile: one that waits for a processor has not failed, and a restart would need more of it.
 * @returns ends the watch
 */
export function watchProcess(
  pid: number,
  limits: WatchedLimits,
  { failed, late }: WatchEvents,
  readTime = processorTime,
): () => void {
  const { maximumUnanswered = defaultMaximumUnanswered, threads = 'main' } = limits;
  let unanswered = 0;
  /** Of those, what the process answers for. */
  let counted = 0;
  let answered = answersUntilInTime;
  let asking = false;
  const read = () => ({
    at: performance.now(),
    its: readTime(pid, threads),
    own: readTime(process.pid, 'main'),
  });
  let last = read();
  const end = (): void => clearInterval(timer);
  const fail = (what: string): void => {
    end();
    failed(what);
  };
  const inTime = (): void => {
    unanswered = 0;
    counted = 0;
    answered += 1;
    if (answered === answersUntilInTime) late?.(false);
  };
  const overdue = (): void => {
    const now = read();
    const elapsed = now.at - last.at;
    unanswered += 1;
    counted += Math.min(
      processorShare(last.its, now.its, elapsed),
      processorShare(last.own, now.own, elapsed),
    );
    if (answered >= answersUntilInTime) late?.(true);
    answered = 0;
    // Sums of shares: 5 halves and 5 halves are 5.
    if (counted > maximumUnanswered - 0.01) fail(`did not answer ${unanswered} pings in a row`);
  };
  const ask = async (isAlive: () => Promise<boolean>): Promise<void> => {
    asking = true;
    if (await isAlive().catch(() => false)) inTime();
    else overdue();
    last = read();
    asking = false;
  };
  const timer = setInterval(() => {
    const { isAlive, maximumMegabytes } = limits;
    const megabytes = maximumMegabytes === undefined ? undefined : residentMegabytes(pid);
    if (maximumMegabytes !== undefined && megabytes !== undefined && megabytes > maximumMegabytes) {
      fail(`used ${Math.round(megabytes)} MB of memory (limit ${maximumMegabytes} MB)`);
    } else if (isAlive !== undefined && !asking) void ask(isAlive);
  }, intervalMilliseconds);
  timer.unref();
  return end;
}

/** Undefined where the system does not report it, or the process has ended. */
function residentMegabytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
  } catch {
    return undefined;
  }
}
