import type { OnReadOpts } from 'node:net';
import { Duplex } from 'node:stream';
import { WholeMessages } from './whole-messages.js';

/** All sockets of Node.js read into it: what it has is used before the next one reads. */
const input = Buffer.allocUnsafeSlow(65_536);

/** @param received octets are valid until it returns */
export type Received = (octets: Buffer) => void;

/** For a socket of Node.js. */
export const readingOptions = (received: Received): OnReadOpts => ({
  buffer: input,
  callback: (length) => {
    received(input.subarray(0, length));
    return true;
  },
});

/** A TCP or TLS connection: a socket of Node.js or a native one. */
export interface Carrier {
  readonly writableLength: number;
  readonly readableEnded: boolean;
  /** @param octets remain as they are while they wait */
  write(octets: Buffer): unknown;
  pause(): unknown;
  resume(): unknown;
  setTimeout(milliseconds: number): unknown;
  setNoDelay(isOn?: boolean): unknown;
  end(ended: () => void): unknown;
  destroy(): unknown;
  on(event: 'timeout' | 'end' | 'close', listener: () => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
}

const endOfHeader = '\r\n\r\n';

/**
 * The connection beneath a WebSocket of the library, which takes whole messages out before they come there: passing them through two
 * streams costs a tenth of a call.
 */
export class TappedSocket extends Duplex {
  private readonly socket: Carrier;
  private messages: WholeMessages | undefined;
  /** What the server has sent before the WebSocket was open. */
  private answer: Buffer | undefined = Buffer.alloc(0);
  private isResting = false;

  /** @param connect opens a connection whose octets `received` takes */
  constructor(connect: (received: Received) => Carrier) {
    super({ allowHalfOpen: false });
    this.socket = connect((octets) => this.received(octets))
      .on('timeout', () => this.emit('timeout'))
      .on('end', () => this.push(null))
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.endOnceRead());
  }

  /** Octets that the peer has not taken. */
  get waiting(): number {
    return this.socket.writableLength;
  }

  /**
   * The WebSocket is open: from here on `message` gets whole messages. The library keeps all of a server whose first octets came with
   * its answer to the handshake.
   */
  tap(message: (data: Buffer, isBinary: boolean) => void): void {
    const { answer } = this;
    this.answer = undefined;
    if (answer?.indexOf(endOfHeader) !== answer!.length - endOfHeader.length) return;
    this.messages = new WholeMessages({
      mayTake: () => this.readableFlowing === true && this.readableLength === 0,
      message,
      octets: (octets) => this.pass(octets),
    });
  }

  /** A whole frame, which may stand between those of the library: they are written whole, too. */
  writeFrame(frame: Buffer): void {
    this.socket.write(frame);
  }

  /** Reads nothing for a while. */
  rest(milliseconds: number): void {
    if (this.isResting) return;
    this.isResting = true;
    this.socket.pause();
    setTimeout(() => {
      this.isResting = false;
      this.socket.resume();
    }, milliseconds);
  }

  // ---- of sockets, for the library

  setTimeout(milliseconds: number): this {
    this.socket.setTimeout(milliseconds);
    return this;
  }

  setNoDelay(isOn?: boolean): this {
    this.socket.setNoDelay(isOn);
    return this;
  }

  // ---- of streams

  override _read(): void {
    if (!this.isResting) this.socket.resume();
  }

  override _write(octets: Buffer, _encoding: string, callback: () => void): void {
    // The library writes a frame in two pieces, which stay together when neither waits here.
    this.socket.write(octets);
    callback();
  }

  override _final(callback: () => void): void {
    this.socket.end(() => callback());
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.socket.destroy();
    callback(error);
  }

  private received(octets: Buffer): void {
    if (this.messages !== undefined) {
      this.messages.read(octets);
      return;
    }
    if (this.answer !== undefined) this.answer = Buffer.concat([this.answer, octets]);
    this.pass(octets);
  }

  /** What came before a regular end is still read: it may be why the server has closed. */
  private endOnceRead(): void {
    if (this.socket.readableEnded && !this.readableEnded) this.once('end', () => this.destroy());
    else this.destroy();
  }

  private pass(octets: Buffer): void {
    if (!this.destroyed && !this.push(Buffer.from(octets))) this.socket.pause();
  }
}
