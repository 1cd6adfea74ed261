import { idlePause } from '../../base/pause.js';
import { MediaUnavailable } from '../media/rtpengine-pool.js';
import { failureText, isMadeUp, transportFailureOf } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import type { Call } from './call.js';
import type { Ending } from './call-state.js';

/** With 4 s of silence before it, the caller is released within 15 s of the agent's death. */
const answerMilliseconds = 5_000;
/** Added to the announcement's length: phones play the last packets late. */
const tailMilliseconds = 300;
/** An announcement fits one NG datagram, so it is shorter than this, whatever the file's header claims. */
const longestAnnouncementMilliseconds = 15_000;

/**
 * Checks whether a silent agent still has the call: OPTIONS in its dialog (RFC 3261 §11). Any response from the agent except
 * 481 and 408 (§12.2.1.2) is a sign of life: undefined. During a transfer, the transfer decides about the agent's leg.
 */
export async function agentFailure(call: Call): Promise<string | undefined> {
  const dialog = call.dialogs.agent;
  if (dialog === undefined || call.transfer !== undefined) return undefined;
  try {
    const { response } = await requestInDialog(dialog, { method: 'OPTIONS' }, answerMilliseconds);
    if (isMadeUp(response)) {
      const cause = transportFailureOf(response)?.text ?? `${response.status} ${response.reason}`;
      return `OPTIONS did not reach it (${cause.slice(0, 200)})`;
    }
    const isGone = response.status === 481 || response.status === 408;
    return isGone ? `it answered OPTIONS with ${response.status}` : undefined;
  } catch (error) {
    return `${failureText(error).slice(0, 200)} within ${answerMilliseconds / 1_000} s`;
  }
}

/** The ending of a call whose agent is lost. A party that joined by transfer is not an agent. */
export function agentLoss(call: Call, detail: string): Ending {
  const reason = call.state.newParties.agent ? 'media_timeout' : 'agent_lost';
  return { reason, by: 'edge', detail };
}

/** Ends a call whose agent is lost, after the configured announcement to the trunk, if any. */
export async function endWithoutAgent(call: Call, detail: string): Promise<void> {
  const loss = agentLoss(call, detail);
  call.noteLoss(loss);
  call.watch();
  call.log.warn({ detail }, 'Agent lost.');
  const wav = call.deps.agentLostAnnouncement;
  if (wav !== undefined && call.media !== undefined) {
    try {
      const milliseconds = await call.media.audio.announce(wav, 1);
      const bound = Math.min(milliseconds, longestAnnouncementMilliseconds);
      await idlePause(bound + tailMilliseconds);
    } catch (error) {
      if (!(error instanceof MediaUnavailable)) throw error;
      call.log.warn({ error: error.message }, 'Playing the agent-lost announcement failed.');
    }
  }
  call.end(loss, { reason: sipReason(503, 'Agent lost') });
}
