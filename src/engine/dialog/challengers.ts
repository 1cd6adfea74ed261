import type { Clock } from '../clock.js';
import { ExpiryQueue } from '../transaction/expiry-queue.js';
import type { Application } from './application.js';

/** A client answers a challenge at once; one that has not by then has no credentials or gave up. */
const lifetime = 5_000;
/** Beyond this the answer goes to any application. */
const most = 10_000;

/**
 * Which application has just challenged an INVITE, by Call-ID. It gets the answer as well, so that one application has all messages
 * of the call, and the challenge does not count as a call.
 */
export class Challengers {
  private readonly byCallId = new Map<string, { readonly application: Application }>();
  private readonly expiries: ExpiryQueue;

  constructor(clock: Clock) {
    this.expiries = new ExpiryQueue(clock, lifetime);
  }

  get size(): number {
    return this.byCallId.size;
  }

  note(callId: string, application: Application): void {
    if (this.expiries.size >= most) return;
    const challenge = { application };
    this.byCallId.set(callId, challenge);
    this.expiries.add({
      expire: () => {
        if (this.byCallId.get(callId) === challenge) this.byCallId.delete(callId);
      },
    });
  }

  take(callId: string): Application | undefined {
    const challenge = this.byCallId.get(callId);
    this.byCallId.delete(callId);
    return challenge?.application;
  }
}
