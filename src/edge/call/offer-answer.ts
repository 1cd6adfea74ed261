/** Each new address of a side takes further rtpengine ports until the call ends; no phone holds and resumes that often. */
const maximumModifications = 200;

/** The offer/answer exchanges inside a call: one at a time (RFC 3261 §14.1, RFC 3264 §4). */
export class OfferAnswer {
  private open = 0;
  private modifications = 0;

  /** @param changed called when an exchange is opened or closed */
  constructor(private readonly changed: () => void = () => {}) {}

  /** An offer waits for its answer; a further one is refused with 491. */
  get isOpen(): boolean {
    return this.open > 0;
  }

  /** The session was changed too often. */
  get isExhausted(): boolean {
    return this.modifications >= maximumModifications;
  }

  /**
   * Opens an exchange; the result closes it, once. Our offer may open one while a peer's is open: the peer then answers with
   * 491.
   */
  begin(): () => void {
    this.open += 1;
    this.changed();
    let isClosed = false;
    return () => {
      if (isClosed) return;
      isClosed = true;
      this.open -= 1;
      this.changed();
    };
  }

  /** Opens an exchange that a peer asked for, and counts it. */
  modify(): () => void {
    this.modifications += 1;
    return this.begin();
  }
}
