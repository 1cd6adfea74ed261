import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket as StreamSocket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/base/log.js';
import { type HepForwardSettings, readEdgeSettings } from '../../../src/config/edge-settings.js';
import { linkTo } from '../../../src/edge/trace/collector-link.js';
import { HepForwarder } from '../../../src/edge/trace/hep-forwarder.js';
import { TraceCollector } from '../../../src/edge/trace/trace-collector.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { freePort } from '../../support/free-ports.js';
import { stays } from '../../support/stays.js';
import { hepPacket, type PacketFields } from '../../unit/edge/trace/hep-packet.js';
import { sampleRecord } from '../control/history/sample-record.js';
import { Stage } from '../hardening/stage.js';
import { type Decoded, HomerDecoder } from './homer-decoder.js';

const log = createLog({ level: 'silent', role: 'edge', edge: 'test' });
const usual = readEdgeSettings({ DEMARC_TLS_CERT: 'c', DEMARC_TLS_KEY: 'k' }).trace;

let homer: HomerDecoder;
beforeAll(async () => {
  homer = await HomerDecoder.start();
});
afterAll(() => homer?.stop());

const forwardTo = (port: number, transport: 'udp' | 'tcp' = 'udp'): HepForwardSettings => ({
  host: '127.0.0.1',
  port,
  transport,
  captureId: 4_711,
  authenticationKey: 'shared',
});

const message = (line: string, callId: string, rest = ''): string =>
  [
    line,
    'Via: SIP/2.0/TLS 192.0.2.1;branch=z9hG4bK1',
    'From: <sip:caller@example.com>;tag=1',
    'To: <sip:callee@example.com>',
    `Call-ID: ${callId}`,
    'CSeq: 1 INVITE',
    rest,
  ].join('\r\n');
const invite = 'INVITE sip:callee@example.com SIP/2.0';

async function decoded(callId: string, count: number): Promise<Decoded[]> {
  const of = () => homer.packets().filter(({ payload }) => payload.includes(callId));
  await until(
    () => of().length >= count,
    5_000,
    () => `packets of ${callId}: ${of().length} of ${count}`,
  );
  return of();
}

describe('messages', () => {
  let collector: TraceCollector;
  let sender: Socket;
  const send = (fields: PacketFields) => sender.send(hepPacket(fields), collector.port, '127.0.0.1');

  beforeEach(async () => {
    sender = createSocket('udp4');
    collector = await TraceCollector.start(
      { ...usual, graceMilliseconds: 30, forward: forwardTo(homer.port) },
      log,
    );
  });
  afterEach(async () => {
    await collector.stop();
    sender.close();
  });

  it('of both legs have the call’s id, also those that came before it was known and after the end', async () => {
    send({ payload: message(invite, 'trunk-1'), at: 1_700_000_000_250_000 });
    await stays(
      () => expect(homer.packets().some(({ payload }) => payload.includes('trunk-1'))).toBe(false),
      100,
    );
    collector.expect('our-call-1', 'trunk-1', 'trunk');
    collector.expect('our-call-1', 'agent-1', 'agent');
    send({ payload: message(invite, 'agent-1'), ipProtocol: 6, correlationId: 'agent-1' });
    send({ payload: message('SIP/2.0 200 OK', 'trunk-1'), ipProtocol: 22, correlationId: 'trunk-1' });
    await decoded('trunk-1', 2);
    await collector.take({ trunk: 'trunk-1', agent: 'agent-1' });
    send({ payload: message('ACK sip:callee@example.com SIP/2.0', 'trunk-1') });
    const packets = [...(await decoded('trunk-1', 3)), ...(await decoded('agent-1', 1))];
    expect(new Set(packets.map(({ correlationId }) => correlationId))).toEqual(new Set(['our-call-1']));
    expect(packets[0]).toMatchObject({
      type: 1,
      captureId: '4711',
      key: 'shared',
      sourcePort: 5060,
      destinationPort: 5061,
      sourceAddress: '192.0.2.1',
      seconds: 1_700_000_000,
    });
  });

  it('of no call have their Call-ID, a second later', async () => {
    send({ payload: message('OPTIONS sip:x SIP/2.0', 'stranger') });
    const [packet] = await decoded('stranger', 1);
    expect(packet!.correlationId).toBe('stranger');
  });

  it('have lost their secrets, and nothing else', async () => {
    collector.expect('secret-call', 'secret-1', 'trunk');
    const body = 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:SECRETKEY|2^31\r\n';
    const credentials = 'Authorization: Digest username="ada", response="0123456789abcdef", uri="sip:x"';
    send({ payload: `${message(invite, 'secret-1', credentials)}\r\n\r\n${body}` });
    const [packet] = await decoded('secret-1', 1);
    expect(packet!.payload).not.toMatch(/SECRETKEY|0123456789abcdef/);
    expect(packet!.payload).toContain('username="ada", response="[redacted]", uri="sip:x"');
    expect(packet!.payload).toContain('inline:[redacted]|2^31');
  });

  it('arrive whole when a stream delivers them in pieces', async () => {
    collector.expect('stream-call', 'stream-1', 'trunk');
    const whole = `${message(invite, 'stream-1', 'Content-Length: 5')}\r\n\r\nhello`;
    send({ payload: whole.slice(0, -3), ipProtocol: 6 });
    await pause(50);
    send({ payload: whole.slice(-3), ipProtocol: 6 });
    const packets = await decoded('stream-1', 1);
    expect(packets.map(({ payload }) => payload)).toEqual([whole]);
  });

  it('of IPv6 keep their addresses', async () => {
    send({ payload: message(invite, 'six-1'), source: '2001:db8::1', destination: '2001:db8::2' });
    expect((await decoded('six-1', 1))[0]).toMatchObject({ sourcePort: 5060, destinationPort: 5061 });
  });
});

describe('a record', () => {
  it('is a log entry and a report of its RTP at each leg’s Call-ID', async () => {
    const forwarder = new HepForwarder(forwardTo(homer.port), log);
    await pause(50);
    const record = sampleRecord('record-1', {
      sip_call_ids: { trunk: 'record-1-trunk', agent: 'record-1-agent' },
    });
    forwarder.record(record);
    const packets = await decoded('record-1', 4);
    forwarder.stop();
    const forwarded = packets.map(({ type, correlationId, payload }) => ({
      type,
      correlationId,
      json: JSON.parse(payload),
    }));
    expect(forwarded.map(({ type, correlationId }) => `${type} ${correlationId}`).sort()).toEqual([
      '100 record-1-agent',
      '100 record-1-trunk',
      '35 record-1-agent',
      '35 record-1-trunk',
    ]);
    const logEntry = forwarded.find(({ type }) => type === 100)!.json;
    const { trace: _, trace_truncated: __, ...rest } = record;
    expect(logEntry).toEqual({ type: 'call_record', ...rest });
    const report = forwarded.find(
      (packet) => packet.type === 35 && packet.correlationId === 'record-1-trunk',
    )!.json;
    expect(report).toMatchObject({
      CORRELATION_ID: 'record-1-trunk',
      TOTAL_PK: 100,
      EXPECTED_PK: 101,
      PACKET_LOSS: 1,
      MEAN_JITTER: 2.5,
      MEAN_MOS: 4.3,
      CODEC_NAME: 'PCMU',
      SRC_IP: '198.51.100.9',
    });
  });
});

describe('a collector', () => {
  const packet = { payload: Buffer.from(message(invite, 'x')) };
  const fields = { sourceAddress: '192.0.2.1', destinationAddress: '192.0.2.2' };
  const captured = {
    ...fields,
    ipProtocol: 17,
    sourcePort: 5060,
    destinationPort: 5061,
    at: 1,
    correlationId: undefined,
    ...packet,
  };
  const pour = (forwarder: HepForwarder, count: number) => {
    const bytes = Buffer.from(message(invite, 'x', 'x'.repeat(1_000)));
    for (let index = 0; index < count; index++) forwarder.message('known', captured, bytes);
  };
  const started = (settings: HepForwardSettings): HepForwarder => {
    const forwarder = new HepForwarder(settings, log);
    forwarder.correlate('known', 'call');
    return forwarder;
  };
  const listen = async (port = 0): Promise<{ server: Server; sockets: StreamSocket[]; port: number }> => {
    const sockets: StreamSocket[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      sockets.push(socket);
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return { server, sockets, port: (server.address() as AddressInfo).port };
  };
  const close = ({ server, sockets }: { server: Server; sockets: StreamSocket[] }): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };

  it('may be reached by TCP: packet after packet, which the other decoder reads as well', async () => {
    const collector = await listen();
    const relay = createSocket('udp4');
    const forwarder = started(forwardTo(collector.port, 'tcp'));
    await until(() => collector.sockets.length === 1, 2_000, 'a connection');
    let rest = Buffer.alloc(0);
    collector.sockets[0]!.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 6 && rest.length >= rest.readUInt16BE(4)) {
        relay.send(rest.subarray(0, rest.readUInt16BE(4)), homer.port, '127.0.0.1');
        rest = rest.subarray(rest.readUInt16BE(4));
      }
    });
    for (let index = 0; index < 20; index++) {
      forwarder.message('known', captured, Buffer.from(message(invite, `tcp-${index}-end`)));
    }
    await decoded('-end', 20);
    forwarder.stop();
    relay.close();
    close(collector);
  });

  it('costs only the packets it misses while it is down, hangs or does not resolve', async () => {
    const hanging = await listen();
    for (const [settings, everythingIsDropped] of [
      [forwardTo(await freePort()), false],
      [forwardTo(await freePort(), 'tcp'), false],
      [{ ...forwardTo(9_060), host: 'nowhere.invalid' }, true],
      [forwardTo(hanging.port, 'tcp'), false],
    ] as const) {
      const forwarder = started(settings);
      const before = process.memoryUsage().rss;
      pour(forwarder, 20_000);
      const { counters } = forwarder;
      await until(() => counters.sent + counters.dropped === 20_000, 5_000, 'all are sent or dropped');
      if (everythingIsDropped) expect(counters.sent).toBe(0);
      expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
      forwarder.stop();
    }
    close(hanging);
  }, 120_000);

  it.each(['udp', 'tcp'] as const)(
    'reports when the %s collector goes down and recovers',
    async (transport) => {
      const port = await freePort();
      const heard = { failures: 0, passedSince: 0 };
      const link = linkTo(forwardTo(port, transport), {
        failed: () => {
          heard.failures++;
          heard.passedSince = 0;
        },
        passed: () => {
          heard.passedSince++;
        },
      });
      const sending = (condition: () => boolean, what: string) =>
        until(
          () => {
            link.send(packet.payload);
            return condition();
          },
          10_000,
          what,
        );
      await sending(() => heard.failures > 0, 'refused');
      const back = transport === 'udp' ? createSocket('udp4').bind(port, '127.0.0.1') : await listen(port);
      await sending(() => heard.passedSince > 10, 'taken');
      link.stop();
      if ('server' in back) close(back);
      else back.close();
    },
  );

  it('gets later packets once it recovers', async () => {
    const first = await listen();
    const forwarder = started(forwardTo(first.port, 'tcp'));
    await until(() => first.sockets.length === 1, 2_000, 'a connection');
    close(first);
    await once(first.server, 'close');
    const second = await listen(first.port);
    await until(() => second.sockets.length === 1, 5_000, 'it connects again');
    let octets = 0;
    second.sockets[0]!.on('data', (chunk: Buffer) => {
      octets += chunk.length;
    });
    pour(forwarder, 1);
    await until(() => octets > 1_000, 2_000, 'the message');
    forwarder.stop();
    close(second);
  });

  it('gets no more unauthenticated traffic than the buffer holds', async () => {
    const forwarder = new HepForwarder(forwardTo(await freePort()), log);
    for (let index = 0; index < 10_000; index++)
      forwarder.message(`stranger-${index}`, captured, packet.payload);
    const { sent, dropped } = forwarder.counters;
    expect(sent + dropped).toBe(8_000);
    forwarder.stop();
    expect(forwarder.counters.sent + forwarder.counters.dropped).toBe(10_000);
  });
});

describe('the edge', () => {
  it('passes a real call on: both legs, the record, the RTP, one id', async () => {
    const stage = await Stage.start({
      edge: { DEMARC_HEP_FORWARD: `127.0.0.1:${homer.port}` },
    });
    try {
      const trunk = await stage.peer('udp');
      const record = await stage.callAndHangUp(trunk);
      const { trunk: trunkId, agent: agentId } = record.sip_call_ids;
      const all = () => homer.packets();
      await until(
        () => all().some((packet) => packet.type === 100 && packet.correlationId === agentId),
        5_000,
        'the record',
      );
      const sip = (callId: string) =>
        all().filter(
          (packet) => packet.type === 1 && new RegExp(`^Call-ID: ${callId}\\r$`, 'im').test(packet.payload),
        );
      for (const callId of [trunkId, agentId!]) {
        const messages = sip(callId);
        expect(new Set(messages.map(({ correlationId }) => correlationId))).toEqual(
          new Set([record.call_id]),
        );
        const firstLines = messages.map(({ payload }) => payload.slice(0, payload.indexOf(' ')));
        for (const method of ['INVITE', 'ACK', 'BYE', 'SIP/2.0']) expect(firstLines).toContain(method);
        expect(messages.length).toBe(
          record.trace.filter(({ leg }) => leg === (callId === trunkId ? 'trunk' : 'agent')).length,
        );
      }
      const records = all().filter(({ type, correlationId }) => type === 100 && correlationId === trunkId);
      expect(JSON.parse(records[0]!.payload)).toMatchObject({
        type: 'call_record',
        call_id: record.call_id,
        end_reason: record.end_reason,
      });
      expect(all().some(({ type, correlationId }) => type === 35 && correlationId === trunkId)).toBe(true);
      expect(all().some(({ payload }) => /inline:(?!\[redacted\])/.test(payload))).toBe(false);
      expect(await stage.metric('demarc_hep_packets_total{result="sent"}')).toBeGreaterThan(10);
    } finally {
      await stage.stop();
    }
  }, 180_000);
});
