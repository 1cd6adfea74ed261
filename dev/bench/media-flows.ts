import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPacket, writePacket } from '../../src/rtp/packet.js';
import { SrtpContext } from '../../src/rtp/srtp.js';

const packetMilliseconds = 20;
/** Flows are spread over the 20 ms, so that no two ticks have the same ones. */
const ticks = 4;
const receiveBuffer = 8 * 1024 * 1024;

/** What one side of all calls sends, and what it receives. */
export interface FlowCodec {
  readonly payloadType: number;
  /** Of 20 ms. */
  readonly clockStep: number;
  /** Repeated while the flow lasts. */
  readonly frames: readonly Buffer[];
}

/** One direction of a call. */
export interface Flow {
  /** Of rtpengine. */
  readonly port: number;
  /** Of SRTP: for what is sent, and for what comes back; undefined: plain RTP. */
  readonly keys?: { readonly sent: Buffer; readonly received: Buffer } | undefined;
}

interface Running {
  readonly port: number;
  readonly open: SrtpContext | undefined;
  readonly index: number;
  /** Written before the flow begins, so that encrypting them delays nothing. */
  readonly packets: readonly Buffer[];
  /** When each packet was sent, monotonic milliseconds. */
  readonly sentAt: number[];
  received: number;
}

export interface FlowFigures {
  readonly sent: number;
  readonly received: number;
  /** Packets whose keys were wrong. */
  readonly bad: number;
}

/** One side of many calls on one socket: rtpengine has a port for each, which distinguishes them. */
export class MediaSide {
  readonly delays: number[] = [];
  private flows: Running[] = [];
  private byPort = new Map<number, Running>();
  private farSide: MediaSide | undefined;
  private bad = 0;
  private isMeasuring = false;
  private rounds = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly codec: FlowCodec,
  ) {
    socket.on('message', (packet, { port }) => this.take(packet, port));
  }

  static async open(codec: FlowCodec): Promise<MediaSide> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: receiveBuffer });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new MediaSide(socket, codec);
  }

  get port(): number {
    return this.socket.address().port;
  }

  /** @param farSide the other side of the same calls, in the same order */
  join(flows: readonly Flow[], farSide: MediaSide, seconds: number): void {
    this.farSide = farSide;
    this.rounds = (seconds * 1_000) / packetMilliseconds;
    this.flows = flows.map(({ port, keys }, index) => ({
      port,
      open: keys === undefined ? undefined : new SrtpContext(keys.received),
      index,
      packets: this.packetsOf(index, index / flows.length, keys?.sent),
      sentAt: [],
      received: 0,
    }));
    this.byPort = new Map(this.flows.map((flow) => [flow.port, flow]));
  }

  /** Sends to all calls, as long as they were joined for. Resolves at the end. */
  async talk(): Promise<void> {
    const began = performance.now();
    for (let tick = 0; tick < this.rounds * ticks; tick++) {
      const ahead = began + (tick * packetMilliseconds) / ticks - performance.now();
      if (ahead > 0) await sleep(ahead);
      for (let index = tick % ticks; index < this.flows.length; index += ticks) this.send(this.flows[index]!);
    }
  }

  /** What comes from now on counts. */
  measure(): void {
    this.isMeasuring = true;
  }

  get figures(): FlowFigures {
    const sum = (of: (flow: Running) => number): number =>
      this.flows.reduce((total, flow) => total + of(flow), 0);
    return {
      sent: sum(({ sentAt }) => sentAt.length),
      received: sum(({ received }) => received),
      bad: this.bad,
    };
  }

  close(): void {
    this.socket.close();
  }

  /** @param offset share of the frames, since calls do not speak in chorus */
  private packetsOf(index: number, offset: number, key: Buffer | undefined): Buffer[] {
    const { payloadType, clockStep, frames } = this.codec;
    const keys = key === undefined ? undefined : new SrtpContext(key);
    const first = Math.floor(offset * frames.length);
    return Array.from({ length: this.rounds }, (_, count) => {
      const packet = writePacket({
        payloadType,
        isMarked: count === 0,
        source: index + 1,
        sequence: (count + 1) & 0xffff,
        timestamp: (count + 1) * clockStep,
        payload: frames[(first + count) % frames.length]!,
      });
      return keys?.protect(packet) ?? packet;
    });
  }

  private send(flow: Running): void {
    const packet = flow.packets[flow.sentAt.length];
    if (packet === undefined) return;
    flow.sentAt.push(performance.now());
    this.socket.send(packet, flow.port, '127.0.0.1');
  }

  private take(packet: Buffer, port: number): void {
    const now = performance.now();
    const flow = this.byPort.get(port);
    if (flow === undefined) return;
    flow.received++;
    // One of sixteen is decrypted: all of them would be most of the generator's work.
    if (flow.open !== undefined && flow.received % 16 === 1 && flow.open.unprotect(packet) === undefined)
      this.bad++;
    if (!this.isMeasuring) return;
    const timestamp = readPacket(packet)?.timestamp ?? 0;
    const { flows, codec } = this.farSide!;
    // rtpengine keeps the first timestamp, and counts on from it at the rate of the codec.
    const index = (timestamp - codec.clockStep) / this.codec.clockStep;
    const sentAt = flows[flow.index]!.sentAt[index];
    if (sentAt !== undefined) this.delays.push(now - sentAt);
  }
}
