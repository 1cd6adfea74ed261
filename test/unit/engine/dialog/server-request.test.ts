import { describe, expect, it } from 'vitest';
import { refusal } from '../../../../src/engine/dialog/application.js';
import {
  expectNothingLeft,
  Fixture,
  inboundCall,
  ourAddress,
  peerAddress,
  peerRequest,
  RecordingApplication,
  sdp,
} from './fixture.js';

describe('a request other than INVITE', () => {
  it('is answered once, by a final response after any number of provisional ones', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'OPTIONS'));
    const request = fixture.application.lastRequest;
    expect(fixture.respond(request, '180 Ringing').refusal).toBeUndefined();
    expect(fixture.core.counts.pendingRequests).toBe(1);
    expect(fixture.respond(request, '299 Nearly').refusal).toBeUndefined();
    expect(fixture.core.counts.pendingRequests).toBe(0);
    expect(fixture.respond(request, '200 OK').refusal).toBe(refusal.unknownTransaction);
    expect(fixture.wire()).toEqual(['180', '299']);
    await expectNothingLeft(fixture);
  });

  it('takes the tag of the first response that the application gives one', () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'OPTIONS'));
    const request = fixture.application.lastRequest;
    for (const [head, tag] of [
      ['180 Ringing\r\nTo: <sip:bob@example.com>;tag=chosen', 'chosen'],
      ['200 OK\r\nTo: <sip:bob@example.com>;tag=late', 'chosen'],
    ] as const)
      expect(fixture.respond(request, head).message.headers.get('To')).toContain(`;tag=${tag}`);
  });

  it('is refused to an application that answers after its connection has closed', async () => {
    const fixture = new Fixture();
    const flow = fixture.flow('tcp', 40_000);
    fixture.deliver(peerRequest(fixture, 'OPTIONS'), flow);
    const request = fixture.application.lastRequest;
    flow.isOpen = false;
    fixture.transport.unreachable.set(`${peerAddress}:5060`, 'refused');
    fixture.layer.flowClosed(flow);
    expect(fixture.core.counts.pendingRequests).toBe(0);
    expect(fixture.respond(request, '200 OK').refusal).toBe(refusal.unknownTransaction);
    await expectNothingLeft(fixture);
  });

  it('gets 500 when the application has not answered after 30 s', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'OPTIONS'), fixture.flow('tcp', 40_000));
    const request = fixture.application.lastRequest;
    await fixture.clock.advance(29_999);
    expect(fixture.wire()).toEqual([]);
    await fixture.clock.advance(1);
    expect(fixture.wire()).toEqual(['500']);
    expect(fixture.respond(request, '200 OK').refusal).toBe(refusal.unknownTransaction);
    await expectNothingLeft(fixture);
  });

  it.each([
    ['BYE', '200', null],
    ['INFO', '503', '5'],
  ])('within a dialog gets, when its application disconnects: %s, %s', (method, status, retryAfter) => {
    const fixture = new Fixture();
    const { localTag } = inboundCall(fixture);
    fixture.deliver(peerRequest(fixture, method, { toTag: localTag, cseq: 2 }));
    fixture.replaceApplication();
    const { headers } = fixture.sentResponse(Number(status));
    expect(headers.get('Retry-After') ?? null).toBe(retryAfter);
  });

  it('has a Contact in a success only where it is a target for requests', () => {
    for (const [method, head, has] of [
      ['UPDATE', '200 OK', true],
      ['UPDATE', '488 Not Acceptable Here', false],
      ['INFO', '200 OK', false],
    ] as const) {
      const fixture = new Fixture();
      const { localTag, dialogId } = inboundCall(fixture);
      fixture.deliver(peerRequest(fixture, method, { toTag: localTag, cseq: 2 }));
      const reply = fixture.respond(fixture.application.lastRequest, head);
      expect(reply.message.headers.has('Contact'), `${method} ${head}`).toBe(has);
      expect(reply.sent!.dialogId).toBe(dialogId);
    }
  });
});

describe('an UPDATE', () => {
  const moved = { contact: `<sip:alice@${peerAddress}:7777>` };

  it('is one at a time, and moves the target once it is accepted', () => {
    const fixture = new Fixture();
    const { localTag: toTag, dialogId } = inboundCall(fixture);
    const target = (): string => {
      fixture.within(dialogId, 'INFO');
      return fixture.sentRequest('INFO').uri;
    };
    fixture.deliver(peerRequest(fixture, 'UPDATE', { toTag, cseq: 2, ...moved }));
    const first = fixture.application.lastRequest;
    fixture.deliver(peerRequest(fixture, 'UPDATE', { toTag, cseq: 3 }));
    expect(fixture.sentResponse(500).headers.has('Retry-After')).toBe(true);
    fixture.respond(first, '488 Not Acceptable Here');
    expect(target()).toBe(`sip:alice@${peerAddress}:5060`);
    fixture.deliver(peerRequest(fixture, 'UPDATE', { toTag, cseq: 4, ...moved }));
    expect(fixture.application.lastRequest).not.toBe(first);
    fixture.respond(fixture.application.lastRequest, '200 OK');
    expect(target()).toBe(`sip:alice@${peerAddress}:7777`);
  });

  it('whose answer has a description changes what the engine repeats to refresh the session', async () => {
    for (const [body, refreshed] of [
      [sdp.replace('a 1 1', 'a 1 2'), sdp.replace('a 1 1', 'a 1 2')],
      ['', sdp],
    ] as const) {
      const fixture = new Fixture();
      const { localTag: toTag } = inboundCall(fixture, {}, '200 OK\r\nSession-Expires: 100;refresher=uas');
      fixture.deliver(
        peerRequest(fixture, 'UPDATE', { toTag, cseq: 2, headers: 'Session-Expires: 100;refresher=uas' }),
      );
      const type = body === '' ? '' : '\r\nContent-Type: application/sdp';
      fixture.respond(
        fixture.application.lastRequest,
        `200 OK\r\nSession-Expires: 100;refresher=uas${type}`,
        body,
      );
      fixture.take();
      await fixture.clock.advance(50_000);
      expect(fixture.sentRequest('INVITE').body).toBe(refreshed);
    }
  });
});

describe('a subscription of a peer', () => {
  const subscribe = (fixture: Fixture, parts: object = {}): void =>
    fixture.deliver(
      peerRequest(fixture, 'SUBSCRIBE', { headers: 'Event: presence\r\nExpires: 60', ...parts }),
    );

  it('makes no dialog where it is refused', () => {
    const fixture = new Fixture();
    subscribe(fixture);
    expect(fixture.respond(fixture.application.lastRequest, '403 Forbidden').sent!.dialogId).toBe('');
    expect(fixture.core.counts.dialogs).toBe(0);
  });

  it('is moved and prolonged by another SUBSCRIBE within it', async () => {
    const fixture = new Fixture();
    subscribe(fixture);
    const reply = fixture.respond(fixture.application.lastRequest, '200 OK\r\nExpires: 60');
    const toTag = /tag=([^;]+)/.exec(reply.message.headers.get('To')!)![1]!;
    await fixture.clock.advance(50_000);
    subscribe(fixture, { toTag, cseq: 2, contact: `<sip:alice@${peerAddress}:7777>` });
    fixture.respond(fixture.application.lastRequest, '200 OK\r\nExpires: 60');
    fixture.take();
    await fixture.clock.advance(50_000);
    expect(fixture.core.counts.dialogs).toBe(1);
    fixture.within(reply.sent!.dialogId, 'NOTIFY', 'Subscription-State: active');
    expect(fixture.sentRequest('NOTIFY').uri).toBe(`sip:alice@${peerAddress}:7777`);
    await fixture.clock.advance(10_000 + 32_000);
    expect(fixture.core.counts.dialogs).toBe(0);
  });
});

it('tells an application nothing of requests that another one has', () => {
  const fixture = new Fixture();
  fixture.deliver(peerRequest(fixture, 'OPTIONS'));
  const request = fixture.application.lastRequest;
  fixture.application = new RecordingApplication();
  expect(fixture.respond(request, '200 OK').refusal).toBe(refusal.unknownTransaction);
  expect(fixture.application.requests).toEqual([]);
  expect(request.received.message.uri).toBe(`sip:bob@${ourAddress}`);
});
