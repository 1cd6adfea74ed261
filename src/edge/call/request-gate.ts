/**
 * What peers and the API ask of confirmed calls waits here while this process leaves its calls to another one. Peers' requests stay
 * without a response: once this process is gone, the engine gives them to the one that has continued the calls, whose description of
 * a call would not know of a transfer or an offer that had begun here.
 */
export class RequestGate {
  private waiting: (() => void)[] | undefined;

  /** Calls it now, or when the gate opens. */
  pass(handle: () => void): void {
    if (this.waiting === undefined) handle();
    else this.waiting.push(handle);
  }

  close(): void {
    this.waiting ??= [];
  }

  /** The calls stay: what waits is handled in its order. */
  open(): void {
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    for (const handle of waiting) handle();
  }
}
