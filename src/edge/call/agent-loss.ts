import { MediaUnavailable } from '../media/rtpengine-pool.js';
import { failureText, isMadeUp, transportFailureOf } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import type { Call } from './call.js';
import type { Ending } from './call-state.js';

/** With 4 s of silence before it, a caller is let go within 15 s of the agent's death. */
const answerMilliseconds = 5_000;
/** After what the announcement lasts: phones play the last packets late. */
const tailMilliseconds = 300;
/** An announcement is one NG datagram, so it is shorter than this; a file that says more is not believed. */
const longestAnnouncementMilliseconds = 15_000;

/**
 * Whether a silent agent still has the call: OPTIONS in its dialog (RFC 3261 §11). Any answer of its own is a sign of life,
 * but 481 and 408 (§12.2.1.2); undefined, then. While a transfer goes on it decides what becomes of the agent's leg.
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

/** How a call ends whose agent is gone. A party that came by a transfer is no agent. */
export function agentLoss(call: Call, detail: string): Ending {
  const reason = call.state.newParties.agent ? 'media_timeout' : 'agent_lost';
  return { reason, by: 'edge', detail };
}

/** Ends a call whose agent is gone; before that the trunk hears the announcement where one is configured. */
export async function endWithoutAgent(call: Call, detail: string): Promise<void> {
  const loss = agentLoss(call, detail);
  call.noteLoss(loss);
  call.watch();
  call.log.warn({ detail }, 'Agent lost.');
  const wav = call.deps.agentLostAnnouncement;
  if (wav !== undefined && call.media !== undefined) {
    try {
      const milliseconds = await call.media.announce(wav, 1);
      const bound = Math.min(milliseconds, longestAnnouncementMilliseconds);
      await new Promise((resolve) => setTimeout(resolve, bound + tailMilliseconds).unref());
    } catch (error) {
      if (!(error instanceof MediaUnavailable)) throw error;
      call.log.warn({ error: error.message }, 'Playing the agent-lost announcement failed.');
    }
  }
  call.end(loss, { reason: sipReason(503, 'Agent lost') });
}
