import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:dgram';
import type { AgreedAudio } from '../../src/media-stream/audio-description.js';
import { afterArrived } from '../../src/rtp/after-arrived.js';
import { encode, packetMilliseconds, samplesPerPacket } from '../../src/rtp/g711.js';
import {
  firstSequence,
  headerLengthOf,
  readPacket,
  rtpHeaderLength,
  writePacket,
} from '../../src/rtp/packet.js';
import { RtcpSession } from '../../src/rtp/rtcp-session.js';
import { openSocketPair } from '../../src/rtp/socket-pair.js';
import { digitOf } from '../../src/rtp/telephone-event.js';
import { type Talk, Talker } from './talker.js';
import { type Tone, tonePackets } from './tones.js';

export type Audio = 'tone-then-echo' | 'tone' | 'silence' | Talk;

export interface RtpCounts {
  readonly received: number;
  readonly sent: number;
  readonly echoed: number;
}

/** Offsets added to the peer's sequence numbers and timestamps, so that the echo continues the agent's own stream (RFC 3550 §5.1). */
interface EchoOffsets {
  readonly source: number;
  readonly sequence: number;
  readonly timestamp: number;
}

/**
 * The agent's plain RTP socket pair: an even port and the next one for RTCP. Plays the tone, then echoes each voice and
 * telephone-event packet under its own SSRC, preserving losses and marker bits. Sends RTCP reports until it is closed.
 */
export class RtpSession {
  private readonly counts = { received: 0, sent: 0, echoed: 0 };
  private datagrams = 0;
  private readonly source = randomBytes(4).readUInt32BE(0);
  private sequence = firstSequence();
  private timestamp = randomBytes(4).readUInt32BE(0);
  private agreed: AgreedAudio | undefined;
  private echo: EchoOffsets | undefined;
  private tone: NodeJS.Timeout | undefined;
  private toneEnds = 0;
  private played: Tone = 'greeting';
  private readonly answers: { readonly tone: Tone; readonly milliseconds: number }[] = [];
  /** RTP timestamp of the last digit: all packets of one carry the same (RFC 4733 §2.3.3). */
  private digitAt: number | undefined;
  private audio: Audio = 'silence';
  private talker: Talker | undefined;
  private readonly reports: RtcpSession;
  /** A digit that the peer pressed. */
  onDigit: (digit: string) => void = () => {};
  /** The agent said its last words. */
  onLastWords: () => void = () => {};

  private constructor(
    private readonly rtp: Socket,
    private readonly rtcp: Socket,
  ) {
    rtp.on('message', (packet) => this.receive(packet));
    this.reports = new RtcpSession({ source: this.source, send: (compound) => this.sendReport(compound) });
    rtcp.on('message', (compound) => this.reports.receivedReport(compound));
    for (const socket of [rtp, rtcp]) socket.on('error', () => {});
  }

  /** Binds a free pair of ports; rejects if none is free. */
  static async open(address: string): Promise<RtpSession> {
    const { rtp, rtcp } = await openSocketPair(address);
    return new RtpSession(rtp, rtcp);
  }

  get port(): number {
    return this.rtp.address().port;
  }

  get statistics(): RtpCounts {
    return { ...this.counts };
  }

  /** Applies the negotiated parameters; playback continues. */
  agree(agreed: AgreedAudio): void {
    this.agreed = agreed;
  }

  /** Starts playing once the peer can receive; `toneMilliseconds` limits the tone of `tone-then-echo`. */
  play(audio: Audio, toneMilliseconds: number): void {
    this.audio = audio;
    this.reports.start();
    clearTimeout(this.tone);
    this.tone = undefined;
    if (audio === 'silence') return;
    if (this.agreed === undefined || !maySend(this.agreed)) {
      this.tone = setTimeout(() => this.play(audio, toneMilliseconds), packetMilliseconds);
      return;
    }
    const start = performance.now();
    this.toneEnds = audio === 'tone-then-echo' ? start + toneMilliseconds : Number.POSITIVE_INFINITY;
    if (typeof audio === 'object')
      this.talker ??= new Talker(this.agreed.codec, audio, start, () => this.onLastWords());
    this.playOn(start, 0);
  }

  /** Plays a tone in place of the echo, after those that are still playing; without effect if the call has no echo. */
  answer(tone: Tone, milliseconds: number): void {
    if (this.audio !== 'tone-then-echo') return;
    if (this.tone !== undefined) {
      this.answers.push({ tone, milliseconds });
      return;
    }
    this.played = tone;
    // The echo continues after what was sent meanwhile.
    this.echo = undefined;
    const start = performance.now();
    this.toneEnds = start + milliseconds;
    this.playOn(start, 0);
  }

  close(): void {
    clearTimeout(this.tone);
    this.tone = undefined;
    this.rtp.close();
    this.reports.leave();
    // A datagram is sent only after this turn of the event loop.
    setImmediate(() => this.rtcp.close());
  }

  /**
   * Sends all packets that are due, then schedules itself again: a plain interval would drift. After a stall of the process, packets that
   * arrived meanwhile are read first: without them the talker would take the caller for silent.
   */
  private playOn(start: number, from: number, readUntil = start): void {
    const now = performance.now();
    this.talker?.advance(readUntil);
    let index = from;
    while (start + index * packetMilliseconds <= now) {
      if (start + index * packetMilliseconds >= this.toneEnds) {
        this.tone = undefined;
        const next = this.answers.shift();
        if (next !== undefined) this.answer(next.tone, next.milliseconds);
        return;
      }
      this.sendTone(index);
      index++;
    }
    const wait = start + index * packetMilliseconds - now;
    const next = setTimeout(() => {
      afterArrived(
        () => this.datagrams,
        (readUntil) => {
          if (this.tone === next) this.playOn(start, index, readUntil);
        },
      );
    }, wait);
    this.tone = next;
  }

  private sendTone(index: number): void {
    const { agreed } = this;
    this.sequence = (this.sequence + 1) & 0xffff;
    this.timestamp = (this.timestamp + samplesPerPacket) >>> 0;
    const spoken = this.talker?.frame(index * packetMilliseconds);
    if (agreed === undefined || !maySend(agreed)) return;
    const packets = tonePackets[this.played][agreed.codec];
    const payload = spoken === undefined ? packets[index % packets.length]! : encode(agreed.codec, spoken);
    const { payloadType } = agreed;
    const { sequence, timestamp, source } = this;
    this.send(
      writePacket({ payloadType, isMarked: index === 0, sequence, timestamp, source, payload }),
      agreed,
    );
  }

  private receive(packet: Buffer): void {
    this.datagrams++;
    if (headerLengthOf(packet) === undefined) return;
    this.counts.received++;
    this.reports.received(packet);
    const { agreed } = this;
    if (agreed === undefined) return;
    const payloadType = packet[1]! & 0x7f;
    const isEvent = payloadType === agreed.eventPayloadType;
    if (isEvent) this.event(packet);
    else if (this.talker !== undefined && payloadType === agreed.payloadType) {
      const read = readPacket(packet);
      if (read !== undefined) this.talker.packet(read);
    }
    if (this.audio !== 'tone-then-echo' || this.tone !== undefined) return;
    if (!maySend(agreed) || (payloadType !== agreed.payloadType && !isEvent)) return;
    const source = packet.readUInt32BE(8);
    const sequence = packet.readUInt16BE(2);
    const timestamp = packet.readUInt32BE(4);
    if (this.echo === undefined || this.echo.source !== source) {
      this.echo = {
        source,
        sequence: this.sequence + 1 - sequence,
        timestamp: this.timestamp + samplesPerPacket - timestamp,
      };
    }
    this.sequence = (sequence + this.echo.sequence) & 0xffff;
    this.timestamp = (timestamp + this.echo.timestamp) >>> 0;
    packet.writeUInt16BE(this.sequence, 2);
    packet.writeUInt32BE(this.timestamp, 4);
    packet.writeUInt32BE(this.source, 8);
    this.counts.echoed++;
    this.send(packet, agreed);
  }

  private event(packet: Buffer): void {
    const timestamp = packet.readUInt32BE(4);
    if (timestamp === this.digitAt) return;
    this.digitAt = timestamp;
    const digit = digitOf(packet.subarray(rtpHeaderLength));
    if (digit !== undefined) this.onDigit(digit);
  }

  private send(packet: Buffer, { remote }: AgreedAudio): void {
    if (remote === undefined) return;
    this.counts.sent++;
    this.reports.sent(packet);
    this.rtp.send(packet, remote.port, remote.address);
  }

  private sendReport(compound: Buffer): void {
    const remote = this.agreed?.remote;
    if (remote !== undefined) this.rtcp.send(compound, remote.rtcp.port, remote.rtcp.address);
  }
}

const maySend = ({ direction, remote }: AgreedAudio): boolean =>
  remote !== undefined && (direction === 'sendrecv' || direction === 'sendonly');
