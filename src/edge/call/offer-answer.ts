import { Deferred } from '../../base/deferred.js';
import type { MediaSide } from '../media/rtp-statistics.js';

/**
 * Each new address of a side takes further rtpengine ports until the call ends. So many changes may come in a row, and a person may
 * hold and resume a long call for hours.
 */
const modificationsAtOnce = 200;
const secondsPerModification = 30;

/** Sides whose part of the open exchange is over: for every request, or as soon as they send another INVITE. */
type Finished = Readonly<Partial<Record<MediaSide, 'any' | 'INVITE'>>>;
const none: Finished = {};

const monotonic = (): number => performance.now();

/** The offer/answer exchanges inside a call: one at a time (RFC 3261 §14.1, RFC 3264 §4). */
export class OfferAnswer {
  private open = 0;
  private modifications = 0;
  private readonly began: number;
  private finished = none;
  /** Only while a request waits for it. */
  private closing: Deferred | undefined;

  /**
   * @param changed called when an exchange is opened or closed
   * @param now monotonic milliseconds
   */
  constructor(
    private readonly changed: () => void = () => {},
    private readonly now: () => number = monotonic,
  ) {
    this.began = now();
  }

  /** An offer waits for its answer; a further one is refused with 491. */
  get isOpen(): boolean {
    return this.open > 0;
  }

  /** Seconds until a peer may change the session again; 0: it may. */
  get secondsToWait(): number {
    const due = this.began + (this.modifications - modificationsAtOnce + 1) * secondsPerModification * 1_000;
    return Math.max(0, Math.ceil((due - this.now()) / 1_000));
  }

  /** The side has its answer, or its own is acknowledged: what remains of the exchange concerns the other one. */
  finish(side: MediaSide): void {
    if (this.isOpen) this.finished = { ...this.finished, [side]: 'any' };
  }

  /** The side owes the ACK of our 200 with its answer: it sends no further INVITE before that, whichever is handled first here. */
  awaitAck(side: MediaSide): void {
    if (this.isOpen) this.finished = { ...this.finished, [side]: 'INVITE' };
  }

  /** Resolves when the open exchange is closed; undefined: none is open, or the side takes part in it. */
  remainder(side: MediaSide, method: 'INVITE' | 'UPDATE'): Promise<void> | undefined {
    const finished = this.finished[side];
    if (finished !== 'any' && finished !== method) return undefined;
    this.closing ??= new Deferred();
    return this.closing.promise;
  }

  /**
   * Opens an exchange; the result closes it, once. Our offer may open one while a peer's is open: the peer then answers with
   * 491.
   */
  begin(): () => void {
    this.open += 1;
    this.finished = none;
    this.changed();
    let isClosed = false;
    return () => {
      if (isClosed) return;
      isClosed = true;
      this.open -= 1;
      if (!this.isOpen) {
        this.finished = none;
        const { closing } = this;
        this.closing = undefined;
        closing?.resolve();
      }
      this.changed();
    };
  }

  /** Opens an exchange that a peer asked for, and counts it. */
  modify(): () => void {
    this.modifications += 1;
    return this.begin();
  }
}
