import { describe, expect, test } from 'vitest';
import {
  expectNothingLeft,
  Fixture,
  inboundCall,
  outboundCall,
  peerAddress,
  peerRequest,
  peerResponse,
  type RequestParts,
  sdp,
} from './fixture.js';

const owner = 'switchboard';

/** Another INVITE without To tag; its refusal, or 100 for one that reached the application. */
function sendAgain(fixture: Fixture, parts: RequestParts = { cseq: 2 }, method = 'INVITE'): number {
  const before = fixture.application.requests.length;
  fixture.take();
  fixture.deliver(peerRequest(fixture, method, parts));
  const refusal = fixture.take().find(({ message }) => message.kind === 'response' && message.status >= 200);
  expect(fixture.application.requests.length - before).toBe(refusal === undefined ? 1 : 0);
  if (refusal?.message.kind !== 'response') return 100;
  const { status, headers } = refusal.message;
  if (status === 500) expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(10);
  return status;
}

describe('an INVITE without To tag whose Call-ID and From tag are in use', () => {
  test.each([
    ['waits for the application', undefined],
    ['rings', '180 Ringing'],
    ['is answered', '200 OK'],
  ])('is refused while the first one %s', async (_, answer) => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const invite = fixture.application.lastRequest;
    if (answer !== undefined) fixture.respond(invite, answer, sdp);
    expect(sendAgain(fixture)).toBe(500);
    expect(sendAgain(fixture, { cseq: 3 }, 'SUBSCRIBE')).toBe(500);
    // The same request by another path.
    expect(sendAgain(fixture, { cseq: 1 })).toBe(482);
    expect(sendAgain(fixture, { cseq: 2, fromTag: 'at2' })).toBe(100);
    fixture.respond(fixture.application.lastRequest, '486 Busy Here');
    expect(sendAgain(fixture, { cseq: 2, callId: 'call-2' })).toBe(100);
    fixture.respond(fixture.application.lastRequest, '486 Busy Here');
    if (answer !== '200 OK') fixture.respond(invite, '486 Busy Here');
    await expectNothingLeft(fixture);
  });

  test('is refused without From tag as well', () => {
    const fixture = new Fixture();
    const untagged = (cseq: number) => peerRequest(fixture, 'INVITE', { cseq }).replace(';tag=at1', '');
    fixture.deliver(untagged(1));
    fixture.respond(fixture.application.lastRequest, '200 OK', sdp);
    fixture.take();
    fixture.deliver(untagged(2));
    expect(fixture.wire()).toEqual(['500']);
  });

  test('is refused while the dialog waits for another application, and once that has it', () => {
    const fixture = new Fixture();
    fixture.application.owner = owner;
    inboundCall(fixture, {}, '200 OK\r\nEngine-Keep: yes');
    fixture.replaceApplication();
    expect(sendAgain(fixture)).toBe(500);
    fixture.core.adopt(owner, fixture.application, undefined);
    expect(sendAgain(fixture, { cseq: 3 })).toBe(500);
  });

  test('is refused while a restored dialog has them', () => {
    const fixture = new Fixture();
    const [outcome] = fixture.core.restore(fixture.application, [
      {
        role: 'uas',
        callId: 'call-1',
        localParty: '<sip:bob@192.0.2.10>;tag=bt1',
        remoteParty: '<sip:alice@example.net>;tag=at1',
        routeSet: [],
        remoteTarget: `sip:alice@${peerAddress}:5060`,
        localContact: '<sip:192.0.2.10:5060>',
        localSequence: 1,
        remoteSequence: 1,
        flow: { protocol: 'udp', address: peerAddress, port: 5060 },
        nextHop: undefined,
        session: undefined,
        peerAllowsUpdate: false,
        localSdp: undefined,
      },
    ]);
    expect(outcome).toMatchObject({ id: 'call-1;from-tag=at1' });
    expect(sendAgain(fixture)).toBe(500);
  });

  test('is refused as a loop while it is our own INVITE that comes back, or its dialog', () => {
    const fixture = new Fixture();
    const reply = fixture.request(`INVITE sip:bob@${peerAddress} SIP/2.0`, sdp);
    const { headers } = reply.message;
    const own = {
      callId: headers.get('Call-ID')!,
      fromTag: /tag=([^;]+)/.exec(headers.get('From')!)![1]!,
    };
    const sent = fixture.sentRequest('INVITE');
    expect(sendAgain(fixture, own)).toBe(482);
    fixture.deliver(peerResponse(sent, '486 Busy Here', { tag: 'bt1' }));
    expect(sendAgain(fixture, { ...own, cseq: 2 })).toBe(100);
    const { callId, localTag } = outboundCall(fixture);
    expect(sendAgain(fixture, { callId, fromTag: localTag })).toBe(482);
  });

  test('is a new call once the first one is over', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    fixture.respond(fixture.application.lastRequest, '401 Unauthorized');
    // With credentials (RFC 3261 §22.2), and again after a refusal.
    expect(sendAgain(fixture)).toBe(100);
    fixture.respond(fixture.application.lastRequest, '486 Busy Here');
    const branch = fixture.newBranch();
    expect(sendAgain(fixture, { cseq: 3, branch })).toBe(100);
    fixture.deliver(peerRequest(fixture, 'CANCEL', { cseq: 3, branch, contact: '' }));
    const { localTag } = inboundCall(fixture, { cseq: 4 });
    fixture.deliver(peerRequest(fixture, 'BYE', { cseq: 5, toTag: localTag, contact: '' }));
    fixture.respond(fixture.application.lastRequest, '200 OK');
    const { dialogId } = inboundCall(fixture, { cseq: 6 });
    // Each name leads to the one dialog that has it.
    fixture.within(dialogId, 'BYE');
    fixture.deliver(peerResponse(fixture.sentRequest('BYE'), '200 OK'));
    await expectNothingLeft(fixture);
  });
});

test('a subscription does not take the name of a session', () => {
  const fixture = new Fixture();
  fixture.deliver(peerRequest(fixture, 'SUBSCRIBE', { headers: 'Event: presence' }));
  const subscribe = fixture.application.lastRequest;
  const { dialogId } = inboundCall(fixture, { cseq: 2 });
  fixture.respond(subscribe, '200 OK');
  fixture.take();
  fixture.within(dialogId, 'BYE');
  expect(fixture.sentRequest('BYE').headers.get('CSeq')).toContain('BYE');
});
