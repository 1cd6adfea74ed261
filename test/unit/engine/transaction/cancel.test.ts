import { describe, expect, it } from 'vitest';
import type { SipRequest } from '../../../../src/sip/message.js';
import { Fixture, ourRequest, target } from './fixture.js';

const fixture = () => new Fixture().remember();
const to = { targets: [target()] };
const nothingLeft = { client: 0, server: 0, lingeringClient: 0, lingeringServer: 0, boundToFlows: 0 };

describe('CANCEL of our INVITE (RFC 3261 §9.1, wire protocol §6.6)', () => {
  it('is sent at once after a provisional, with the INVITE’s headers and the given Reason', () => {
    const f = fixture();
    const { transaction, caller } = f.send(ourRequest('INVITE', ['Route: <sip:p1;lr>']), to);
    f.answer(180);
    const [invite] = f.transport.take();
    const result = transaction.cancel([
      ['Reason', 'SIP;cause=487'],
      ['X-Reason', 'done'],
      ['From', '<sip:evil@x>'],
      ['via', 'SIP/2.0/UDP evil'],
    ]);
    const [sent] = f.transport.take();
    const { method, uri, headers } = sent!.message as SipRequest;
    expect([method, uri, headers.get('CSeq')]).toEqual(['CANCEL', transaction.request.uri, '4711 CANCEL']);
    for (const name of ['Via', 'From', 'To', 'Call-ID', 'Route']) {
      expect(headers.lines(name)).toEqual(invite!.message.headers.lines(name));
    }
    expect([headers.get('Reason'), headers.get('X-Reason')]).toEqual(['SIP;cause=487', 'done']);
    expect(result!.size).toBe(sent!.bytes.length);
    f.answer(200, { method: 'CANCEL' });
    f.answer(487);
    expect(f.wire()).toEqual(['ACK']);
    expect(caller.finals.map(({ response }) => response.status)).toEqual([487]);
  });

  it('waits for the first provisional; 100 is enough', () => {
    const f = fixture();
    const { transaction } = f.send(ourRequest(), to);
    expect(transaction.cancel([])).toBeUndefined();
    expect(f.wire()).toEqual(['INVITE']);
    f.answer(100);
    expect(f.wire()).toEqual(['CANCEL']);
  });

  it('is sent once for repeated requests', () => {
    const f = fixture();
    const { transaction } = f.send(ourRequest(), to);
    f.answer(180);
    const first = transaction.cancel([]);
    expect(transaction.cancel([])).toBe(first);
    f.answer(183);
    expect(f.wire()).toEqual(['INVITE', 'CANCEL']);
  });

  it('is not sent when the final comes first', () => {
    const f = fixture();
    const { transaction, caller } = f.send(ourRequest(), to);
    transaction.cancel([]);
    f.answer(486);
    expect(f.wire()).toEqual(['INVITE', 'ACK']);
    expect(caller.status).toBe(486);
    expect(transaction.cancel([])).toBeUndefined();
    expect(f.wire()).toEqual([]);
  });

  it('leaves a 200 that crosses it to the user', () => {
    const f = fixture();
    const { transaction, caller } = f.send(ourRequest(), to);
    f.answer(180);
    transaction.cancel([]);
    f.answer(200);
    f.answer(200, { method: 'CANCEL' });
    expect(caller.finals).toMatchObject([{ response: { status: 200 } }]);
    expect(caller.finals[0]!.fabricated).toBeUndefined();
  });

  it('is repeated to a silent peer, and 64·T1 later one 408 is fabricated', async () => {
    const f = fixture();
    const { transaction, caller } = f.send(ourRequest(), to);
    f.answer(180);
    await f.clock.advance(10_000);
    transaction.cancel([]);
    f.wire();
    await f.clock.advance(31_999);
    expect(f.wire()).toHaveLength(10);
    expect(caller.finals).toEqual([]);
    await f.clock.advance(1);
    expect(caller.finals).toMatchObject([{ response: { status: 408 }, fabricated: 'cancelled' }]);
    // A late 487 is acknowledged, and not reported.
    f.answer(487);
    expect(f.wire()).toEqual(['ACK']);
    expect(caller.finals).toHaveLength(1);
    await f.clock.advance(33_000);
    expect(f.layer.counts).toEqual(nothingLeft);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('fabricates the 408 too when the peer answers only the CANCEL', async () => {
    const f = fixture();
    const { transaction, caller } = f.send(ourRequest(), to);
    f.answer(180);
    transaction.cancel([]);
    f.answer(200, { method: 'CANCEL' });
    await f.clock.advance(31_999);
    expect(caller.finals).toEqual([]);
    await f.clock.advance(1);
    expect(caller.finals).toMatchObject([{ response: { status: 408 }, fabricated: 'cancelled' }]);
    f.answer(200);
    expect(f.user.strays).toHaveLength(1);
  });

  it('of a peer that never said anything ends with timer B', async () => {
    const f = fixture();
    const { transaction, caller } = f.send(ourRequest(), to);
    transaction.cancel([]);
    await f.clock.advance(32_000);
    expect(caller.finals).toMatchObject([{ response: { status: 408 }, fabricated: 'cancelled' }]);
    // It was only slow: it must not ring on.
    f.wire();
    f.answer(180);
    expect(f.wire()).toEqual(['CANCEL']);
  });

  it('keeps other targets from being tried', async () => {
    const f = fixture();
    const { transaction, caller } = f.send(ourRequest(), { targets: [target(), target('udp', 5070)] });
    f.answer(100);
    transaction.cancel([]);
    f.answer(503);
    expect(f.wire()).toEqual(['INVITE', 'CANCEL', 'ACK']);
    expect(caller.status).toBe(503);
  });

  it('before the INVITE was sent ends it with 487, after cancel returned', async () => {
    const f = fixture();
    f.transport.unreachable.set('198.51.100.20:5060', 'hangs');
    const { transaction, caller } = f.send(ourRequest(), { targets: [target('tcp')] });
    expect(transaction.cancel([])).toBeUndefined();
    expect(caller.finals).toEqual([]);
    await f.clock.advance(0);
    expect(caller.finals).toMatchObject([{ response: { status: 487 }, fabricated: 'cancelled' }]);
    await f.clock.advance(40_000);
    expect(f.wire()).toEqual([]);
    expect(caller.finals).toHaveLength(1);
    expect(f.layer.counts).toEqual(nothingLeft);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('does nothing to other requests', () => {
    const f = fixture();
    const { transaction } = f.send(ourRequest('OPTIONS'), to);
    expect(transaction.cancel([])).toBeUndefined();
    expect(f.wire()).toEqual(['OPTIONS']);
  });
});
