import type { NamedDialog } from '../../sip/replaces.js';
import type { Call } from '../call/call.js';
import type { CallTable } from '../call/call-table.js';
import type { MediaSide } from '../media/rtp-statistics.js';

/** A dialog of this system, with its call and side. */
export interface KnownDialog {
  readonly call: Call;
  readonly side: MediaSide;
}

/**
 * The dialog that a Replaces identifies (RFC 3891 §3): its to-tag is our own tag, its from-tag the peer's. Only confirmed
 * dialogs of calls with both parties; early dialogs that we did not begin do not count.
 */
export function findDialog(
  table: CallTable,
  { callId, toTag, fromTag }: NamedDialog,
): KnownDialog | undefined {
  let found: KnownDialog | undefined;
  table.forEach((call) => {
    for (const side of ['trunk', 'agent'] as const) {
      const sip = call.dialogs[side]?.sip;
      if (sip?.callId === callId && sip.localTag === toTag && sip.remoteTag === fromTag)
        found = { call, side };
    }
  });
  return found;
}

/** Both parties are in the call, and no transfer is running. */
export const isSettled = (call: Call): boolean =>
  !call.hasEnded &&
  call.media?.isAgreed === true &&
  call.dialogs.trunk?.connected === true &&
  call.dialogs.agent?.connected === true &&
  call.transfer === undefined;
