import { Deferred } from '../../base/deferred.js';
import { reasonPhrase } from '../../sip/status.js';
import { splitList } from '../../sip/text.js';
import { contactHeaders } from './capabilities.js';
import { headerOf } from './message-reading.js';
import type { ReceivedRequest, ResponseSender, SendOptions } from './messages.js';

/** The leg whose INVITE is answered. */
interface Invitation {
  readonly request: ReceivedRequest;
  readonly response: ResponseSender;
  readonly reliability: 'never' | 'required' | 'early-media';
  /** The caller sent no PRACK. */
  readonly notAcknowledged: (status: number) => void;
}

/** Below the engine's 64·T1, so that the edge knows why. */
const patienceMilliseconds = 30_000;

/**
 * The provisional responses to one INVITE, in their order: reliable to a caller that requires it (RFC 3262 §3), and with
 * early media to one that supports it, if configured. One at a time: engines send garbage for responses queued behind
 * an unacknowledged one (wire protocol §14, 4).
 */
export class ProvisionalResponses {
  /** Body of the reliable response that carried our answer: it binds (RFC 3262 §5). */
  answer: string | undefined;
  private readonly isRequired: boolean;
  private readonly isSupported: boolean;
  private last: Promise<void> = Promise.resolve();
  private outstanding: Deferred | undefined;
  private isOver = false;

  constructor(private readonly invitation: Invitation) {
    this.isRequired = names(invitation.request, 'Require');
    this.isSupported = this.isRequired || names(invitation.request, 'Supported');
  }

  /**
   * False: nothing but the final answer may be sent. Without an offer in the INVITE the first reliable response would have
   * to bring ours, which only the agent's 200 has.
   */
  get isPossible(): boolean {
    const { request, reliability } = this.invitation;
    return !this.isRequired || (reliability !== 'never' && (request.body ?? '') !== '');
  }

  /** Sends it, or as soon as the one before it is acknowledged; its failure is not the call's. */
  send(status: number, options: SendOptions): void {
    const isReliable =
      this.isRequired ||
      (this.isSupported && options.body !== undefined && this.invitation.reliability === 'early-media');
    this.last = this.last.then(() =>
      isReliable ? this.sendReliably(status, options) : this.write(status, options),
    );
  }

  /** Resolves when a 2xx may be sent: nothing waits for a PRACK. */
  async settled(): Promise<void> {
    let seen: Promise<void>;
    do {
      seen = this.last;
      await seen;
    } while (seen !== this.last);
  }

  /** The INVITE has its final response: outstanding PRACKs no longer matter. */
  end(): void {
    this.isOver = true;
    this.outstanding?.resolve();
  }

  private async sendReliably(status: number, options: SendOptions): Promise<void> {
    if (this.isOver) return;
    const acknowledged = new Deferred();
    this.outstanding = acknowledged;
    let isPracked = false;
    const timer = setTimeout(() => {
      if (!isPracked && !this.isOver) this.invitation.notAcknowledged(status);
      acknowledged.resolve();
    }, patienceMilliseconds);
    this.answer ??= options.body;
    this.write(
      status,
      { ...options, headers: { ...options.headers, Require: '100rel' } },
      (error) => {
        // What was not sent is not acknowledged either.
        if (error) acknowledged.resolve();
      },
      () => {
        isPracked = true;
        acknowledged.resolve();
      },
    );
    await acknowledged.promise;
    clearTimeout(timer);
  }

  private write(
    status: number,
    options: SendOptions,
    sent?: (error: unknown) => void,
    acknowledged?: () => void,
  ): void {
    const { request, response } = this.invitation;
    if (this.isOver || response.finalResponseSent) {
      sent?.(new Error('final response already sent'));
      return;
    }
    const headers = { ...contactHeaders(request), ...options.headers };
    response.send(status, reasonPhrase(status), { ...options, headers }, sent, acknowledged);
  }
}

const names = (request: ReceivedRequest, header: 'Require' | 'Supported'): boolean =>
  splitList(headerOf(request, header) ?? '').some((tag) => tag.trim().toLowerCase() === '100rel');
