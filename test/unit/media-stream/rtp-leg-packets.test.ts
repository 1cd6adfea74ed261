import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgreedAudio } from '../../../src/media-stream/audio-description.js';
import { RtpLeg } from '../../../src/media-stream/rtp-leg.js';
import type { RtpSocket } from '../../../src/media-stream/rtp-sockets/rtp-sockets.js';
import { readPacket, writePacket } from '../../../src/rtp/packet.js';

class SocketDouble {
  listener: RtpSocket['listener'] = () => {};
  readonly sent: Buffer[] = [];
  readonly connections: string[] = [];
  isClosed = false;
  private connected: () => void = () => {};

  constructor(readonly port: number) {}

  connect(port: number, address: string, done: () => void = () => {}): void {
    this.connections.push(`${address}:${port}`);
    this.connected = done;
  }

  /** The system has connected it. */
  ready(): void {
    this.connected();
  }

  send(packet: Uint8Array): void {
    this.sent.push(Buffer.from(packet));
  }

  close(): void {
    this.isClosed = true;
  }
}

const remote = (port: number): NonNullable<AgreedAudio['remote']> => ({
  address: '192.0.2.1',
  port,
  rtcp: { address: '192.0.2.1', port: port + 1 },
});
const agreed: AgreedAudio = {
  codec: 'PCMU',
  payloadType: 0,
  eventPayloadType: 101,
  remote: remote(4_000),
  direction: 'sendrecv',
};
const position = { source: 7, sequence: 99, timestamp: 16_000 };

let rtp: SocketDouble;
let rtcp: SocketDouble;
let leg: RtpLeg;
let heard: unknown[];
beforeEach(async () => {
  [rtp, rtcp] = [new SocketDouble(3_000), new SocketDouble(3_001)];
  heard = [];
  leg = await RtpLeg.open(
    { open: async () => ({ rtp, rtcp }) } as never,
    '127.0.0.1',
    {
      voice: (sequence, timestamp, source, payload) =>
        heard.push(['voice', sequence, timestamp, source, Buffer.from(payload).toString()]),
      event: (timestamp, payload) => heard.push(['event', timestamp, payload.toString()]),
    },
    { port: 3_000, position },
  );
});
afterEach(() => leg.close());

const connect = (changed: Partial<AgreedAudio> = {}): void => {
  leg.agree({ ...agreed, ...changed });
  rtp.ready();
};
const arrive = (packet: Buffer): void => rtp.listener!(packet, 0);
const sent = () =>
  rtp.sent.map((packet) => {
    const { payloadType, isMarked, sequence, timestamp } = readPacket(packet)!;
    return [payloadType, isMarked, sequence, timestamp];
  });

describe('the voice of a bot', () => {
  it('begins a talk spurt with a mark, also after silence', () => {
    connect();
    leg.sendFrame(0);
    leg.sendFrame(20);
    leg.skip(3);
    leg.sendFrame(100);
    leg.sendFrame(120);
    expect(sent()).toEqual([
      [0, true, 100, 16_160],
      [0, false, 101, 16_320],
      [0, true, 102, 16_960],
      [0, false, 103, 17_120],
    ]);
    expect(leg.position).toEqual({ source: 7, sequence: 103, timestamp: 17_120 });
  });

  it.each([
    ['nothing is agreed', () => {}],
    ['the socket is not connected yet', () => leg.agree(agreed)],
    ['the caller only speaks', () => connect({ direction: 'recvonly' })],
    ['the call is on hold', () => connect({ direction: 'inactive' })],
    ['the caller has no address', () => connect({ remote: undefined })],
  ])('is not sent while %s; its time passes all the same', (_why, prepare) => {
    prepare();
    expect(leg.maySend).toBe(false);
    leg.sendFrame(0);
    leg.sendEvent(Buffer.from('five'), true, 0);
    expect(rtp.sent).toEqual([]);
    expect(leg.position).toEqual({ source: 7, sequence: 101, timestamp: 16_320 });
    connect({ direction: 'sendonly' });
    leg.sendFrame(40);
    expect(sent()).toEqual([[0, true, 102, 16_480]]);
  });

  it('wraps sequence numbers and timestamps around', async () => {
    const last = { source: 1, sequence: 65_535, timestamp: 2 ** 32 - 160 };
    leg = await RtpLeg.open({ open: async () => ({ rtp, rtcp }) } as never, '127.0.0.1', {} as never, {
      port: 3_000,
      position: last,
    });
    connect();
    leg.sendFrame(0);
    leg.skip(2 ** 32 / 160);
    expect(leg.position).toEqual({ source: 1, sequence: 0, timestamp: expect.any(Number) });
    expect(sent()).toEqual([[0, true, 0, 0]]);
    expect(leg.position.timestamp).toBeLessThan(2 ** 32);
  });

  it('follows the caller to another address, and waits until the socket is connected to it', () => {
    connect();
    leg.agree(agreed);
    expect([leg.maySend, rtp.connections]).toEqual([true, ['192.0.2.1:4000']]);
    leg.agree({ ...agreed, remote: remote(5_000) });
    expect(leg.maySend).toBe(false);
    rtp.ready();
    expect(leg.maySend).toBe(true);
    expect([rtp.connections.at(-1), rtcp.connections.at(-1)]).toEqual(['192.0.2.1:5000', '192.0.2.1:5001']);
  });

  it('ends with its sockets', () => {
    connect();
    leg.close();
    leg.sendFrame(0);
    expect([rtp.sent, leg.maySend, rtp.isClosed, rtcp.isClosed]).toEqual([[], false, true, true]);
  });
});

describe('digits of a bot', () => {
  it('have the time of their start, and the mark of the first packet', () => {
    connect();
    leg.sendEvent(Buffer.from('0123'), true, 0);
    leg.sendEvent(Buffer.from('0123'), false, 160);
    leg.sendFrame(40);
    expect(sent()).toEqual([
      [101, true, 100, 16_160],
      [101, false, 101, 16_160],
      [0, true, 102, 16_480],
    ]);
    expect(readPacket(rtp.sent[0]!)!.payload.toString()).toBe('0123');
  });

  it('are not sent where the caller takes none; their time passes', () => {
    connect({ eventPayloadType: undefined });
    leg.sendEvent(Buffer.from('0123'), true, 0);
    expect(rtp.sent).toEqual([]);
    leg.sendFrame(20);
    expect(sent()).toEqual([[0, true, 101, 16_320]]);
  });
});

describe('packets of the caller', () => {
  const packet = (payloadType: number, payload = 'voice'): Buffer =>
    writePacket({
      payloadType,
      isMarked: false,
      source: 9,
      sequence: 5,
      timestamp: 800,
      payload: Buffer.from(payload),
    });

  it('are voice or digits by their payload type; others are dropped', () => {
    arrive(packet(0));
    expect(heard).toEqual([]);
    connect();
    arrive(packet(0));
    arrive(packet(101, '5...'));
    arrive(packet(8));
    arrive(Buffer.from('no RTP'));
    expect(heard).toEqual([
      ['voice', 5, 800, 9, 'voice'],
      ['event', 800, '5...'],
    ]);
  });

  it('with a marker are of the same payload type', () => {
    connect();
    const marked = packet(0);
    marked[1]! |= 0x80;
    arrive(marked);
    expect(heard).toHaveLength(1);
  });

  it('lose their padding, and are dropped where it is longer than they are', () => {
    connect();
    const padded = (padding: number): Buffer => {
      const whole = packet(0, `voice${'\0'.repeat(3)}`);
      whole[0]! |= 0x20;
      whole[whole.length - 1] = padding;
      return whole;
    };
    arrive(padded(3));
    arrive(padded(8));
    arrive(padded(9));
    expect(heard).toEqual([
      ['voice', 5, 800, 9, 'voice'],
      ['voice', 5, 800, 9, ''],
    ]);
  });
});
