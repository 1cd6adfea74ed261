import { decodingTable, encodeMuLaw, type G711, samplesPerPacket } from '../../rtp/g711.js';
import { JitterBuffer } from '../../rtp/jitter-buffer.js';
import type { RtpPacket } from '../../rtp/packet.js';
import type { MediaSide } from '../media/rtp-statistics.js';

/** Frames of 20 ms that leave together. */
export const framesAtOnce = 5;

/** Left and right. */
const sides = ['trunk', 'agent'] as const satisfies readonly MediaSide[];

const muLawOfALaw = Uint8Array.from(decodingTable('PCMA'), encodeMuLaw);

/** The packets of both sides of a call as one even stream of two channels: G.711 μ-law, left the trunk, right the agent. */
export class StereoFrames {
  private readonly buffers: Readonly<Record<MediaSide, JitterBuffer>>;
  private readonly frame = new Uint8Array(samplesPerPacket);
  private pending = Buffer.alloc(framesAtOnce * samplesPerPacket * sides.length);
  private frames = 0;

  constructor(private readonly codecs: Readonly<Record<MediaSide, G711>>) {
    this.buffers = { trunk: new JitterBuffer(codecs.trunk), agent: new JitterBuffer(codecs.agent) };
  }

  /** @param at monotonic milliseconds of the arrival */
  put(side: MediaSide, { sequence, timestamp, source, payload }: RtpPacket, at: number): void {
    this.buffers[side].put(sequence, timestamp, source, payload, at);
  }

  /** Takes the next 20 ms. Returns the octets of the last `framesAtOnce` frames when they are complete. */
  take(now: number): Buffer | undefined {
    const start = this.frames * samplesPerPacket * sides.length;
    for (const [channel, side] of sides.entries()) {
      const buffer = this.buffers[side];
      if (buffer.catchesUp()) buffer.take(this.frame, now);
      buffer.take(this.frame, now);
      this.write(start + channel, side);
    }
    this.frames++;
    if (this.frames < framesAtOnce) return undefined;
    const complete = this.pending;
    this.pending = Buffer.alloc(complete.length);
    this.frames = 0;
    return complete;
  }

  private write(start: number, side: MediaSide): void {
    const isALaw = this.codecs[side] === 'PCMA';
    for (let index = 0; index < samplesPerPacket; index++) {
      const octet = this.frame[index]!;
      this.pending[start + index * sides.length] = isALaw ? muLawOfALaw[octet]! : octet;
    }
  }
}

/** As `StereoFrames` returns them, of a call whose audio is not copied at the moment. */
export const silentFrames = (): Buffer =>
  Buffer.alloc(framesAtOnce * samplesPerPacket * sides.length, encodeMuLaw(0));
