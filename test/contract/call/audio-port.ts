import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { until } from '../../../src/testkit/waiting.js';

const frameMilliseconds = 20;
const frameOctets = 160;

/** A UDP port of a scripted party: sends PCMU packets, and counts what arrives. */
export class AudioPort {
  private count = 0;
  private sequence = 0;
  private pacer: NodeJS.Timeout | undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('message', () => {
      this.count += 1;
    });
  }

  static async open(): Promise<AudioPort> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new AudioPort(socket);
  }

  get port(): number {
    return this.socket.address().port;
  }

  speakTo(port: number): void {
    this.pacer = setInterval(() => {
      const packet = Buffer.alloc(12 + frameOctets, 0xff);
      packet.writeUInt16BE(0x80_00, 0);
      packet.writeUInt16BE(this.sequence & 0xff_ff, 2);
      packet.writeUInt32BE(this.sequence * frameOctets, 4);
      packet.writeUInt32BE(0x1234_5678, 8);
      this.sequence += 1;
      this.socket.send(packet, port, '127.0.0.1');
    }, frameMilliseconds);
  }

  /** Waits for some packets from now on. */
  heard(): Promise<void> {
    const before = this.count;
    return until(() => this.count > before + 5, 5_000, 'audio arrives');
  }

  close(): void {
    clearInterval(this.pacer);
    this.socket.close();
  }
}
