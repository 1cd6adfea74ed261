import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import { endIfByeIsLost, readAdopted } from '../../../../src/edge/survival/adopted-dialogs.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function adoptedCall() {
  const { request, response } = invitation();
  const call = new InboundCall(new CallDoubles().deps, request, response);
  call.admit({ number: '1', organization: 'acme', release: () => {} });
  call.setDialog('trunk', new DialogDouble('trunk').asDialog);
  call.setDialog('agent', new DialogDouble('agent').asDialog);
  call.answer();
  const { ids, ended } = readAdopted('[{"id":"trunk","has_ended":true},{"id":"agent","has_ended":false}]');
  expect([...ids]).toEqual(['trunk', 'agent']);
  endIfByeIsLost(call, ended);
  return call;
}

describe('a call whose dialog had ended before this edge took it over', () => {
  it('ends as its BYE says', async () => {
    const call = adoptedCall();
    await vi.advanceTimersByTimeAsync(500);
    expect(call.hasEnded).toBe(false);
    call.end({ reason: 'caller_hung_up', by: 'caller', detail: 'Reason: Q.850;cause=16' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(call.state.ending?.detail).toContain('Q.850');
  });

  it('ends soon when the BYE does not come', async () => {
    const call = adoptedCall();
    await vi.advanceTimersByTimeAsync(1_100);
    expect(call.state.ending).toMatchObject({ reason: 'caller_hung_up', by: 'caller' });
  });

  it('continues with the party that a transfer has put in its place', async () => {
    const call = adoptedCall();
    call.setDialog('trunk', new DialogDouble('another').asDialog);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(call.hasEnded).toBe(false);
  });
});
