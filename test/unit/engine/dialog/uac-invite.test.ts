import { describe, expect, test } from 'vitest';
import {
  expectNothingLeft,
  Fixture,
  ourAddress,
  outboundCall,
  peerAddress,
  peerRequest,
  peerResponse,
  sdp,
} from './fixture.js';

const target = `sip:bob@${peerAddress}`;
const contact = `Contact: <sip:bob@${peerAddress}:5060>`;

describe('INVITE of an application', () => {
  test('is completed as in the wire protocol', () => {
    const fixture = new Fixture();
    const reply = fixture.request(
      `INVITE ${target} SIP/2.0\r\nfrom: "N" <sip:1@localhost>\r\nvia: x\r\nRoute: <sip:r>`,
      sdp,
    );
    const invite = fixture.sentRequest('INVITE');
    expect(invite.uri).toBe(target);
    expect(invite.headers.get('From')).toMatch(new RegExp(`^"N" <sip:1@${ourAddress}:5060>;tag=.+`));
    expect(invite.headers.get('To')).toBe(`<${target}>`);
    expect(invite.headers.get('Max-Forwards')).toBe('70');
    expect(invite.headers.get('Contact')).toBe(`<sip:${ourAddress}:5060>`);
    expect(invite.headers.has('Route')).toBe(false);
    expect(invite.headers.lines('Via')).toHaveLength(1);
    expect(reply.sent).toMatchObject({ address: ourAddress, port: 5060, protocol: 'udp', isPending: false });
  });

  test('a 100 reaches only an application that asked for it', () => {
    const fixture = new Fixture();
    const invite = (): void => {
      fixture.request(`INVITE ${target} SIP/2.0`, sdp);
      const sent = fixture.sentRequest('INVITE');
      fixture.deliver(peerResponse(sent, '100 Trying'));
      fixture.deliver(peerResponse(sent, '100 Trying'));
      fixture.deliver(peerResponse(sent, '180 Ringing', { tag: 'bt1' }));
    };
    invite();
    expect(fixture.application.statuses).toEqual([180]);
    fixture.application.wantsTrying = true;
    invite();
    expect(fixture.application.statuses).toEqual([180, 100, 180]);
    const [, trying, ringing] = fixture.application.responses;
    expect(trying).toMatchObject({
      transactionId: ringing!.transactionId,
      dialogId: ringing!.dialogId,
    });
  });

  test('the next hop changes only where the packet goes', () => {
    const fixture = new Fixture();
    fixture.request(`INVITE ${target} SIP/2.0`, sdp, 'sip:203.0.113.40:5070;transport=tcp');
    const [sent] = fixture.take();
    expect(sent!.flow).toMatchObject({ protocol: 'tcp', remoteAddress: '203.0.113.40', remotePort: 5070 });
    expect(sent!.message).toMatchObject({ uri: target });
    expect(sent!.message.headers.has('Route')).toBe(false);
    expect(sent!.message.headers.get('Contact')).toContain(';transport=tcp');
  });

  test.each([
    [`INVITE sip:x@${ourAddress}:5060 SIP/2.0`, 'can not send request to myself'],
    ['INVITE sip:x@0.0.0.0:5060 SIP/2.0', 'can not send request to myself'],
    ['INVITE tel:+123 SIP/2.0', 'invalid request-uri: INVITE tel:+123 SIP/2.0'],
    [`MESSAGE ${target} SIP/2.0`, 'missing content-type'],
    [`INVITE ${target} SIP/2.0\r\nFrom: <<`, 'Error creating leg'],
    [`INVITE ${target} SIP/2.0\r\nCSeq: 3 BYE`, 'invalid cseq: 3 BYE'],
  ])('%s is refused', (head, text) => {
    const fixture = new Fixture();
    expect(fixture.request(head, head.startsWith('MESSAGE') ? 'hello' : sdp).refusal).toBe(text);
    expect(fixture.wire()).toEqual([]);
  });

  test('1xx and final go up in order, 100 does not; the ACK of a refusal is not sent twice', async () => {
    const fixture = new Fixture();
    const reply = fixture.request(`INVITE ${target} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    fixture.deliver(peerResponse(invite, '100 Trying'));
    fixture.deliver(peerResponse(invite, '180 Ringing', { tag: 'bt1' }));
    fixture.deliver(peerResponse(invite, '486 Busy Here', { tag: 'bt1' }));
    expect(fixture.application.statuses).toEqual([180, 486]);
    const [first] = fixture.application.responses;
    expect(first).toMatchObject({ transactionId: reply.transactionId });
    expect(first!.dialogId).toMatch(/^.+;from-tag=.+$/);
    expect(fixture.wire()).toEqual(['ACK']);
    expect(fixture.within(first!.dialogId, 'ACK').refusal).toContain('automatically generated');
    await expectNothingLeft(fixture);
  });

  test('the ACK goes through the route set with the number and credentials of the INVITE', () => {
    const fixture = new Fixture();
    fixture.request(`INVITE ${target} SIP/2.0\r\nProxy-Authorization: Digest username="a"`, sdp);
    const invite = fixture.sentRequest('INVITE');
    const headers = `Record-Route: <sip:203.0.113.2;lr>, <sip:203.0.113.1;lr>\r\n${contact}`;
    fixture.deliver(peerResponse(invite, '200 OK', { tag: 'bt1', headers, body: sdp }));
    const { dialogId } = fixture.application.responses[0]!;
    const reply = fixture.within(dialogId, 'ACK', 'X-A: b', sdp);
    const [sent] = fixture.take();
    expect(sent!.flow.remoteAddress).toBe('203.0.113.1');
    const { headers: ack } = sent!.message;
    expect(ack.lines('Route')).toEqual(['<sip:203.0.113.1;lr>', '<sip:203.0.113.2;lr>']);
    expect(ack.get('CSeq')).toBe(invite.headers.get('CSeq')!.replace('INVITE', 'ACK'));
    expect(ack.get('Proxy-Authorization')).toBe('Digest username="a"');
    expect(ack.get('Content-Type')).toBe('application/sdp');
    expect(reply.message.headers.get('X-A')).toBe('b');
  });

  test('a repeated 2xx is absorbed before the ACK and acknowledged again after it', () => {
    const fixture = new Fixture();
    fixture.request(`INVITE ${target} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    const ok = peerResponse(invite, '200 OK', { tag: 'bt1', headers: contact, body: sdp });
    fixture.deliver(ok);
    fixture.deliver(ok);
    expect(fixture.wire()).toEqual([]);
    fixture.within(fixture.application.responses[0]!.dialogId, 'ACK');
    const first = fixture.take()[0]!.bytes;
    fixture.deliver(ok);
    expect(fixture.take()[0]!.bytes).toBe(first);
    expect(fixture.application.statuses).toEqual([200]);
  });

  test('a 200 after the callee has ended its early dialog by BYE leaves no dialog', async () => {
    const fixture = new Fixture();
    fixture.request(`INVITE ${target} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    fixture.deliver(peerResponse(invite, '183 Session Progress', { tag: 'bt1', headers: contact }));
    const callId = invite.headers.get('Call-ID')!;
    const toTag = /tag=([^;]+)/.exec(invite.headers.get('From')!)![1]!;
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag, fromTag: 'bt1', callId }));
    fixture.respond(fixture.application.lastRequest, '200 OK');
    fixture.deliver(peerResponse(invite, '200 OK', { tag: 'bt1', headers: contact, body: sdp }));
    const { dialogId } = fixture.application.responses.at(-1)!;
    fixture.within(dialogId, 'ACK');
    fixture.within(dialogId, 'BYE');
    expect(fixture.wire()).toEqual(['200', 'ACK', 'BYE']);
    await expectNothingLeft(fixture);
  });

  test('a second fork that answers is acknowledged with its own tag and ended', async () => {
    const fixture = new Fixture();
    const { invite } = outboundCall(fixture);
    const fork = peerResponse(invite, '200 OK', {
      tag: 'bt2',
      headers: 'Contact: <sip:bob@198.51.100.21>',
      body: sdp,
    });
    fixture.deliver(fork);
    const sent = fixture.take().map(({ message }) => message);
    expect(sent.map((message) => message.kind === 'request' && message.method)).toEqual(['ACK', 'BYE']);
    for (const message of sent) expect(message.headers.get('To')).toContain('tag=bt2');
    fixture.deliver(fork);
    expect(fixture.wire()).toEqual(['ACK']);
    expect(fixture.application.statuses).toEqual([200]);
    expect(fixture.core.counts.dialogs).toBe(1);
  });

  test('a 2xx without Contact is acknowledged, then ended at its source', () => {
    const fixture = new Fixture();
    outboundCall(fixture, { headers: 'X: 1' });
    expect(fixture.application.unsolicitedByes).toHaveLength(1);
    expect(fixture.core.counts.dialogs).toBe(0);
  });

  test('an application that never acknowledges: ACK and BYE after 64·T1', async () => {
    const fixture = new Fixture();
    fixture.request(`INVITE ${target} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    fixture.deliver(peerResponse(invite, '200 OK', { tag: 'bt1', headers: contact, body: sdp }));
    await fixture.clock.advance(32_000);
    expect(fixture.wire().slice(0, 2)).toEqual(['ACK', 'BYE']);
    await expectNothingLeft(fixture);
  });

  test('reliable provisional responses go up once, and PRACK carries the next number', () => {
    const fixture = new Fixture();
    fixture.request(`INVITE ${target} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    const headers = `Require: 100rel\r\nRSeq: 7\r\n${contact}`;
    const progress = peerResponse(invite, '183 Progress', { tag: 'bt1', headers, body: sdp });
    fixture.deliver(progress);
    fixture.deliver(progress);
    expect(fixture.application.statuses).toEqual([183]);
    const { dialogId } = fixture.application.responses[0]!;
    fixture.within(dialogId, 'PRACK', 'RAck: 7 100 INVITE');
    const prack = fixture.sentRequest('PRACK');
    expect(prack.headers.get('RAck')).toBe('7 100 INVITE');
    expect(prack.headers.get('CSeq')).toBe('101 PRACK');
    fixture.deliver(peerResponse(prack, '200 OK'));
    expect(fixture.application.statuses).toEqual([183, 200]);
    fixture.deliver(peerResponse(invite, '200 OK', { tag: 'bt1', headers: contact, body: sdp }));
    fixture.within(dialogId, 'ACK');
    expect(fixture.sentRequest('ACK').headers.get('CSeq')).toBe('100 ACK');
  });

  test('provisional responses whose RSeq is no number, or that follow in order, all go up', () => {
    const fixture = new Fixture();
    fixture.request(`INVITE ${target} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    for (const rseq of ['x', 'x', '7', '9', '8', 'x'])
      fixture.deliver(
        peerResponse(invite, '183 Progress', { tag: 'bt1', headers: `RSeq: ${rseq}\r\n${contact}` }),
      );
    expect(fixture.application.responses.map(({ response }) => response.headers.get('RSeq'))).toEqual([
      ...['x', 'x', '7', '8', 'x'],
    ]);
  });

  test('PRACK without a reliable provisional is refused', () => {
    const fixture = new Fixture();
    const { dialogId } = outboundCall(fixture);
    expect(fixture.within(dialogId, 'PRACK').refusal).toContain('unable to find IIP');
  });

  test('names are resolved after the reply; failure is 503', async () => {
    const fixture = new Fixture();
    const reply = fixture.request('INVITE sip:bob@nowhere.invalid SIP/2.0', sdp);
    expect(reply.sent).toMatchObject({ isPending: true, protocol: 'unknown', port: 0 });
    await fixture.clock.advance(0);
    expect(fixture.application.responses).toMatchObject([
      { response: { status: 503, reason: 'DNS Error' }, transactionId: reply.transactionId },
    ]);
    await expectNothingLeft(fixture);
  });

  test('CANCEL while the name is being resolved: 487, nothing is sent', async () => {
    const fixture = new Fixture();
    const reply = fixture.request('INVITE sip:bob@pending.example SIP/2.0', sdp);
    expect(fixture.cancel(reply.transactionId).sent).toMatchObject({ isPending: true });
    expect(fixture.application.statuses).toEqual([487]);
    fixture.transport.resolveLater!([{ protocol: 'udp', address: peerAddress, port: 5060, serverName: 'x' }]);
    await fixture.clock.advance(0);
    expect(fixture.wire()).toEqual([]);
    await expectNothingLeft(fixture);
  });
});

describe('CANCEL of an application', () => {
  test('is sent with the branch of the INVITE once it rings', () => {
    const fixture = new Fixture();
    const reply = fixture.request(`INVITE ${target} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    const early = fixture.cancel(reply.transactionId, 'Reason: SIP;cause=487');
    expect(early.sent).toMatchObject({ isPending: true });
    expect(early.message.headers.get('Reason')).toBe('SIP;cause=487');
    fixture.deliver(peerResponse(invite, '180 Ringing', { tag: 'bt1' }));
    const cancel = fixture.sentRequest('CANCEL');
    expect(cancel.headers.get('Via')).toBe(invite.headers.get('Via'));
    expect(cancel.headers.get('Reason')).toBe('SIP;cause=487');
    fixture.deliver(peerResponse(cancel, '200 OK'));
    fixture.deliver(peerResponse(invite, '487 Request Terminated', { tag: 'bt1' }));
    expect(fixture.application.statuses).toEqual([180, 487]);
    expect(fixture.cancel(reply.transactionId).refusal).toBe(
      `unable to cancel unknown transaction id: ${reply.transactionId}`,
    );
  });

  test('crossing a 200: the call is acknowledged, then ended', async () => {
    const fixture = new Fixture();
    const reply = fixture.request(`INVITE ${target} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    fixture.deliver(peerResponse(invite, '180 Ringing', { tag: 'bt1', headers: contact }));
    fixture.cancel(reply.transactionId);
    fixture.deliver(peerResponse(invite, '200 OK', { tag: 'bt1', headers: contact, body: sdp }));
    expect(fixture.application.statuses).toEqual([180, 200]);
    fixture.take();
    fixture.within(fixture.application.responses[1]!.dialogId, 'ACK');
    expect(fixture.wire()).toEqual(['ACK', 'BYE']);
    const [ended] = fixture.application.unsolicitedByes;
    expect(ended!.bye.headers.get('Reason')).toContain('ACK-BYE due to cancel race condition');
    await expectNothingLeft(fixture);
  });

  test('answered but without a final: exactly one 408; a 2xx after it is acknowledged and ended', async () => {
    const fixture = new Fixture();
    const reply = fixture.request(`INVITE ${target} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    fixture.deliver(peerResponse(invite, '180 Ringing', { tag: 'bt1', headers: contact }));
    fixture.cancel(reply.transactionId);
    fixture.deliver(peerResponse(fixture.sentRequest('CANCEL'), '200 OK'));
    await fixture.clock.advance(32_500);
    expect(fixture.application.statuses).toEqual([180, 408]);
    fixture.take();
    fixture.deliver(peerResponse(invite, '200 OK', { tag: 'bt1', headers: contact, body: sdp }));
    expect(fixture.wire()).toEqual(['ACK', 'BYE']);
    expect(fixture.application.statuses).toEqual([180, 408]);
    await expectNothingLeft(fixture);
  });

  test('the application disconnects: CANCEL; a 200 that still arrives is acknowledged and ended', async () => {
    const fixture = new Fixture();
    fixture.request(`INVITE ${target} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    fixture.deliver(peerResponse(invite, '180 Ringing', { tag: 'bt1', headers: contact }));
    fixture.application.isOpen = false;
    fixture.core.applicationGone(fixture.application);
    expect(fixture.wire()).toEqual(['CANCEL']);
    fixture.deliver(peerResponse(invite, '200 OK', { tag: 'bt1', headers: contact, body: sdp }));
    expect(fixture.wire()).toEqual(['ACK', 'BYE']);
    await expectNothingLeft(fixture);
  });

  test('unlimited forks create a limited number of dialogs', async () => {
    const fixture = new Fixture();
    fixture.request(`INVITE ${target} SIP/2.0`, sdp);
    const invite = fixture.sentRequest('INVITE');
    for (let fork = 0; fork < 500; fork++) {
      fixture.deliver(peerResponse(invite, '183 Session Progress', { tag: `early${fork}` }));
    }
    expect(fixture.core.counts.dialogs).toBe(64);
    expect(fixture.application.statuses).toHaveLength(64);
    fixture.deliver(peerResponse(invite, '200 OK', { tag: 'early400', headers: contact, body: sdp }));
    expect(fixture.core.counts.dialogs).toBe(1);
    fixture.within(fixture.application.responses.at(-1)!.dialogId, 'ACK');
    expect(fixture.wire()).toEqual(['ACK']);
    for (let fork = 0; fork < 500; fork++) {
      fixture.deliver(peerResponse(invite, '200 OK', { tag: `late${fork}`, headers: contact, body: sdp }));
    }
    const byes = fixture.wire().filter((each) => each === 'BYE');
    expect(byes).toHaveLength(64);
  });
});
