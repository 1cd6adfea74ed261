import { randomFillSync } from 'node:crypto';

/**
 * Frames of audio for a server (RFC 6455 §5.2), each in one buffer and so in one write: the library makes two of each, and joins them
 * again for TLS, which costs a fifth of a call.
 */

const finalText = 0x81;
const finalBinary = 0x82;
const maskBit = 0x80;
/** Lengths up to it are in the second octet; up to `longestFrame` in two more. */
const longestShort = 125;
/** The header with a mask, and a place for it in front of the payload, which begins with a word. */
const shortHeader = 6;
const longHeader = 8;
const wordOctets = 4;
export const longestFrame = 65_535;

/** Random words are drawn in blocks; each mask is used once (§5.3). */
const masks = new Int32Array(2_048);
let nextMask = masks.length;

/** The audio frames of one connection. */
export class MaskedFrames {
  /** The last one, whose memory the next one uses. */
  private frame: Buffer = Buffer.alloc(0);
  /** Its memory, in words: the payload begins with the third one, and the mask is the second one. */
  private words = new Int32Array(0);

  /**
   * @param octets at most `longestFrame`; they are copied
   * @param isTaken the connection has passed on all frames before
   */
  of(octets: Uint8Array, isText: boolean, isTaken: boolean): Buffer {
    const { length } = octets;
    const isShort = length <= longestShort;
    const size = (isShort ? shortHeader : longHeader) + length;
    if (!isTaken || this.frame.length !== size) {
      // In a shared pool, one frame that waits for a slow server would keep the frames of all other calls in memory.
      const memory = new ArrayBuffer(longHeader + Math.ceil(length / wordOctets) * wordOctets);
      this.frame = Buffer.from(memory, isShort ? longHeader - shortHeader : 0, size);
      this.words = new Int32Array(memory);
    }
    const { frame, words } = this;
    frame[0] = isText ? finalText : finalBinary;
    if (isShort) frame[1] = maskBit | length;
    else {
      frame[1] = maskBit | 126;
      frame[2] = length >> 8;
      frame[3] = length & 0xff;
    }
    frame.set(octets, size - length);
    if (nextMask === masks.length) {
      randomFillSync(masks);
      nextMask = 0;
    }
    const mask = masks[nextMask++]!;
    words[1] = mask;
    for (let index = 2; index < words.length; index++) words[index] = words[index]! ^ mask;
    return frame;
  }
}
