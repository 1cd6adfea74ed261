import { describe, expect, test } from 'vitest';
import { received } from '../../../../src/testkit/memory-transport.js';
import {
  expectNothingLeft,
  Fixture,
  inboundCall,
  ourAddress,
  outboundCall,
  peerAddress,
  peerRequest,
  peerResponse,
  RecordingApplication,
  sdp,
} from './fixture.js';

const kept = '200 OK\r\nEngine-Keep: yes';
const tagIn = (to: string | undefined): string => /tag=([^;]+)/.exec(to ?? '')?.[1] ?? '';

describe('whether the engine knows the dialog of a message', () => {
  const knows = (fixture: Fixture, text: string): boolean =>
    fixture.core.knows(received(text, fixture.flow()));

  test('of a request within it, by Call-ID and both tags', () => {
    const fixture = new Fixture();
    const { localTag } = inboundCall(fixture);
    expect(knows(fixture, peerRequest(fixture, 'INFO', { toTag: localTag }))).toBe(true);
    expect(knows(fixture, peerRequest(fixture, 'INFO', { toTag: 'other' }))).toBe(false);
    expect(knows(fixture, peerRequest(fixture, 'INFO', { toTag: localTag, fromTag: 'at2' }))).toBe(false);
    expect(knows(fixture, peerRequest(fixture, 'INFO', { toTag: localTag, callId: 'call-2' }))).toBe(false);
  });

  test('of a request that would form another one of its name, and of no other new request', () => {
    const fixture = new Fixture();
    inboundCall(fixture);
    expect(knows(fixture, peerRequest(fixture, 'INVITE'))).toBe(true);
    expect(knows(fixture, peerRequest(fixture, 'OPTIONS'))).toBe(false);
    expect(knows(fixture, peerRequest(fixture, 'INVITE', { fromTag: 'at2' }))).toBe(false);
  });

  test('of no response: its transaction says where it belongs', () => {
    const fixture = new Fixture();
    const { invite } = outboundCall(fixture);
    expect(knows(fixture, peerResponse(invite, '200 OK', { tag: 'bt1' }))).toBe(false);
  });
});

describe('an application is quiet', () => {
  test('without dialogs, and between the calls and requests of others', () => {
    const fixture = new Fixture();
    const second = new RecordingApplication();
    expect(fixture.core.isQuiet(fixture.application)).toBe(true);
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    fixture.request('OPTIONS sip:198.51.100.20 SIP/2.0');
    expect([fixture.core.isQuiet(fixture.application), fixture.core.isQuiet(second)]).toEqual([false, true]);
  });

  test('not while a request to it is open', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'OPTIONS'));
    expect(fixture.core.isQuiet(fixture.application)).toBe(false);
    fixture.respond(fixture.application.lastRequest, '200 OK');
    expect(fixture.core.isQuiet(fixture.application)).toBe(true);
  });

  test('not while a request of it is open', () => {
    const fixture = new Fixture();
    fixture.request('OPTIONS sip:198.51.100.20 SIP/2.0');
    expect(fixture.core.isQuiet(fixture.application)).toBe(false);
    fixture.deliver(peerResponse(fixture.sentRequest('OPTIONS'), '200 OK', { tag: 'x' }));
    expect(fixture.core.isQuiet(fixture.application)).toBe(true);
  });

  test('not before the ACK of either side', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const answered = fixture.respond(fixture.application.lastRequest, '200 OK', sdp);
    expect(fixture.core.isQuiet(fixture.application)).toBe(false);
    const toTag = tagIn(answered.message.headers.get('To'));
    fixture.deliver(peerRequest(fixture, 'ACK', { toTag }));
    expect(fixture.core.isQuiet(fixture.application)).toBe(true);
    fixture.request(`INVITE sip:bob@${peerAddress} SIP/2.0`, sdp);
    const contact = `Contact: <sip:bob@${peerAddress}:5060>`;
    fixture.deliver(
      peerResponse(fixture.sentRequest('INVITE'), '200 OK', { tag: 'bt1', headers: contact, body: sdp }),
    );
    expect(fixture.core.isQuiet(fixture.application)).toBe(false);
    fixture.within(fixture.application.responses.at(-1)!.dialogId, 'ACK');
    expect(fixture.core.isQuiet(fixture.application)).toBe(true);
  });
});

describe('dialogs that another engine process continues', () => {
  test('are dropped without a word to the peer: the marked ones of that application, or all', () => {
    const fixture = new Fixture();
    inboundCall(fixture, {}, kept);
    inboundCall(fixture, { callId: 'call-2' });
    expect(fixture.core.holdsKeptDialogs).toBe(true);
    fixture.core.forget(new RecordingApplication());
    expect(fixture.core.counts.dialogs).toBe(2);
    fixture.core.forget(fixture.application);
    expect([fixture.core.counts.dialogs, fixture.core.holdsKeptDialogs]).toEqual([1, false]);
    fixture.core.abandon();
    expect(fixture.core.counts.dialogs).toBe(0);
    expect(fixture.wire()).toEqual([]);
    expect(fixture.application.unsolicitedByes).toEqual([]);
  });

  test('by name: only marked ones of that application, whose 2xx is acknowledged and whose requests get 503', () => {
    const fixture = new Fixture();
    const marked = inboundCall(fixture, {}, kept);
    const unmarked = inboundCall(fixture, { callId: 'call-2' });
    fixture.deliver(peerRequest(fixture, 'INFO', { toTag: marked.localTag, cseq: 2 }));
    fixture.core.forgetDialogs(new RecordingApplication(), [marked.dialogId]);
    expect(fixture.core.counts.dialogs).toBe(2);
    fixture.core.forgetDialogs(fixture.application, [marked.dialogId, unmarked.dialogId]);
    expect(fixture.core.counts.dialogs).toBe(1);
    expect(fixture.wire()).toEqual(['503']);
    fixture.deliver(peerRequest(fixture, 'BYE', { toTag: marked.localTag, cseq: 3 }));
    const refusal = fixture.sentResponse(503);
    expect(refusal.headers.get('Retry-After')).toBe('5');
    fixture.request(`INVITE sip:bob@${peerAddress} SIP/2.0\r\nEngine-Keep: yes`, sdp);
    const contact = `Contact: <sip:bob@${peerAddress}:5060>`;
    const invite = fixture.sentRequest('INVITE');
    fixture.deliver(peerResponse(invite, '200 OK', { tag: 'bt1', headers: contact, body: sdp }));
    fixture.core.forgetDialogs(fixture.application, [fixture.application.responses.at(-1)!.dialogId]);
    expect(fixture.wire()).toEqual(['ACK']);
  });
});

describe('the end of the engine', () => {
  test('BYE for dialogs, 503 for unanswered INVITEs, CANCEL for its own', async () => {
    const fixture = new Fixture();
    inboundCall(fixture);
    fixture.deliver(peerRequest(fixture, 'INVITE', { callId: 'call-2' }));
    fixture.request(`INVITE sip:bob@${peerAddress} SIP/2.0`, sdp);
    const own = fixture.sentRequest('INVITE');
    fixture.deliver(peerResponse(own, '180 Ringing', { tag: 'bt1' }));
    fixture.take();
    fixture.core.endAll('shutdown');
    expect(fixture.wire().sort()).toEqual(['503', 'BYE', 'CANCEL']);
    expect(fixture.application.unsolicitedByes).toHaveLength(1);
  });

  test('is not idle before', () => {
    const fixture = new Fixture();
    expect(fixture.core.isIdle).toBe(true);
    fixture.deliver(peerRequest(fixture, 'OPTIONS'));
    expect(fixture.core.isIdle).toBe(false);
    fixture.respond(fixture.application.lastRequest, '200 OK');
    expect(fixture.core.isIdle).toBe(true);
    fixture.request('OPTIONS sip:198.51.100.20 SIP/2.0');
    expect(fixture.core.isIdle).toBe(false);
    fixture.deliver(peerResponse(fixture.sentRequest('OPTIONS'), '200 OK', { tag: 'x' }));
    expect(fixture.core.isIdle).toBe(true);
    fixture.core.awaitRestore(3_000);
    fixture.deliver(peerRequest(fixture, 'INFO', { toTag: 'unknown' }));
    expect(fixture.core.isIdle).toBe(false);
  });
});

describe('INVITE with Replaces (RFC 3891)', () => {
  const replacing = (toTag: string, callId = 'call-1'): string =>
    `Replaces: ${callId};to-tag=${toTag};from-tag=at1`;
  const secondCall = { callId: 'call-2', fromTag: 'ct1' };

  test('goes to the application that has the dialog, though another one takes INVITEs', () => {
    const fixture = new Fixture();
    const { localTag } = inboundCall(fixture);
    const holder = fixture.application;
    fixture.application = new RecordingApplication();
    fixture.deliver(peerRequest(fixture, 'INVITE', { ...secondCall, headers: replacing(localTag) }));
    expect([holder.methods.at(-1), fixture.application.methods]).toEqual(['INVITE', []]);
    expect(holder.lastRequest).toMatchObject({ isInitial: true, dialogId: '' });
    fixture.deliver(peerRequest(fixture, 'MESSAGE', { callId: 'call-3', headers: replacing(localTag) }));
    fixture.deliver(peerRequest(fixture, 'INVITE', { callId: 'call-4', headers: replacing('unknown') }));
    fixture.deliver(peerRequest(fixture, 'INVITE', { callId: 'call-5', headers: 'Replaces: nonsense' }));
    expect(fixture.application.methods).toEqual(['INVITE', 'INVITE']);
  });

  test('waits while the dialog has no application, and goes to its next one', () => {
    const fixture = new Fixture();
    fixture.application.owner = 'edge-1';
    const { localTag } = inboundCall(fixture, {}, kept);
    fixture.replaceApplication();
    fixture.deliver(peerRequest(fixture, 'INVITE', { ...secondCall, headers: replacing(localTag) }));
    expect(fixture.application.methods).toEqual([]);
    const adopted = fixture.core.adopt('edge-1', fixture.application, undefined);
    adopted.deliver();
    expect(fixture.application.methods).toEqual(['INVITE']);
    expect(fixture.application.lastRequest).toMatchObject({ isInitial: true });
  });

  test('in the hands of an application that is lost follows the dialog to its next one', () => {
    const fixture = new Fixture();
    fixture.application.owner = 'edge-1';
    const { localTag } = inboundCall(fixture, {}, kept);
    fixture.deliver(peerRequest(fixture, 'INVITE', { ...secondCall, headers: replacing(localTag) }));
    expect(fixture.application.methods.at(-1)).toBe('INVITE');
    fixture.take();
    const next = fixture.replaceApplication();
    expect([fixture.wire(), next.methods]).toEqual([[], []]);
    fixture.core.adopt('edge-1', next, undefined).deliver();
    expect(next.methods).toEqual(['INVITE']);
  });

  test('waits while the dialog may still be restored', async () => {
    const fixture = new Fixture();
    fixture.core.awaitRestore(3_000);
    fixture.deliver(peerRequest(fixture, 'INVITE', { ...secondCall, headers: replacing('bt1') }));
    fixture.deliver(peerRequest(fixture, 'INVITE', { callId: 'call-3' }));
    expect(fixture.application.methods).toEqual(['INVITE']);
    await fixture.clock.advance(3_100);
    // Nothing restored it: an INVITE like any other.
    expect(fixture.application.methods).toEqual(['INVITE', 'INVITE']);
  });

  test('gets 503 when the application of the dialog disconnects: no other one can replace it', () => {
    const fixture = new Fixture();
    const { localTag } = inboundCall(fixture);
    fixture.deliver(peerRequest(fixture, 'INVITE', { ...secondCall, headers: replacing(localTag) }));
    fixture.take();
    expect(fixture.replaceApplication().methods).toEqual([]);
    expect(fixture.wire()).toEqual(['503', 'BYE']);
  });
});

describe('an application that has stopped to react', () => {
  const silentWith = (fixture: Fixture): [RecordingApplication, RecordingApplication] => {
    const silent = fixture.application;
    silent.isSilent = true;
    fixture.application = new RecordingApplication();
    return [silent, fixture.application];
  };

  test('loses an INVITE that it has not responded to, and reads a CANCEL for it', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    const [silent, next] = silentWith(fixture);
    fixture.core.applicationSilent(next);
    expect(next.methods).toEqual([]);
    fixture.core.applicationSilent(silent);
    expect([silent.methods, next.methods]).toEqual([['INVITE', 'CANCEL'], ['INVITE']]);
    const reason = silent.lastRequest.received.message.headers.get('Reason');
    expect(reason).toContain('cause=503');
    fixture.respond(next.lastRequest, '200 OK', sdp);
    expect(fixture.wire()).toEqual(['200']);
  });

  test('keeps one that it has responded to, has begun, or that no other application would take', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    fixture.respond(fixture.application.lastRequest, '180 Ringing');
    fixture.deliver(peerRequest(fixture, 'INVITE', { callId: 'call-2' }));
    fixture.core.beginOnce(fixture.application, fixture.application.lastRequest.transactionId);
    fixture.deliver(peerRequest(fixture, 'OPTIONS', { callId: 'call-3' }));
    const [silent, next] = silentWith(fixture);
    fixture.core.applicationSilent(silent);
    expect(next.methods).toEqual([]);
    const alone = new Fixture();
    alone.deliver(peerRequest(alone, 'INVITE'));
    alone.core.applicationSilent(alone.application);
    expect(alone.application.methods).toEqual(['INVITE']);
    const [first, second] = silentWith(alone);
    second.isSilent = true;
    alone.core.applicationSilent(first);
    expect(second.methods).toEqual([]);
  });

  test('keeps a re-INVITE: the dialog is its own', () => {
    const fixture = new Fixture();
    const { localTag } = inboundCall(fixture);
    fixture.deliver(peerRequest(fixture, 'INVITE', { toTag: localTag, cseq: 2, body: sdp }));
    const [silent, next] = silentWith(fixture);
    fixture.core.applicationSilent(silent);
    expect([silent.methods.at(-1), next.methods]).toEqual(['INVITE', []]);
  });
});

describe('an INVITE whose connection is lost', () => {
  const inviteOver = (fixture: Fixture) => {
    const flow = fixture.flow('tcp', 45_000);
    fixture.deliver(peerRequest(fixture, 'INVITE'), flow);
    return { flow, invite: fixture.application.lastRequest };
  };

  test.each([
    ['unanswered', undefined, ''],
    ['ringing', '180 Ringing', 'call-1;from-tag=at1'],
  ])('%s reaches the application as a CANCEL, and leaves no dialog', async (_state, progress, dialogId) => {
    const fixture = new Fixture();
    const { flow, invite } = inviteOver(fixture);
    if (progress !== undefined) fixture.respond(invite, progress);
    fixture.transport.unreachable.set(`${peerAddress}:5060`, 'refused');
    flow.isOpen = false;
    fixture.layer.flowClosed(flow);
    expect(fixture.application.methods).toEqual(['INVITE', 'CANCEL']);
    expect(fixture.application.lastRequest).toMatchObject({ dialogId, transactionId: invite.transactionId });
    expect(fixture.core.counts.dialogs).toBe(0);
    await expectNothingLeft(fixture);
  });

  test('continues over a connection that the engine opens to the caller', () => {
    const fixture = new Fixture();
    const { flow, invite } = inviteOver(fixture);
    flow.isOpen = false;
    fixture.layer.flowClosed(flow);
    expect(fixture.respond(invite, '200 OK', sdp).refusal).toBeUndefined();
    expect(fixture.take().at(-1)!.flow).toMatchObject({ protocol: 'tcp', remotePort: 5060, isOpen: true });
    expect(fixture.application.methods).toEqual(['INVITE']);
  });
});

describe('an INVITE after a challenge', () => {
  test.each(['401 Unauthorized', '407 Proxy Authentication Required'])(
    '%s goes to the application that challenged it',
    (challenge) => {
      const fixture = new Fixture();
      fixture.deliver(peerRequest(fixture, 'INVITE'));
      fixture.respond(fixture.application.lastRequest, challenge);
      const challenger = fixture.application;
      fixture.application = new RecordingApplication();
      fixture.deliver(peerRequest(fixture, 'OPTIONS', { cseq: 2 }));
      expect(fixture.application.methods).toEqual(['OPTIONS']);
      fixture.deliver(peerRequest(fixture, 'INVITE', { cseq: 2, fromTag: 'at2' }));
      expect([challenger.methods, fixture.application.methods]).toEqual([['INVITE', 'INVITE'], ['OPTIONS']]);
    },
  );

  test('goes to any application when it was refused otherwise, or within a dialog', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'INVITE'));
    fixture.respond(fixture.application.lastRequest, '486 Busy Here');
    const first = fixture.application;
    fixture.application = new RecordingApplication();
    fixture.deliver(peerRequest(fixture, 'INVITE', { cseq: 2, fromTag: 'at2' }));
    expect([first.methods, fixture.application.methods]).toEqual([['INVITE'], ['INVITE']]);
  });
});

describe('a final response that waits for a PRACK', () => {
  const reliable = { headers: 'Supported: 100rel' };
  const waiting = (fixture: Fixture) => {
    fixture.deliver(peerRequest(fixture, 'INVITE', { ...reliable, branch: 'z9hG4bKfixed' }));
    const invite = fixture.application.lastRequest;
    fixture.respond(invite, '183 Progress\r\nRequire: 100rel', sdp);
    fixture.respond(invite, '200 OK', sdp);
    fixture.take();
    return invite;
  };

  test('is the last one', () => {
    const fixture = new Fixture();
    expect(fixture.respond(waiting(fixture), '486 Busy Here').refusal).toBe(
      'Response not sent due to unknown transaction',
    );
    expect(fixture.wire()).toEqual([]);
  });

  test('is withdrawn by a CANCEL: the application learns that its dialog has ended', async () => {
    const fixture = new Fixture();
    waiting(fixture);
    fixture.deliver(peerRequest(fixture, 'CANCEL', { branch: 'z9hG4bKfixed' }));
    expect(fixture.wire()).toEqual(['200', '487']);
    expect(fixture.application.methods).toEqual(['INVITE', 'CANCEL']);
    expect(fixture.application.unsolicitedByes).toHaveLength(1);
    await expectNothingLeft(fixture);
  });
});

test('the name of a new dialog is that of the caller: a second INVITE with it cannot be accepted', () => {
  const fixture = new Fixture();
  fixture.deliver(peerRequest(fixture, 'INVITE'));
  const invite = fixture.application.lastRequest;
  fixture.core.restore(new RecordingApplication(), [
    {
      role: 'uas',
      callId: 'call-1',
      localParty: `<sip:bob@${ourAddress}>;tag=bt1`,
      remoteParty: '<sip:alice@example.net>;tag=at1',
      routeSet: [],
      remoteTarget: `sip:alice@${peerAddress}:5060`,
      localContact: `<sip:${ourAddress}>`,
      localSequence: 1,
      remoteSequence: 1,
      flow: { protocol: 'udp', address: peerAddress, port: 5060 },
      nextHop: undefined,
      session: undefined,
      peerAllowsUpdate: false,
      localSdp: undefined,
    },
  ]);
  expect(fixture.respond(invite, '200 OK', sdp).refusal).toBe(
    'dialog already exists, rejecting this request',
  );
  expect(fixture.wire()).toEqual(['480']);
});
