import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgreedAudio } from '../../../src/media-stream/audio-description.js';
import { RtpLeg } from '../../../src/media-stream/rtp-leg.js';
import type { DatagramListener, RtpSocket } from '../../../src/media-stream/rtp-sockets/rtp-sockets.js';
import { readPacket, writePacket } from '../../../src/rtp/packet.js';

class SocketDouble implements RtpSocket {
  listener: DatagramListener | undefined;
  readonly sent: Buffer[] = [];
  readonly peers: string[] = [];
  private whenConnected: (() => void) | undefined;

  constructor(readonly port: number) {}

  connect(port: number, address: string, connected?: () => void): void {
    this.peers.push(`${address}:${port}`);
    this.whenConnected = connected;
  }

  connected(): void {
    this.whenConnected?.();
  }

  send(datagram: Buffer): void {
    this.sent.push(Buffer.from(datagram));
  }

  close(): void {}
}

const agreed = {
  codec: 'PCMA',
  payloadType: 8,
  eventPayloadType: 101,
  remote: { address: '192.0.2.1', port: 40_000, rtcp: { address: '192.0.2.1', port: 40_001 } },
  direction: 'sendrecv',
} as const satisfies AgreedAudio;
const position = { source: 7, sequence: 0xfffe, timestamp: 0xffff_ff60 };

let rtp: SocketDouble;
let rtcp: SocketDouble;
let leg: RtpLeg;
let heard: string[];
beforeEach(async () => {
  rtp = new SocketDouble(40_100);
  rtcp = new SocketDouble(40_101);
  heard = [];
  leg = await RtpLeg.open(
    { kind: 'dgram', open: async () => ({ rtp, rtcp }), read: () => {} },
    '127.0.0.1',
    {
      voice: (sequence, timestamp, source, payload) =>
        heard.push(`voice ${sequence} ${timestamp} ${source} ${Buffer.from(payload).toString()}`),
      event: (timestamp, payload) => heard.push(`event ${timestamp} ${payload.toString()}`),
    },
    { port: 40_100, position },
  );
});
afterEach(() => leg.close());

const agree = (fields: Partial<AgreedAudio> = {}): void => {
  leg.agree({ ...agreed, ...fields });
  rtp.connected();
};
const packets = () => rtp.sent.splice(0).map((packet) => readPacket(packet)!);

describe('what a call sends', () => {
  it('wraps sequence numbers and timestamps, and marks the first packet of a talkspurt', () => {
    agree();
    leg.sendFrame(0);
    leg.sendFrame(20);
    leg.skip(5);
    leg.sendFrame(140);
    expect(packets().map(({ sequence, timestamp, isMarked }) => [sequence, timestamp, isMarked])).toEqual([
      [0xffff, 0, true],
      [0, 160, false],
      [1, 1_120, true],
    ]);
    expect(leg.position).toEqual({ source: 7, sequence: 1, timestamp: 1_120 });
  });

  it.each([
    ['before an answer', () => {}],
    ['before the sockets are connected', () => leg.agree(agreed)],
    ['without an address of the peer', () => agree({ remote: undefined })],
    ['while it may only receive', () => agree({ direction: 'recvonly' })],
    ['while the call is held', () => agree({ direction: 'inactive' })],
  ])('is nothing %s, and its time passes', (_when, prepare) => {
    prepare();
    leg.sendFrame(0);
    leg.sendEvent(Buffer.from('even'), true, 0);
    expect(packets()).toEqual([]);
    expect(leg.position).toEqual({ source: 7, sequence: 0, timestamp: 160 });
  });

  it('marks the first packet after a pause without an answer', () => {
    leg.sendFrame(0);
    agree({ direction: 'sendonly' });
    leg.sendFrame(20);
    expect(packets().map(({ isMarked, payloadType }) => [isMarked, payloadType])).toEqual([[true, 8]]);
  });

  it('is an event with the timestamp of its start, and a marked frame after it', () => {
    agree();
    leg.sendFrame(0);
    leg.sendEvent(Buffer.from('one!'), true, 0);
    leg.sendEvent(Buffer.from('two!'), false, 160);
    leg.sendFrame(60);
    expect(
      packets().map(({ payloadType, isMarked, sequence, timestamp, source }) => [
        payloadType,
        isMarked,
        sequence,
        timestamp,
        source,
      ]),
    ).toEqual([
      [8, true, 0xffff, 0, 7],
      [101, true, 0, 160, 7],
      [101, false, 1, 160, 7],
      [8, true, 2, 480, 7],
    ]);
  });

  it('is no event to a peer without telephone-event', () => {
    agree({ eventPayloadType: undefined });
    leg.sendEvent(Buffer.from('even'), true, 0);
    expect(packets()).toEqual([]);
  });
});

describe('the sockets of a call', () => {
  it('are connected again only to another address', () => {
    agree();
    leg.agree({ ...agreed, direction: 'sendonly' });
    expect([rtp.peers, rtcp.peers]).toEqual([['192.0.2.1:40000'], ['192.0.2.1:40001']]);
    expect(leg.maySend).toBe(true);
    leg.agree({ ...agreed, remote: { ...agreed.remote, port: 40_002 } });
    expect(rtp.peers).toEqual(['192.0.2.1:40000', '192.0.2.1:40002']);
    expect(leg.maySend).toBe(false);
    rtp.connected();
    expect(leg.maySend).toBe(true);
    leg.close();
    expect(leg.maySend).toBe(false);
  });
});

describe('what a call receives', () => {
  const packet = (payloadType: number, text = 'abcd') =>
    writePacket({
      payloadType,
      isMarked: false,
      sequence: 5,
      timestamp: 800,
      source: 9,
      payload: Buffer.from(text),
    });
  const receive = (datagram: Buffer): void => rtp.listener!(datagram, 0);

  it('is voice or an event, by its payload type', () => {
    agree();
    for (const payloadType of [8, 101, 0]) receive(packet(payloadType));
    expect(heard).toEqual(['voice 5 800 9 abcd', 'event 800 abcd']);
  });

  it('is without its padding, and nothing where the padding is longer than the packet', () => {
    agree();
    const padded = packet(8, 'ab\0\u0002');
    padded[0]! |= 0x20;
    receive(padded);
    const broken = packet(8, 'abc\u0020');
    broken[0]! |= 0x20;
    receive(broken);
    expect(heard).toEqual(['voice 5 800 9 ab']);
  });

  it('is nothing before an answer, and nothing that is not RTP', () => {
    receive(packet(8));
    agree();
    receive(Buffer.from('no RTP'));
    receive(packet(8).subarray(0, 11));
    expect(heard).toEqual([]);
  });
});
