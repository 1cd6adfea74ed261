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

const registered = 'sip:1001@10.0.0.7:40000;transport=tls';

function register(fixture: Fixture, expires = 60) {
  const flow = fixture.flow('tls', 40_100);
  fixture.deliver(peerRequest(fixture, 'REGISTER', { contact: `<${registered}>;expires=${expires}` }), flow);
  fixture.respond(fixture.application.lastRequest, `200 OK\r\nContact: <${registered}>;expires=${expires}`);
  fixture.take();
  return flow;
}

describe('a REGISTER of an application', () => {
  function registerOver(fixture: Fixture, port: number, headers = ''): void {
    fixture.request(
      `REGISTER sip:${peerAddress}:${port};transport=tcp SIP/2.0\r\nCall-ID: binding\r\nContact: <sip:a@localhost>${headers}`,
    );
    const flow = fixture.flow('tcp', port);
    fixture.deliver(peerResponse(fixture.sentRequest('REGISTER'), '200 OK', { tag: 'r' }), flow);
  }

  test('is lost with the connection that it was accepted over, and the application hears of it', () => {
    const fixture = new Fixture();
    fixture.application.wantsLostFlows = true;
    registerOver(fixture, 5070);
    // Takes an earlier contact away, not this one.
    registerOver(fixture, 5070, '\r\nExpires: 0');
    fixture.core.flowClosed(fixture.flow('tcp', 5071));
    expect(fixture.application.lostFlows).toEqual([]);
    fixture.core.flowClosed(fixture.flow('tcp', 5070));
    fixture.core.flowClosed(fixture.flow('tcp', 5070));
    expect(fixture.application.lostFlows).toHaveLength(1);
    expect(fixture.application.lostFlows[0]!.register.headers.get('Call-ID')).toBe('binding');
  });

  test('survives a connection lost before its refresh, and is not sent to non-subscribers', () => {
    const fixture = new Fixture();
    registerOver(fixture, 5070);
    fixture.core.flowClosed(fixture.flow('tcp', 5070));
    fixture.application.wantsLostFlows = true;
    registerOver(fixture, 5071);
    registerOver(fixture, 5072);
    fixture.core.flowClosed(fixture.flow('tcp', 5071));
    expect(fixture.application.lostFlows).toEqual([]);
  });
});

describe('Engine-TLS-CA of an application', () => {
  test('reaches no peer, and is refused when it holds no certificates', () => {
    const fixture = new Fixture();
    const bad = fixture.request(`OPTIONS sip:${peerAddress} SIP/2.0\r\nengine-tls-ca: bm8gY2VydGlmaWNhdGU=`);
    expect(bad.refusal).toContain('invalid Engine-TLS-CA');
    expect(fixture.take()).toEqual([]);
    fixture.within('any', 'INFO', 'Engine-TLS-CA: x');
    const { dialogId } = outboundCall(fixture);
    fixture.within(dialogId, 'INFO', 'Engine-TLS-CA: x');
    expect(fixture.sentRequest('INFO').headers.has('Engine-TLS-CA')).toBe(false);
  });
});

describe('requests outside dialogs', () => {
  test('OPTIONS is delivered and answered with a tag, without state', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'OPTIONS'));
    const reply = fixture.respond(fixture.application.lastRequest, '200 OK\r\nAllow: INVITE');
    expect(reply.sent).toMatchObject({ dialogId: '' });
    expect(reply.message.headers.get('To')).toContain(';tag=');
    expect(reply.message.headers.has('Contact')).toBe(false);
    await expectNothingLeft(fixture);
  });

  test.each([
    ['MESSAGE', '503'],
    ['PUBLISH', '503'],
    ['REFER', '405'],
    ['FOO', '405'],
    ['BYE', '481'],
    ['UPDATE', '481'],
    ['PRACK', '481'],
  ])('%s without a registered application is answered %s', (method, status) => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, method));
    expect(fixture.wire()).toEqual([status]);
  });

  test('while draining, new requests get 503 with Retry-After; dialogs continue', () => {
    const fixture = new Fixture();
    fixture.core.drain();
    fixture.deliver(peerRequest(fixture, 'OPTIONS'));
    const { headers } = fixture.sentResponse(503);
    expect([headers.get('Retry-After'), headers.get('Reason')]).toEqual([
      '5',
      'SIP;cause=503;text="Shutdown"',
    ]);
  });

  test('get no Contact where they make no dialog', () => {
    const fixture = new Fixture();
    for (const method of ['OPTIONS', 'REGISTER', 'INFO']) {
      fixture.request(`${method} sip:${peerAddress} SIP/2.0`);
      expect(fixture.sentRequest(method).headers.has('Contact')).toBe(false);
    }
  });

  test('a digest retry is sent exactly as written', () => {
    const fixture = new Fixture();
    const head = `REGISTER sip:example.com SIP/2.0\r\nTo: <sip:1@example.com>\r\nFrom: <sip:1@example.com>;tag=t7`;
    fixture.request(`${head}\r\nCall-ID: eng-90\r\nCSeq: 91 REGISTER`, '', `sip:${peerAddress}:5070`);
    const [sent] = fixture.take();
    expect(sent!.flow).toMatchObject({ remoteAddress: peerAddress, remotePort: 5070 });
    expect(sent!.message.headers.get('From')).toBe('<sip:1@example.com>;tag=t7');
    expect(sent!.message.headers.get('Call-ID')).toBe('eng-90');
    expect(sent!.message.headers.get('CSeq')).toBe('91 REGISTER');
  });

  test('a silent peer: one fabricated 408; a refused connection: 503; never 1xx', async () => {
    const fixture = new Fixture();
    fixture.request(`OPTIONS sip:${peerAddress} SIP/2.0`);
    await fixture.clock.advance(32_000);
    fixture.transport.unreachable.set(`${peerAddress}:5060`, 'refused');
    fixture.request(`OPTIONS sip:${peerAddress};transport=tcp SIP/2.0`);
    await fixture.clock.advance(0);
    expect(fixture.application.statuses).toEqual([408, 503]);
    expect(fixture.application.responses[0]!.received).toBeUndefined();
    await expectNothingLeft(fixture);
  });
});

describe('registered flows', () => {
  test('requests to a registered Contact use its connection', () => {
    const fixture = new Fixture();
    const flow = register(fixture);
    fixture.request(`INVITE ${registered} SIP/2.0`, sdp);
    const [sent] = fixture.take();
    expect(sent!.flow).toBe(flow);
    expect(sent!.message.headers.get('Contact')).toBe(`<sip:${ourAddress}:5061;transport=tls>`);
  });

  test('fail with 410 at once when the flow is closed', async () => {
    const fixture = new Fixture();
    const flow = register(fixture);
    flow.isOpen = false;
    fixture.layer.flowClosed(flow);
    fixture.request(`INVITE ${registered} SIP/2.0`, sdp);
    await fixture.clock.advance(0);
    expect(fixture.application.statuses).toEqual([410]);
    expect(fixture.wire()).toEqual([]);
  });

  test('they are removed at expiry, and when the phone unregisters', async () => {
    const fixture = new Fixture();
    register(fixture);
    await fixture.clock.advance(61_000);
    fixture.request(`OPTIONS ${registered} SIP/2.0`);
    expect(fixture.take()[0]!.flow.remoteAddress).toBe('10.0.0.7');
    const otherFixture = new Fixture();
    register(otherFixture);
    expect(otherFixture.core.counts.registeredFlows).toBe(1);
    otherFixture.deliver(
      peerRequest(otherFixture, 'REGISTER', { cseq: 2, contact: `<${registered}>;expires=0` }),
      otherFixture.flow('tls', 40_100),
    );
    otherFixture.respond(otherFixture.application.lastRequest, '200 OK');
    expect(otherFixture.core.counts.registeredFlows).toBe(0);
  });
});

describe('subscriptions', () => {
  test('have a Contact and a dialog id, accept NOTIFY before the 200, and end with the terminated NOTIFY', async () => {
    const fixture = new Fixture();
    fixture.request(`SUBSCRIBE sip:bob@${peerAddress} SIP/2.0\r\nEvent: presence\r\nExpires: 60`);
    const subscribe = fixture.sentRequest('SUBSCRIBE');
    expect(subscribe.headers.has('Contact')).toBe(true);
    const toTag = /tag=(.+)/.exec(subscribe.headers.get('From')!)![1]!;
    const callId = subscribe.headers.get('Call-ID')!;
    const parts = { toTag, fromTag: 'bt1', callId };
    fixture.deliver(peerRequest(fixture, 'NOTIFY', { ...parts, headers: 'Subscription-State: active' }));
    expect(fixture.application.lastRequest.dialogId).toBe(`${callId};from-tag=${toTag}`);
    fixture.respond(fixture.application.lastRequest, '200 OK');
    fixture.deliver(
      peerResponse(subscribe, '200 OK', { tag: 'bt1', headers: `Contact: <sip:bob@${peerAddress}>` }),
    );
    expect(fixture.application.responses[0]!.dialogId).toBe(`${callId};from-tag=${toTag}`);
    expect(fixture.core.counts.dialogs).toBe(1);
    fixture.deliver(
      peerRequest(fixture, 'NOTIFY', {
        ...parts,
        cseq: 2,
        headers: 'Subscription-State: terminated;reason=timeout',
      }),
    );
    fixture.respond(fixture.application.lastRequest, '200 OK');
    expect(fixture.core.counts.dialogs).toBe(0);
    await expectNothingLeft(fixture);
  });

  test('of peers have a dialog from the 202, which NOTIFY uses, and which ends at its expiry at the latest', async () => {
    const fixture = new Fixture();
    fixture.deliver(peerRequest(fixture, 'SUBSCRIBE', { headers: 'Event: presence\r\nExpires: 60' }));
    const reply = fixture.respond(fixture.application.lastRequest, '202 Accepted');
    expect(reply.sent!.dialogId).toBe('call-1;from-tag=at1');
    expect(reply.message.headers.has('Contact')).toBe(true);
    fixture.take();
    fixture.within(reply.sent!.dialogId, 'NOTIFY', 'Subscription-State: active');
    const notify = fixture.sentRequest('NOTIFY');
    expect(notify.uri).toBe(`sip:alice@${peerAddress}:5060`);
    fixture.deliver(peerResponse(notify, '200 OK'));
    await fixture.clock.advance(60_000 + 32_000);
    expect(fixture.core.counts.dialogs).toBe(0);
  });
});
