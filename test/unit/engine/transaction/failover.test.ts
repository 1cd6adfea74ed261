import { describe, expect, it } from 'vitest';
import { Fixture, ourRequest, RecordingCaller, target } from './fixture.js';

const fixture = (limits = {}) => new Fixture(limits).remember();
const ports = (f: Fixture): number[] => f.transport.take().map(({ flow }) => flow.remotePort);
const three = [target('udp', 5060), target('udp', 5070), target('udp', 5080)];

describe('failover among targets (RFC 3263 §4.3)', () => {
  it('fails over at once when a target is refused, within the same send', () => {
    const f = fixture();
    f.transport.unreachable.set('198.51.100.20:5060', 'refused');
    f.transport.unreachable.set('198.51.100.20:5070', 'unreachable');
    const { transaction } = f.send(ourRequest(), { targets: three });
    expect(ports(f)).toEqual([5080]);
    expect(transaction.flow!.remotePort).toBe(5080);
  });

  it('uses a new branch for each target', async () => {
    const f = fixture();
    f.send(ourRequest('OPTIONS'), { targets: three });
    f.answer(503, { method: 'OPTIONS' });
    const [first, second] = f.transport.take();
    expect(first!.message.headers.lines('Via')).toHaveLength(1);
    expect(second!.message.headers.lines('Via')).toHaveLength(1);
    expect(first!.message.headers.get('Via')).not.toBe(second!.message.headers.get('Via'));
  });

  it('fails over when a connection fails later, and reports where the request was sent', async () => {
    const f = fixture();
    f.transport.connectsLater = true;
    f.transport.unreachable.set('198.51.100.20:5061', 'tls');
    const { transaction, caller } = f.send(ourRequest(), {
      targets: [target('tls', 5061), target('tcp', 5060)],
    });
    expect([transaction.size, transaction.flow]).toEqual([0, undefined]);
    expect(transaction.request.headers.get('Via')).toMatch(/TLS/);
    await f.clock.advance(0);
    expect(transaction.request.headers.get('Via')).toMatch(/TCP/);
    expect(f.wire()).toEqual(['INVITE']);
    expect(caller.finals).toEqual([]);
  });

  it('fabricates 503 with the last error when no target can be reached, but not from within send', async () => {
    const f = fixture();
    f.transport.unreachable.set('198.51.100.20:5060', 'refused');
    const { caller } = f.send(ourRequest(), { targets: [target('tcp')] });
    expect(caller.finals).toEqual([]);
    await f.clock.advance(0);
    expect(caller.finals).toMatchObject([
      { response: { status: 503 }, fabricated: 'transport', error: { failure: 'refused' } },
    ]);
    expect(f.layer.counts.client).toBe(0);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('gives a silent target 2 s while others are left, then the whole of timer B to the last', async () => {
    const f = fixture();
    const { caller } = f.send(ourRequest(), { targets: three.slice(0, 2) });
    await f.clock.advance(1_999);
    expect(ports(f)).toEqual([5060, 5060, 5060]);
    await f.clock.advance(1);
    expect(ports(f)).toEqual([5070]);
    await f.clock.advance(31_999);
    expect(caller.finals).toEqual([]);
    await f.clock.advance(1);
    expect(caller.finals).toMatchObject([{ response: { status: 408 }, fabricated: 'timeout' }]);
  });

  it('gives other requests 8 s, or all of timer F once the target has shown that it lives', async () => {
    const f = fixture();
    f.send(ourRequest('OPTIONS'), { targets: three });
    await f.clock.advance(8_000);
    expect(ports(f).at(-1)).toBe(5070);
    const { caller } = f.send(ourRequest('INFO'), { targets: three });
    f.answer(100, { method: 'INFO' });
    await f.clock.advance(31_999);
    expect(caller.finals).toEqual([]);
    await f.clock.advance(1);
    expect(caller.status).toBe(408);
  });

  it('never sends a request within a dialog twice over a stream because its peer is silent', async () => {
    const f = fixture();
    const targets = [target('tcp', 5060), target('tcp', 5070)];
    for (const method of ['INFO', 'INVITE']) {
      const { caller } = f.send(ourRequest(method, [], ';tag=bt1'), { flow: f.flow('tcp'), targets });
      await f.clock.advance(31_999);
      expect(ports(f)).toEqual([5060]);
      expect(caller.finals).toEqual([]);
      await f.clock.advance(1);
      expect(caller.finals).toMatchObject([{ response: { status: 408 }, fabricated: 'timeout' }]);
      expect(ports(f)).toEqual([]);
    }
  });

  it('cancels, acknowledges or ends what a target that was given up still starts', async () => {
    const f = fixture();
    const { caller } = f.send(ourRequest(), { targets: three });
    const first = f.transport.sent[0]!;
    await f.clock.advance(2_000);
    f.wire();
    const late = (status: number): string =>
      `SIP/2.0 ${status} Late\r\nVia: ${first.message.headers.get('Via')}\r\nFrom: <sip:demarc@192.0.2.10>;tag=et1\r\nTo: <sip:bob@198.51.100.20>;tag=late\r\nCall-ID: eng-1\r\nCSeq: 4711 INVITE\r\nContent-Length: 0\r\n\r\n`;
    f.deliver(late(180));
    f.deliver(late(180));
    const sent = f.transport.take();
    expect(sent.map(({ message }) => message.kind === 'request' && message.method)).toEqual(['CANCEL']);
    expect(sent[0]!.message.headers.get('Via')).toBe(first.message.headers.get('Via'));
    f.deliver(late(200));
    expect(f.user.strays).toHaveLength(1);
    f.deliver(late(487));
    f.deliver(late(487));
    expect(f.wire()).toEqual(['ACK', 'ACK']);
    expect(caller.provisionals).toEqual([]);
    expect(caller.finals).toEqual([]);
    f.answer(486);
    expect(caller.status).toBe(486);
    await f.clock.advance(40_000);
    expect(f.layer.counts).toEqual({
      client: 0,
      server: 0,
      lingeringClient: 0,
      lingeringServer: 0,
      boundToFlows: 0,
    });
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('fails over after a 503, which it acknowledges, and delivers the last one', () => {
    const f = fixture();
    const { caller } = f.send(ourRequest(), { targets: three.slice(0, 2) });
    f.answer(100);
    f.answer(503);
    expect(f.wire()).toEqual(['INVITE', 'ACK', 'INVITE']);
    expect(caller.finals).toEqual([]);
    f.answer(503);
    expect(caller.finals).toMatchObject([{ response: { status: 503 } }]);
    expect(caller.finals[0]!.fabricated).toBeUndefined();
  });

  it('tries no other server after 180, within a dialog, or for other refusals', () => {
    const f = fixture();
    const ringing = f.send(ourRequest(), { targets: three }).caller;
    f.answer(180);
    f.answer(503);
    expect(ringing.status).toBe(503);
    const inDialog = f.send(ourRequest('INFO', [], ';tag=bt1'), { targets: three }).caller;
    f.answer(503, { method: 'INFO' });
    expect(inDialog.status).toBe(503);
    const busy = f.send(ourRequest(), { targets: three }).caller;
    f.answer(486);
    expect(busy.status).toBe(486);
  });

  it('does not wait for a connection for ever', async () => {
    const f = fixture();
    f.transport.unreachable.set('198.51.100.20:5061', 'hangs');
    f.transport.unreachable.set('198.51.100.20:5071', 'hangs');
    const { caller } = f.send(ourRequest(), { targets: [target('tls', 5061), target('tls', 5071)] });
    await f.clock.advance(33_999);
    expect(caller.finals).toEqual([]);
    await f.clock.advance(1);
    expect(caller.finals).toMatchObject([{ response: { status: 408 }, fabricated: 'timeout' }]);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('does not use a connection that comes too late', async () => {
    const f = fixture();
    f.transport.unreachable.set('198.51.100.20:5061', 'hangs');
    const { caller } = f.send(ourRequest(), { targets: [target('tls', 5061), target()] });
    await f.clock.advance(2_000);
    expect(ports(f)).toEqual([5060]);
    for (const open of f.transport.hanging) open();
    await f.clock.advance(100);
    expect(ports(f)).toEqual([]);
    f.answer(486);
    expect(caller.status).toBe(486);
  });

  it('skips protocols it has no listener for', async () => {
    const f = fixture();
    f.transport.listenerFor = (protocol) =>
      f.transport.listeners.find((l) => l.protocol === protocol && protocol !== 'tls');
    const { caller } = f.send(ourRequest(), { targets: [target('tls', 5061), target()] });
    expect(ports(f)).toEqual([5060]);
    expect(caller.finals).toEqual([]);
    const second = f.send(ourRequest(), { targets: [target('tls', 5061)] }).caller;
    await f.clock.advance(0);
    expect(second.finals).toMatchObject([{ response: { status: 503 }, error: { failure: 'unsupported' } }]);
  });

  it('refuses with a fabricated 503 when too many requests are open', async () => {
    const f = fixture({ clientTransactions: 1 });
    f.send(ourRequest(), { targets: [target()] });
    f.wire();
    const { caller } = f.send(ourRequest(), { targets: [target()] });
    await f.clock.advance(0);
    expect(caller.finals).toMatchObject([{ response: { status: 503 }, error: { failure: 'overloaded' } }]);
    expect(f.wire()).toEqual([]);
    f.answer(200);
    f.send(ourRequest(), { targets: [target()] });
    expect(f.wire()).toEqual(['INVITE']);
  });
});

describe('flows', () => {
  it('prefers the given flow, and a target when it is closed', () => {
    const f = fixture();
    const flow = f.flow('tcp', 40_000);
    f.send(ourRequest('BYE'), { targets: [target('tcp')], flow });
    flow.isOpen = false;
    f.send(ourRequest('BYE'), { targets: [target('tcp')], flow });
    expect(ports(f)).toEqual([40_000, 5060]);
  });

  it('fabricates 410 when a registered flow is closed, before or after the request went out', async () => {
    const f = fixture();
    const flow = f.flow('tcp', 40_000);
    const after = f.send(ourRequest(), { targets: [], flow }).caller;
    flow.isOpen = false;
    f.layer.flowClosed(flow);
    const before = f.send(ourRequest(), { targets: [], flow }).caller;
    await f.clock.advance(0);
    for (const caller of [after, before]) {
      expect(caller.finals).toMatchObject([{ response: { status: 410 }, fabricated: 'flow-closed' }]);
    }
    expect(f.layer.counts.client).toBe(0);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('sends an unanswered request again over a new connection when its own is closed', async () => {
    const f = fixture();
    const flow = f.flow('tcp', 40_000);
    const { caller } = f.send(ourRequest('BYE'), { targets: [target('tcp')], flow });
    flow.isOpen = false;
    f.layer.flowClosed(flow);
    expect(ports(f)).toEqual([40_000, 5060]);
    f.answer(200, { method: 'BYE' });
    expect(caller.status).toBe(200);
    expect(caller.finals).toHaveLength(1);
  });

  it('keeps a ringing INVITE when the peer can be reached again', async () => {
    const f = fixture();
    f.transport.connectsLater = true;
    const { caller, transaction } = f.send(ourRequest(), { targets: [target('tcp')] });
    await f.clock.advance(0);
    f.answer(180);
    const flow = f.transport.openFlow('tcp', '198.51.100.20', 5060)!;
    flow.isOpen = false;
    f.layer.flowClosed(flow);
    // Asked for while no flow is open, sent when one is.
    expect(transaction.cancel([])).toBeUndefined();
    f.wire();
    await f.clock.advance(0);
    expect(f.wire()).toEqual(['CANCEL']);
    f.answer(487, { flow: f.flow('tcp') });
    expect(caller.status).toBe(487);
    expect(f.wire()).toEqual(['ACK']);
  });

  it('delays a CANCEL until the peer is reached again, even if a provisional arrives first', async () => {
    const f = fixture();
    const { transaction } = f.send(ourRequest(), { targets: [target('tcp')] });
    f.answer(180);
    const flow = f.transport.openFlow('tcp', '198.51.100.20', 5060)!;
    flow.isOpen = false;
    f.transport.unreachable.set('198.51.100.20:5060', 'hangs');
    f.layer.flowClosed(flow);
    f.wire();
    transaction.cancel([]);
    f.answer(180, { flow: f.flow('tcp', 40_000) });
    expect(f.wire()).toEqual([]);
    for (const open of f.transport.hanging) open();
    await f.clock.advance(0);
    expect(ports(f)).toEqual([5060]);
  });

  it('ends a ringing INVITE with 503 when the peer is unreachable', async () => {
    const f = fixture();
    const { caller } = f.send(ourRequest(), { targets: [target('tcp')] });
    f.answer(180);
    const flow = f.transport.openFlow('tcp', '198.51.100.20', 5060)!;
    flow.isOpen = false;
    f.transport.unreachable.set('198.51.100.20:5060', 'refused');
    f.layer.flowClosed(flow);
    await f.clock.advance(0);
    expect(caller.finals).toMatchObject([{ response: { status: 503 }, error: { failure: 'closed' } }]);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('survives a transport that fails while it sends', async () => {
    const f = fixture();
    const flow = f.flow('tcp', 40_000);
    f.transport.onSent = () => {
      flow.isOpen = false;
      f.layer.flowClosed(flow);
    };
    const caller = new RecordingCaller();
    f.layer.send(ourRequest('OPTIONS'), { targets: [], flow }, caller);
    expect(caller.finals).toEqual([]);
    await f.clock.advance(0);
    expect(caller.status).toBe(410);
  });
});
