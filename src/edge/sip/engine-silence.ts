import type { Logger } from '../../base/log.js';

/** The engine gives new calls to other edges after 2 s without it. */
const everyMilliseconds = 500;
const silentMilliseconds = 2_000;

/**
 * Whether the engine still answers, while TCP says nothing: its process may hang, or packets be lost on the way. The next `alive`
 * follows the reply to the one before, so that the engine learns from a pause that one of both directions is dead.
 */
export class EngineSilence {
  private timer: NodeJS.Timeout | undefined;
  private silentSince: number | undefined;
  /** Counts connections: a reply over an earlier one means nothing. */
  private connection = 0;

  /** @param ask sends `alive`; resolves with the reply, whenever that comes */
  constructor(
    private readonly ask: () => Promise<unknown>,
    private readonly log: Logger,
  ) {}

  get isSilent(): boolean {
    return this.silentSince !== undefined;
  }

  /** The engine is connected. */
  begin(): void {
    this.end();
    this.send(this.connection);
  }

  /** The connection is closed. */
  end(): void {
    this.connection += 1;
    clearTimeout(this.timer);
    this.silentSince = undefined;
  }

  private send(connection: number): void {
    this.timer = setTimeout(() => {
      this.silentSince = performance.now() - silentMilliseconds;
      this.log.warn('The SIP engine does not answer; waiting for it.');
    }, silentMilliseconds).unref();
    this.ask().then(
      () => {
        if (connection !== this.connection) return;
        clearTimeout(this.timer);
        if (this.silentSince !== undefined) {
          const seconds = Math.round(performance.now() - this.silentSince) / 1_000;
          this.silentSince = undefined;
          this.log.warn({ seconds }, 'The SIP engine answers again.');
          this.send(connection);
          return;
        }
        this.timer = setTimeout(() => this.send(connection), everyMilliseconds).unref();
      },
      // Not sent: the connection is about to be reported as closed.
      () => {},
    );
  }
}
