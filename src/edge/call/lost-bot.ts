import { agentLostSchema, agentLostType, isStreamUrl } from '../../contract/agent-stream.js';
import { readJson } from '../../contract/read-json.js';
import type { ReceivedRequest, ResponseSender } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { endWithoutAgent } from './agent-loss.js';
import type { Call } from './call.js';
import { fail } from './fail.js';

/** The agent's leg ends at a media-stream process. */
export const isAtBot = ({ state }: Call): boolean =>
  isStreamUrl(state.agentUri ?? '') && !state.newParties.agent;

/**
 * Answers an INFO by which a media-stream process reports that its bot is lost for good: the caller hears the announcement, and the call
 * ends. False: it is another INFO.
 */
export function takeLostBot(call: Call, request: ReceivedRequest, response: ResponseSender): boolean {
  const type = (request.get('Content-Type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type !== agentLostType || !isAtBot(call)) return false;
  const lost = readJson(agentLostSchema, request.body ?? '');
  if (call.hasEnded) response.send(481, undefined, {});
  else if (lost === undefined) {
    const headers = { Reason: sipReason(400, 'The body must be a JSON object with detail') };
    response.send(400, undefined, { headers });
  } else {
    response.send(200, undefined, {});
    endWithoutAgent(call, lost.detail).catch((error: unknown) => fail(call, error));
  }
  return true;
}
