import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Backoff, backoff } from '../../base/backoff.js';
import { FrameIds } from '../../base/frame-ids.js';
import { FrameReader } from './frame-reader.js';
import { FrameWriter } from './frame-writer.js';

export interface EngineAddress {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
}

interface EngineConnectionEvents {
  connect: [];
  /** A whole frame, and where its payload begins. */
  frame: [frame: Buffer, payloadStart: number];
  close: [];
  error: [error: Error];
  /** A frame was too long for a drachtio-server, and was not sent. */
  dropped: [octets: number];
}

/** The engine is on this machine or in the same network; the calls of a lost connection wait for the next one. */
const retry: Backoff = { first: 250, longest: 1_000 };

/** Frames to and from the SIP engine over TCP; connects again until it is closed. */
export class EngineConnection extends EventEmitter<EngineConnectionEvents> {
  private readonly ids = new FrameIds();
  private socket: Socket | undefined;
  private writer: FrameWriter | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private isClosed = false;

  get isOpen(): boolean {
    return this.writer !== undefined;
  }

  connect({ host, port }: Pick<EngineAddress, 'host' | 'port'>): void {
    const socket = connect({ host, port, noDelay: true, keepAlive: true });
    this.socket = socket;
    const reader = new FrameReader((frame, start) => this.emit('frame', frame, start));
    socket.on('connect', () => {
      this.failures = 0;
      this.writer = new FrameWriter(socket, (octets) => this.emit('dropped', octets));
      this.emit('connect');
    });
    socket.on('data', (chunk: Buffer) => {
      if (!reader.push(chunk))
        socket.destroy(new Error('The SIP engine sent a frame without a usable length.'));
    });
    socket.on('error', (error) => {
      if (!this.isClosed) this.emit('error', error);
    });
    socket.on('close', () => {
      const wasOpen = this.isOpen;
      this.writer = undefined;
      if (wasOpen) this.emit('close');
      if (this.isClosed) return;
      this.failures += 1;
      this.timer = setTimeout(() => this.connect({ host, port }), backoff(retry, this.failures));
    });
  }

  /** @param isEmbedded false: it is a drachtio-server, which wants each ACK at once, and short frames */
  adjust(isEmbedded: boolean): void {
    if (this.writer === undefined) return;
    this.writer.joinsAcks = isEmbedded;
    this.writer.isLimited = !isEmbedded;
  }

  /** Writes a whole frame; drops it if there is no connection. */
  write(frame: string): void {
    this.writer?.write(frame);
  }

  /** @returns the id of the frame, which the reply repeats */
  send(payload: string): string {
    const id = this.ids.next();
    const frame = `${id}|${payload}`;
    this.write(`${Buffer.byteLength(frame)}#${frame}`);
    return id;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    if (this.isOpen) this.socket?.end();
    else this.socket?.destroy();
  }
}
