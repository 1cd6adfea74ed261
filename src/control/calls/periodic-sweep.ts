import type { Logger } from '../../base/log.js';

interface PeriodicSweepDeps {
  readonly log: Logger;
  readonly intervalMilliseconds: number;
  /** Logged with the error when a sweep rejects; the next one tries again. */
  readonly failure: string;
}

/** A service that sweeps again and again, each time so long after the end of the sweep before, until it is stopped. */
export abstract class PeriodicSweep {
  protected stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly schedulingDeps: PeriodicSweepDeps) {}

  /** One sweep, now. May reject. */
  abstract sweep(): Promise<void>;

  async start(): Promise<void> {
    this.schedule();
  }

  /** Resolves when the sweep under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(): void {
    if (this.stopped) return;
    const { log, intervalMilliseconds, failure } = this.schedulingDeps;
    this.timer = setTimeout(() => {
      this.running = this.sweep()
        .catch((error: Error) => {
          log.debug({ error: error.message }, failure);
        })
        .finally(() => this.schedule());
    }, intervalMilliseconds);
    this.timer.unref();
  }
}
