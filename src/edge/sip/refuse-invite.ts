import { sendStatus } from './library-adapter.js';
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
  return sendStatus(response, status, reason, options);
}

/** A refusal that says why: by its own Reason or Warning, or by the Reason that other legs receive. @param reason Reason header value */
export function explained(answer: FinalAnswer, reason: string | undefined): FinalAnswer {
  const { headers = {} } = answer;
  const saysWhy = headers.Reason !== undefined || headers.Warning !== undefined;
  return reason === undefined || saysWhy ? answer : { ...answer, headers: { ...headers, Reason: reason } };
}
