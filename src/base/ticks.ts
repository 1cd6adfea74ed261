import { byClock } from './by-clock.js';
import { inTurn } from './turns.js';

const tickMilliseconds = 25;

interface Tick {
  readonly acts: (() => void)[];
  readonly timer: NodeJS.Timeout;
}

/** By their numbers. */
const pendingTicks = byClock<typeof setTimeout, Map<number, Tick>>(() => new Map());

/**
 * Work that no peer waits for begins at moments that the whole process shares, so that it wakes once for all of it: at a hundred calls a
 * second most of what a small task costs is the waking. Runs `act` at the tick that is nearest to so many milliseconds from now, in its
 * turn (`turns.ts`); after exactly so many when they are fewer than a tick. What it throws is an uncaught exception, as from a timer, and
 * stops no other work of the tick. Does not keep the process alive.
 */
export function atTick(milliseconds: number, act: () => void): void {
  schedule(milliseconds, act).unref();
}

/** Resolves at the first tick after so many milliseconds; keeps the process alive until then. */
export function nextTickAfter(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const isShort = milliseconds < tickMilliseconds;
    schedule(isShort ? milliseconds : milliseconds + tickMilliseconds / 2, resolve).ref();
  });
}

function schedule(milliseconds: number, act: () => void): Pick<NodeJS.Timeout, 'ref' | 'unref'> {
  if (milliseconds < tickMilliseconds) return setTimeout(act, milliseconds);
  const pending = pendingTicks(setTimeout);
  const now = performance.now();
  const number = Math.round((now + milliseconds) / tickMilliseconds);
  const waiting = pending.get(number);
  if (waiting !== undefined) {
    waiting.acts.push(act);
    return { ref: () => waiting.timer.ref(), unref: () => waiting.timer };
  }
  const acts = [act];
  const run = (): void => {
    pending.delete(number);
    for (const each of acts) inTurn(each);
  };
  const timer = setTimeout(run, Math.ceil(number * tickMilliseconds - now));
  pending.set(number, { acts, timer });
  return timer;
}
