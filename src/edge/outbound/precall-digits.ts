import { sendDigits } from '../call/send-digits.js';
import { sipReason } from '../sip/reason.js';
import type { OutboundCall } from './outbound-call.js';

/**
 * Sends the digits of the order to the trunk, then lets the agent be heard. A call whose digits cannot be sent ends, because
 * nobody knows who would hear the agent.
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
  await media.silenceAgent(false);
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
