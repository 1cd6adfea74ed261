export interface Recurrence {
  /** From the end of one run to the beginning of the next. Absent: runs only when asked. */
  readonly everyMilliseconds?: number;
  /** The same after a run that rejected; `everyMilliseconds` when absent. */
  readonly retryMilliseconds?: number;
  /** A run rejected, and not with the same message as the run before. */
  readonly failed?: (error: Error) => void;
}

/**
 * Work that runs again and again, one run at a time. A run that rejects leaves its work to the next one; a run may resolve with
 * the milliseconds until the next one, where that is not `everyMilliseconds`. Its timer does not keep the process alive.
 */
export class RecurringTask {
  private current: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isWanted = false;
  private isOver = false;
  private lastProblem: string | undefined;

  constructor(
    private readonly run: () => Promise<void> | Promise<number | undefined>,
    private readonly recurrence: Recurrence = {},
  ) {}

  /** Why the last run failed; undefined when it did not. */
  get problem(): string | undefined {
    return this.lastProblem;
  }

  /** True once `stop` was called: a long run ends itself then. */
  get isStopped(): boolean {
    return this.isOver;
  }

  /** The first run begins after so many milliseconds. */
  start(firstMilliseconds: number | undefined = this.recurrence.everyMilliseconds): void {
    this.schedule(firstMilliseconds);
  }

  /** Begins a run, or has another one follow the current one; resolves when the one that is running then has ended. */
  next(): Promise<void> {
    if (this.current !== undefined) {
      this.isWanted = true;
      return this.current;
    }
    if (this.isOver) return Promise.resolve();
    clearTimeout(this.timer);
    this.isWanted = false;
    this.current = this.settledRun().then((milliseconds) => {
      this.current = undefined;
      if (this.isWanted && !this.isOver) void this.next();
      else this.schedule(milliseconds);
    });
    return this.current;
  }

  /** No run begins after this; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.isOver = true;
    clearTimeout(this.timer);
    await this.current;
  }

  private async settledRun(): Promise<number | undefined> {
    const { everyMilliseconds, retryMilliseconds = everyMilliseconds, failed } = this.recurrence;
    try {
      const milliseconds = await this.run();
      this.lastProblem = undefined;
      return milliseconds ?? everyMilliseconds;
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      const isNew = this.lastProblem !== problem.message;
      this.lastProblem = problem.message;
      if (isNew) failed?.(problem);
      return retryMilliseconds;
    }
  }

  private schedule(milliseconds: number | undefined): void {
    if (milliseconds === undefined || this.isOver) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.next(), milliseconds);
    this.timer.unref();
  }
}
