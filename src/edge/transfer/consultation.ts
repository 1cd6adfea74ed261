import type { ConsultationStage } from '../../contract/transfer.js';

/** From which stages a consultation may enter each. */
export const stagePredecessors: Readonly<Record<ConsultationStage, readonly ConsultationStage[]>> = {
  calling: [],
  connecting: ['calling'],
  consulting: ['connecting'],
  // From `calling` and `connecting`: the agent has hung up meanwhile.
  joining: ['calling', 'connecting', 'consulting'],
  returning: ['calling', 'connecting', 'consulting', 'joining'],
};

/** An event that the consultation's stage does not allow: a programming error, never the peer's. */
class ConsultationStageError extends Error {
  constructor(from: ConsultationStage, to: ConsultationStage) {
    super(`A consultation cannot go from ${from} to ${to}.`);
    this.name = 'ConsultationStageError';
  }
}

const notYet = 'The target has not answered yet';
const isJoining = 'The caller and the target are being connected';
const agentIsGone = 'The agent has hung up; the caller waits for the target';
const isReturning = 'The transfer has failed; the caller returns to the agent';

/** Why an API request for a transfer must wait or comes too late; null: it may be carried out. */
const completeRefusals: Readonly<Record<ConsultationStage, string | null>> = {
  calling: notYet,
  connecting: notYet,
  consulting: null,
  joining: isJoining,
  returning: isReturning,
};
const cancelRefusals: Readonly<Record<ConsultationStage, string | null>> = {
  calling: null,
  connecting: null,
  consulting: null,
  joining: isJoining,
  returning: isReturning,
};

/**
 * Where a warm transfer is: the target rings, talks to the agent, then to the caller; or the caller returns to the agent. An agent that
 * hangs up completes the transfer. Does no I/O: the results say what is due.
 */
export class Consultation {
  private current: ConsultationStage = 'calling';
  private isAgentGone = false;

  get stage(): ConsultationStage {
    return this.current;
  }

  get completeRefusal(): string | null {
    return completeRefusals[this.current];
  }

  get cancelRefusal(): string | null {
    return cancelRefusals[this.current] ?? (this.isAgentGone ? agentIsGone : null);
  }

  /** The target has answered. True: the agent is to be connected with it; false: the caller at once. */
  answered(): boolean {
    if (this.isAgentGone) return false;
    this.become('connecting');
    return true;
  }

  /** The agent has the target's description. */
  connected(): void {
    if (!this.isAgentGone) this.become('consulting');
  }

  /** The agent has hung up. */
  agentLeft(): void {
    this.isAgentGone = true;
  }

  /** The caller and the target are being connected. */
  join(): void {
    this.become('joining');
  }

  /** The transfer has failed or was cancelled. True: the caller returns to the agent; false: the agent has hung up. */
  failed(): boolean {
    this.become('returning');
    return !this.isAgentGone;
  }

  private become(stage: ConsultationStage): void {
    if (!stagePredecessors[stage].includes(this.current))
      throw new ConsultationStageError(this.current, stage);
    this.current = stage;
  }
}
