import { readFileSync } from 'node:fs';

/** What a running process owes us. */
export interface WatchedLimits {
  /** Whether it answers; a question that takes long counts as no answer, so it must settle by itself. */
  readonly isAlive?: () => Promise<boolean>;
  /** Pings in a row without an answer after which it has failed. Default 5. */
  readonly maximumUnanswered?: number;
  /** Resident memory, in megabytes. */
  readonly maximumMegabytes?: number;
}

const intervalMilliseconds = 1_000;
/** Counted, not timed: a stall of this machine must not kill the process. */
const defaultMaximumUnanswered = 5;

/**
 * Checks a process once a second. Calls `failed` once with the problem: it runs but does not respond, or exceeds its memory
 * limit. The returned function ends the watch.
 */
export function watchProcess(pid: number, limits: WatchedLimits, failed: (what: string) => void): () => void {
  const { maximumUnanswered = defaultMaximumUnanswered } = limits;
  let unanswered = 0;
  let asking = false;
  const end = (): void => clearInterval(timer);
  const fail = (what: string): void => {
    end();
    failed(what);
  };
  const ask = async (isAlive: () => Promise<boolean>): Promise<void> => {
    asking = true;
    unanswered = (await isAlive().catch(() => false)) ? 0 : unanswered + 1;
    asking = false;
    if (unanswered === maximumUnanswered) fail(`did not answer ${unanswered} pings in a row`);
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
