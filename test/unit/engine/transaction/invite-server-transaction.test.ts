import { describe, expect, it } from 'vitest';
import { TransactionStateError } from '../../../../src/engine/transaction/transaction-context.js';
import type { SipResponse } from '../../../../src/sip/message.js';
import { Fixture, requestBytes, respond } from './fixture.js';

const invite = requestBytes();
const ack = (toTag: string, branch = 'z9hG4bKa1'): string => requestBytes({ method: 'ACK', toTag, branch });

describe('INVITE server transaction (RFC 3261 §17.2.1, RFC 6026)', () => {
  it('sends 100 after 200 ms, over a stream too, and the last provisional again for each retransmitted INVITE', async () => {
    const f = new Fixture();
    f.deliver(requestBytes({ protocol: 'TCP', callId: 'stream', branch: 'z9hG4bKtcp' }), f.flow('tcp'));
    await f.clock.advance(199);
    expect(f.wire()).toEqual([]);
    await f.clock.advance(1);
    expect(f.wire()).toEqual(['100']);
    respond(f.user.requests.pop()!, 200);
    f.wire();
    f.deliver(invite);
    await f.clock.advance(199);
    expect(f.wire()).toEqual([]);
    await f.clock.advance(1);
    expect(f.wire()).toEqual(['100']);
    f.deliver(invite);
    expect(f.wire()).toEqual(['100']);
    respond(f.user.requests[0]!, 180);
    f.deliver(invite);
    expect(f.wire()).toEqual(['180', '180']);
    expect(f.user.requests).toHaveLength(1);
    expect(f.layer.counts.server).toBe(1);
  });

  it('sends 100 before a ringing or an answer that comes within the 200 ms, as callers expect it', async () => {
    for (const status of [180, 200]) {
      const f = new Fixture();
      f.deliver(invite);
      respond(f.user.requests[0]!, status);
      await f.clock.advance(200);
      expect(f.wire()).toEqual(['100', String(status)]);
    }
  });

  it('sends 100 at once for an INVITE that comes again before', () => {
    const f = new Fixture();
    f.deliver(invite);
    f.deliver(invite);
    expect(f.wire()).toEqual(['100']);
  });

  it('sends one datagram for an INVITE over UDP that it refuses at once, and for each copy one', async () => {
    const f = new Fixture();
    f.deliver(invite);
    respond(f.user.requests[0]!, 404);
    await f.clock.advance(31_000);
    expect(f.wire()).toEqual(['404']);
    // The rest of it counts as answered: a flood of forged INVITEs takes no slot of real callers.
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 1 });
    f.deliver(invite);
    f.deliver(ack('x'));
    expect(f.wire()).toEqual(['404']);
    expect(f.user.requests).toHaveLength(1);
    expect(f.user.acks).toEqual([]);
    await f.clock.advance(2_000);
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 0 });
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('sends no 100 when the user answers at once', () => {
    const f = new Fixture();
    f.user.onRequest = (transaction) => respond(transaction, 503);
    f.deliver(invite);
    expect(f.wire()).toEqual(['503']);
  });

  it('retransmits a refusal over UDP with timer G until timer H, then reports the missing ACK', async () => {
    const f = new Fixture();
    f.deliver(invite);
    const transaction = f.user.requests[0]!;
    // The caller has its 100, and so retransmits nothing.
    await f.clock.advance(200);
    respond(transaction, 486);
    f.wire();
    const times: number[] = [];
    f.transport.onSent = () => times.push(f.clock.now() - 200);
    await f.clock.advance(31_999);
    expect(times).toEqual([500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]);
    expect(f.user.ended).toEqual([]);
    await f.clock.advance(1);
    expect(f.user.ended).toEqual([{ transaction, why: 'no-ack' }]);
    expect(transaction.isTerminated).toBe(true);
    expect(f.layer.counts).toEqual({
      client: 0,
      server: 0,
      lingeringClient: 0,
      lingeringServer: 0,
      boundToFlows: 0,
    });
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('absorbs the ACK of a refusal and its copies for timer I, then knows nothing of it', async () => {
    const f = new Fixture();
    f.deliver(invite);
    await f.clock.advance(200);
    respond(f.user.requests[0]!, 486);
    f.wire();
    f.deliver(ack('x'));
    f.deliver(ack('x'));
    f.deliver(invite);
    await f.clock.advance(4_900);
    expect(f.wire()).toEqual([]);
    expect(f.user.acks).toEqual([]);
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 1 });
    await f.clock.advance(200);
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 0, boundToFlows: 0 });
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('answers a retransmitted INVITE with the refusal', () => {
    const f = new Fixture();
    f.deliver(invite);
    respond(f.user.requests[0]!, 404);
    f.wire();
    f.deliver(invite);
    expect(f.wire()).toEqual(['404']);
  });

  it('does not repeat a refusal over a stream, but waits for its ACK all the same', async () => {
    const f = new Fixture();
    f.deliver(requestBytes({ protocol: 'TCP' }), f.flow('tcp'));
    respond(f.user.requests[0]!, 486);
    f.wire();
    await f.clock.advance(31_900);
    expect(f.wire()).toEqual([]);
    expect(f.layer.counts.server).toBe(1);
    await f.clock.advance(100);
    expect(f.user.ended.map(({ why }) => why)).toEqual(['no-ack']);
    expect(f.layer.counts.server).toBe(0);
  });

  it('drops a refusal over a stream as soon as it is acknowledged (timer I is 0)', () => {
    const f = new Fixture();
    f.deliver(requestBytes({ protocol: 'TCP' }), f.flow('tcp'));
    respond(f.user.requests[0]!, 486);
    f.deliver(requestBytes({ protocol: 'TCP', method: 'ACK', toTag: 'x' }), f.flow('tcp'));
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 0, boundToFlows: 0 });
    expect(f.user.acks).toEqual([]);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('after a 2xx absorbs INVITEs, passes ACKs up, and lets its user repeat the 2xx until timer L', async () => {
    const f = new Fixture();
    f.deliver(invite);
    const transaction = f.user.requests[0]!;
    respond(transaction, 200);
    expect(f.wire()).toEqual(['100', '200']);
    f.deliver(invite);
    expect(f.wire()).toEqual([]);
    transaction.retransmit2xx();
    expect(f.wire()).toEqual(['200']);
    f.deliver(ack('x', 'z9hG4bKother'));
    // Some clients use the branch of the INVITE for this ACK too.
    f.deliver(ack('x'));
    expect(f.user.acks).toHaveLength(2);
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 1 });
    await f.clock.advance(31_900);
    expect(transaction.isTerminated).toBe(false);
    await f.clock.advance(200);
    expect(transaction.isTerminated).toBe(true);
    transaction.retransmit2xx();
    expect(f.wire()).toEqual([]);
    expect(f.layer.counts.lingeringServer).toBe(0);
  });

  it('refuses a second final as a programming error', () => {
    const f = new Fixture();
    f.deliver(invite);
    respond(f.user.requests[0]!, 200);
    expect(() => respond(f.user.requests[0]!, 486)).toThrow(TransactionStateError);
    expect(() => respond(f.user.requests[0]!, 180)).toThrow(TransactionStateError);
  });

  it('keeps one To tag for all responses, also one that its user wrote into the first', () => {
    const f = new Fixture();
    f.deliver(invite);
    const transaction = f.user.requests[0]!;
    const first = transaction.toTag;
    transaction.toTag = 'chosen';
    respond(transaction, 180);
    respond(transaction, 200);
    const tags = f.transport.take().map(({ message }) => message.headers.get('To')!.split(';tag=')[1]);
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect(tags).toEqual([undefined, 'chosen', 'chosen']);
  });

  it('answers 408 when the transaction user never answers, and reports it', async () => {
    const f = new Fixture({ unanswered: 60_000 });
    f.deliver(invite);
    await f.clock.advance(60_000);
    expect(f.wire()).toEqual(['100', '408']);
    expect(f.user.ended.map(({ why }) => why)).toEqual(['done']);
    expect(f.layer.statistics.unanswered).toBe(1);
    f.deliver(ack('x'));
    await f.clock.advance(10_000);
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 0, boundToFlows: 0 });
  });

  it('keeps only what identifies a refused INVITE while the ACK is missing', async () => {
    const f = new Fixture();
    f.deliver(requestBytes({ body: 'v=0\r\n', extra: ['X-Large: 1'] }));
    const transaction = f.user.requests[0]!;
    respond(transaction, 183);
    respond(transaction, 486);
    await f.clock.advance(600);
    const { message } = transaction.received;
    expect(message.body).toBe('');
    expect([...message.headers].map(([name]) => name)).toEqual(['Via', 'From', 'To', 'Call-ID', 'CSeq']);
  });

  it('can be matched without a magic cookie, as RFC 2543 clients need', () => {
    const f = new Fixture();
    const via = 'SIP/2.0/UDP 198.51.100.20:5060';
    f.deliver(requestBytes({ via }));
    f.deliver(requestBytes({ via }));
    expect(f.user.requests).toHaveLength(1);
    respond(f.user.requests[0]!, 486);
    f.deliver(requestBytes({ via, method: 'ACK', toTag: f.user.requests[0]!.toTag }));
    expect(f.user.acks).toEqual([]);
    expect(f.layer.counts.server).toBe(0);
    f.deliver(requestBytes({ via, cseq: 2 }));
    expect(f.user.requests).toHaveLength(2);
    f.deliver(requestBytes({ via, cseq: 2, method: 'CANCEL' }));
    expect(f.user.cancels).toEqual([f.user.requests[1]]);
  });

  describe('when the stream of the request is closed', () => {
    const tcp = requestBytes({ protocol: 'TCP', sentBy: '198.51.100.20:5080' });

    it('opens a new one to the sent-by port and answers there (§18.2.2)', async () => {
      const f = new Fixture();
      f.transport.connectsLater = true;
      const flow = f.flow('tcp', 40_000);
      f.deliver(tcp, flow);
      f.wire();
      flow.isOpen = false;
      f.layer.flowClosed(flow);
      respond(f.user.requests[0]!, 180);
      respond(f.user.requests[0]!, 200);
      await f.clock.advance(0);
      const sent = f.transport.take();
      expect(sent.map(({ message }) => (message as SipResponse).status)).toEqual([200]);
      expect(sent[0]!.flow.remotePort).toBe(5080);
      expect(f.user.ended).toEqual([]);
    });

    it('reports the request as lost when the source cannot be reached', async () => {
      const f = new Fixture();
      f.transport.connectsLater = true;
      f.transport.unreachable.set('198.51.100.20:5080', 'refused');
      const flow = f.flow('tcp', 40_000);
      f.deliver(tcp, flow);
      flow.isOpen = false;
      f.layer.flowClosed(flow);
      await f.clock.advance(0);
      const transaction = f.user.requests[0]!;
      expect(f.user.ended).toEqual([{ transaction, why: 'flow-closed' }]);
      expect(transaction.isTerminated).toBe(true);
      expect(() => respond(transaction, 200)).toThrow('closed');
      expect(f.layer.counts.server).toBe(0);
      expect(f.clock.pendingTimers).toBe(0);
    });

    it('answers on the connection over which the peer repeats the same INVITE', async () => {
      const f = new Fixture();
      f.transport.unreachable.set('198.51.100.20:5080', 'hangs');
      const flow = f.flow('tcp', 40_000);
      f.deliver(tcp, flow);
      flow.isOpen = false;
      f.layer.flowClosed(flow);
      respond(f.user.requests[0]!, 180);
      f.wire();
      f.deliver(tcp, f.flow('tcp', 40_001));
      respond(f.user.requests[0]!, 200);
      const sent = f.transport.take();
      expect(sent.map((each) => each.flow.remotePort)).toEqual([40_001, 40_001, 40_001]);
      expect(sent.map(({ message }) => (message as SipResponse).status)).toEqual([180, 180, 200]);
    });

    it('is not lost when the peer comes back before the attempt to reach it has failed', async () => {
      const f = new Fixture();
      f.transport.connectsLater = true;
      f.transport.unreachable.set('198.51.100.20:5080', 'refused');
      const flow = f.flow('tcp', 40_000);
      f.deliver(tcp, flow);
      flow.isOpen = false;
      f.layer.flowClosed(flow);
      f.deliver(tcp, f.flow('tcp', 40_001));
      await f.clock.advance(0);
      expect(f.user.ended).toEqual([]);
      expect(f.user.requests[0]!.isTerminated).toBe(false);
    });

    it('reports nothing for a request that was answered', async () => {
      const f = new Fixture();
      f.transport.unreachable.set('198.51.100.20:5080', 'refused');
      const flow = f.flow('tcp', 40_000);
      f.deliver(tcp, flow);
      respond(f.user.requests[0]!, 200);
      flow.isOpen = false;
      f.layer.flowClosed(flow);
      await f.clock.advance(40_000);
      expect(f.user.ended).toEqual([]);
    });
  });
});
