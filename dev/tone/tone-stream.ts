import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { decode, encode, packetMilliseconds, sampleRate, samplesPerPacket } from '../../src/rtp/g711.js';
import { firstSequence, rtpHeaderLength, writePacket } from '../../src/rtp/packet.js';
import { SrtpContext } from '../../src/rtp/srtp.js';
import { toneShare } from '../../src/rtp/tone-code.js';

const amplitude = 8_000;
const dominantShare = 0.6;
const portAttempts = 50;
/** Milliseconds after which a stream that was heard until then has ended. */
const silence = 500;
/** RFC 3551 §6. */
const pcmu = 0;

export interface FarEnd {
  readonly host: string;
  readonly port: number;
  /** Absent: plain RTP. */
  readonly key?: string | undefined;
}

/** Sends a tone in PCMU, and notes when the same tone comes back. */
export class ToneStream {
  /** Monotonic milliseconds of the packets in which the tone was heard. */
  readonly heardAt: number[] = [];
  /** Their RTP timestamps. */
  private readonly stamps: number[] = [];
  /** Packets that were not authentic, and telephone events (RFC 4733). */
  readonly counts = { invalid: 0, events: 0 };
  /** Of the events heard, in their order, each once. */
  readonly digits: number[] = [];
  isSending = true;
  private readonly payload: Buffer;
  private readonly source = randomBytes(4).readUInt32BE(0);
  private sequence: number;
  private timestamp = randomBytes(4).readUInt32BE(0);
  private farEnd: FarEnd | undefined;
  private sealing: SrtpContext | undefined;
  private opening: SrtpContext | undefined;
  private lastEvent: number | undefined;

  private constructor(
    private readonly socket: Socket,
    /** A multiple of 50: 20 ms of it are whole periods. */
    readonly hertz: number,
    firstSequence: number,
  ) {
    this.sequence = firstSequence;
    this.payload = tonePayload(hertz);
    socket.on('message', (packet) => this.receive(packet));
    socket.on('error', () => {});
    ticker.add(this);
  }

  static async open(host: string, hertz: number, sequence = firstSequence()) {
    for (let attempt = 0; attempt < portAttempts; attempt++) {
      const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
      socket.bind(0, host);
      await once(socket, 'listening');
      if (socket.address().port % 2 === 0) return new ToneStream(socket, hertz, sequence);
      socket.close();
    }
    throw new Error(`No even port is free on ${host}.`);
  }

  get port(): number {
    return this.socket.address().port;
  }

  /** Where to send from now on, and the keys of both directions. */
  agree(farEnd: FarEnd, ownKey?: string): void {
    if (farEnd.key !== this.farEnd?.key)
      this.opening = farEnd.key === undefined ? undefined : contextOf(farEnd.key);
    this.farEnd = farEnd;
    if (ownKey !== undefined) this.sealing ??= contextOf(ownKey);
  }

  /**
   * Longest piece of the tone that is missing between two moments (monotonic milliseconds), by the timestamps of the packets: what is
   * late because this machine is busy is not missing.
   */
  longestGap(from: number, until: number): number {
    let gap = 0;
    for (let index = 1; index < this.heardAt.length; index++) {
      const at = this.heardAt[index]!;
      if (at < from || at > until) continue;
      const ahead = (this.stamps[index]! - this.stamps[index - 1]! + 2 ** 32) % 2 ** 32;
      // A restarted stream jumps to any timestamp.
      gap = Math.max(gap, Math.min(ahead / (sampleRate / 1_000), at - this.heardAt[index - 1]!));
    }
    const last = this.heardAt.at(-1) ?? from;
    return Math.max(0, Math.max(gap, until - last > silence ? until - last : 0) - packetMilliseconds);
  }

  send(): void {
    const { farEnd } = this;
    this.sequence = (this.sequence + 1) % 65_536;
    this.timestamp = (this.timestamp + samplesPerPacket) % 2 ** 32;
    if (farEnd === undefined || !this.isSending) return;
    const { sequence, timestamp, source, payload } = this;
    const packet = writePacket({ payloadType: pcmu, isMarked: false, sequence, timestamp, source, payload });
    this.socket.send(this.sealing?.protect(packet) ?? packet, farEnd.port, farEnd.host, () => {});
  }

  close(): void {
    ticker.remove(this);
    this.socket.close();
  }

  private receive(datagram: Buffer): void {
    const packet = this.opening === undefined ? datagram : this.opening.unprotect(datagram);
    if (packet === undefined || packet.length <= rtpHeaderLength) {
      this.counts.invalid++;
      return;
    }
    const type = packet[1]! & 0x7f;
    if (type !== pcmu) {
      if (packet.length !== 16) return;
      this.counts.events++;
      const at = packet.readUInt32BE(4);
      if (at !== this.lastEvent) this.digits.push(packet[12]!);
      this.lastEvent = at;
      return;
    }
    const samples = decode('PCMU', packet.subarray(rtpHeaderLength));
    if (toneShare(samples, sampleRate, this.hertz) < dominantShare) return;
    this.heardAt.push(performance.now());
    this.stamps.push(packet.readUInt32BE(4));
  }
}

const contextOf = (inline: string): SrtpContext => new SrtpContext(Buffer.from(inline, 'base64'));

function tonePayload(hertz: number): Buffer {
  const sine = Int16Array.from({ length: samplesPerPacket }, (_, at) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hertz * at) / sampleRate)),
  );
  return encode('PCMU', sine);
}

/** One timer for all streams; a late tick sends what it owes. */
const ticker = new (class {
  private readonly streams = new Set<ToneStream>();
  private timer: NodeJS.Timeout | undefined;
  private due = 0;

  add(stream: ToneStream): void {
    this.streams.add(stream);
    if (this.timer !== undefined) return;
    this.due = performance.now();
    this.timer = setInterval(() => this.tick(), packetMilliseconds / 2);
  }

  remove(stream: ToneStream): void {
    this.streams.delete(stream);
    if (this.streams.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private tick(): void {
    const now = performance.now();
    for (; this.due <= now; this.due += packetMilliseconds) for (const stream of this.streams) stream.send();
  }
})();
