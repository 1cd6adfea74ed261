/** A client answers a challenge at once; one that has not by then has no credentials or gave up. */
const waitMilliseconds = 5_000;
/** Beyond this no further call is held back. */
const maximumWaiting = 10_000;

/**
 * Calls refused only with a digest challenge. The same call usually comes again a moment later with the answer, and then
 * has one record with all its messages; the refusal has its own record only when the caller does not come back.
 */
export class ChallengedCalls {
  private readonly waiting = new Map<string, (cameBack: boolean) => void>();

  /** Resolves with true when an INVITE with that Call-ID comes in time. */
  cameBack(callId: string): Promise<boolean> {
    this.waiting.get(callId)?.(false);
    if (this.waiting.size >= maximumWaiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (cameBack: boolean): void => {
        clearTimeout(timer);
        this.waiting.delete(callId);
        resolve(cameBack);
      };
      const timer = setTimeout(settle, waitMilliseconds, false);
      this.waiting.set(callId, settle);
    });
  }

  /** An INVITE with that Call-ID has come. */
  invited(callId: string): void {
    this.waiting.get(callId)?.(true);
  }

  /** Releases all at once; for the shutdown of the process. */
  giveUp(): void {
    for (const settle of [...this.waiting.values()]) settle(false);
  }

  get size(): number {
    return this.waiting.size;
  }
}
