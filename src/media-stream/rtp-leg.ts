import { randomBytes } from 'node:crypto';
import { samplesPerPacket } from '../rtp/g711.js';
import { firstSequence, headerLengthOf, rtpHeaderLength } from '../rtp/packet.js';
import { RtcpSession } from '../rtp/rtcp-session.js';
import type { AgreedAudio } from './audio-description.js';
import type { RtpSocket, RtpSockets } from './rtp-sockets/rtp-sockets.js';

/** Where a stream of packets stands, so that a successor's packets follow it (RFC 3550 §5.1). */
export interface StreamPosition {
  readonly source: number;
  readonly sequence: number;
  readonly timestamp: number;
}

export interface RtpListener {
  /** @param at monotonic milliseconds of its arrival */
  voice(sequence: number, timestamp: number, source: number, payload: Uint8Array, at: number): void;
  event(timestamp: number, payload: Buffer): void;
}

const version = 0x80;
const markerBit = 0x80;

/** The RTP side of one call, towards rtpengine: one packet of 20 ms after another, and what comes from there. */
export class RtpLeg {
  /** Header and one frame; the payload is written in place. */
  private readonly packet = Buffer.allocUnsafeSlow(rtpHeaderLength + samplesPerPacket);
  /** The 160 octets that `sendFrame` sends. */
  readonly frame = this.packet.subarray(rtpHeaderLength);
  private sequence: number;
  private timestamp: number;
  private readonly source: number;
  private agreed: AgreedAudio | undefined;
  /** `address:port` that the sockets are connected to. */
  private connected = '';
  private isReady = false;
  private isMarked = true;
  private readonly reports: RtcpSession;

  private constructor(
    private readonly rtp: RtpSocket,
    private readonly rtcp: RtpSocket,
    private readonly listener: RtpListener,
    position: StreamPosition | undefined,
  ) {
    this.source = position?.source ?? randomBytes(4).readUInt32BE(0);
    this.sequence = position?.sequence ?? firstSequence();
    this.timestamp = position?.timestamp ?? randomBytes(4).readUInt32BE(0);
    this.packet[0] = version;
    this.packet.writeUInt32BE(this.source, 8);
    this.reports = new RtcpSession({ source: this.source, send: (compound) => rtcp.send(compound) });
    rtp.listener = (packet, at) => this.received(packet, at);
    rtcp.listener = (compound, at) => this.reports.receivedReport(compound, at);
  }

  /**
   * Binds a pair of ports; rejects when there is none.
   * @param continued of a process before this one
   */
  static async open(
    sockets: RtpSockets,
    address: string,
    listener: RtpListener,
    continued?: { readonly port: number; readonly position: StreamPosition },
  ): Promise<RtpLeg> {
    const { rtp, rtcp } = await sockets.open(address, continued?.port);
    return new RtpLeg(rtp, rtcp, listener, continued?.position);
  }

  get port(): number {
    return this.rtp.port;
  }

  get position(): StreamPosition {
    const { source, sequence, timestamp } = this;
    return { source, sequence, timestamp };
  }

  /** Applies what was negotiated. The sockets take packets of that address alone. */
  agree(agreed: AgreedAudio): void {
    this.agreed = agreed;
    const { remote } = agreed;
    if (remote === undefined) return;
    const at = `${remote.address} ${remote.port} ${remote.rtcp.address} ${remote.rtcp.port}`;
    if (at === this.connected) return;
    this.connected = at;
    this.isReady = false;
    this.rtp.connect(remote.port, remote.address, () => {
      this.isReady = true;
      this.reports.start();
    });
    this.rtcp.connect(remote.rtcp.port, remote.rtcp.address);
  }

  get maySend(): boolean {
    const { agreed } = this;
    return (
      this.isReady &&
      agreed?.remote !== undefined &&
      (agreed.direction === 'sendrecv' || agreed.direction === 'sendonly')
    );
  }

  /** Sends `frame`, and moves on by 20 ms. @param now monotonic milliseconds */
  sendFrame(now: number): void {
    const { agreed } = this;
    this.sequence = (this.sequence + 1) & 0xffff;
    this.timestamp = (this.timestamp + samplesPerPacket) >>> 0;
    if (agreed === undefined || !this.maySend) {
      this.isMarked = true;
      return;
    }
    const { packet } = this;
    packet[1] = agreed.payloadType | (this.isMarked ? markerBit : 0);
    packet.writeUInt16BE(this.sequence, 2);
    packet.writeUInt32BE(this.timestamp, 4);
    this.isMarked = false;
    this.reports.sent(packet, now);
    this.rtp.send(packet);
  }

  /** Time in which nothing was sent (RFC 3550 §5.1). */
  skip(frames: number): void {
    this.timestamp = (this.timestamp + frames * samplesPerPacket) >>> 0;
    this.isMarked = true;
  }

  /**
   * A packet of a telephone event (RFC 4733 §2.2) in place of a frame. All of one event carry the timestamp of its start.
   * @param offset samples since the start of the event
   */
  sendEvent(payload: Uint8Array, isMarked: boolean, offset: number): void {
    const { agreed } = this;
    this.sequence = (this.sequence + 1) & 0xffff;
    this.timestamp = (this.timestamp + samplesPerPacket) >>> 0;
    this.isMarked = true;
    if (agreed?.eventPayloadType === undefined || !this.maySend) return;
    const packet = Buffer.allocUnsafe(rtpHeaderLength + payload.length);
    packet[0] = version;
    packet[1] = agreed.eventPayloadType | (isMarked ? markerBit : 0);
    packet.writeUInt16BE(this.sequence, 2);
    packet.writeUInt32BE((this.timestamp - offset) >>> 0, 4);
    packet.writeUInt32BE(this.source, 8);
    packet.set(payload, rtpHeaderLength);
    this.reports.sent(packet);
    this.rtp.send(packet);
  }

  close(): void {
    this.isReady = false;
    this.rtp.close();
    this.reports.leave();
    this.rtcp.close();
  }

  private received(packet: Buffer, at: number): void {
    const start = headerLengthOf(packet);
    const { agreed } = this;
    if (start === undefined || agreed === undefined) return;
    this.reports.received(packet, at);
    const payloadType = packet[1]! & 0x7f;
    const padding = (packet[0]! & 0x20) === 0 ? 0 : packet[packet.length - 1]!;
    if (start + padding > packet.length) return;
    const payload = packet.subarray(start, packet.length - padding);
    const timestamp = packet.readUInt32BE(4);
    if (payloadType === agreed.payloadType)
      this.listener.voice(packet.readUInt16BE(2), timestamp, packet.readUInt32BE(8), payload, at);
    else if (payloadType === agreed.eventPayloadType) this.listener.event(timestamp, payload);
  }
}
