import type { ResponseSender } from './messages.js';

/** The final refusal of a received INVITE. */
export interface FinalAnswer {
  readonly status: number;
  readonly reason?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
}

/** Refuses a received INVITE; returns the status that was sent. */
export function refuseInvite(response: ResponseSender, { status, reason, headers }: FinalAnswer): number {
  if (response.finalResponseSent) return status;
  const options = headers === undefined ? {} : { headers };
  try {
    response.send(status, reason, options);
    return status;
  } catch {
    // The library sends registered status codes only; others count as the x00 of their class (RFC 3261 §8.1.3.2).
    const generic = Math.floor(status / 100) * 100;
    response.send(generic, reason, options);
    return generic;
  }
}
