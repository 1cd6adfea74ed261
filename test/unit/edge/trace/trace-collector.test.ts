import { createSocket, type Socket } from 'node:dgram';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../../src/base/log.js';
import { readEdgeSettings, type TraceSettings } from '../../../../src/config/edge-settings.js';
import { TraceCollector } from '../../../../src/edge/trace/trace-collector.js';
import { pause, until } from '../../../../src/testkit/waiting.js';
import { stays } from '../../../support/stays.js';
import { hepPacket, type PacketFields } from './hep-packet.js';

const log = createLog({ level: 'silent', role: 'edge', edge: 'test' });
const usual = readEdgeSettings({ DEMARC_TLS_CERT: 'c', DEMARC_TLS_KEY: 'k' }).trace;

let collector: TraceCollector;
let sender: Socket;
let clock: number;

beforeEach(() => {
  clock = 1_700_000_000_000_000;
  sender = createSocket('udp4');
});

afterEach(async () => {
  await collector.stop();
  sender.close();
});

async function start(fields: Partial<TraceSettings> = {}): Promise<void> {
  collector = await TraceCollector.start(
    { ...usual, graceMilliseconds: 30, patienceMilliseconds: 0, ...fields },
    log,
  );
}

function send(fields: PacketFields): void {
  clock += 1000;
  sender.send(hepPacket({ at: clock, ...fields }), collector.port, '127.0.0.1');
}

interface MessageFields {
  from?: string;
  to?: string;
  body?: string;
  callIdName?: string;
  via?: string;
}

function message(line: string, callId: string, fields: MessageFields = {}): string {
  const {
    from = 'caller',
    to,
    body = '',
    callIdName = 'Call-ID',
    via = 'SIP/2.0/TLS 192.0.2.1;branch=z9hG4bK1',
  } = fields;
  const toTag = to === undefined ? '' : `;tag=${to}`;
  return (
    `${line}\r\nVia: ${via}\r\nFrom: <sip:a@x>;tag=${from}\r\nTo: <sip:b@y>${toTag}\r\n` +
    `${callIdName}: ${callId}\r\nCSeq: 1 INVITE\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

const invite = 'INVITE sip:b@y SIP/2.0';
const bye = 'BYE sip:b@y SIP/2.0';
const ok = 'SIP/2.0 200 OK';

describe('an outbound INVITE', () => {
  it('counts as answered from its own 100 on, not from that of the one before a challenge', async () => {
    await start();
    collector.expect('call', 't', 'trunk', 'edge');
    send({ payload: message(invite, 't') });
    send({ payload: message('SIP/2.0 401 Unauthorized', 't') });
    await until(() => collector.peek({ trunk: 't', agent: null }).entries.length === 2, 2_000, 'both');
    expect(collector.wasAnswered('t', 1)).toBe(false);
    send({ payload: message('SIP/2.0 100 Trying', 't') });
    await until(() => collector.wasAnswered('t', 1), 2_000, 'the 100 of the first INVITE');
    expect(collector.wasAnswered('t', 2)).toBe(false);
    expect(collector.wasAnswered('other', 1)).toBe(false);
  });
});

describe('a call', () => {
  it('is given with both legs in order of time, with direction, protocol and addresses', async () => {
    await start();
    collector.expect('call', 't', 'trunk');
    collector.expect('call', 'a', 'agent');
    const peer = {
      source: '203.0.113.9',
      sourcePort: 40000,
      destination: '192.0.2.2',
      destinationPort: 5061,
      ipProtocol: 22,
    };
    const edge = {
      source: '192.0.2.2',
      sourcePort: 5061,
      destination: '203.0.113.9',
      destinationPort: 40000,
      ipProtocol: 22,
    };
    send({ ...peer, payload: message(invite, 't') });
    send({ ...edge, payload: message('SIP/2.0 100 Trying', 't') });
    send({
      payload: message(invite, 'a', { from: 'edge', via: 'SIP/2.0/TCP 127.0.0.1' }),
      ipProtocol: 6,
      correlationId: 'a',
    });
    send({
      payload: message(ok, 'a', { from: 'edge', to: 'bot', via: 'SIP/2.0/TCP 127.0.0.1' }),
      ipProtocol: 6,
      correlationId: 'a',
    });
    send({ ...edge, payload: message(ok, 't', { to: 'us' }) });
    send({ ...peer, payload: message('ACK sip:b@y SIP/2.0', 't', { to: 'us' }) });
    send({ payload: message(bye, 'a', { from: 'bot', to: 'edge' }), ipProtocol: 6, correlationId: 'a' });
    send({ ...edge, payload: message(bye, 't', { from: 'us', to: 'caller' }) });
    send({ ...peer, payload: message(ok, 't', { from: 'us', to: 'caller' }) });
    const { entries, truncated } = await collector.take({ trunk: 't', agent: 'a' });
    expect(truncated).toBe(false);
    expect(entries.map(({ leg, direction, summary }) => `${leg} ${direction} ${summary}`)).toEqual([
      'trunk received INVITE',
      'trunk sent 100 Trying',
      'agent sent INVITE',
      'agent received 200 OK',
      'trunk sent 200 OK',
      'trunk received ACK',
      'agent received BYE',
      'trunk sent BYE',
      'trunk received 200 OK',
    ]);
    expect(entries[0]).toMatchObject({
      protocol: 'tls',
      source: '203.0.113.9:40000',
      destination: '192.0.2.2:5061',
      at: '2023-11-14T22:13:20.001000Z',
    });
    expect(entries[2]?.protocol).toBe('tcp');
    expect(collector.size).toBe(0);
  });

  it('waits for messages that come late, and sorts what came out of order', async () => {
    await start({ graceMilliseconds: 300 });
    const early = clock;
    send({ payload: message(ok, 't', { to: 'us' }) });
    const taken = collector.take({ trunk: 't', agent: null });
    await pause(20);
    send({ payload: message(invite, 't'), at: early });
    const { entries } = await taken;
    expect(entries.map(({ summary }) => summary)).toEqual(['INVITE', '200 OK']);
  });

  it('waits longer for the ACK to a refusal', async () => {
    await start({ patienceMilliseconds: 30_000 });
    send({ payload: message(invite, 't') });
    send({ payload: message('SIP/2.0 486 Busy Here', 't', { to: 'us' }) });
    let isTaken = false;
    const taken = collector.take({ trunk: 't', agent: null }).finally(() => {
      isTaken = true;
    });
    await stays(() => expect(isTaken).toBe(false), 150);
    send({ payload: message('ACK sip:b@y SIP/2.0', 't', { to: 'us' }).replace('1 INVITE', '1 ACK') });
    const { entries } = await taken;
    expect(entries.map(({ summary }) => summary)).toEqual(['INVITE', '486 Busy Here', 'ACK']);
  });

  it('keeps retransmissions, but not what was captured twice', async () => {
    await start();
    send({ payload: message(invite, 't') });
    send({ payload: message(invite, 't'), at: clock });
    send({ payload: message(invite, 't') });
    const { entries } = await collector.take({ trunk: 't', agent: null });
    expect(entries).toHaveLength(2);
  });

  it.each(['Call-ID', 'Call-Id', 'CALL-ID', 'call-id ', 'i', 'I\t'])('is found by %j', async (callIdName) => {
    await start();
    send({ payload: message(invite, 'x@y', { callIdName }) });
    expect((await collector.take({ trunk: 'x@y', agent: null })).entries).toHaveLength(1);
  });

  it('is redacted', async () => {
    await start();
    send({ payload: message(invite, 't', { body: 'v=0\r\na=crypto:1 A inline:SECRETKEY|1\r\n' }) });
    const { entries } = await collector.take({ trunk: 't', agent: null });
    expect(entries[0]?.message).toContain('inline:[redacted]');
    expect(JSON.stringify(entries)).not.toContain('SECRETKEY');
  });

  it('keeps text beyond ASCII', async () => {
    await start();
    send({ payload: message(invite, 't', { body: 'grüße' }) });
    expect((await collector.take({ trunk: 't', agent: null })).entries[0]?.message).toContain('grüße');
  });

  it('keeps its messages though another call of the same name ends', async () => {
    await start();
    collector.expect('call', 't', 'trunk');
    send({ payload: message(invite, 't') });
    collector.expect('call', 't', 'trunk');
    expect(await collector.take({ trunk: 't', agent: null })).toEqual({ entries: [], truncated: true });
    send({ payload: message(bye, 't') });
    const { entries } = await collector.take({ trunk: 't', agent: null });
    expect(entries.map(({ summary }) => summary)).toEqual(['INVITE', 'BYE']);
    expect(collector.size).toBe(0);
  });

  it('says that its trace is incomplete when no message of a leg that the peer began came', async () => {
    await start();
    collector.expect('call', 't', 'trunk');
    collector.expect('call', 'a', 'agent');
    send({ payload: message(invite, 'a') });
    await until(() => collector.peek({ trunk: 't', agent: 'a' }).entries.length === 1, 5_000, 'the INVITE');
    expect(await collector.take({ trunk: 't', agent: 'a' })).toMatchObject({ truncated: true });
    expect(await collector.take({ trunk: null, agent: null })).toEqual({ entries: [], truncated: false });
  });

  it('is not called incomplete for an INVITE of the edge that was never sent', async () => {
    await start();
    collector.expect('call', 't', 'trunk');
    collector.expect('call', 'a', 'agent');
    send({ payload: message(invite, 't') });
    await until(() => collector.peek({ trunk: 't', agent: 'a' }).entries.length === 1, 5_000, 'the INVITE');
    expect(await collector.take({ trunk: 't', agent: 'a' })).toMatchObject({ truncated: false });
    collector.expect('ordered', 'o', 'trunk', 'edge');
    expect(await collector.take({ trunk: 'o', agent: null })).toEqual({ entries: [], truncated: false });
  });

  it('says that it is incomplete where the engine sends its captures elsewhere', async () => {
    await start();
    collector.expect('ordered', 'o', 'trunk', 'edge');
    expect(await collector.take({ trunk: 'o', agent: null })).toEqual({ entries: [], truncated: true });
  });

  it('can be read while the call is active, redacted, and is still collected afterwards', async () => {
    await start();
    collector.expect('call', 't', 'trunk');
    const callIds = { trunk: 't', agent: 'a' };
    expect(collector.peek(callIds)).toEqual({ entries: [], truncated: false });
    send({ payload: message(invite, 't', { body: 'a=crypto:1 X inline:SECRET' }) });
    await until(() => collector.peek(callIds).entries.length === 1, 5_000, 'the INVITE is there');
    const [seen] = collector.peek(callIds).entries;
    expect(seen!.message).toMatch(/inline:\[redacted\]$/);
    expect(collector.size).toBeGreaterThan(0);
    send({ payload: message(bye, 't') });
    const { entries } = await collector.take(callIds);
    expect(entries.map(({ summary }) => summary)).toEqual(['INVITE', 'BYE']);
    expect(entries[0]).toEqual(seen);
    expect(collector.peek(callIds).entries).toEqual([]);
  });

  it('is not seen by another call of the same name', async () => {
    await start();
    collector.expect('call', 't', 'trunk');
    send({ payload: message(invite, 't') });
    const peek = () => collector.peek({ trunk: 't', agent: null });
    await until(() => peek().entries.length === 1, 5_000, 'the INVITE is there');
    collector.expect('another', 't', 'trunk');
    expect(peek()).toEqual({ entries: [], truncated: true });
    collector.forget('t');
    expect(peek()).toMatchObject({ entries: [{ summary: 'INVITE' }], truncated: false });
  });

  it('has its directions turned when the edge begins it', async () => {
    await start();
    collector.expect('call', 't', 'trunk', 'edge');
    send({ payload: message(invite, 't') });
    expect((await collector.take({ trunk: 't', agent: null })).entries[0]?.direction).toBe('sent');
  });
});

describe('a stream captured in pieces, as drachtio-server does', () => {
  const tcp = { ipProtocol: 6 };

  it('is put together and taken apart', async () => {
    await start();
    const whole = Buffer.from(
      message(invite, 't', { body: 'v=0\r\no=x\r\n' }) +
        message(ok, 'u', { to: 'z' }) +
        message(bye, 't', { to: 'q' }),
    );
    for (let at = 0; at < whole.length; at += 250) send({ ...tcp, payload: whole.subarray(at, at + 250) });
    const first = await collector.take({ trunk: 't', agent: null });
    expect(first.entries.map(({ summary }) => summary)).toEqual(['INVITE', 'BYE']);
    expect(first.entries[0]?.message.endsWith('v=0\r\no=x\r\n')).toBe(true);
    expect((await collector.take({ trunk: 'u', agent: null })).entries.map(({ summary }) => summary)).toEqual(
      ['200 OK'],
    );
    expect(collector.size).toBe(0);
  });

  it('does not mix two connections', async () => {
    await start();
    const [first, second] = [
      message(invite, 'one', { body: 'x'.repeat(400) }),
      message(invite, 'two', { body: 'y'.repeat(400) }),
    ];
    send({ ...tcp, sourcePort: 1, payload: first.slice(0, 300) });
    send({ ...tcp, sourcePort: 2, payload: second.slice(0, 300) });
    send({ ...tcp, sourcePort: 1, payload: first.slice(300) });
    send({ ...tcp, sourcePort: 2, payload: second.slice(300) });
    const { entries } = await collector.take({ trunk: 'one', agent: 'two' });
    expect(entries.map(({ message: text }) => text.length)).toEqual([first.length, second.length]);
  });
});

describe('bounds', () => {
  it('of messages and bytes per call', async () => {
    await start({ maximumMessagesPerCall: 5 });
    for (let i = 0; i < 9; i++) send({ payload: message(invite, 't') });
    const trace = await collector.take({ trunk: 't', agent: null });
    expect(trace.entries).toHaveLength(5);
    expect(trace.truncated).toBe(true);
  });

  it('of all bytes: unexpected calls are dropped first', async () => {
    await start({ maximumBytes: 20_000 });
    collector.expect('call', 'mine', 'trunk');
    send({ payload: message(invite, 'mine') });
    for (let i = 0; i < 200; i++) send({ payload: message('OPTIONS sip:x SIP/2.0', `scan-${i}`) });
    await until(() => collector.dropped > 100, 10_000, 'flood');
    expect(collector.size).toBeLessThanOrEqual(20_000);
    const mine = await collector.take({ trunk: 'mine', agent: null });
    expect(mine.entries).toHaveLength(1);
    expect(mine.truncated).toBe(false);
  });

  it('of all bytes: then the longest calls lose their messages, and are marked so', async () => {
    await start({ maximumBytes: 10_000 });
    for (let i = 0; i < 30; i++) {
      collector.expect('call', `call-${i}`, 'trunk');
      send({ payload: message(invite, `call-${i}`) });
    }
    await until(() => collector.dropped > 10, 10_000, 'flood');
    const [oldest, newest] = [
      await collector.take({ trunk: 'call-0', agent: null }),
      await collector.take({ trunk: 'call-29', agent: null }),
    ];
    expect(oldest).toEqual({ entries: [], truncated: true });
    expect(newest.entries).toHaveLength(1);
  });

  it('ignores garbage', async () => {
    await start();
    sender.send(Buffer.from('garbage'), collector.port, '127.0.0.1');
    send({ payload: '\r\n\r\n' });
    send({ payload: 'no call id here, but long enough', ipProtocol: 6 });
    send({ payload: message(invite, 't') });
    expect((await collector.take({ trunk: 't', agent: null })).entries).toHaveLength(1);
  });
});

describe('a copy of the messages of a call at another edge', () => {
  it('belongs to the call there, and is not forwarded to the collector once more', async () => {
    const sink = createSocket('udp4');
    await new Promise<void>((resolve) => sink.bind(0, '127.0.0.1', resolve));
    const forward = {
      host: '127.0.0.1',
      port: sink.address().port,
      transport: 'udp' as const,
      captureId: 1,
      authenticationKey: undefined,
    };
    await start();
    collector.expect('call', 't', 'trunk');
    send({ payload: message(invite, 't') });
    const legs = { trunk: 't', agent: null };
    await until(() => collector.peek(legs).entries.length === 1, 2_000, 'the message');
    const copy = collector.copy([legs]);
    await collector.stop();
    await start({ forward });
    collector.expect('call', 't', 'trunk');
    collector.receiveCopy(copy);
    expect(collector.peek(legs).entries).toHaveLength(1);
    expect(collector.forwarded).toEqual({ sent: 0, dropped: 0 });
    sink.close();
  });
});
