import type { Logger } from '../../base/log.js';

/** A refused datagram is heard of at the next one, and a connection may be taken only to be closed. */
const quietMilliseconds = 10_000;

/** Tells the log that the collector of HEP_FORWARD is away, and that it is back: one line each way. */
export class CollectorState {
  private isAway = false;
  private failedAt = 0;

  constructor(
    private readonly log: Pick<Logger, 'info' | 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The way there failed. */
  failed(error: Error): void {
    this.failedAt = this.now();
    if (this.isAway) return;
    this.isAway = true;
    this.log.warn({ error: error.message }, 'The HEP collector is not reachable.');
  }

  /** A packet went out; nobody says whether it arrived. */
  passed(): void {
    if (!this.isAway || this.now() - this.failedAt < quietMilliseconds) return;
    this.isAway = false;
    this.log.info('The HEP collector is reachable again.');
  }
}
