/** A process was down from one moment to another; monotonic milliseconds. */
interface Outage {
  readonly from: number;
  to: number;
}

/** A document is written at most 50 ms after the confirmation; the rest is for the way of the ACK on a busy machine. */
const unwrittenMilliseconds = 250;
/** Afterwards, the edge and its peers may still repeat what was lost. */
const aftermathMilliseconds = 8_000;

/** When processes were down: what may go wrong in a call then, and what may not. */
export class Outages {
  private readonly all: Outage[] = [];

  /** Runs what kills processes and waits until they are back. */
  async during(event: () => Promise<void>): Promise<void> {
    const outage: Outage = { from: performance.now(), to: Number.POSITIVE_INFINITY };
    this.all.push(outage);
    try {
      await event();
    } finally {
      outage.to = performance.now();
    }
  }

  /** True: a new call, or a request in a call, may have failed between these moments. */
  overlap(from: number, until: number): boolean {
    return this.all.some((outage) => outage.from < until && outage.to + aftermathMilliseconds > from);
  }

  /** True: a call that was confirmed then must be up until it is hung up. */
  mustOutlive(confirmedAt: number, until: number): boolean {
    return !this.all.some(
      ({ from, to }) => from < until && confirmedAt > from - unwrittenMilliseconds && confirmedAt < to,
    );
  }
}
