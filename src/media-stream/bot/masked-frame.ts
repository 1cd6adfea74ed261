import { randomFillSync } from 'node:crypto';

/**
 * Frames of audio for a server (RFC 6455 §5.2), each in one buffer and so in one write: the library makes two of each, and joins them
 * again for TLS, which costs a fifth of a call.
 */

const finalText = 0x81;
const finalBinary = 0x82;
const maskBit = 0x80;
const maskOctets = 4;
/** Lengths up to it are in the second octet; up to `longestFrame` in two more. */
const longestShort = 125;
const shortHeader = 2 + maskOctets;
const longHeader = 4 + maskOctets;
export const longestFrame = 65_535;

/** Random octets are drawn in blocks; each mask is used once (§5.3). */
const masks = Buffer.allocUnsafeSlow(8_192);
let nextMask = masks.length;

/** The audio frames of one connection. */
export class MaskedFrames {
  /** The last one, whose memory the next one uses. */
  private frame: Buffer = Buffer.alloc(0);

  /**
   * @param text ASCII alone, at most `longestFrame` octets
   * @param isTaken the connection has passed on all frames before
   */
  text(text: string, isTaken: boolean): Buffer {
    const { length } = text;
    const frame = this.begin(finalText, length, isTaken);
    frame.write(text, frame.length - length, 'latin1');
    return masked(frame, length);
  }

  /** @param octets at most `longestFrame`; they are copied */
  binary(octets: Uint8Array, isTaken: boolean): Buffer {
    const { length } = octets;
    const frame = this.begin(finalBinary, length, isTaken);
    frame.set(octets, frame.length - length);
    return masked(frame, length);
  }

  private begin(first: number, length: number, isTaken: boolean): Buffer {
    const isShort = length <= longestShort;
    const size = (isShort ? shortHeader : longHeader) + length;
    let { frame } = this;
    if (!isTaken || frame.length !== size) {
      // In a shared pool, one frame that waits for a slow server would keep the frames of all other calls in memory.
      frame = Buffer.allocUnsafeSlow(size);
      this.frame = frame;
    }
    frame[0] = first;
    if (isShort) frame[1] = maskBit | length;
    else {
      frame[1] = maskBit | 126;
      frame[2] = length >> 8;
      frame[3] = length & 0xff;
    }
    return frame;
  }
}

function masked(frame: Buffer, length: number): Buffer {
  if (nextMask === masks.length) {
    randomFillSync(masks);
    nextMask = 0;
  }
  const start = frame.length - length;
  const [m0, m1, m2, m3] = [
    masks[nextMask]!,
    masks[nextMask + 1]!,
    masks[nextMask + 2]!,
    masks[nextMask + 3]!,
  ];
  nextMask += maskOctets;
  frame[start - 4] = m0;
  frame[start - 3] = m1;
  frame[start - 2] = m2;
  frame[start - 1] = m3;
  let at = start;
  for (const whole = frame.length - 3; at < whole; at += 4) {
    frame[at] = frame[at]! ^ m0;
    frame[at + 1] = frame[at + 1]! ^ m1;
    frame[at + 2] = frame[at + 2]! ^ m2;
    frame[at + 3] = frame[at + 3]! ^ m3;
  }
  if (at < frame.length) frame[at] = frame[at]! ^ m0;
  if (at + 1 < frame.length) frame[at + 1] = frame[at + 1]! ^ m1;
  if (at + 2 < frame.length) frame[at + 2] = frame[at + 2]! ^ m2;
  return frame;
}
