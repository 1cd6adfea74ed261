import { readFileSync } from 'node:fs';
import { type CountedThreads, processorTime } from './processor-time.js';
import { UnansweredPings } from './unanswered-pings.js';

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
 * Checks a process once a second.
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
  const pings = new UnansweredPings(pid, threads, readTime);
  let answered = answersUntilInTime;
  let asking = false;
  const end = (): void => clearInterval(timer);
  const fail = (what: string): void => {
    end();
    failed(what);
  };
  const inTime = (): void => {
    unanswered = 0;
    pings.forget();
    answered += 1;
    if (answered === answersUntilInTime) late?.(false);
  };
  const overdue = (): void => {
    unanswered += 1;
    pings.add();
    if (answered >= answersUntilInTime) late?.(true);
    answered = 0;
    if (pings.reach(maximumUnanswered)) fail(`did not answer ${unanswered} pings in a row`);
  };
  const ask = async (isAlive: () => Promise<boolean>): Promise<void> => {
    asking = true;
    if (await isAlive().catch(() => false)) inTime();
    else overdue();
    pings.begin();
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
