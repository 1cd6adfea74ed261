import { describe, expect, test } from 'vitest';
import { refusal } from '../../../../src/engine/dialog/application.js';
import {
  Fixture,
  inboundCall,
  outboundCall,
  peerAddress,
  peerRequest,
  RecordingApplication,
} from './fixture.js';

/** What the test sends from now on comes from another application. The first one stays connected. */
function joinOther(fixture: Fixture): { first: RecordingApplication; second: RecordingApplication } {
  const first = fixture.application;
  fixture.application = new RecordingApplication();
  return { first, second: fixture.application };
}

describe('an application', () => {
  test('is refused an answer to the request of another application', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const invite = fixture.application.lastRequest;
    fixture.take();
    const { first } = joinOther(fixture);
    expect(fixture.respond(invite, '486 Busy Here').refusal).toBe(refusal.unknownTransaction);
    expect(fixture.wire()).toEqual([]);
    fixture.application = first;
    expect(fixture.respond(invite, '486 Busy Here').refusal).toBeUndefined();
    expect(fixture.wire()).toEqual(['486']);
  });

  test('is refused a request within the dialog of another application', () => {
    const fixture = new Fixture();
    const { dialogId } = inboundCall(fixture);
    const { first } = joinOther(fixture);
    expect(fixture.within(dialogId, 'BYE').refusal).toBe(refusal.unknownDialog);
    expect(fixture.within(dialogId, 'ACK').refusal).toBe(refusal.acknowledgedAlready);
    expect(fixture.wire()).toEqual([]);
    fixture.application = first;
    expect(fixture.within(dialogId, 'BYE').refusal).toBeUndefined();
    expect(fixture.wire()).toEqual(['BYE']);
  });

  test('is refused a CANCEL of the request of another application', () => {
    const fixture = new Fixture();
    const { transactionId } = fixture.request(`INVITE sip:bob@${peerAddress} SIP/2.0`, '');
    const { first } = joinOther(fixture);
    expect(fixture.cancel(transactionId).refusal).toBe(refusal.unknownCancel(transactionId));
    fixture.application = first;
    expect(fixture.cancel(transactionId).refusal).not.toBe(refusal.unknownCancel(transactionId));
  });

  test('keeps its dialogs and open requests when another application disconnects', () => {
    const fixture = new Fixture();
    const { dialogId } = inboundCall(fixture);
    outboundCall(fixture);
    fixture.deliver(peerRequest(fixture, 'INVITE', { callId: 'call-2', fromTag: 'at2' }));
    const pending = fixture.application.lastRequest;
    const outgoing = fixture.request(`OPTIONS sip:bob@${peerAddress} SIP/2.0`);
    fixture.take();
    const { first, second } = joinOther(fixture);
    fixture.core.applicationGone(second);
    expect(fixture.wire()).toEqual([]);
    expect(fixture.core.counts).toMatchObject({ pendingRequests: 1, outgoingRequests: 1 });
    fixture.application = first;
    expect(fixture.respond(pending, '486 Busy Here').refusal).toBeUndefined();
    expect(fixture.within(dialogId, 'BYE').refusal).toBeUndefined();
    expect(outgoing.refusal).toBeUndefined();
  });

  test('keeps a request that it has not answered when another application is silent', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const { first, second } = joinOther(fixture);
    fixture.core.applicationSilent(second);
    expect([first.methods, second.methods]).toEqual([['INVITE'], []]);
    fixture.core.applicationSilent(first);
    expect(second.methods).toEqual(['INVITE']);
  });

  test.each(['ACK', 'CANCEL'])('is refused a %s that names no request', (method) => {
    const fixture = new Fixture();
    expect(fixture.request(`${method} sip:bob@${peerAddress} SIP/2.0`).refusal).toBe(
      `${method} outside a transaction`,
    );
    expect(fixture.wire()).toEqual([]);
  });
});
