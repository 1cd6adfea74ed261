import {
  agentMetadataSchema,
  agentMetadataType,
  mergedMetadata,
  metadataLimitText,
} from '../../contract/agent-metadata.js';
import { readJson } from '../../contract/read-json.js';
import type { ReceivedRequest, ResponseSender } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import type { Call } from './call.js';

/** Answers an INFO by which the agent notes values for the call's record. False: it is another INFO. */
export function takeMetadata(call: Call, request: ReceivedRequest, response: ResponseSender): boolean {
  const type = (request.get('Content-Type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type !== agentMetadataType) return false;
  const refuse = (status: number, text: string): void =>
    response.send(status, undefined, { headers: { Reason: sipReason(status, text) } });
  const added = readJson(agentMetadataSchema, request.body ?? '');
  const merged = added === undefined ? undefined : mergedMetadata(call.state.agentMetadata, added);
  if (call.hasEnded) response.send(481, undefined, {});
  else if (added === undefined)
    refuse(400, 'The body must be a JSON object of names and texts of at most 500 characters');
  else if (merged === undefined) refuse(413, metadataLimitText);
  else {
    call.noteAgentMetadata(merged);
    response.send(200, undefined, {});
  }
  return true;
}
