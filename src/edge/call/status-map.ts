import type { EndReason } from '../../contract/call-record.js';

/** The response to the caller when the agent refuses or fails. */
export interface MappedStatus {
  readonly status: number;
  /** True: with the agent's own reason phrase. */
  readonly keepsPhrase: boolean;
  readonly endReason: EndReason;
}

/**
 * About the callee, a person's or operator's decision, or the caller's identity: true for the caller too, whose carrier would
 * otherwise try another route and ring the agent again.
 */
const passed = new Set([
  // RFC 3261 §21.4 and §21.5: who is called, and whether the call is wanted and possible now.
  402, 403, 404, 410, 480, 484, 485, 486, 502, 503, 504,
  // Loops and forks, which the next hop must not repeat (RFC 3261 §21.4.20, RFC 5393 §4).
  482, 483, 440,
  // The session description, which is the caller's in essence.
  488,
  // The caller's Identity, which the agent gets (RFC 8224 §6.2.2), and its anonymity (RFC 5079).
  428, 436, 437, 438, 433,
  // The callee has not consented (RFC 5360 §5.9).
  470,
  // RFC 3261 §21.6, RFC 8197, RFC 8688.
  600, 603, 604, 606, 607, 608,
]);

/** About the leg between us and the agent, where the caller has an equivalent. */
const translated: ReadonlyMap<number, number> = new Map([
  // Our INVITE has no body but the description, and accepts no other in the answer.
  [406, 488],
  [415, 488],
  // 408 would say that we have not answered (RFC 3261 §21.5.5).
  [408, 504],
  // The agent's connection is gone (RFC 5626 §11.1); the caller cannot open another.
  [430, 480],
  // Only the caller's own CANCEL explains 487 to it (RFC 3261 §21.4.25).
  [487, 480],
]);

/**
 * Maps a final failure of the agent's INVITE to the trunk's, as the table in docs/in-call.md says. Redirections end here: the
 * agent's addresses are private. Other failures of the leg between us and the agent (credentials, syntax, extensions) become 500.
 * `isOurs` marks a response that the engine generated because none came.
 */
export function mapAgentFailure(status: number, isOurs: boolean): MappedStatus {
  if (isOurs) {
    return { status: status === 408 ? 504 : 503, keepsPhrase: false, endReason: 'agent_unreachable' };
  }
  const endReason = status === 408 ? 'agent_no_answer' : 'agent_refused';
  if (passed.has(status)) return { status, keepsPhrase: true, endReason };
  return { status: translated.get(status) ?? classStatus(status), keepsPhrase: status >= 600, endReason };
}

/** A 6xx that is not registered counts as 600 (RFC 3261 §8.1.3.2). */
function classStatus(status: number): number {
  if (status >= 600) return 600;
  return status < 400 ? 502 : 500;
}

/** Statuses with which an agent decides not to take a call; others report a failure. */
const decisions = new Set([480, 486, 600, 603, 607, 608]);

export const isDecision = (status: number): boolean => decisions.has(status);

const inDialog = new Set([403, 480, 486, 488, 491, 500, 503, 504, 513, 600, 603, 606]);

/** Maps a refusal inside one dialog to the response in the other. */
export function mapInDialogFailure(status: number): number {
  if (inDialog.has(status)) return status;
  // 408 and 481 end the dialog they concern, which is not the requester's.
  return status === 415 || status === 405 || status === 501 ? status : 500;
}
