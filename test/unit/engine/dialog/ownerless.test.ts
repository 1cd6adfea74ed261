import { describe, expect, test } from 'vitest';
import {
  expectNothingLeft,
  Fixture,
  inboundCall,
  outboundCall,
  peerAddress,
  peerRequest,
  peerResponse,
  sdp,
} from './fixture.js';

const owner = 'edge-1';
const kept = '200 OK\r\nEngine-Keep: yes';

/** An application with a name, and a call from outside that it marked. */
function keptInbound(fixture: Fixture) {
  fixture.application.owner = owner;
  return inboundCall(fixture, {}, kept);
}

/** The same with a call that the application placed. */
function keptOutbound(fixture: Fixture) {
  fixture.application.owner = owner;
  return outboundCall(fixture, {}, undefined, 'Engine-Keep: yes');
}

function adopt(fixture: Fixture, names?: readonly string[]) {
  const adopted = fixture.core.adopt(
    owner,
    fixture.application,
    names === undefined ? undefined : new Set(names),
  );
  adopted.deliver();
  return adopted.dialogs;
}

describe('dialogs whose application is gone', () => {
  test('without a mark end with BYE, although the application has a name', async () => {
    const fixture = new Fixture();
    fixture.application.owner = owner;
    inboundCall(fixture);
    fixture.replaceApplication();
    fixture.deliver(peerResponse(fixture.sentRequest('BYE'), '200 OK'));
    await expectNothingLeft(fixture);
  });

  test('with a mark, but without a name of the application, end with BYE', async () => {
    const fixture = new Fixture();
    inboundCall(fixture, {}, kept);
    fixture.replaceApplication();
    fixture.deliver(peerResponse(fixture.sentRequest('BYE'), '200 OK'));
    await expectNothingLeft(fixture);
  });

  test('with a mark stay, and belong to the application that adopts their owner', async () => {
    const fixture = new Fixture();
    const { dialogId, localTag } = keptInbound(fixture);
    fixture.replaceApplication();
    expect(fixture.wire()).toEqual([]);
    expect(fixture.core.counts.ownerlessDialogs).toBe(1);
    expect(fixture.within(dialogId, 'INFO').refusal).toContain('unable to find dialog');
    expect(adopt(fixture)).toEqual([
      {
        id: dialogId,
        role: 'uas',
        callId: 'call-1',
        localTag,
        remoteTag: 'at1',
        localSequence: 1,
        remoteSequence: 1,
        hasEnded: false,
      },
    ]);
    fixture.within(dialogId, 'BYE');
    fixture.deliver(peerResponse(fixture.sentRequest('BYE'), '200 OK'));
    await expectNothingLeft(fixture);
  });

  test('are listed again to the application that has adopted them and names them, as after a reply that was late', () => {
    const fixture = new Fixture();
    const { dialogId } = keptInbound(fixture);
    fixture.replaceApplication();
    const adopted = adopt(fixture, [dialogId]);
    expect(adopt(fixture, [dialogId, 'another;from-tag=1'])).toEqual(adopted);
    expect(adopt(fixture)).toEqual([]);
  });

  test('the mark reaches no peer', () => {
    const fixture = new Fixture();
    fixture.application.owner = owner;
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    fixture.respond(fixture.application.lastRequest, kept, sdp);
    expect(fixture.sentResponse(200).headers.has('Engine-Keep')).toBe(false);
    fixture.request(`INVITE sip:bob@${peerAddress} SIP/2.0\r\nEngine-Keep: yes`, sdp);
    expect(fixture.sentRequest('INVITE').headers.has('Engine-Keep')).toBe(false);
  });

  test('end with BYE when no application adopts them in time', async () => {
    const fixture = new Fixture();
    keptInbound(fixture);
    fixture.replaceApplication();
    await fixture.clock.advance(29_900);
    expect(fixture.wire()).toEqual([]);
    await fixture.clock.advance(200);
    const bye = fixture.sentRequest('BYE');
    expect(bye.headers.get('Reason')).toContain('Application gone');
    fixture.deliver(peerResponse(bye, '200 OK'));
    expect(adopt(fixture)).toEqual([]);
    await expectNothingLeft(fixture);
  });

  test('end at once when the successor does not name them', async () => {
    const fixture = new Fixture();
    keptInbound(fixture);
    fixture.replaceApplication();
    expect(adopt(fixture, ['another;from-tag=1'])).toEqual([]);
    fixture.deliver(peerResponse(fixture.sentRequest('BYE'), '200 OK'));
    await expectNothingLeft(fixture);
  });

  test('end at once when the application never acknowledged their 2xx', async () => {
    const fixture = new Fixture();
    fixture.application.owner = owner;
    fixture.request(`INVITE sip:bob@${peerAddress} SIP/2.0\r\nEngine-Keep: yes`, sdp);
    const invite = fixture.sentRequest('INVITE');
    const contact = `Contact: <sip:bob@${peerAddress}:5060>`;
    fixture.deliver(peerResponse(invite, '200 OK', { tag: 'bt1', headers: contact, body: sdp }));
    fixture.replaceApplication();
    const sent = fixture.take();
    expect(sent.map(({ message }) => message.kind === 'request' && message.method)).toEqual(['ACK', 'BYE']);
    fixture.deliver(peerResponse(sent[1]!.message as never, '200 OK'));
    await expectNothingLeft(fixture);
  });

  test('end without the application when it was ending them', async () => {
    const fixture = new Fixture();
    const { dialogId } = keptOutbound(fixture);
    fixture.within(dialogId, 'BYE');
    const bye = fixture.sentRequest('BYE');
    fixture.replaceApplication();
    expect(adopt(fixture)).toEqual([]);
    fixture.take();
    fixture.deliver(peerResponse(bye, '200 OK'));
    await expectNothingLeft(fixture);
  });
});

describe('what peers ask of a dialog without an application', () => {
  test('BYE gets 200 at once, and the successor gets the BYE', async () => {
    const fixture = new Fixture();
    const { dialogId, localTag } = keptInbound(fixture);
    fixture.replaceApplication();
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: localTag, cseq: 2 }));
    expect(fixture.wire()).toEqual(['200']);
    expect(adopt(fixture)).toMatchObject([{ id: dialogId, hasEnded: true }]);
    expect(fixture.application.requests).toMatchObject([{ dialogId, isInitial: false }]);
    expect(fixture.application.methods).toEqual(['BYE']);
    expect(fixture.respond(fixture.application.lastRequest, '200 OK').refusal).toContain(
      'unknown transaction',
    );
    await expectNothingLeft(fixture);
  });

  test.each(['INVITE', 'UPDATE', 'INFO', 'REFER'])(
    '%s waits, and the successor answers it',
    async (method) => {
      const fixture = new Fixture();
      const { localTag } = keptInbound(fixture);
      fixture.replaceApplication();
      fixture.deliver(peerRequest(fixture, method, { toTag: localTag, cseq: 2 }));
      await fixture.clock.advance(2_000);
      expect(fixture.wire()).toEqual([]);
      adopt(fixture);
      fixture.respond(fixture.application.lastRequest, '488 Not Acceptable Here');
      expect(fixture.wire()).toEqual(['488']);
      expect(fixture.application.methods).toEqual([method]);
    },
  );

  test.each(['INVITE', 'INFO'])('%s in the hands of the application is given to the successor', (method) => {
    const fixture = new Fixture();
    const { localTag } = keptInbound(fixture);
    fixture.deliver(peerRequest(fixture, method, { toTag: localTag, cseq: 2 }));
    fixture.replaceApplication();
    expect(fixture.wire()).toEqual([]);
    adopt(fixture);
    fixture.respond(fixture.application.lastRequest, '200 OK', method === 'INVITE' ? sdp : '');
    expect(fixture.wire()).toEqual(['200']);
  });

  test('a flood in one dialog is bounded, and takes no BYE and no request from another one', () => {
    const fixture = new Fixture();
    const { localTag } = keptInbound(fixture);
    const secondCall = inboundCall(fixture, { callId: 'call-2' }, kept);
    const third = inboundCall(fixture, { callId: 'call-3' }, kept);
    fixture.replaceApplication();
    const info = (cseq: number, body: string) =>
      peerRequest(fixture, 'INFO', { toTag: localTag, cseq, body, headers: 'Content-Type: text/plain' });
    for (let cseq = 2; cseq < 5_000; cseq++) fixture.deliver(info(cseq, 'x'));
    const refused = fixture.wire();
    expect(new Set(refused)).toEqual(new Set(['503']));
    expect(refused).toHaveLength(4_998 - 64);
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: secondCall.localTag, callId: 'call-2', cseq: 2 }));
    fixture.deliver(peerRequest(fixture, 'OPTIONS', { toTag: third.localTag, callId: 'call-3', cseq: 2 }));
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: localTag, cseq: 9_000, body: 'x'.repeat(60_000) }));
    expect(fixture.wire()).toEqual(['200', '200']);
    expect(adopt(fixture).map(({ hasEnded }) => hasEnded)).toEqual([true, true, false]);
    const delivered = fixture.application.requests.map(({ received: { message }, dialogId }) => [
      message.method,
      dialogId.slice(0, 6),
      message.body.length,
    ]);
    expect(delivered.filter(([method]) => method === 'INFO')).toHaveLength(64);
    expect(delivered.slice(64)).toEqual([
      ['BYE', 'call-2', 0],
      ['OPTIONS', 'call-3', 0],
      // Its dialog has no room left.
      ['BYE', 'call-1', 0],
    ]);
  });

  test('large requests of one dialog are bounded by their octets', () => {
    const fixture = new Fixture();
    const { localTag } = keptInbound(fixture);
    fixture.replaceApplication();
    for (let cseq = 2; cseq < 12; cseq++) {
      const headers = 'Content-Type: text/plain';
      const body = 'x'.repeat(60_000);
      fixture.deliver(peerRequest(fixture, 'INFO', { toTag: localTag, cseq, body, headers }));
    }
    // Four of them are kept.
    expect(fixture.wire()).toEqual(Array(6).fill('503'));
  });

  test('BYE in the hands of the application gets 200, and the successor gets it', async () => {
    const fixture = new Fixture();
    const { localTag } = keptInbound(fixture);
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: localTag, cseq: 2 }));
    fixture.replaceApplication();
    expect(fixture.wire()).toEqual(['200']);
    expect(adopt(fixture)).toMatchObject([{ hasEnded: true }]);
    expect(fixture.application.methods).toEqual(['BYE']);
    await expectNothingLeft(fixture);
  });

  test('requests get 503 when no application adopts the dialog in time', async () => {
    const fixture = new Fixture();
    const { localTag } = keptInbound(fixture);
    fixture.replaceApplication();
    await fixture.clock.advance(10_000);
    fixture.deliver(peerRequest(fixture, 'UPDATE', { toTag: localTag, cseq: 2 }));
    await fixture.clock.advance(20_100);
    expect(fixture.wire()).toEqual(['503', 'BYE']);
  });

  test('a CANCEL of a re-INVITE that waits: 487, and the successor sees neither', () => {
    const fixture = new Fixture();
    const { localTag } = keptInbound(fixture);
    fixture.replaceApplication();
    const branch = fixture.newBranch();
    fixture.deliver(peerRequest(fixture, 'INVITE', { toTag: localTag, cseq: 2, branch }));
    fixture.deliver(peerRequest(fixture, 'CANCEL', { toTag: localTag, cseq: 2, branch }));
    expect(fixture.wire()).toEqual(['200', '487']);
    adopt(fixture);
    expect(fixture.application.methods).toEqual([]);
  });

  test('a late ACK stops the repetition of our 200, and the successor gets it', async () => {
    const fixture = new Fixture();
    fixture.application.owner = owner;
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const { message } = fixture.respond(fixture.application.lastRequest, kept, sdp);
    const localTag = /tag=([^;]+)/.exec(message.headers.get('To')!)![1]!;
    fixture.replaceApplication();
    fixture.take();
    await fixture.clock.advance(2_000);
    expect(fixture.wire()).toEqual(['200', '200']);
    fixture.deliver(peerRequest(fixture, 'ACK', { toTag: localTag, body: sdp }));
    await fixture.clock.advance(4_000);
    expect(fixture.wire()).toEqual([]);
    adopt(fixture);
    expect(fixture.application.methods).toEqual(['ACK']);
  });

  test('the engine ends a dialog whose session timer expires; the successor learns of it', async () => {
    const fixture = new Fixture();
    fixture.application.owner = owner;
    const timer = 'Session-Expires: 90;refresher=uac\r\nSupported: timer';
    inboundCall(fixture, { headers: timer }, kept);
    await fixture.clock.advance(80_000);
    fixture.replaceApplication();
    await fixture.clock.advance(10_100);
    fixture.deliver(peerResponse(fixture.sentRequest('BYE'), '200 OK'));
    expect(adopt(fixture)).toMatchObject([{ hasEnded: true }]);
    expect(fixture.application.unsolicitedByes).toHaveLength(1);
    await expectNothingLeft(fixture);
  });

  test('session refreshes of the engine are sent without an application', async () => {
    const fixture = new Fixture();
    fixture.application.owner = owner;
    const head = 'Session-Expires: 90;refresher=uas\r\nSupported: timer\r\nAllow: UPDATE';
    inboundCall(fixture, { headers: head }, kept);
    await fixture.clock.advance(30_000);
    fixture.replaceApplication();
    await fixture.clock.advance(20_000);
    const update = fixture.sentRequest('UPDATE');
    fixture.deliver(peerResponse(update, '200 OK', { headers: 'Session-Expires: 90;refresher=uac' }));
    expect(adopt(fixture)).toMatchObject([{ localSequence: 2, hasEnded: false }]);
  });
});

describe('what the application had sent within the dialog', () => {
  test('a re-INVITE whose 200 comes later is acknowledged, and the dialog stays', () => {
    const fixture = new Fixture();
    const { dialogId } = keptOutbound(fixture);
    fixture.within(dialogId, 'INVITE', '', sdp);
    const reinvite = fixture.sentRequest('INVITE');
    fixture.replaceApplication();
    const contact = `Contact: <sip:bob@${peerAddress}:5060>`;
    fixture.deliver(peerResponse(reinvite, '200 OK', { headers: contact, body: sdp }));
    expect(fixture.wire()).toEqual(['ACK']);
    expect(adopt(fixture)).toMatchObject([{ localSequence: 101, hasEnded: false }]);
    expect(fixture.application.responses).toEqual([]);
    fixture.within(dialogId, 'INVITE', '', sdp);
    expect(fixture.wire()).toEqual(['INVITE']);
  });

  test('a re-INVITE without an offer, answered before: its ACK brings the description in force', () => {
    const fixture = new Fixture();
    const { dialogId } = keptOutbound(fixture);
    fixture.within(dialogId, 'INVITE');
    const reinvite = fixture.sentRequest('INVITE');
    const contact = `Contact: <sip:bob@${peerAddress}:5060>`;
    fixture.deliver(peerResponse(reinvite, '200 OK', { headers: contact, body: sdp }));
    fixture.replaceApplication();
    expect(fixture.sentRequest('ACK').body).toBe(sdp);
  });
});
