/** What groups of tests of one file use one after the other: started by the first of them. */
export class InTurn<Shared extends { stop(): Promise<void> }> {
  private started: Promise<Shared> | undefined;

  /** @param prepare leaves nothing of the group before */
  constructor(
    private readonly start: () => Promise<Shared>,
    private readonly prepare: (shared: Shared) => Promise<void>,
  ) {}

  async take(): Promise<Shared> {
    this.started ??= this.start();
    const shared = await this.started;
    await this.prepare(shared);
    return shared;
  }

  async end(): Promise<void> {
    const shared = await this.started;
    this.started = undefined;
    await shared?.stop();
  }
}
