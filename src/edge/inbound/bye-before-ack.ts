import type { CallTable } from '../call/call-table.js';
import { hungUp } from '../call/in-dialog.js';
import type { ReceivedRequest, ResponseSender } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';

/**
 * BYE from a peer whose 200 we have not acknowledged yet, because the ACK needs the other side's description. RFC 3261 §15
 * forbids it, but people hang up anyway.
 */
export function byeBeforeAck(table: CallTable, request: ReceivedRequest, response: ResponseSender): void {
  const callId = request.get('Call-ID') ?? '';
  const found = table.unacknowledged(callId);
  if (found === undefined) {
    response.send(481, undefined, {});
    return;
  }
  response.send(200, undefined, {});
  const { call, side } = found;
  call.legs.releaseOffered(side);
  if (request.source !== 'application') {
    hungUp(call, side, request, undefined);
    return;
  }
  // The engine and the peer wait for our ACK only for a limited time.
  const farSide = side === 'trunk' ? 'agent' : call.party;
  const detail = `The ${side}'s 200 timed out waiting for the ${farSide}'s SDP.`;
  call.end(
    { reason: 'ack_timeout', by: 'edge', detail },
    { answer: { status: 504 }, reason: sipReason(504, 'ACK timeout') },
  );
}
