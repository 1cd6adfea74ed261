interface Waiting {
  readonly handle: () => void;
  readonly left: (hasSuccessor: boolean) => void;
}

/**
 * What peers and the API ask of confirmed calls waits here while this process leaves its calls to another one. Peers' requests stay
 * without a response: once this process is gone, the engine gives them to the one that has continued the calls, whose description of
 * a call would not know of a transfer or an offer that had begun here.
 */
export class RequestGate {
  private waiting: Waiting[] | undefined;
  /** Whether an edge is there that continues the calls which this process has left; undefined: it has left none. */
  private hasSuccessor: boolean | undefined;

  /**
   * Calls `handle` now, or when the gate opens.
   * @param left called instead, now or later, when this process has left its calls
   */
  pass(handle: () => void, left: (hasSuccessor: boolean) => void = () => {}): void {
    if (this.hasSuccessor !== undefined) left(this.hasSuccessor);
    else if (this.waiting === undefined) handle();
    else this.waiting.push({ handle, left });
  }

  close(): void {
    this.waiting ??= [];
  }

  /** The calls stay: what waits is handled in its order. */
  open(): void {
    for (const { handle } of this.take()) handle();
  }

  /** The calls are another process's. @param hasSuccessor false: one that is not there yet */
  leave(hasSuccessor: boolean): void {
    this.hasSuccessor = hasSuccessor;
    for (const { left } of this.take()) left(hasSuccessor);
  }

  private take(): readonly Waiting[] {
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    return waiting;
  }
}
