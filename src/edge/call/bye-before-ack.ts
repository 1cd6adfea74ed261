import type { CallTable } from './call-table.js';
import type { ReceivedRequest, ResponseSender } from './engine-link.js';
import { hungUp } from './in-dialog.js';

/**
 * BYE of somebody whose 200 we have not acknowledged yet, because it waits for the other side's description. RFC 3261 §15
 * forbids it, and people hang up all the same.
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
  call.dropUnacknowledged(side);
  hungUp(call, side, request, undefined);
}
