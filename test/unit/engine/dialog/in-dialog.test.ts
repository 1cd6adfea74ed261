import { describe, expect, test } from 'vitest';
import {
  expectNothingLeft,
  Fixture,
  inboundCall,
  ourAddress,
  outboundCall,
  peerAddress,
  peerRequest,
  peerResponse,
  sdp,
} from './fixture.js';

const moved = '<sip:alice@203.0.113.77:5090>';

describe('requests of the application within a dialog', () => {
  test('carry the dialog’s values, regardless of what the application writes', () => {
    const fixture = new Fixture();
    const { dialogId, localTag } = inboundCall(fixture);
    const headers =
      'From: <sip:x@y>;tag=z\r\nCall-ID: other\r\nRoute: <sip:r>\r\nContent-Type: application/dtmf-relay';
    const reply = fixture.within(dialogId, 'INFO', headers, 'Signal=5\r\n');
    const info = fixture.sentRequest('INFO');
    expect(info.uri).toBe(`sip:alice@${peerAddress}:5060`);
    expect(info.headers.get('From')).toContain(`;tag=${localTag}`);
    expect(info.headers.get('To')).toBe('<sip:alice@example.net>;tag=at1');
    expect(info.headers.get('Call-ID')).toBe('call-1');
    expect(info.headers.get('CSeq')).toBe('2 INFO');
    expect(info.headers.has('Contact')).toBe(false);
    expect(info.headers.has('Route')).toBe(false);
    expect(info.headers.get('Content-Length')).toBe('10');
    fixture.deliver(peerResponse(info, '200 OK'));
    expect(fixture.application.responses).toMatchObject([{ transactionId: reply.transactionId, dialogId }]);
  });

  test('need a Content-Type unless the body is SDP', () => {
    const fixture = new Fixture();
    const { dialogId } = inboundCall(fixture);
    expect(fixture.within(dialogId, 'INFO', '', 'Signal=5').refusal).toBe('missing content-type');
    expect(fixture.within('nobody;from-tag=1', 'INFO').refusal).toContain('unable to find dialog');
  });

  test.each([
    ['200 OK', 0],
    ['481 Gone', 0],
    ['401 Unauthorized', 1],
    ['407 Proxy Authentication Required', 1],
  ])('BYE answered %s leaves %i dialogs', async (status, left) => {
    const fixture = new Fixture();
    const { dialogId } = outboundCall(fixture);
    fixture.within(dialogId, 'BYE');
    const bye = fixture.sentRequest('BYE');
    expect(bye.headers.get('CSeq')).toBe('101 BYE');
    fixture.deliver(peerResponse(bye, status));
    expect(fixture.core.counts.dialogs).toBe(left);
    if (left === 1) return;
    expect(fixture.within(dialogId, 'BYE').refusal).toContain('unable to find dialog');
    await expectNothingLeft(fixture);
  });

  test('unanswered BYE: 408, and the dialog is removed', async () => {
    const fixture = new Fixture();
    const { dialogId } = outboundCall(fixture);
    fixture.within(dialogId, 'BYE');
    await fixture.clock.advance(32_000);
    expect(fixture.application.statuses).toEqual([200, 408]);
    await expectNothingLeft(fixture);
  });

  test('BYE while our re-INVITE is open: the re-INVITE gets 487 first, and its late 200 an ACK', () => {
    const fixture = new Fixture();
    const { dialogId } = outboundCall(fixture);
    const reply = fixture.within(dialogId, 'INVITE', '', sdp);
    const reinvite = fixture.sentRequest('INVITE');
    fixture.deliver(peerResponse(reinvite, '180 Ringing'));
    fixture.within(dialogId, 'BYE');
    expect(fixture.wire()).toEqual(['CANCEL', 'BYE']);
    expect(fixture.application.statuses).toEqual([200, 180, 487]);
    expect(fixture.application.responses.at(-1)!.transactionId).toBe(reply.transactionId);
    fixture.deliver(
      peerResponse(reinvite, '200 OK', { headers: 'Contact: <sip:bob@198.51.100.20>', body: sdp }),
    );
    expect(fixture.wire()).toEqual(['ACK']);
    expect(fixture.application.statuses).toEqual([200, 180, 487]);
  });

  test('a re-INVITE, its 180, 200 and ACK, with an INFO between', () => {
    const fixture = new Fixture();
    const { dialogId } = outboundCall(fixture);
    fixture.within(dialogId, 'INVITE', 'Contact: <sip:me@localhost>', sdp);
    const reinvite = fixture.sentRequest('INVITE');
    expect(reinvite.headers.get('CSeq')).toBe('101 INVITE');
    expect(reinvite.headers.get('Contact')).toBe('<sip:me@192.0.2.10:5060>');
    fixture.deliver(peerResponse(reinvite, '180 Ringing'));
    fixture.within(dialogId, 'INFO');
    fixture.take();
    fixture.deliver(peerResponse(reinvite, '200 OK', { headers: `Contact: ${moved}`, body: sdp }));
    fixture.within(dialogId, 'ACK');
    const ack = fixture.sentRequest('ACK');
    expect(ack.headers.get('CSeq')).toBe('101 ACK');
    expect(ack.uri).toBe('sip:alice@203.0.113.77:5090');
    expect(fixture.application.statuses).toEqual([200, 180, 200]);
  });

  test('a refused re-INVITE leaves the dialog', () => {
    const fixture = new Fixture();
    const { dialogId } = outboundCall(fixture);
    fixture.within(dialogId, 'INVITE', '', sdp);
    fixture.deliver(peerResponse(fixture.sentRequest('INVITE'), '488 Not Acceptable Here'));
    expect(fixture.wire()).toEqual(['ACK']);
    expect(fixture.within(dialogId, 'ACK').refusal).toContain('automatically generated');
    expect(fixture.within(dialogId, 'INVITE', '', sdp).refusal).toBeUndefined();
  });

  test('a re-INVITE while another is open gets the 491 that the peer would give', async () => {
    const fixture = new Fixture();
    const { dialogId } = outboundCall(fixture);
    fixture.within(dialogId, 'INVITE', '', sdp);
    fixture.take();
    const second = fixture.within(dialogId, 'INVITE', '', sdp);
    await fixture.clock.advance(1);
    expect(fixture.application.responses.at(-1)).toMatchObject({
      response: { status: 491 },
      transactionId: second.transactionId,
    });
    expect(fixture.wire()).toEqual([]);
  });

  test('strict routers get the Request-URI, and the target comes last', () => {
    const fixture = new Fixture();
    const { dialogId } = inboundCall(fixture, {
      headers: 'Record-Route: <sip:203.0.113.1>, <sip:203.0.113.2;lr>',
    });
    fixture.within(dialogId, 'BYE');
    const [sent] = fixture.take();
    expect(sent!.flow.remoteAddress).toBe('203.0.113.1');
    expect(sent!.message).toMatchObject({ uri: 'sip:203.0.113.1' });
    expect(sent!.message.headers.lines('Route')).toEqual([
      '<sip:203.0.113.2;lr>',
      `<sip:alice@${peerAddress}:5060>`,
    ]);
  });
});

describe('requests of the peer within a dialog', () => {
  test.each(['INFO', 'OPTIONS', 'MESSAGE', 'NOTIFY', 'REFER', 'SUBSCRIBE', 'UPDATE'])(
    '%s is delivered with the dialog',
    (method) => {
      const fixture = new Fixture([]);
      const owner = new Fixture();
      const { localTag, dialogId } = inboundCall(owner);
      owner.deliver(peerRequest(owner, method, { toTag: localTag, cseq: 2 }));
      expect(owner.application.lastRequest).toMatchObject({ dialogId, isInitial: false });
      const reply = owner.respond(owner.application.lastRequest, '202 Accepted');
      expect(reply.sent).toMatchObject({ dialogId });
      expect(fixture.application.requests).toEqual([]);
    },
  );

  test('BYE ends the dialog at once; the reply to its 200 names none', async () => {
    const fixture = new Fixture();
    const { localTag, dialogId } = inboundCall(fixture);
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: localTag, cseq: 2 }));
    const bye = fixture.application.lastRequest;
    expect(bye.dialogId).toBe(dialogId);
    expect(fixture.core.counts.dialogs).toBe(0);
    expect(fixture.respond(bye, '200 OK').sent).toMatchObject({ dialogId: '' });
    fixture.take();
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: localTag, cseq: 3 }));
    expect(fixture.wire()).toEqual(['481']);
    await expectNothingLeft(fixture);
  });

  test('BYE before the application acknowledged: the ACK is sent all the same', () => {
    const fixture = new Fixture();
    fixture.request(`INVITE sip:bob@${peerAddress} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    const contact = `Contact: <sip:bob@${peerAddress}:5060>`;
    fixture.deliver(peerResponse(invite, '200 OK', { tag: 'bt1', headers: contact, body: sdp }));
    fixture.take();
    const toTag = /tag=(.+)/.exec(invite.headers.get('From')!)![1]!;
    const callId = invite.headers.get('Call-ID')!;
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag, fromTag: 'bt1', callId }));
    expect(fixture.wire()).toEqual(['ACK']);
    expect(fixture.application.methods).toEqual(['BYE']);
  });

  test.each([
    ['udp', { address: ourAddress, port: 5060 }],
    ['tcp', { address: peerAddress, port: 5070 }],
  ])('tells the application where an ACK over %s was sent from or to', (transport, end) => {
    const fixture = new Fixture();
    fixture.request(`INVITE sip:bob@${peerAddress};transport=${transport} SIP/2.0`, sdp);
    const headers = `Contact: <sip:bob@${peerAddress}:5070;transport=${transport}>`;
    fixture.deliver(
      peerResponse(fixture.sentRequest('INVITE'), '200 OK', { tag: 'bt1', headers, body: sdp }),
    );
    const ack = fixture.within(fixture.application.responses.at(-1)!.dialogId, 'ACK');
    expect(ack.sent).toMatchObject({ protocol: transport, isPending: false, ...end });
  });

  test('numbers that were overtaken or used before get 500, unknown dialogs 481', () => {
    const fixture = new Fixture();
    const { localTag } = inboundCall(fixture);
    fixture.deliver(peerRequest(fixture, 'INFO', { toTag: localTag, cseq: 7 }));
    for (const cseq of [6, 7]) {
      fixture.deliver(peerRequest(fixture, 'INFO', { toTag: localTag, cseq }));
      expect(fixture.wire()).toEqual(['500']);
    }
    for (const method of ['INVITE', 'INFO', 'UPDATE', 'PRACK', 'SUBSCRIBE', 'OPTIONS']) {
      fixture.deliver(peerRequest(fixture, method, { toTag: 'unknown', cseq: 9 }));
      expect(fixture.wire()).toEqual(['481']);
    }
  });

  test('a re-INVITE is delivered, its 200 repeated until the ACK, and moves the target', async () => {
    const fixture = new Fixture();
    const { localTag, dialogId, invite } = inboundCall(fixture);
    fixture.deliver(peerRequest(fixture, 'INVITE', { toTag: localTag, cseq: 2, body: '', contact: moved }));
    const reinvite = fixture.application.lastRequest;
    expect(reinvite).toMatchObject({ dialogId, isInitial: false });
    const reply = fixture.respond(reinvite, '200 OK', sdp);
    expect(reply.message.headers.has('Contact')).toBe(true);
    fixture.take();
    await fixture.clock.advance(1_500);
    expect(fixture.wire()).toEqual(['200', '200']);
    fixture.deliver(peerRequest(fixture, 'ACK', { toTag: localTag, cseq: 2 }));
    const ack = fixture.application.lastRequest;
    expect(ack.dialogId).toBe(dialogId);
    expect(ack.transactionId).not.toBe(invite.transactionId);
    fixture.within(dialogId, 'BYE');
    expect(fixture.sentRequest('BYE').uri).toBe('sip:alice@203.0.113.77:5090');
  });

  test('a re-INVITE whose 200 is never acknowledged ends the call', async () => {
    const fixture = new Fixture();
    const { localTag } = inboundCall(fixture);
    fixture.deliver(peerRequest(fixture, 'INVITE', { toTag: localTag, cseq: 2 }));
    fixture.respond(fixture.application.lastRequest, '200 OK', sdp);
    await fixture.clock.advance(32_000);
    expect(fixture.wire()).toContain('BYE');
    expect(fixture.application.unsolicitedByes).toHaveLength(1);
    await expectNothingLeft(fixture);
  });

  test('overlapping re-INVITEs: 500 with Retry-After; crossing with ours: 491', () => {
    const fixture = new Fixture();
    const { localTag, dialogId } = inboundCall(fixture);
    fixture.deliver(peerRequest(fixture, 'INVITE', { toTag: localTag, cseq: 2 }));
    fixture.take();
    fixture.deliver(peerRequest(fixture, 'INVITE', { toTag: localTag, cseq: 3 }));
    expect(fixture.sentResponse(500).headers.get('Retry-After')).toBe('5');
    fixture.respond(fixture.application.lastRequest, '488 Not Acceptable Here');
    fixture.within(dialogId, 'INVITE', '', sdp);
    fixture.take();
    fixture.deliver(peerRequest(fixture, 'INVITE', { toTag: localTag, cseq: 4 }));
    expect(fixture.wire()).toEqual(['491']);
  });

  test('CANCEL of a re-INVITE: 200 and 487, and the late answer is refused', () => {
    const fixture = new Fixture();
    const { localTag } = inboundCall(fixture);
    fixture.deliver(peerRequest(fixture, 'INVITE', { toTag: localTag, cseq: 2, branch: 'z9hG4bKre' }));
    const reinvite = fixture.application.lastRequest;
    fixture.take();
    fixture.deliver(peerRequest(fixture, 'CANCEL', { toTag: localTag, cseq: 2, branch: 'z9hG4bKre' }));
    expect(fixture.wire()).toEqual(['200', '487']);
    expect(fixture.respond(reinvite, '200 OK', sdp).refusal).toContain('unknown transaction');
    expect(fixture.core.counts.dialogs).toBe(1);
  });

  test('BYE of the peer while requests are open: 487 both ways before the BYE', () => {
    const fixture = new Fixture();
    const { localTag, dialogId } = inboundCall(fixture);
    fixture.within(dialogId, 'INVITE', '', sdp);
    fixture.take();
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: localTag, cseq: 2 }));
    expect(fixture.application.statuses).toEqual([487]);
    expect(fixture.application.methods.at(-1)).toBe('BYE');
    const otherFixture = new Fixture();
    const call = inboundCall(otherFixture);
    otherFixture.deliver(peerRequest(otherFixture, 'INVITE', { toTag: call.localTag, cseq: 2 }));
    otherFixture.take();
    otherFixture.deliver(peerRequest(otherFixture, 'BYE', { toTag: call.localTag, cseq: 3 }));
    expect(otherFixture.wire()).toEqual(['487']);
  });

  test('UPDATE: one at a time, in early dialogs too, each with a unique id', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const invite = fixture.application.lastRequest;
    const ringing = fixture.respond(invite, '180 Ringing');
    const toTag = /tag=(.+)/.exec(ringing.message.headers.get('To')!)![1]!;
    fixture.take();
    fixture.deliver(peerRequest(fixture, 'UPDATE', { toTag, cseq: 2 }));
    const update = fixture.application.lastRequest;
    expect(update.transactionId).not.toBe(invite.transactionId);
    fixture.deliver(peerRequest(fixture, 'UPDATE', { toTag, cseq: 3 }));
    expect(fixture.sentResponse(500).headers.has('Retry-After')).toBe(true);
    fixture.respond(update, '200 OK', sdp);
    fixture.deliver(peerRequest(fixture, 'INFO', { toTag, cseq: 4 }));
    expect(fixture.application.methods).toEqual(['INVITE', 'UPDATE', 'INFO']);
  });

  test('UPDATE offers that cross: 491', () => {
    const fixture = new Fixture();
    const { localTag, dialogId } = inboundCall(fixture);
    fixture.within(dialogId, 'UPDATE', '', sdp);
    const ours = fixture.sentRequest('UPDATE');
    const headers = 'Content-Type: application/sdp';
    fixture.deliver(peerRequest(fixture, 'UPDATE', { toTag: localTag, cseq: 2, headers, body: sdp }));
    expect(fixture.wire()).toEqual(['491']);
    fixture.deliver(peerResponse(ours, '200 OK', { body: sdp }));
    fixture.deliver(peerRequest(fixture, 'UPDATE', { toTag: localTag, cseq: 3, headers, body: sdp }));
    expect(fixture.application.methods.at(-1)).toBe('UPDATE');
  });

  test('a request that the application never answers gets 500 before the peer gives up', async () => {
    const fixture = new Fixture();
    const { localTag } = inboundCall(fixture);
    fixture.deliver(peerRequest(fixture, 'UPDATE', { toTag: localTag, cseq: 2 }));
    await fixture.clock.advance(31_000);
    expect(fixture.wire()).toEqual(['500']);
    expect(fixture.core.counts.pendingRequests).toBe(0);
  });

  test('the application disconnects: BYE to its peers', async () => {
    const fixture = new Fixture();
    inboundCall(fixture);
    fixture.application.isOpen = false;
    fixture.core.applicationGone(fixture.application);
    const bye = fixture.sentRequest('BYE');
    expect(fixture.application.unsolicitedByes).toEqual([]);
    fixture.deliver(peerResponse(bye, '200 OK'));
    await expectNothingLeft(fixture);
  });
});

describe('the path of requests within a dialog (NAT)', () => {
  const behindNat = '<sip:alice@10.0.0.7:5060>';

  test('over UDP, a Contact that is not the source: requests go to the source', () => {
    const fixture = new Fixture();
    const { dialogId } = inboundCall(fixture, { contact: behindNat });
    fixture.within(dialogId, 'BYE');
    const [sent] = fixture.take();
    expect(sent!.flow).toMatchObject({ remoteAddress: peerAddress, remotePort: 5060 });
    expect(sent!.message).toMatchObject({ uri: 'sip:alice@10.0.0.7:5060' });
  });

  test('over TCP, the open connection; once it is closed, the Contact', () => {
    const fixture = new Fixture();
    const flow = fixture.flow('tcp', 45_000);
    const contact = `<sip:alice@${peerAddress}:5060;transport=tcp>`;
    fixture.deliver(peerRequest(fixture, 'INVITE', { contact }), flow);
    const reply = fixture.respond(fixture.application.lastRequest, '200 OK', sdp);
    fixture.take();
    fixture.within(reply.sent!.dialogId, 'INFO');
    expect(fixture.take()[0]!.flow.remotePort).toBe(45_000);
    flow.isOpen = false;
    fixture.layer.flowClosed(flow);
    fixture.take();
    fixture.within(reply.sent!.dialogId, 'INFO');
    expect(fixture.take()[0]!.flow.remotePort).toBe(5060);
  });
});
