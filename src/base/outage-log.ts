import type { Logger } from './log.js';

export interface OutageTexts {
  readonly down: string;
  readonly up: string;
}

/** Logs that something is down, and that it is up again: one line each way. */
export class OutageLog {
  private isDown = false;
  private failedAt = 0;

  constructor(
    private readonly log: Pick<Logger, 'info' | 'warn'>,
    private readonly texts: OutageTexts,
    /** A success this soon after a failure proves nothing: a datagram's failure is reported with the next one. */
    private readonly quietMilliseconds = 0,
    private readonly now: () => number = () => performance.now(),
  ) {}

  failed(error: Error): void {
    this.failedAt = this.now();
    if (this.isDown) return;
    this.isDown = true;
    this.log.warn({ error: error.message }, this.texts.down);
  }

  passed(): void {
    if (!this.isDown || this.now() - this.failedAt < this.quietMilliseconds) return;
    this.isDown = false;
    this.log.info(this.texts.up);
  }
}
