import { byClock } from './by-clock.js';

/** Beyond this, work is not put off any longer: in a process that is busy all the time it would only grow. */
const longestWaitMilliseconds = 25;

interface Waiting {
  readonly act: () => void;
  readonly since: number;
}

/** Work of one event loop. */
class Turns {
  /** The oldest first; those before `next` have run. */
  private waiting: Waiting[] = [];
  private next = 0;
  /** True: a piece has run in this turn of the event loop. */
  private isTaken = false;

  /** @param inNextTurn an immediate runs after the sockets have been read, and one of an immediate in the turn after that */
  constructor(private readonly inNextTurn: typeof setImmediate) {}

  take(act: () => void): void {
    if (this.isTaken) {
      this.waiting.push({ act, since: performance.now() });
      return;
    }
    this.isTaken = true;
    run(act);
    this.inNextTurn(this.runSome);
  }

  private readonly runSome = (): void => {
    if (this.next === this.waiting.length) {
      this.waiting = [];
      this.next = 0;
      this.isTaken = false;
      return;
    }
    const late = performance.now() - longestWaitMilliseconds;
    do run(this.waiting[this.next++]!.act);
    while (this.next < this.waiting.length && this.waiting[this.next]!.since < late);
    this.inNextTurn(this.runSome);
  };
}

const turnsOf = byClock((inNextTurn: typeof setImmediate) => new Turns(inNextTurn));

/**
 * Runs work that no peer waits for, one piece in each turn of the event loop, the first at once: what calls receive is handled between two
 * pieces, instead of after all the work that came due at the same moment. What it throws is an uncaught exception.
 */
export function inTurn(act: () => void): void {
  turnsOf(setImmediate).take(act);
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
