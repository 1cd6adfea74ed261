import type { EndReason } from '../../contract/call-record.js';

/** The response to the caller when the agent refuses or fails. */
export interface MappedStatus {
  readonly status: number;
  /** True: with the agent's own reason phrase. */
  readonly keepsPhrase: boolean;
  readonly endReason: EndReason;
}

/** Decisions of a person or a policy about this call: relayed to the caller unchanged. */
const passed = new Set([
  403, 404, 410, 480, 482, 483, 484, 486, 488, 502, 503, 504, 600, 603, 604, 606, 607, 608,
]);

/**
 * Maps a final failure of the agent's INVITE to the trunk's. Redirections end here: the agent's addresses are private.
 * Failures of the leg between us and the agent (credentials, syntax, extensions) become 500; a 488 from an agent that
 * refuses the codecs is relayed. `isOurs` marks a response that the engine generated because none came.
 */
export function mapAgentFailure(status: number, isOurs: boolean): MappedStatus {
  if (isOurs) {
    return { status: status === 408 ? 504 : 503, keepsPhrase: false, endReason: 'agent_unreachable' };
  }
  if (status === 408) return { status: 504, keepsPhrase: false, endReason: 'agent_no_answer' };
  if (status === 487) return { status: 480, keepsPhrase: false, endReason: 'agent_refused' };
  if (passed.has(status)) return { status, keepsPhrase: true, endReason: 'agent_refused' };
  if (status < 400) return { status: 502, keepsPhrase: false, endReason: 'agent_refused' };
  if (status >= 600) return { status: 600, keepsPhrase: true, endReason: 'agent_refused' };
  return { status: 500, keepsPhrase: false, endReason: 'agent_refused' };
}

const inDialog = new Set([403, 480, 486, 488, 491, 500, 503, 504, 513, 600, 603, 606]);

/** Maps a refusal inside one dialog to the response in the other. */
export function mapInDialogFailure(status: number): number {
  if (inDialog.has(status)) return status;
  // 408 and 481 end the dialog they concern, which is not the requester's.
  return status === 415 || status === 405 || status === 501 ? status : 500;
}
