import { describe, expect, test } from 'vitest';
import {
  expectNothingLeft,
  Fixture,
  inboundCall,
  ourAddress,
  peerRequest,
  RecordingApplication,
  sdp,
} from './fixture.js';

const reliable = { headers: 'Supported: 100rel' };

describe('INVITE from the network', () => {
  test('is delivered once, with its listener, and answered with one tag', async () => {
    const fixture = new Fixture();
    const text = peerRequest(fixture, 'INVITE');
    fixture.deliver(text);
    fixture.deliver(text);
    expect(fixture.application.methods).toEqual(['INVITE']);
    const invite = fixture.application.lastRequest;
    expect(invite).toMatchObject({ dialogId: '', isInitial: true });
    const ringing = fixture.respond(invite, '180 Ringing');
    const early = fixture.respond(invite, '183 Progress', sdp);
    const answer = fixture.respond(invite, '200 OK', sdp);
    const tags = [ringing, early, answer].map((reply) => reply.message.headers.get('To'));
    expect(new Set(tags).size).toBe(1);
    expect(answer.sent).toMatchObject({
      dialogId: 'call-1;from-tag=at1',
      transactionId: invite.transactionId,
    });
    expect(ringing.message.headers.get('Contact')).toBeUndefined();
    expect(answer.message.headers.get('Contact')).toBe(`<sip:${ourAddress}:5060>`);
    expect(answer.message.headers.get('Content-Type')).toBe('application/sdp');
    expect(fixture.respond(invite, '200 OK').refusal).toBe('Response not sent due to unknown transaction');
  });

  test('takes the tag that the application chooses, and its Contact', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const invite = fixture.application.lastRequest;
    const reply = fixture.respond(
      invite,
      `200 OK\r\nTo: <sip:bob@x>;tag=mine\r\nContact: <sip:b@localhost>`,
      sdp,
    );
    expect(reply.message.headers.get('To')).toBe(`<sip:bob@${ourAddress}>;tag=mine`);
    expect(reply.message.headers.get('Contact')).toBe(`<sip:b@${ourAddress}:5060>`);
  });

  test('without an application for it is refused with the reason and Retry-After', async () => {
    const fixture = new Fixture([]);
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const { headers } = fixture.sentResponse(503);
    expect([headers.get('Retry-After'), headers.get('Reason')]).toEqual([
      '5',
      'SIP;cause=503;text="No application is connected"',
    ]);
  });

  test.each(['udp', 'tcp'] as const)(
    'its 200 is repeated over %s until the ACK, then the call ends',
    async (protocol) => {
      const fixture = new Fixture();
      fixture.deliver(peerRequest(fixture, 'INVITE'), fixture.flow(protocol));
      fixture.respond(fixture.application.lastRequest, '200 OK', sdp);
      fixture.take();
      await fixture.clock.advance(12_000);
      // 0.5, 1.5, 3.5, 7.5, 11.5 s.
      expect(fixture.wire()).toEqual(['200', '200', '200', '200', '200']);
      await fixture.clock.advance(20_000);
      const bye = fixture.sentRequest('BYE');
      expect(bye.headers.get('Reason')).toBe('SIP;cause=200;text="ACK timeout"');
      expect(bye.headers.get('CSeq')).toBe('2 BYE');
      expect(fixture.application.unsolicitedByes).toMatchObject([{ dialogId: 'call-1;from-tag=at1' }]);
      await expectNothingLeft(fixture);
    },
  );

  test('the ACK carries the id of the INVITE and stops the repetition', async () => {
    const fixture = new Fixture();
    const { invite } = inboundCall(fixture);
    expect(fixture.application.lastRequest).toMatchObject({
      transactionId: invite.transactionId,
      dialogId: 'call-1;from-tag=at1',
    });
    await fixture.clock.advance(40_000);
    expect(fixture.wire()).toEqual([]);
    expect(fixture.core.counts.dialogs).toBe(1);
  });

  test('an ACK with another sequence number acknowledges nothing', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const reply = fixture.respond(fixture.application.lastRequest, '200 OK', sdp);
    const toTag = /tag=(.+)/.exec(reply.message.headers.get('To')!)![1]!;
    fixture.deliver(peerRequest(fixture, 'ACK', { toTag, cseq: 2 }));
    expect(fixture.application.methods).toEqual(['INVITE']);
  });

  test('an application that stays silent: 408 after 64 s; one that lets it ring: 480', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    await fixture.clock.advance(64_000);
    expect(fixture.wire()).toContain('408');
    expect(fixture.application.methods).toEqual(['INVITE', 'CANCEL']);
    const otherFixture = new Fixture();
    otherFixture.deliver(peerRequest(otherFixture, 'INVITE'));
    otherFixture.respond(otherFixture.application.lastRequest, '180 Ringing');
    await otherFixture.clock.advance(299_000);
    expect(otherFixture.wire()).not.toContain('480');
    await otherFixture.clock.advance(1_000);
    expect(otherFixture.wire()).toContain('480');
    await expectNothingLeft(otherFixture);
  });

  test('CANCEL before any response: 200, one 487 with the same tag, a frame without dialog', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE', { branch: 'z9hG4bKc' }));
    const invite = fixture.application.lastRequest;
    fixture.take();
    fixture.deliver(peerRequest(fixture, 'CANCEL', { branch: 'z9hG4bKc' }));
    const sent = fixture.take().map(({ message }) => message);
    expect(sent.map((message) => message.kind === 'response' && message.status)).toEqual([200, 487]);
    expect(sent[0]!.headers.get('To')).toBe(sent[1]!.headers.get('To'));
    expect(fixture.application.lastRequest).toMatchObject({
      transactionId: invite.transactionId,
      dialogId: '',
    });
    expect(fixture.respond(invite, '487 Request Terminated').refusal).toBe(
      'Response not sent due to unknown transaction',
    );
    await expectNothingLeft(fixture);
  });

  test('CANCEL while ringing names the dialog', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE', { branch: 'z9hG4bKc' }));
    fixture.respond(fixture.application.lastRequest, '180 Ringing');
    fixture.deliver(peerRequest(fixture, 'CANCEL', { branch: 'z9hG4bKc' }));
    expect(fixture.application.lastRequest.dialogId).toBe('call-1;from-tag=at1');
    expect(fixture.core.counts.dialogs).toBe(0);
  });

  test.each([
    ['SIP;cause=503;text="Given to another application"', undefined],
    ['SIP;cause=504;text="PRACK timeout"', undefined],
    ['SIP;cause=487;text="Changed my mind"', 'SIP;cause=487;text="Changed my mind"'],
  ])('CANCEL of a caller that gives the reason %s', (reason, passed) => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE', { branch: 'z9hG4bKc' }));
    fixture.deliver(peerRequest(fixture, 'CANCEL', { branch: 'z9hG4bKc', headers: `Reason: ${reason}` }));
    const { method, headers } = fixture.application.lastRequest.received.message;
    expect([method, headers.get('Reason')]).toEqual(['CANCEL', passed]);
  });

  test('BYE before the answer: 200, 487, and the application gets a CANCEL', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const reply = fixture.respond(fixture.application.lastRequest, '180 Ringing');
    const toTag = /tag=(.+)/.exec(reply.message.headers.get('To')!)![1]!;
    fixture.take();
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag, cseq: 2 }));
    expect(fixture.wire()).toEqual(['200', '487']);
    expect(fixture.application.methods).toEqual(['INVITE', 'CANCEL']);
  });

  test('gets 503 when the only application disconnects', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    fixture.application.isOpen = false;
    fixture.core.applicationGone(fixture.application);
    expect(fixture.sentResponse(503).headers.get('Reason')).toBe('SIP;cause=503;text="Application gone"');
  });

  test.each([
    ['before any response', []],
    ['while the call rings', ['100 Trying', '180 Ringing']],
  ])('begins again at another application when its first one disconnects %s', async (_when, sent) => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const invite = fixture.application.lastRequest;
    const tags = new Set<string | undefined>();
    const respond = (status: string, body = ''): void => {
      const { message } = fixture.respond(invite, status, body);
      if (!status.startsWith('100')) tags.add(message.headers.get('To'));
    };
    for (const status of sent) respond(status);
    fixture.take();
    const next = fixture.replaceApplication();
    expect(next.lastRequest).toMatchObject({
      transactionId: invite.transactionId,
      isInitial: true,
      dialogId: '',
    });
    respond('180 Ringing');
    respond('200 OK', sdp);
    // For the caller it is one dialog.
    expect(tags.size).toBe(1);
    expect(fixture.wire()).toEqual(['180', '200']);
    const [, toTag = ''] = /tag=(.+)/.exec([...tags][0]!)!;
    fixture.deliver(peerRequest(fixture, 'ACK', { toTag }));
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag, cseq: 2 }));
    expect(next.methods).toEqual(['INVITE', 'ACK', 'BYE']);
    fixture.respond(next.lastRequest, '200 OK');
    await expectNothingLeft(fixture);
  });

  test('reaches the next application with its CANCEL after the first one has let it ring and disconnected', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE', { branch: 'z9hG4bKc' }));
    fixture.respond(fixture.application.lastRequest, '180 Ringing');
    const next = fixture.replaceApplication();
    fixture.deliver(peerRequest(fixture, 'CANCEL', { branch: 'z9hG4bKc' }));
    expect(next.methods).toEqual(['INVITE', 'CANCEL']);
    expect(next.requests[1]!.transactionId).toBe(next.requests[0]!.transactionId);
    await expectNothingLeft(fixture);
  });

  test.each([
    ['has a session description, which no other application could repeat', {}, '183 Progress'],
    ['waits for a PRACK', reliable, '180 Ringing\r\nRequire: 100rel'],
  ])('gets 503 when its application disconnects and the caller %s', async (_why, parts, progress) => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE', parts));
    fixture.respond(fixture.application.lastRequest, progress, progress.startsWith('183') ? sdp : '');
    fixture.take();
    const next = fixture.replaceApplication();
    expect(fixture.wire()).toEqual(['503']);
    expect(next.methods).toEqual([]);
    await expectNothingLeft(fixture);
  });

  test('gets 503 when its application disconnects and has begun for it what may be begun once', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const { transactionId } = fixture.application.lastRequest;
    fixture.respond(fixture.application.lastRequest, '180 Ringing');
    fixture.core.beginOnce(fixture.application, transactionId);
    fixture.take();
    expect(fixture.replaceApplication().methods).toEqual([]);
    expect(fixture.wire()).toEqual(['503']);
    await expectNothingLeft(fixture);
  });

  test('is not begun once because of an application that does not have it', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const { transactionId } = fixture.application.lastRequest;
    fixture.core.beginOnce(new RecordingApplication(), transactionId);
    expect(fixture.replaceApplication().methods).toEqual(['INVITE']);
  });

  test('gets 503 when the second application disconnects too: the INVITE may be the cause', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    fixture.take();
    expect(fixture.replaceApplication().methods).toEqual(['INVITE']);
    expect(fixture.replaceApplication().methods).toEqual([]);
    expect(fixture.wire()).toEqual(['503']);
  });
});

describe('reliable provisional responses (RFC 3262)', () => {
  const ringing = '183 Progress\r\nRequire: 100rel';

  test('are refused when the caller does not know them', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const reply = fixture.respond(fixture.application.lastRequest, ringing, sdp);
    expect(reply.refusal).toBe('Remote endpoint does not support 100rel');
    expect(fixture.wire()).toEqual([]);
  });

  test('are retransmitted until PRACK; later responses wait, and are sent intact', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE', reliable));
    const invite = fixture.application.lastRequest;
    const first = fixture.respond(invite, ringing, sdp);
    const rseq = first.message.headers.get('RSeq')!;
    const toTag = /tag=(.+)/.exec(first.message.headers.get('To')!)![1]!;
    fixture.take();
    await fixture.clock.advance(3_500);
    expect(fixture.wire()).toEqual(['183', '183', '183']);
    const answer = fixture.respond(invite, '200 Fine', sdp);
    expect(answer.message).toMatchObject({ status: 200, reason: 'Fine' });
    expect(fixture.wire()).toEqual([]);
    fixture.deliver(
      peerRequest(fixture, 'PRACK', { toTag, cseq: 2, headers: `RAck: ${Number(rseq) + 9} 1 INVITE` }),
    );
    expect(fixture.wire()).toEqual(['481']);
    fixture.deliver(peerRequest(fixture, 'PRACK', { toTag, cseq: 3, headers: `RAck: ${rseq} 1 INVITE` }));
    expect(fixture.application.lastRequest).toMatchObject({ dialogId: 'call-1;from-tag=at1' });
    expect(fixture.sentResponse(200).reason).toBe('Fine');
  });

  test('never acknowledged: 504, the application is notified, its answer is refused', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE', reliable));
    const invite = fixture.application.lastRequest;
    fixture.respond(invite, ringing, sdp);
    await fixture.clock.advance(32_000);
    expect(fixture.wire()).toContain('504');
    expect(fixture.application.methods).toEqual(['INVITE', 'CANCEL']);
    expect(fixture.respond(invite, '200 OK', sdp).refusal).toBe(
      'Response not sent due to unknown transaction',
    );
    await expectNothingLeft(fixture);
  });

  test('never acknowledged with a 200 behind it: 504, and the promised dialog ends', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE', reliable));
    fixture.respond(fixture.application.lastRequest, ringing, sdp);
    expect(fixture.respond(fixture.application.lastRequest, '200 OK', sdp).refusal).toBeUndefined();
    await fixture.clock.advance(32_000);
    expect(fixture.wire()).toContain('504');
    expect(fixture.application.unsolicitedByes).toHaveLength(1);
    await expectNothingLeft(fixture);
  });
});
