import { sendDigits } from '../call/send-digits.js';
import { sipReason } from '../sip/reason.js';
import type { OutboundCall } from './outbound-call.js';

/**
 * Sends the digits of the order to the trunk, then unmutes the agent. If they cannot be sent the call ends, since the agent
 * might reach the wrong person.
 */
export async function sendPrecallDigits(call: OutboundCall): Promise<void> {
  const { precallDigits: digits, media } = call;
  if (digits === '' || call.hasEnded || media === undefined) return;
  const areSent = await call.digits.sending(() => sendDigits(call, digits));
  if (call.hasEnded) return;
  if (!areSent) {
    notSent(call);
    return;
  }
  await media.audio.silenceAgent(false);
  call.report('answered');
}

function notSent(call: OutboundCall): void {
  call.end(
    {
      reason: 'media_failed',
      by: 'edge',
      detail:
        'precall_dtmf_sequence could not be sent: the agent sends no audio that could carry digits, and the trunk does not support INFO.',
    },
    { reason: sipReason(200, 'Digits could not be sent') },
  );
}
