import { EngineConnectionLost } from '../sip/request-in-dialog.js';
import { type Fragment, sipfragType, writeSipfrag } from './sipfrag.js';

/** Sends one NOTIFY in the transferor's dialog; resolves with the final status, rejects when it could not be sent. */
export type SendNotify = (notify: {
  readonly headers: Record<string, string>;
  readonly body: string;
}) => Promise<number>;

export interface SubscriptionParts {
  readonly send: SendNotify;
  /** Of the REFER's CSeq, where an earlier REFER in the dialog makes it necessary (RFC 3515 §2.4.6). */
  readonly id?: string;
  readonly expiresSeconds: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const trying: Fragment = { status: 100, reason: 'Trying' };

/**
 * The subscription that a REFER makes (RFC 3515 §2.4.4): NOTIFYs in order, the last one `terminated`. A
 * provisional state that waits behind another one is replaced by a later state.
 */
export class ReferSubscription {
  private state = trying;
  private isTerminated = false;
  private isDue = false;
  private isSending = false;
  private expiresAt: number;
  private whenQuiet: (() => void)[] = [];

  constructor(private readonly deps: SubscriptionParts) {
    this.expiresAt = deps.now() + deps.expiresSeconds * 1_000;
  }

  /** Of its `Event`. */
  get id(): string | undefined {
    return this.deps.id;
  }

  /** True until the last NOTIFY is being sent or the subscriber has left. */
  get isActive(): boolean {
    return !this.isTerminated;
  }

  /** A new state; a final one ends the subscription. The first one is 100. */
  tell(state: Fragment): void {
    if (this.isTerminated) return;
    this.state = state;
    this.isDue = true;
    if (state.status >= 200) this.isTerminated = true;
    this.send();
  }

  begin(): void {
    this.tell(trying);
  }

  /** A SUBSCRIBE that refreshes it, or with 0 seconds fetches the state and ends it. */
  refresh(seconds: number): number {
    const granted = Math.min(Math.max(0, seconds), this.deps.expiresSeconds);
    this.expiresAt = this.deps.now() + granted * 1_000;
    this.isDue = true;
    if (granted === 0) this.isTerminated = true;
    this.send();
    return granted;
  }

  /** True for the `Event` of a SUBSCRIBE or NOTIFY that is about this subscription. */
  matches(event: string | undefined): boolean {
    const [name, ...parameters] = (event ?? '').split(';').map((part) => part.trim().toLowerCase());
    if (name !== 'refer') return false;
    const id = parameters.find((each) => each.startsWith('id='))?.slice(3);
    return id === undefined || this.deps.id === undefined || id === this.deps.id;
  }

  /** The dialog is gone: nothing more is sent. */
  drop(): void {
    this.isTerminated = true;
    this.isDue = false;
  }

  /** Resolves when nothing waits to be sent or answered. */
  quiet(): Promise<void> {
    if (!this.isSending && !this.isDue) return Promise.resolve();
    return new Promise((resolve) => {
      this.whenQuiet.push(resolve);
    });
  }

  private send(): void {
    if (this.isSending || !this.isDue) return;
    this.isDue = false;
    this.isSending = true;
    const left = Math.max(0, Math.ceil((this.expiresAt - this.deps.now()) / 1_000));
    if (left === 0) this.isTerminated = true;
    const reason = this.state.status < 200 && left === 0 ? 'timeout' : 'noresource';
    const { id } = this.deps;
    const headers = {
      Event: id === undefined ? 'refer' : `refer;id=${id}`,
      'Subscription-State': this.isTerminated ? `terminated;reason=${reason}` : `active;expires=${left}`,
      'Content-Type': sipfragType,
    };
    this.deps.send({ headers, body: writeSipfrag(this.state) }).then(
      (status) => this.sent(status),
      (error: unknown) => {
        // The subscriber may not have it; the next attempt waits for the connection.
        if (error instanceof EngineConnectionLost) this.isDue = true;
        this.sent(error instanceof EngineConnectionLost ? 0 : 481);
      },
    );
  }

  private sent(status: number): void {
    this.isSending = false;
    // RFC 6665 §4.2.2: the subscriber has no such subscription, or is unreachable.
    if (status === 481 || status === 489 || status === 408) this.drop();
    this.send();
    if (this.isSending) return;
    for (const resolve of this.whenQuiet.splice(0)) resolve();
  }
}
