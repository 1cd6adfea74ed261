import { atTick } from './ticks.js';

/**
 * Work that many requests share: it runs at once after a quiet time, and else when that time has passed since its last run. So a
 * single request does not wait, and a thousand a second cost a few runs. Its timer does not keep the process alive.
 */
export class PacedTask {
  private isPending = false;
  private ranAt = Number.NEGATIVE_INFINITY;
  private isOver = false;

  /**
   * @param run must not throw
   * @param quietMilliseconds from one run to the next, half a tick more or less (`ticks.ts`)
   */
  constructor(
    private readonly run: () => void,
    private readonly quietMilliseconds: number,
  ) {}

  /** Asks for a run, which begins in a later turn of the event loop. */
  request(): void {
    if (this.isPending || this.isOver) return;
    this.isPending = true;
    const begin = (): void => {
      this.isPending = false;
      if (this.isOver) return;
      this.ranAt = performance.now();
      this.run();
    };
    const milliseconds = this.ranAt + this.quietMilliseconds - performance.now();
    // One turn later, so that requests of the same moment share a run.
    if (milliseconds <= 0) setImmediate(begin);
    else atTick(milliseconds, begin);
  }

  /** No run begins after this. */
  stop(): void {
    this.isOver = true;
  }
}
