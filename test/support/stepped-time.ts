import { vi } from 'vitest';

/** Shorter than all waits that a test may tell apart. */
const stepMilliseconds = 5;
/** Of real time for each step, in which what is sent on loopback arrives. */
const realMilliseconds = 1;

/**
 * A clock for timers and `performance` that this process moves itself, in steps, and reads its sockets between them: a stall of the
 * machine takes no time, so a peer on loopback is late only where the test makes it late.
 */
export class SteppedTime {
  private isStopping = false;
  private readonly ended: Promise<void>;

  private constructor() {
    const realTimeout = globalThis.setTimeout;
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
    this.ended = this.run(realTimeout);
  }

  static start(): SteppedTime {
    return new SteppedTime();
  }

  /** Ends with the real clock; pending timers have fired, but none of an interval remains. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.ended;
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
  }

  private async run(realTimeout: typeof setTimeout): Promise<void> {
    while (!this.isStopping) {
      await new Promise<void>((resolve) => {
        realTimeout(() => setImmediate(resolve), realMilliseconds);
      });
      vi.advanceTimersByTime(stepMilliseconds);
    }
  }
}
