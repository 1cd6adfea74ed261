import {
  type StreamAction,
  streamActionHeader,
  streamActionResultSchema,
} from '../../contract/agent-stream.js';
import type { CallControlReply } from '../../contract/call-control.js';
import { readJson } from '../../contract/read-json.js';
import type { Call } from '../call/call.js';
import { isAtBot } from '../call/lost-bot.js';
import { cleanPhrase, reasonTextOf } from '../sip/reason.js';
import { requestInDialog } from '../sip/request-in-dialog.js';

/** A media-stream process fetches a file, or connects to a server, before it answers; the API waits a second longer. */
const boundMilliseconds = 8_000;

/** Has the media-stream process of the call carry it out. Rejects when the process does not answer. */
export async function orderOfStream(
  call: Call,
  action: StreamAction,
): Promise<Omit<CallControlReply, 'owner'>> {
  const dialog = call.dialogs.agent;
  if (dialog === undefined || !isAtBot(call))
    return { result: 'conflict', detail: 'The agent of the call is not a WebSocket server' };
  if (action.action !== 'connect' && call.media?.audio.isOnHold === true)
    return { result: 'conflict', detail: 'The call is on hold' };
  const headers = { [streamActionHeader]: call.deps.secrets.seal(JSON.stringify(action)) };
  const { response } = await requestInDialog(dialog, { method: 'INFO', headers }, boundMilliseconds);
  if (response.status >= 300) {
    return { result: 'failed', detail: reasonTextOf(response) ?? cleanPhrase(response.reason) ?? null };
  }
  if (action.action === 'connect') {
    call.identifyAgent({ agentUri: action.stream.url });
    call.changed();
  }
  call.log.info({ action: action.action }, 'The API changed the stream of the call.');
  const milliseconds = readJson(streamActionResultSchema, response.body)?.milliseconds;
  return { result: 'done', detail: null, ...(milliseconds === undefined ? {} : { milliseconds }) };
}
