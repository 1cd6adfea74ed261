import type { AgentProgress } from '../conversation/channel.js';
import type { EndReason } from '../conversation/hold-conversation.js';
import type { RunEnding } from '../schemas/run.js';

/**
 * How a conversation that is over ended: by the call if there was one, else by its last turn.
 * @param hungUpBy undefined: a conversation by text
 */
export function endingOf(
  reason: EndReason,
  { transferredTo }: Pick<AgentProgress, 'transferredTo'>,
  hungUpBy: 'agent' | 'test' | undefined,
): RunEnding {
  return {
    ended_by: endedBy(reason, hungUpBy),
    transfer: transferredTo === undefined ? 'unknown' : transferredTo === null ? 'none' : 'transferred',
    transferred_to: transferredTo ?? null,
  };
}

function endedBy(reason: EndReason, hungUpBy: 'agent' | 'test' | undefined): RunEnding['ended_by'] {
  if (hungUpBy === 'agent') return 'agent';
  if (reason === 'caller_ended') return 'caller';
  // In a call, an agent that ends the conversation hangs up; one that fell silent does not.
  return reason === 'agent_ended' && hungUpBy === undefined ? 'agent' : 'test';
}
