import { describe, expect, it } from 'vitest';
import { attachInDialog } from '../../../../src/edge/call/in-dialog.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import type { MediaSide } from '../../../../src/edge/media/rtp-statistics.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';

/** The ending of an answered call whose dialog the engine has ended. */
function endingOf(side: MediaSide, text: string) {
  const { deps } = new CallDoubles();
  const { request, response } = invitation();
  const call = new InboundCall(deps, request, response);
  call.admit({ number: '12025550100', organization: 'acme', release: () => {} });
  call.answer();
  const dialog = new DialogDouble(side);
  call.setDialog(side, dialog.asDialog);
  attachInDialog(call, side, dialog.asDialog);
  dialog.emit('destroy', { source: 'application', get: () => undefined, headers: {} }, text);
  return call.state.ending;
}

describe('a call whose dialog the engine has ended', () => {
  it.each<[string, MediaSide, object]>([
    ['ACK timeout', 'trunk', { reason: 'ack_timeout', by: 'edge', detail: /caller did not send ACK/ }],
    ['ACK timeout', 'agent', { reason: 'ack_timeout', by: 'edge', detail: /agent did not send ACK/ }],
    ['PRACK timeout', 'trunk', { reason: 'ack_timeout', by: 'edge', detail: /caller did not send PRACK/ }],
    ['Session timer expired', 'trunk', { reason: 'session_expired', by: 'edge', detail: /caller/ }],
    ['Session timer expired', 'agent', { reason: 'agent_lost', detail: /agent did not refresh/ }],
    ['Missing Contact', 'agent', { reason: 'agent_refused', by: 'edge', detail: /no valid Contact/ }],
    ['Missing Contact', 'trunk', { reason: 'trunk_refused', by: 'edge', detail: /no valid Contact/ }],
    ['ACK-BYE due to cancel race condition', 'agent', { reason: 'caller_cancelled', by: 'caller' }],
    ['CANCEL after 200 OK', 'trunk', { reason: 'caller_cancelled', by: 'caller' }],
    ['Shutdown', 'trunk', { reason: 'internal_error', by: 'edge', detail: /Shutdown/ }],
    ['Cancelled by a cosmic ray', 'trunk', { reason: 'internal_error', by: 'edge', detail: /cosmic/ }],
  ])('ends for "%s" of the %s with the reason of that cause', (text, side, expected) => {
    const { detail, ...rest } = expected as { detail?: RegExp };
    const ending = endingOf(side, text);
    expect(ending).toMatchObject(rest);
    if (detail !== undefined) expect(ending!.detail).toMatch(detail);
  });
});
