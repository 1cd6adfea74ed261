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

const contact = `Contact: <sip:bob@${peerAddress}:5060>`;

describe('session timers (RFC 4028)', () => {
  test.each(['INVITE', 'UPDATE'])(
    '%s with less than 90 seconds: 422 with Min-SE, not delivered',
    (method) => {
      const fixture = new Fixture();
      fixture.deliver(peerRequest(fixture, method, { headers: 'Session-Expires: 60' }));
      expect(fixture.sentResponse(422).headers.get('Min-SE')).toBe('90');
      expect(fixture.application.requests).toEqual([]);
    },
  );

  test('the peer refreshes: BYE when it does not', async () => {
    const fixture = new Fixture();
    fixture.deliver(
      peerRequest(fixture, 'INVITE', { headers: 'Session-Expires: 90;refresher=uac\r\nSupported: timer' }),
    );
    const reply = fixture.respond(fixture.application.lastRequest, '200 OK', sdp);
    expect(reply.message.headers.get('Session-Expires')).toBe('90;refresher=uac');
    expect(reply.message.headers.get('Require')).toBe('timer');
    const toTag = /tag=(.+)/.exec(reply.message.headers.get('To')!)![1]!;
    fixture.deliver(peerRequest(fixture, 'ACK', { toTag }));
    await fixture.clock.advance(80_000);
    fixture.deliver(
      peerRequest(fixture, 'UPDATE', { toTag, cseq: 2, headers: 'Session-Expires: 90;refresher=uac' }),
    );
    fixture.respond(fixture.application.lastRequest, '200 OK');
    fixture.take();
    await fixture.clock.advance(89_000);
    expect(fixture.wire()).toEqual([]);
    await fixture.clock.advance(1_000);
    const bye = fixture.sentRequest('BYE');
    expect(bye.headers.get('Reason')).toContain('Session timer expired');
    expect(fixture.application.unsolicitedByes).toHaveLength(1);
    fixture.deliver(peerResponse(bye, '200 OK'));
    await expectNothingLeft(fixture);
  });

  test('do not run when no refresher is named', async () => {
    const fixture = new Fixture();
    const { dialogId } = inboundCall(fixture, { headers: 'Session-Expires: 90' });
    await fixture.clock.advance(200_000);
    expect(fixture.core.counts.dialogs).toBe(1);
    expect(fixture.wire()).toEqual([]);
    expect(dialogId).not.toBe('');
  });

  test('we refresh: re-INVITE with the last description, again and again, unseen by the application', async () => {
    const fixture = new Fixture();
    const headers = `Session-Expires: 100;refresher=uac\r\n${contact}`;
    outboundCall(fixture, { headers });
    const delivered = fixture.application.responses.length;
    for (const sequence of [101, 102]) {
      await fixture.clock.advance(50_000);
      const refresh = fixture.sentRequest('INVITE');
      expect(refresh.headers.get('CSeq')).toBe(`${sequence} INVITE`);
      expect(refresh.headers.get('Session-Expires')).toBe('100;refresher=uac');
      expect(refresh.body).toBe(sdp);
      fixture.deliver(peerResponse(refresh, '200 OK', { headers, body: sdp }));
      expect(fixture.sentRequest('ACK').headers.get('CSeq')).toBe(`${sequence} ACK`);
    }
    expect(fixture.application.responses).toHaveLength(delivered);
  });

  test('as UAS we refresh when the 200 says so', async () => {
    const fixture = new Fixture();
    inboundCall(fixture, {}, '200 OK\r\nSession-Expires: 100;refresher=uas');
    await fixture.clock.advance(50_000);
    expect(fixture.sentRequest('INVITE').body).toBe(sdp);
  });

  test('491 is tried again, 422 with more, a refusal until the session would end', async () => {
    const fixture = new Fixture();
    const headers = `Session-Expires: 100;refresher=uac\r\n${contact}`;
    outboundCall(fixture, { headers });
    await fixture.clock.advance(50_000);
    fixture.deliver(peerResponse(fixture.sentRequest('INVITE'), '491 Request Pending'));
    await fixture.clock.advance(4_000);
    fixture.deliver(peerResponse(fixture.sentRequest('INVITE'), '422 Too Small', { headers: 'Min-SE: 200' }));
    const larger = fixture.sentRequest('INVITE');
    expect(larger.headers.get('Session-Expires')).toBe('200;refresher=uac');
    fixture.deliver(peerResponse(larger, '503 Later', { headers: 'Retry-After: 5' }));
    await fixture.clock.advance(5_000);
    fixture.deliver(peerResponse(fixture.sentRequest('INVITE'), '500 Broken'));
    await fixture.clock.advance(10_000);
    fixture.deliver(peerResponse(fixture.sentRequest('INVITE'), '500 Broken'));
    const bye = fixture.sentRequest('BYE');
    fixture.deliver(peerResponse(bye, '200 OK'));
    expect(fixture.application.unsolicitedByes).toHaveLength(1);
    await expectNothingLeft(fixture);
  });

  test.each(['481 Gone', '408 Timeout'])('%s to a refresh ends the call', async (status) => {
    const fixture = new Fixture();
    outboundCall(fixture, { headers: `Session-Expires: 100;refresher=uac\r\n${contact}` });
    await fixture.clock.advance(50_000);
    fixture.deliver(peerResponse(fixture.sentRequest('INVITE'), status));
    fixture.deliver(peerResponse(fixture.sentRequest('BYE'), '200 OK'));
    expect(fixture.application.unsolicitedByes).toHaveLength(1);
    await expectNothingLeft(fixture);
  });

  test('a peer that allows UPDATE is refreshed by it, and by re-INVITE once it refuses', async () => {
    const fixture = new Fixture();
    const headers = `Session-Expires: 100;refresher=uac\r\nAllow: INVITE, UPDATE\r\n${contact}`;
    outboundCall(fixture, { headers });
    await fixture.clock.advance(50_000);
    const update = fixture.sentRequest('UPDATE');
    expect(update.body).toBe('');
    expect(update.headers.get('Session-Expires')).toBe('100;refresher=uac');
    fixture.deliver(peerResponse(update, '200 OK', { headers: 'Session-Expires: 100;refresher=uac' }));
    await fixture.clock.advance(50_000);
    fixture.deliver(peerResponse(fixture.sentRequest('UPDATE'), '501 Not Implemented'));
    expect(fixture.sentRequest('INVITE').body).toBe(sdp);
  });

  test('a refresh without any answer ends the call before the session would', async () => {
    const fixture = new Fixture();
    outboundCall(fixture, { headers: `Session-Expires: 100;refresher=uac\r\n${contact}` });
    await fixture.clock.advance(50_000 + 32_000);
    expect(fixture.wire()).toContain('BYE');
  });

  test.each(['0;refresher=uac', '1', '1;refresher=uas'])(
    'a session of %s s is one of 90 s: neither a refresh after the other nor an end at once',
    async (agreed) => {
      const fixture = new Fixture();
      const headers = `Session-Expires: ${agreed}\r\n${contact}`;
      outboundCall(fixture, { headers });
      await fixture.clock.advance(40_000);
      expect(fixture.wire()).toEqual([]);
      await fixture.clock.advance(50_000);
      expect(fixture.wire()).toContain(agreed.includes('uas') ? 'BYE' : 'INVITE');
    },
  );

  test.each([
    ['Retry-After: 0', '503 Later'],
    ['Retry-After: -4', '500 Broken'],
  ])('%s is no reason to ask again without a pause', async (headers, status) => {
    const fixture = new Fixture();
    outboundCall(fixture, { headers: `Session-Expires: 1800;refresher=uac\r\n${contact}` });
    await fixture.clock.advance(910_000);
    fixture.deliver(peerResponse(fixture.sentRequest('INVITE'), status, { headers }));
    expect(fixture.wire()).toEqual(['ACK']);
    await fixture.clock.advance(900);
    expect(fixture.wire()).toEqual([]);
    await fixture.clock.advance(200);
    expect(fixture.wire()).toEqual(['INVITE']);
  });

  test('422 ever again with a higher minimum ends the call', async () => {
    const fixture = new Fixture();
    outboundCall(fixture, { headers: `Session-Expires: 100;refresher=uac\r\n${contact}` });
    await fixture.clock.advance(55_000);
    for (const minimum of [101, 102, 103, 104, 105]) {
      const refresh = fixture.sentRequest('INVITE');
      fixture.deliver(peerResponse(refresh, '422 Too Small', { headers: `Min-SE: ${minimum}` }));
    }
    expect(fixture.wire().filter((each) => each !== 'ACK')).toEqual(['BYE']);
  });

  test('491 for ever ends the call when the session would', async () => {
    const fixture = new Fixture();
    outboundCall(fixture, { headers: `Session-Expires: 100;refresher=uac\r\n${contact}` });
    await fixture.clock.advance(50_000);
    let asked = 0;
    while (fixture.core.counts.dialogs === 1 && asked < 50) {
      const sent = fixture.take().map(({ message }) => message);
      const invite = sent.find((each) => each.kind === 'request' && each.method === 'INVITE');
      if (invite?.kind === 'request') {
        asked += 1;
        fixture.deliver(peerResponse(invite, '491 Request Pending'));
      }
      if (sent.some((each) => each.kind === 'request' && each.method === 'BYE')) break;
      await fixture.clock.advance(4_000);
    }
    expect(asked).toBeGreaterThan(2);
    expect(asked).toBeLessThan(12);
  });

  describe('thirty minutes', () => {
    const interval = 1800;
    const minutes = 60_000;

    test('with us as refresher: one refresh every fifteen minutes, and the call stays up', async () => {
      const fixture = new Fixture();
      const headers = `Session-Expires: ${interval};refresher=uac\r\nAllow: INVITE, UPDATE\r\n${contact}`;
      outboundCall(fixture, { headers });
      const refreshes: number[] = [];
      for (let minute = 1; minute <= 60; minute++) {
        await fixture.clock.advance(minutes);
        for (const { message } of fixture.take()) {
          if (message.kind !== 'request') continue;
          expect(message.method).toBe('UPDATE');
          refreshes.push(minute);
          fixture.deliver(peerResponse(message, '200 OK', { headers }));
        }
      }
      expect(refreshes).toEqual([15, 30, 45, 60]);
      expect(fixture.core.counts.dialogs).toBe(1);
      expect(fixture.application.unsolicitedByes).toEqual([]);
    });

    test('with the peer as refresher: the call stays up while refreshed, then ends on the second', async () => {
      const fixture = new Fixture();
      const headers = `Session-Expires: ${interval};refresher=uac\r\nSupported: timer`;
      const { localTag: toTag } = inboundCall(fixture, { headers });
      for (let refresh = 0; refresh < 3; refresh++) {
        await fixture.clock.advance(15 * minutes);
        fixture.deliver(peerRequest(fixture, 'UPDATE', { toTag, cseq: 2 + refresh, headers }));
        fixture.respond(fixture.application.lastRequest, '200 OK');
        expect(fixture.sentResponse(200).headers.get('Session-Expires')).toBe(`${interval};refresher=uac`);
      }
      await fixture.clock.advance(30 * minutes - 1);
      expect(fixture.wire()).toEqual([]);
      await fixture.clock.advance(1);
      fixture.deliver(peerResponse(fixture.sentRequest('BYE'), '200 OK'));
      expect(fixture.application.unsolicitedByes).toHaveLength(1);
      await expectNothingLeft(fixture);
    });
  });
});
