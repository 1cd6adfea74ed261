import { type Recurrence, RecurringTask } from '../../base/recurring-task.js';

/** A service that repeats its sweep. It is always ready: a sweep that failed only delays what it does. */
export abstract class SweepService {
  protected readonly task: RecurringTask;

  /** @param detail what it does, as `/readyz` and the NOC show it */
  protected constructor(
    readonly name: string,
    private readonly detail: string,
    recurrence: Recurrence,
  ) {
    this.task = new RecurringTask(() => this.sweep(), recurrence);
  }

  abstract sweep(): Promise<void>;

  async start(): Promise<void> {
    this.task.start();
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    return { ready: true, detail: this.detail };
  }
}
