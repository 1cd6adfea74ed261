import { Deferred } from '../../base/deferred.js';
import type { Logger } from '../../base/log.js';
import type { SentRequest } from '../sip/messages.js';

/** The INVITE to the agent until its final response (RFC 3261 §9.1, §13.2). */
export class PendingInvite {
  private request: Pick<SentRequest, 'cancel'> | undefined;
  private waits = false;
  private readonly over = new Deferred();

  constructor(private readonly log: Logger) {}

  /** It has no final response yet. */
  get isPending(): boolean {
    return this.waits;
  }

  /** Resolves when the final response has been handled. */
  get done(): Promise<void> {
    return this.over.promise;
  }

  begin(): void {
    this.waits = true;
  }

  /** The engine has sent it: from now on it can be cancelled. */
  sent(request: Pick<SentRequest, 'cancel'>): void {
    this.request = request;
  }

  answered(): void {
    this.waits = false;
    this.request = undefined;
  }

  finish(): void {
    this.over.resolve();
  }

  /** CANCEL, where the INVITE is out; its final response, usually 487, ends the leg. */
  cancel(reason?: string): void {
    const headers = reason === undefined ? {} : { Reason: reason };
    this.request?.cancel({ headers }, (error) => {
      // An INVITE that was answered meanwhile cannot be cancelled; its dialog is ended when it appears.
      if (error) this.log.debug({ error: String(error) }, 'CANCEL came too late.');
    });
  }
}
