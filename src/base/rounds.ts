/** Work that is done in rounds, one at a time. What rejects is left to the next round. */
export class Rounds {
  private current: Promise<void> | undefined;
  private isWanted = false;
  private stopped = false;

  constructor(private readonly round: () => Promise<void>) {}

  /** Begins a round, or has another one follow the one that goes on; resolves with whichever of the two is running. */
  next(): Promise<void> {
    if (this.current !== undefined) {
      this.isWanted = true;
      return this.current;
    }
    this.isWanted = false;
    this.current = this.round()
      .catch(() => {})
      .finally(() => {
        this.current = undefined;
        if (this.isWanted && !this.stopped) void this.next();
      });
    return this.current;
  }

  /** No round follows the one that goes on; resolves when that is over. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.current;
  }
}
