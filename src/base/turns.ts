/** Beyond this, work is not put off any longer: in a process that is busy all the time it would only grow. */
const longestWaitMilliseconds = 25;

interface Waiting {
  readonly act: () => void;
  readonly since: number;
}

/** The oldest first; those before `next` have run. */
let waiting: Waiting[] = [];
let next = 0;
/** True: a piece has run in this turn of the event loop. */
let isTaken = false;

/**
 * Runs work that no peer waits for, one piece in each turn of the event loop, the first at once: what calls receive is handled between two
 * pieces, instead of after all the work that came due at the same moment. What it throws is an uncaught exception.
 */
export function inTurn(act: () => void): void {
  if (isTaken) {
    waiting.push({ act, since: performance.now() });
    return;
  }
  isTaken = true;
  run(act);
  // An immediate runs after the sockets have been read, and one of an immediate in the turn after that.
  setImmediate(runSome);
}

function runSome(): void {
  if (next === waiting.length) {
    waiting = [];
    next = 0;
    isTaken = false;
    return;
  }
  const late = performance.now() - longestWaitMilliseconds;
  do run(waiting[next++]!.act);
  while (next < waiting.length && waiting[next]!.since < late);
  setImmediate(runSome);
}

function run(act: () => void): void {
  try {
    act();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
