import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../../src/base/log.js';
import { HepForwarder } from '../../../../src/edge/trace/hep-forwarder.js';
import { decodeHep, type HepPacket } from '../../../../src/hep/decode.js';
import { until } from '../../../../src/testkit/waiting.js';
import { hepPacket, type PacketFields } from './hep-packet.js';

let collector: Socket;
let forwarder: HepForwarder;
let isStopped: boolean;
let received: HepPacket[];
beforeEach(async () => {
  received = [];
  isStopped = false;
  collector = createSocket('udp4');
  collector.on('message', (packet) => {
    const decoded = decodeHep(packet);
    if (decoded !== undefined) received.push(decoded);
  });
  collector.bind(0, '127.0.0.1');
  await once(collector, 'listening');
  forwarder = new HepForwarder(
    {
      transport: 'udp',
      host: '127.0.0.1',
      port: collector.address().port,
      captureId: 1,
      authenticationKey: undefined,
    },
    createLog({ level: 'silent', role: 'edge', edge: 'unit' }),
  );
});
const stop = (): void => {
  if (!isStopped) forwarder.stop();
  isStopped = true;
};
afterEach(() => {
  stop();
  collector.close();
});

const text = (user: string): string =>
  `INVITE sip:${user}@b SIP/2.0\r\nAuthorization: Digest username="a", response="5ec4e7"\r\n\r\n`;
const message = (callId: string, user: string, fields: Partial<PacketFields> = {}): void => {
  const packet = decodeHep(hepPacket({ payload: text(user), ...fields }))!;
  forwarder.message(callId, packet, packet.payload);
};
/** The socket is connected once it has sent something. */
const isConnected = () =>
  until(
    () => {
      forwarder.correlate('probe', 'probe');
      message('probe', 'probe');
      return forwarder.counters.sent > 0;
    },
    10_000,
    'the connection',
  );
const users = (): [string | undefined, string | undefined][] =>
  received
    .map(({ payload, correlationId }): [string | undefined, string | undefined] => [
      /sip:(\w+)@/.exec(payload.toString())?.[1],
      correlationId,
    ])
    .filter(([user]) => user !== 'probe');

it('sends the messages of a call with its id, also those from before it was known, without secrets', async () => {
  await isConnected();
  message('a', 'first', { ipProtocol: 22 });
  message('b', 'stranger');
  message('a', 'second', { ipProtocol: 17 });
  forwarder.correlate('a', 'call-1');
  message('a', 'third', { ipProtocol: 6 });
  await until(() => users().length >= 3, 10_000, 'three messages');
  expect(users()).toEqual([
    ['first', 'call-1'],
    ['second', 'call-1'],
    ['third', 'call-1'],
  ]);
  expect(received.slice(-3).map(({ ipProtocol }) => ipProtocol)).toEqual([6, 17, 6]);
  expect(received.at(-1)).toMatchObject({
    sourceAddress: '192.0.2.1',
    sourcePort: 5060,
    destinationAddress: '192.0.2.2',
    destinationPort: 5061,
    at: 1_700_000_000_123_456,
  });
  for (const { payload } of received) expect(payload.toString()).not.toContain('5ec4e7');
});

it('sends a message that belongs to no call with its Call-ID, after a second', async () => {
  await isConnected();
  message('b', 'stranger');
  await until(() => users().length > 0, 10_000, 'the message');
  expect(users()).toEqual([['stranger', 'b']]);
  expect(received.length).toBe(forwarder.counters.sent);
});

it('holds at most 2,000 messages, and lets the oldest go first', async () => {
  await isConnected();
  for (let count = 0; count < 2_000; count++) message(`held-${count}`, `held${count}`);
  expect(users()).toEqual([]);
  const before = forwarder.counters.sent;
  message('late', 'late');
  expect(forwarder.counters.sent).toBe(before + 1);
  await until(() => users().length > 0, 10_000, 'the oldest message');
  expect(users()[0]).toEqual(['held0', 'held-0']);
});

it('sends what it still holds when it stops, and counts what no collector can take', async () => {
  message('a', 'early');
  forwarder.correlate('a', 'call-1');
  expect(forwarder.counters).toEqual({ sent: 0, dropped: 1 });
  await isConnected();
  message('b', 'held');
  const { sent, dropped } = forwarder.counters;
  const packet = decodeHep(hepPacket({ payload: text('long') }))!;
  forwarder.message('a', packet, Buffer.alloc(66_000, 'x'));
  expect(forwarder.counters).toEqual({ sent, dropped: dropped + 1 });
  stop();
  expect(forwarder.counters).toEqual({ sent: sent + 1, dropped: dropped + 1 });
});
