import { describe, expect, test } from 'vitest';
import type { Target } from '../../../../src/engine/transport/flow.js';
import { TransportError } from '../../../../src/engine/transport/flow.js';
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

/** A peer that is reached by a name, through the proxy that its Record-Route names. */
const byName =
  'Contact: <sip:bob@10.0.0.9:5060;transport=tcp>\r\nRecord-Route: <sip:pending.example;transport=tcp;lr>';
const resolved: readonly Target[] = [
  { protocol: 'tcp', address: peerAddress, port: 5070, serverName: 'pending.example' },
];

/** A call whose dialog has no connection and whose next hop is a name that is still looked up. */
function callByName(fixture: Fixture, header = '') {
  const flow = fixture.flow('tcp', 5060);
  const reply = fixture.request(`INVITE sip:bob@${peerAddress};transport=tcp SIP/2.0${header}`, sdp);
  const invite = fixture.sentRequest('INVITE');
  fixture.deliver(
    peerResponse(invite, '200 OK', {
      tag: 'bt1',
      headers: `${byName}\r\nSession-Expires: 100;refresher=uac\r\nAllow: UPDATE`,
      body: sdp,
    }),
    flow,
  );
  const { dialogId } = fixture.application.responses.at(-1)!;
  flow.isOpen = false;
  fixture.layer.flowClosed(flow);
  return { reply, dialogId, invite };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a dialog whose next hop is a name that is being looked up', () => {
  test('acknowledges, refreshes and ends once the name is resolved', async () => {
    const fixture = new Fixture();
    const { dialogId } = callByName(fixture);
    const ack = fixture.within(dialogId, 'ACK');
    expect(ack.sent).toMatchObject({ isPending: true, protocol: 'unknown', address: '', port: 0 });
    expect(fixture.wire()).toEqual([]);
    fixture.transport.resolveLater!(resolved);
    await settle();
    const [sent] = fixture.take();
    expect(sent).toMatchObject({ message: { method: 'ACK' }, flow: { remotePort: 5070 } });
    (sent!.flow as { isOpen: boolean }).isOpen = false;
    await fixture.clock.advance(50_000);
    expect(fixture.wire()).toEqual([]);
    fixture.transport.resolveLater!(resolved);
    await settle();
    expect(fixture.wire()).toEqual(['UPDATE']);
  });

  test('ends without its BYE where the name does not resolve', async () => {
    const fixture = new Fixture();
    const { dialogId } = callByName(fixture);
    fixture.transport.resolve = () => Promise.reject(new TransportError('dns', 'no such name'));
    const ack = fixture.within(dialogId, 'ACK');
    expect(ack.refusal).toBeUndefined();
    await fixture.clock.advance(50_000);
    await settle();
    expect(fixture.wire()).toEqual([]);
    expect(fixture.application.unsolicitedByes).toHaveLength(1);
    await expectNothingLeft(fixture);
  });

  test('refuses requests where there is no listener for its protocol', () => {
    const fixture = new Fixture();
    const { dialogId } = callByName(fixture);
    fixture.transport.resolve = () => {
      throw new TransportError('unsupported', 'No listener.');
    };
    expect(fixture.within(dialogId, 'INFO').refusal).toBe('requested protocol/transport not available');
  });
});

describe('a session refresh', () => {
  const contact = `Contact: <sip:bob@${peerAddress}:5060>`;
  const refreshed = async (headers = ''): Promise<Fixture> => {
    const fixture = new Fixture();
    outboundCall(fixture, { headers: `Session-Expires: 100;refresher=uac\r\n${headers}${contact}` });
    await fixture.clock.advance(50_000);
    return fixture;
  };

  test('by re-INVITE answers each copy of its 2xx with the same ACK', async () => {
    const fixture = await refreshed();
    const answer = peerResponse(fixture.sentRequest('INVITE'), '200 OK', { headers: contact, body: sdp });
    fixture.deliver(answer);
    fixture.deliver(answer);
    expect(fixture.wire()).toEqual(['ACK', 'ACK']);
  });

  test('ends the call on a 422 that asks for no more than it offered, and is not repeated after a BYE', async () => {
    const fixture = await refreshed();
    const offered = fixture.sentRequest('INVITE');
    fixture.deliver(peerResponse(offered, '422 Too Small', { headers: 'Min-SE: 100' }));
    expect(fixture.wire()).toContain('BYE');
    const second = await refreshed();
    const late = second.sentRequest('INVITE');
    second.deliver(
      peerRequest(second, 'BYE', {
        callId: late.headers.get('Call-ID')!,
        toTag: /tag=([^;]+)/.exec(late.headers.get('From')!)![1]!,
        fromTag: 'bt1',
        cseq: 5,
      }),
    );
    second.respond(second.application.lastRequest, '200 OK');
    second.take();
    second.deliver(peerResponse(late, '200 OK', { headers: contact, body: sdp }));
    expect(second.wire()).toEqual(['ACK']);
    await second.clock.advance(60_000);
    expect(second.wire()).toEqual([]);
  });

  test('moves the target as its 2xx says', async () => {
    const fixture = await refreshed('Allow: UPDATE\r\n');
    const moved = 'Contact: <sip:bob@198.51.100.77:5060>\r\nSession-Expires: 100;refresher=uac';
    fixture.deliver(peerResponse(fixture.sentRequest('UPDATE'), '200 OK', { headers: moved }));
    await fixture.clock.advance(50_000);
    expect(fixture.sentRequest('UPDATE').uri).toBe('sip:bob@198.51.100.77:5060');
  });
});

describe('a dialog over UDP or an open connection', () => {
  test('is answered along it, whatever its Contact names', () => {
    const fixture = new Fixture();
    const { dialogId } = inboundCall(fixture, { contact: '<sip:alice@10.9.9.9:5099>' });
    fixture.within(dialogId, 'INFO');
    expect(fixture.take()[0]!.flow).toMatchObject({ remoteAddress: peerAddress, remotePort: 5060 });
  });
});
