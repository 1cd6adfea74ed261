import { describe, expect, it } from 'vitest';
import type { SipRequest } from '../../../../src/sip/message.js';
import { serialize } from '../../../../src/sip/serialize.js';
import { Fixture, ourRequest, target } from './fixture.js';

const nothingLeft = { client: 0, server: 0, lingeringClient: 0, lingeringServer: 0, boundToFlows: 0 };

const fixture = () => new Fixture().remember();

describe('a request on its way', () => {
  it('is on the wire when send returns, with our Via alone added', () => {
    const f = fixture();
    const original = ourRequest('OPTIONS', ['X-Mine: 1']);
    const before = serialize(original);
    const { transaction } = f.send(original, { targets: [target()] });
    const [sent] = f.transport.take();
    const via = (sent!.message as SipRequest).headers.get('Via');
    expect(via).toMatch(/^SIP\/2\.0\/UDP 192\.0\.2\.10:5060;rport;branch=z9hG4bK[0-9a-f]{24}$/);
    expect(serialize(original)).toBe(before);
    expect(sent!.bytes).toBe(before.replace('\r\n', `\r\nVia: ${via}\r\n`));
    expect(transaction.size).toBe(sent!.bytes.length);
    expect(transaction.request.headers.get('Via')).toBe(via);
    expect(transaction.flow).toBe(sent!.flow);
  });

  it('asks for rport over UDP only, and names the protocol of its target', () => {
    const f = fixture();
    f.send(ourRequest('OPTIONS'), { targets: [target('tls', 5061)] });
    expect(f.transport.take()[0]!.message.headers.get('Via')).toMatch(
      /^SIP\/2\.0\/TLS 192\.0\.2\.10:5061;branch=z9hG4bK/,
    );
  });

  it('has a new branch each time', () => {
    const f = fixture();
    for (let i = 0; i < 600; i++) f.send(ourRequest('OPTIONS'), { targets: [target()] });
    const branches = new Set(f.transport.take().map(({ message }) => message.headers.get('Via')));
    expect(branches.size).toBe(600);
  });
});

describe('INVITE client transaction (RFC 3261 §17.1.1, RFC 6026)', () => {
  it('repeats the INVITE over UDP with timer A and gives up at timer B', async () => {
    const f = fixture();
    const times: number[] = [];
    f.transport.onSent = () => times.push(f.clock.now());
    const { caller, transaction } = f.send(ourRequest(), { targets: [target()] });
    await f.clock.advance(31_999);
    expect(times).toEqual([0, 500, 1500, 3500, 7500, 15_500, 31_500]);
    expect(caller.finals).toEqual([]);
    await f.clock.advance(1);
    expect(caller.finals).toMatchObject([{ response: { status: 408 }, fabricated: 'timeout' }]);
    expect(transaction.isFinal).toBe(true);
    expect(f.layer.counts).toMatchObject({ client: 0, lingeringClient: 1 });
    await f.clock.advance(33_000);
    expect(f.layer.counts).toEqual(nothingLeft);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('does not repeat it over a stream', async () => {
    const f = fixture();
    const { caller } = f.send(ourRequest(), { targets: [target('tcp')] });
    await f.clock.advance(32_000);
    expect(f.wire()).toEqual(['INVITE']);
    expect(caller.status).toBe(408);
  });

  it('stops repeating after a provisional; 100 is not passed on', async () => {
    const f = fixture();
    const { caller, transaction } = f.send(ourRequest(), { targets: [target()] });
    f.answer(100);
    expect(transaction.isProceeding).toBe(true);
    f.answer(180);
    f.answer(183);
    await f.clock.advance(60_000);
    expect(f.wire()).toEqual(['INVITE']);
    expect(caller.provisionals).toEqual([180, 183]);
  });

  it('acknowledges a refusal with the Route, branch and CSeq of the INVITE, again for each copy until timer D', async () => {
    const f = fixture();
    const { caller } = f.send(ourRequest('INVITE', ['Route: <sip:p1;lr>', 'Route: <sip:p2;lr>']), {
      targets: [target()],
    });
    const [invite] = f.transport.take();
    f.answer(486, { tag: 'busy' });
    const [ack] = f.transport.take();
    expect(caller.finals.map(({ response }) => response.status)).toEqual([486]);
    const { method, uri, headers } = ack!.message as SipRequest;
    expect([method, uri]).toEqual(['ACK', 'sip:bob@198.51.100.20']);
    expect(headers.lines('Via')).toEqual(invite!.message.headers.lines('Via'));
    expect(headers.lines('Route')).toEqual(['<sip:p1;lr>', '<sip:p2;lr>']);
    expect(headers.get('To')).toBe('<sip:bob@198.51.100.20>;tag=busy');
    expect(headers.get('CSeq')).toBe('4711 ACK');
    await f.clock.advance(31_900);
    f.answer(486, { tag: 'busy' });
    expect(f.transport.take().map(({ bytes }) => bytes)).toEqual([ack!.bytes]);
    expect(caller.finals).toHaveLength(1);
    await f.clock.advance(200);
    expect(f.layer.counts).toEqual(nothingLeft);
    f.answer(486);
    expect(f.wire()).toEqual([]);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('keeps nothing of a refusal over a stream (timer D is 0)', () => {
    const f = fixture();
    f.send(ourRequest(), { targets: [target('tcp')] });
    f.answer(404);
    expect(f.wire()).toEqual(['INVITE', 'ACK']);
    expect(f.layer.counts).toEqual(nothingLeft);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('passes every further 2xx up until timer M, and acknowledges none', async () => {
    const f = fixture();
    const { caller } = f.send(ourRequest(), { targets: [target()] });
    f.answer(200, { tag: 'one' });
    f.answer(200, { tag: 'one' });
    f.answer(200, { tag: 'two' });
    f.answer(180, { tag: 'two' });
    f.answer(486, { tag: 'three' });
    expect(f.wire()).toEqual(['INVITE']);
    expect([caller.status, caller.further, caller.provisionals]).toEqual([200, [200, 200], []]);
    await f.clock.advance(32_100);
    expect(f.layer.counts).toEqual(nothingLeft);
    f.answer(200, { tag: 'one' });
    expect(f.user.strays).toHaveLength(1);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('gives a 2xx that follows a refusal to the dialogs, so that no fork is left alone', () => {
    const f = fixture();
    const { caller } = f.send(ourRequest(), { targets: [target()] });
    f.answer(486, { tag: 'one' });
    f.answer(200, { tag: 'two' });
    expect(caller.finals).toHaveLength(1);
    expect(f.user.strays).toHaveLength(1);
  });

  it('drops responses of another method or branch', () => {
    const f = fixture();
    const { caller } = f.send(ourRequest(), { targets: [target()] });
    const via = f.transport.take()[0]!.message.headers.get('Via')!;
    const text = (branchVia: string, method: string) =>
      `SIP/2.0 486 Busy Here\r\nVia: ${branchVia}\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@c>;tag=2\r\nCall-ID: eng-1\r\nCSeq: 4711 ${method}\r\nContent-Length: 0\r\n\r\n`;
    f.deliver(text(via, 'OPTIONS'));
    f.deliver(text(`${via}x`, 'INVITE'));
    expect(caller.finals).toEqual([]);
    expect(f.layer.statistics.strayResponses).toBe(2);
  });

  it('cancels after timer C, and ends with 408 without any answer to that', async () => {
    const f = fixture();
    const { caller } = f.send(ourRequest(), { targets: [target('tcp')] });
    f.answer(180);
    await f.clock.advance(100_000);
    f.answer(180);
    await f.clock.advance(184_999);
    expect(f.wire()).toEqual(['INVITE']);
    await f.clock.advance(1);
    expect(f.wire()).toEqual(['CANCEL']);
    await f.clock.advance(32_000);
    expect(caller.finals).toMatchObject([{ response: { status: 408 }, fabricated: 'timer-c' }]);
  });
});

describe('non-INVITE client transaction (RFC 3261 §17.1.2)', () => {
  it('repeats the request over UDP with timer E and gives up at timer F', async () => {
    const f = fixture();
    const times: number[] = [];
    f.transport.onSent = () => times.push(f.clock.now());
    const { caller } = f.send(ourRequest('BYE'), { targets: [target()] });
    await f.clock.advance(31_999);
    expect(times).toEqual([0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]);
    expect(caller.finals).toEqual([]);
    await f.clock.advance(1);
    expect(caller.finals).toMatchObject([{ response: { status: 408 }, fabricated: 'timeout' }]);
    expect(f.layer.counts).toEqual(nothingLeft);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('retransmits every T2 after a provisional, without reporting it', async () => {
    const f = fixture();
    const times: number[] = [];
    const { caller, transaction } = f.send(ourRequest('OPTIONS'), { targets: [target()] });
    f.answer(100, { method: 'OPTIONS' });
    f.transport.onSent = () => times.push(f.clock.now());
    await f.clock.advance(10_000);
    expect(times).toEqual([500, 4500, 8500]);
    expect(caller.provisionals).toEqual([]);
    expect(transaction.isProceeding).toBe(true);
  });

  it('does not repeat it over a stream', async () => {
    const f = fixture();
    const { caller } = f.send(ourRequest('OPTIONS'), { targets: [target('tls', 5061)] });
    f.answer(100, { method: 'OPTIONS' });
    await f.clock.advance(32_000);
    expect(f.wire()).toEqual(['OPTIONS']);
    expect(caller.status).toBe(408);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('absorbs further copies of the answer for timer K', async () => {
    const f = fixture();
    const { caller } = f.send(ourRequest('OPTIONS'), { targets: [target()] });
    f.answer(200, { method: 'OPTIONS' });
    f.answer(200, { method: 'OPTIONS' });
    expect(caller.finals.map(({ response }) => response.status)).toEqual([200]);
    expect(f.layer.counts).toMatchObject({ client: 0, lingeringClient: 1 });
    expect(f.layer.statistics.strayResponses).toBe(0);
    await f.clock.advance(5_100);
    expect(f.layer.counts).toEqual(nothingLeft);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('passes the response on with the message it came in', () => {
    const f = fixture();
    const { caller } = f.send(ourRequest('OPTIONS'), { targets: [target()] });
    f.answer(401, { method: 'OPTIONS' });
    const [final] = caller.finals;
    expect(final!.received!.flow.remotePort).toBe(5060);
    expect(final!.received!.message).toBe(final!.response);
    expect(final!.fabricated).toBeUndefined();
  });
});

describe('the ACK to a 2xx', () => {
  it('has a separate branch and is retransmitted octet for octet', () => {
    const f = fixture();
    const ack = f.layer.sendAck(ourRequest('ACK'), { targets: [target()] });
    ack.resend();
    const [first, second] = f.transport.take();
    expect(first!.bytes).toBe(second!.bytes);
    expect([ack.size, ack.request.headers.get('Via')]).toEqual([
      first!.bytes.length,
      first!.message.headers.get('Via'),
    ]);
    expect(f.layer.counts).toEqual(nothingLeft);
  });

  it('takes the flow of its dialog while that is open, else a target', async () => {
    const f = fixture();
    f.transport.connectsLater = true;
    f.transport.unreachable.set('198.51.100.20:5070', 'refused');
    const flow = f.flow('tcp', 40_000);
    const options = { targets: [target('tcp', 5070), target('tcp', 5080)], flow };
    const ack = f.layer.sendAck(ourRequest('ACK'), options);
    expect(f.transport.take().map((sent) => sent.flow)).toEqual([flow]);
    flow.isOpen = false;
    ack.resend();
    await f.clock.advance(0);
    expect(f.transport.take().map((sent) => sent.flow.remotePort)).toEqual([5080]);
    expect(ack.flow!.remotePort).toBe(5080);
  });
});

it('a stopped layer has no timer left and invokes no callback', async () => {
  const f = fixture();
  f.transport.unreachable.set('198.51.100.20:5070', 'hangs');
  const callers = [
    f.send(ourRequest(), { targets: [target()] }),
    f.send(ourRequest('OPTIONS'), { targets: [target()] }),
    f.send(ourRequest('OPTIONS'), { targets: [target('tcp', 5070)] }),
    f.send(ourRequest('OPTIONS'), { targets: [] }),
  ];
  f.layer.stop();
  expect(f.clock.pendingTimers).toBe(0);
  await f.clock.advance(100_000);
  expect(callers.map(({ caller }) => caller.finals.length)).toEqual([0, 0, 0, 0]);
});
