/**
 * Work that many requests share: it runs at once after a quiet time, and else when that time has passed since its last run. So a
 * single request does not wait, and a thousand a second cost a few runs. Its timer does not keep the process alive.
 */
export class PacedTask {
  private pending: NodeJS.Timeout | NodeJS.Immediate | undefined;
  private ranAt = Number.NEGATIVE_INFINITY;
  private isOver = false;

  /**
   * @param run must not throw
   * @param quietMilliseconds least time from one run to the next
   */
  constructor(
    private readonly run: () => void,
    private readonly quietMilliseconds: number,
  ) {}

  /** Asks for a run, which begins in a later turn of the event loop. */
  request(): void {
    if (this.pending !== undefined || this.isOver) return;
    const milliseconds = this.ranAt + this.quietMilliseconds - performance.now();
    const begin = (): void => {
      this.pending = undefined;
      if (this.isOver) return;
      this.ranAt = performance.now();
      this.run();
    };
    // One turn later, so that requests of the same moment share a run.
    this.pending = milliseconds <= 0 ? setImmediate(begin) : setTimeout(begin, milliseconds).unref();
  }

  /** No run begins after this. */
  stop(): void {
    this.isOver = true;
  }
}
