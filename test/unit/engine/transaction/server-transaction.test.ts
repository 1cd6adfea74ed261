import { describe, expect, it } from 'vitest';
import type { SipResponse } from '../../../../src/sip/message.js';
import { Fixture, requestBytes, respond } from './fixture.js';

const options = requestBytes({ method: 'OPTIONS' });

describe('non-INVITE server transaction (RFC 3261 §17.2.2)', () => {
  it('absorbs retransmissions before the answer and repeats the answer after it, until timer J', async () => {
    const f = new Fixture();
    f.deliver(options);
    f.deliver(options);
    expect(f.wire()).toEqual([]);
    respond(f.user.requests[0]!, 200);
    f.deliver(options);
    expect(f.wire()).toEqual(['200', '200']);
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 1 });
    await f.clock.advance(31_900);
    f.deliver(options);
    expect(f.wire()).toEqual(['200']);
    await f.clock.advance(200);
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 0, boundToFlows: 0 });
    expect(f.user.requests).toHaveLength(1);
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('repeats a provisional in Proceeding', () => {
    const f = new Fixture();
    f.deliver(options);
    respond(f.user.requests[0]!, 100);
    f.deliver(options);
    expect(f.wire()).toEqual(['100', '100']);
  });

  it('remembers nothing over a stream (timer J is 0)', () => {
    const f = new Fixture();
    f.deliver(requestBytes({ method: 'OPTIONS', protocol: 'TLS' }), f.flow('tls'));
    respond(f.user.requests[0]!, 200);
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 0, boundToFlows: 0 });
    expect(f.clock.pendingTimers).toBe(0);
  });

  it('answers 408 when its user never does', async () => {
    const f = new Fixture({ unanswered: 60_000 });
    f.deliver(options);
    await f.clock.advance(60_000);
    expect(f.wire()).toEqual(['408']);
    expect(f.user.ended.map(({ why }) => why)).toEqual(['done']);
  });

  it('is lost with its stream when the source cannot be reached', async () => {
    const f = new Fixture();
    f.transport.unreachable.set('198.51.100.20:5060', 'refused');
    const flow = f.flow('tcp', 41_000);
    f.deliver(requestBytes({ method: 'INFO', protocol: 'TCP', toTag: 'x' }), flow);
    flow.isOpen = false;
    f.layer.flowClosed(flow);
    expect(f.user.ended.map(({ why }) => why)).toEqual(['flow-closed']);
    expect(f.layer.counts.server).toBe(0);
    expect(f.clock.pendingTimers).toBe(0);
  });
});

describe('requests that the layer answers without its user', () => {
  it('answers malformed ones with the status owed and the same To tag each time', () => {
    const f = new Fixture();
    const bad = options.replace('CSeq: 1 OPTIONS', 'CSeq: 1 INVITE');
    f.deliver(bad);
    f.deliver(bad);
    const sent = f.transport.take().map(({ message }) => message as SipResponse);
    expect(sent.map(({ status }) => status)).toEqual([400, 400]);
    expect(sent[0]!.headers.get('To')).toMatch(/;tag=/);
    expect(sent[0]!.headers.get('To')).toBe(sent[1]!.headers.get('To'));
    expect(f.user.requests).toEqual([]);
    expect(f.layer.counts.server).toBe(0);
  });

  it('answers another SIP version 505', () => {
    const f = new Fixture();
    f.deliver(options.replace('SIP/2.0\r\n', 'SIP/7.0\r\n'));
    expect(f.wire()).toEqual(['505']);
  });

  it('refuses a branch that is the magic cookie alone (RFC 4475 §3.2.1 leaves the choice)', () => {
    const f = new Fixture();
    f.deliver(requestBytes({ branch: 'z9hG4bK' }));
    expect(f.wire()).toEqual(['400']);
    expect(f.user.requests).toEqual([]);
  });

  it('never answers a malformed ACK', () => {
    const f = new Fixture();
    f.deliver(requestBytes({ method: 'ACK' }).replace('CSeq: 1 ACK', 'CSeq: x'));
    expect(f.wire()).toEqual([]);
    expect(f.user.acks).toEqual([]);
  });

  it('drops malformed responses', () => {
    const f = new Fixture();
    f.deliver('SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP 192.0.2.10;branch=z9hG4bKx\r\nContent-Length: 0\r\n\r\n');
    expect(f.wire()).toEqual([]);
    expect(f.user.strays).toEqual([]);
    expect(f.layer.statistics.malformed).toBe(1);
  });

  it('refuses requests above the limit, with Retry-After, and keeps no state', () => {
    const f = new Fixture({ serverTransactions: 2, retryAfterSeconds: 7 });
    for (const branch of ['z9hG4bK1', 'z9hG4bK2', 'z9hG4bK3']) {
      f.deliver(requestBytes({ branch, callId: branch }));
    }
    const last = f.transport.take().at(-1)!.message as SipResponse;
    expect([last.status, last.headers.get('Retry-After'), last.headers.get('Reason')]).toEqual([
      503,
      '7',
      'SIP;cause=503;text="SIP engine overloaded"',
    ]);
    expect(f.user.requests).toHaveLength(2);
    expect(f.layer.counts.server).toBe(2);
    expect(f.layer.statistics.overloaded).toBe(1);
    // The ACK to the 503 belongs to nothing, and is no reason to answer.
    f.deliver(requestBytes({ method: 'ACK', branch: 'z9hG4bK3', callId: 'z9hG4bK3', toTag: 'x' }));
    expect(f.wire()).toEqual([]);
  });

  it('bounds what lingers too', () => {
    const f = new Fixture({ lingering: 1 });
    for (const branch of ['z9hG4bK1', 'z9hG4bK2']) {
      f.deliver(requestBytes({ method: 'OPTIONS', branch, callId: branch }));
    }
    for (const transaction of f.user.requests) respond(transaction, 200);
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 1 });
  });

  describe('after a defect above', () => {
    const thrown: unknown[] = [];
    const defect = new Error('a defect');
    const broken = (): Fixture => {
      thrown.length = 0;
      const f = new Fixture({}, undefined, undefined, (error) => thrown.push(error));
      f.user.onRequest = () => {
        throw defect;
      };
      return f;
    };

    it('answers 500 and continues', () => {
      const f = broken();
      f.deliver(requestBytes());
      f.deliver(requestBytes({ method: 'OPTIONS', callId: 'call-2' }));
      expect(f.wire()).toEqual(['500', '500']);
      expect(thrown).toEqual([defect, defect]);
      f.deliver(requestBytes({ method: 'ACK', toTag: 'x' }));
      expect(f.layer.counts.server).toBe(0);
    });

    it('leaves an answer that was given before it', () => {
      const f = broken();
      f.user.onRequest = (transaction) => {
        respond(transaction, 200);
        throw defect;
      };
      f.deliver(requestBytes({ method: 'OPTIONS' }));
      expect(f.wire()).toEqual(['200']);
    });

    it('throws without an error handler', () => {
      const f = new Fixture();
      f.user.onRequest = () => {
        throw defect;
      };
      expect(() => f.deliver(requestBytes())).toThrow(defect);
    });
  });

  describe('merged requests (§8.2.2.2)', () => {
    it('answers the second copy 482 and absorbs its ACK', () => {
      const f = new Fixture();
      f.deliver(requestBytes({ branch: 'z9hG4bKone' }));
      f.wire();
      f.deliver(requestBytes({ branch: 'z9hG4bKtwo' }));
      expect(f.wire()).toEqual(['482']);
      f.deliver(requestBytes({ branch: 'z9hG4bKtwo' }));
      expect(f.wire()).toEqual(['482']);
      f.deliver(requestBytes({ branch: 'z9hG4bKtwo', method: 'ACK', toTag: 'x' }));
      expect(f.user.acks).toEqual([]);
      expect(f.user.requests).toHaveLength(1);
      expect(f.layer.counts.server).toBe(1);
    });

    it('does so after a 2xx, not after a refusal (a proxy may try again)', () => {
      const f = new Fixture();
      f.deliver(requestBytes({ branch: 'z9hG4bKone' }));
      respond(f.user.requests[0]!, 200);
      f.deliver(requestBytes({ branch: 'z9hG4bKtwo' }));
      expect(f.wire()).toEqual(['100', '200', '482']);
      f.deliver(requestBytes({ branch: 'z9hG4bKthree', callId: 'call-2' }));
      respond(f.user.requests[1]!, 503);
      f.deliver(requestBytes({ branch: 'z9hG4bKfour', callId: 'call-2' }));
      expect(f.user.requests).toHaveLength(3);
    });

    it('does so for other methods too, as long as the answer lingers', async () => {
      const f = new Fixture();
      f.deliver(requestBytes({ method: 'MESSAGE', branch: 'z9hG4bKone' }));
      respond(f.user.requests[0]!, 200);
      f.deliver(requestBytes({ method: 'MESSAGE', branch: 'z9hG4bKtwo' }));
      expect(f.wire()).toEqual(['200', '482']);
      await f.clock.advance(32_100);
      f.deliver(requestBytes({ method: 'MESSAGE', branch: 'z9hG4bKtwo' }));
      expect(f.user.requests).toHaveLength(2);
    });

    it('reports nothing when the ACK of a 482 never arrives', async () => {
      const f = new Fixture();
      f.deliver(requestBytes({ branch: 'z9hG4bKone' }));
      f.deliver(requestBytes({ branch: 'z9hG4bKtwo' }));
      await f.clock.advance(33_000);
      expect(f.user.ended).toEqual([]);
      expect(f.layer.counts.server).toBe(1);
    });

    it('leaves requests within a dialog, other CSeqs and other From tags alone', () => {
      const f = new Fixture();
      f.deliver(requestBytes({ branch: 'z9hG4bK1', toTag: 'x' }));
      f.deliver(requestBytes({ branch: 'z9hG4bK2', toTag: 'x' }));
      f.deliver(requestBytes({ branch: 'z9hG4bK3' }));
      f.deliver(requestBytes({ branch: 'z9hG4bK4', cseq: 2 }));
      f.deliver(requestBytes({ branch: 'z9hG4bK5', fromTag: 'other' }));
      expect(f.user.requests).toHaveLength(5);
    });
  });

  describe('CANCEL (§9.2)', () => {
    const cancel = requestBytes({ method: 'CANCEL' });

    it('answers 200 with the To tag of the INVITE and notifies the user once', () => {
      const f = new Fixture();
      f.deliver(requestBytes());
      f.wire();
      f.user.onCancel = (invite) => respond(invite, 487);
      f.deliver(cancel);
      const sent = f.transport.take().map(({ message }) => message as SipResponse);
      expect(sent.map(({ status, headers }) => [status, headers.get('CSeq')])).toEqual([
        [200, '1 CANCEL'],
        [487, '1 INVITE'],
      ]);
      expect(sent[0]!.headers.get('To')).toBe(sent[1]!.headers.get('To'));
      expect(f.user.requests[0]!.isCancelled).toBe(true);
      f.deliver(cancel);
      expect(f.wire()).toEqual(['200']);
      expect(f.user.cancels).toHaveLength(1);
      f.deliver(requestBytes({ method: 'ACK', toTag: 'x' }));
      expect(f.user.acks).toEqual([]);
    });

    it('answers 200 and does nothing when the INVITE has its final', () => {
      const f = new Fixture();
      f.deliver(requestBytes());
      respond(f.user.requests[0]!, 200);
      f.wire();
      f.deliver(cancel);
      expect(f.wire()).toEqual(['200']);
      expect(f.user.cancels).toEqual([]);
    });

    it('answers 481 when there is no such INVITE', () => {
      const f = new Fixture();
      f.deliver(cancel);
      expect(f.wire()).toEqual(['481']);
      f.deliver(requestBytes({ method: 'OPTIONS', branch: 'z9hG4bKo', callId: 'o' }));
      f.deliver(requestBytes({ method: 'CANCEL', branch: 'z9hG4bKo', callId: 'o' }));
      expect(f.wire()).toEqual(['481']);
    });

    it('is reported once over a stream too, where no state remains', () => {
      const f = new Fixture();
      f.deliver(requestBytes({ protocol: 'TCP' }), f.flow('tcp'));
      f.wire();
      const again = requestBytes({ protocol: 'TCP', method: 'CANCEL' });
      f.deliver(again, f.flow('tcp'));
      f.deliver(again, f.flow('tcp'));
      expect(f.wire()).toEqual(['200', '200']);
      expect(f.user.cancels).toHaveLength(1);
    });

    it('is taken although the layer is full', () => {
      const f = new Fixture({ serverTransactions: 1 });
      f.deliver(requestBytes());
      f.wire();
      f.deliver(cancel);
      expect(f.wire()).toEqual(['200']);
      expect(f.user.cancels).toHaveLength(1);
    });
  });
});
