import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { encode, type G711, samplesPerPacket } from '../../../src/rtp/g711.js';
import { writePacket } from '../../../src/rtp/packet.js';
import { pause } from '../../../src/testkit/waiting.js';

const packetMilliseconds = 20;
const payloadTypes: Readonly<Record<G711, number>> = { PCMU: 0, PCMA: 8 };

export interface Packets {
  readonly count: number;
  readonly codec?: G711;
  /** Of a sine; absent: silence. */
  readonly hertz?: number;
  /** Of the sine, of at most 32,767. */
  readonly amplitude?: number;
  /** At 8,000 Hz, in place of the sine; at least as many as the packets hold. */
  readonly spoken?: Int16Array;
  /** By index: those that a network loses, with their sequence numbers and timestamps. */
  readonly isLost?: (index: number) => boolean;
  readonly port: number;
}

/** An end of a call with one UDP socket on loopback. */
export class RtpParty {
  readonly heard: Buffer[] = [];
  /** Called with each packet. */
  onPacket: (packet: Buffer) => void = () => {};
  private sequence = 1;
  private isClosed = false;

  private constructor(
    private readonly socket: Socket,
    private readonly source: number,
  ) {
    socket.on('message', (packet) => {
      this.heard.push(packet);
      this.onPacket(packet);
    });
  }

  static async open(source = 1, address = '127.0.0.1'): Promise<RtpParty> {
    const socket = createSocket('udp4');
    socket.bind(0, address);
    await once(socket, 'listening');
    return new RtpParty(socket, source);
  }

  get port(): number {
    return this.socket.address().port;
  }

  send(packet: Buffer, port: number): void {
    if (!this.isClosed) this.socket.send(packet, port, '127.0.0.1');
  }

  /** A packet every 20 ms; resolves when the last is sent. */
  async talk(packets: Packets): Promise<void> {
    const { count, codec = 'PCMU', hertz, amplitude = 8_000, spoken, isLost, port } = packets;
    const began = performance.now();
    for (let index = 0; index < count; index++) {
      const sequence = this.sequence++;
      if (isLost?.(index) !== true) {
        const sine = (at: number): number =>
          hertz === undefined
            ? 0
            : amplitude * Math.sin((2 * Math.PI * hertz * (sequence * samplesPerPacket + at)) / 8_000);
        const samples =
          spoken?.subarray(index * samplesPerPacket, (index + 1) * samplesPerPacket) ??
          Int16Array.from({ length: samplesPerPacket }, (_, at) => sine(at));
        const packet = writePacket({
          payloadType: payloadTypes[codec],
          isMarked: false,
          source: this.source,
          sequence,
          timestamp: sequence * samplesPerPacket,
          payload: encode(codec, samples),
        });
        this.send(packet, port);
      }
      const ahead = began + (index + 1) * packetMilliseconds - performance.now();
      if (ahead > 0) await pause(ahead);
    }
  }

  close(): void {
    this.isClosed = true;
    this.socket.close();
  }
}
