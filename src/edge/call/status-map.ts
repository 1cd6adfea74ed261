import type { EndReason } from '../../contract/call-record.js';

/** What the caller is told when the agent's side refuses or fails. */
export interface MappedStatus {
  readonly status: number;
  /** True: the agent's own reason phrase goes with it. */
  readonly keepsPhrase: boolean;
  readonly endReason: EndReason;
}

/** Said by a person or a policy about this call: meant for the caller as it is. */
const passed = new Set([
  403, 404, 410, 480, 482, 483, 484, 486, 488, 502, 503, 504, 600, 603, 604, 606, 607, 608,
]);

/**
 * Maps a final failure of the agent's INVITE to the trunk's. Redirections end here: the agent's addresses are private.
 * What concerns only the leg between us and the agent (credentials, syntax, extensions) is our failure, 500; a 488 by an
 * agent that refuses the codecs is passed on. `isOurs` marks a response that the engine made because none came.
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

/** The other side's refusal of a request inside the dialog, for the side that asked. */
export function mapInDialogFailure(status: number): number {
  if (inDialog.has(status)) return status;
  // 408 and 481 end the dialog they are about, which is not the asker's.
  return status === 415 || status === 405 || status === 501 ? status : 500;
}
