import type { HeldCall } from '../../contract/held-call.js';
import type { Call } from '../call/call.js';
import { failureText } from '../sip/messages.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import { sipfragType, writeSipfrag } from '../transfer/sipfrag.js';
import { resumeAudio } from '../transfer/warm-transfer.js';

/** The transferor answers within Timer F (32 s) of the engine. */
const notifyMilliseconds = 34_000;
const outcome = { status: 503, reason: 'Service Unavailable' } as const;

/**
 * The process that carried out a transfer is gone, and the transfer with it: the record says so, and the transferor gets the NOTIFY
 * that it waits for (RFC 3515 §2.4.4).
 */
export function failTransfer(call: Call, open: HeldCall['open_transfer']): void {
  if (open === null) return;
  const { subscription, media_id: mediaId, ...description } = open;
  if (mediaId !== null && mediaId !== call.media?.id) void call.deps.pool.deleteEverywhere(mediaId);
  call.noteTransfer({
    ...description,
    status: 'failed',
    reason: 'internal_error',
    sip_status: null,
    sip_reason: null,
    detail: 'The edge that carried it out was lost.',
    completed_at: new Date().toISOString(),
    sip_call_id: null,
    other_call_id: null,
  });
  // A warm transfer: the caller was on hold, and the agent gets the description of the call's own session.
  if (description.mode === 'attended' && description.requested_by === 'api') void resumeAudio(call);
  call.deps.metrics.transferEnded({ mode: description.mode, reason: 'internal_error' });
  const dialog = subscription === null ? undefined : call.dialogs[subscription.side];
  if (subscription === null || dialog === undefined) return;
  const { id } = subscription;
  const headers = {
    Event: id === null ? 'refer' : `refer;id=${id}`,
    'Subscription-State': 'terminated;reason=noresource',
    'Content-Type': sipfragType,
  };
  requestInDialog(
    dialog,
    { method: 'NOTIFY', headers, body: writeSipfrag(outcome) },
    notifyMilliseconds,
  ).catch((error: unknown) => {
    call.log.debug({ error: failureText(error) }, 'The transferor did not get its last NOTIFY.');
  });
}
