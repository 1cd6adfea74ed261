import type { Kysely } from 'kysely';
import type { EndedBy } from '../../../contract/call-record.js';
import { readCallOutcome } from '../../calls/index.js';
import { readCallTranscript } from '../../contacts/index.js';
import type { Database } from '../../database/tables.js';
import { noProgress, RunFailure } from '../conversation/channel.js';
import type { ConversationState } from '../conversation/hold-conversation.js';
import type { RunEnding } from '../schemas/run.js';
import { reportedBy } from '../voice/reported-tools.js';

/** What was said and done in a real call, as far as its agent stored it. Rejects with `RunFailure` when it stored nothing. */
export async function heardCall(
  database: Kysely<Database>,
  organizationId: string,
  callId: string,
): Promise<{ readonly state: ConversationState; readonly ending: RunEnding | null }> {
  const chat = await readCallTranscript(database, organizationId, callId);
  if (chat.length === 0)
    throw new RunFailure(
      `The agent of call ${callId} stored no messages of it in the memory of a contact, so that what was said is not known.`,
    );
  const outcome = await readCallOutcome(database, organizationId, callId);
  const target = outcome?.transfers.findLast(({ status }) => status === 'completed')?.target ?? null;
  return {
    state: {
      chat,
      details: [],
      turns: chat.filter(({ role }) => role === 'user').length,
      progress: {
        ...noProgress,
        ...reportedBy(outcome?.agentMetadata ?? {}, chat),
        transferredTo: outcome === undefined ? undefined : target,
      },
    },
    ending: outcome === undefined ? null : endingOfCall(outcome.ended_by, target),
  };
}

/** @param target where the caller was transferred to; null: nowhere */
export const endingOfCall = (endedBy: EndedBy, target: string | null): RunEnding => ({
  ended_by: sideOf(endedBy),
  transfer: target === null ? 'none' : 'transferred',
  transferred_to: target,
});

/** `callee` is the person that an outbound call reached. */
const sideOf = (endedBy: EndedBy): RunEnding['ended_by'] =>
  endedBy === 'agent' ? 'agent' : endedBy === 'caller' || endedBy === 'callee' ? 'caller' : 'test';
