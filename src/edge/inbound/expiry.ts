import { sipReason } from '../sip/reason.js';
import type { InboundCall } from './inbound-call.js';

/** Longer than any phone rings; our own bounds come first. */
const longestSeconds = 3_600;

/** Ends the call with 487 when the Expires of the caller's INVITE has passed (RFC 3261 §13.3.1). */
export function endWhenExpired(call: InboundCall): void {
  const seconds = Number.parseInt(call.header('Expires') ?? '', 10);
  if (!(seconds > 0 && seconds <= longestSeconds)) return;
  const timer = setTimeout(() => {
    if (call.state.answeredAt !== null) return;
    call.end(
      {
        reason: 'agent_no_answer',
        by: 'edge',
        detail: `The caller's INVITE expired after ${seconds} s without an answer from the agent.`,
      },
      { answer: { status: 487 }, reason: sipReason(487, 'Invitation expired') },
    );
  }, seconds * 1_000).unref();
  void call.agentInvite.done.then(() => clearTimeout(timer));
}
