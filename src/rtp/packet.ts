import { randomBytes } from 'node:crypto';

/** RTP packets (RFC 3550 §5.1). */

export const rtpHeaderLength = 12;
const version = 0x80;
const versionMask = 0xc0;
const paddingBit = 0x20;
const extensionBit = 0x10;
const markerBit = 0x80;

/**
 * Of the first packet of a stream: in the lower half, so that a receiver who misses the first seconds still agrees on how often SRTP's
 * sequence numbers have wrapped (RFC 3711 §3.3.1).
 */
export const firstSequence = (): number => randomBytes(2).readUInt16BE(0) & 0x7fff;

export interface RtpPacket {
  readonly payloadType: number;
  readonly isMarked: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly source: number;
  readonly payload: Buffer;
}

/** Octets before the payload: header, contributing sources, extension. Undefined: not RTP. */
export function headerLengthOf(packet: Buffer): number | undefined {
  if (packet.length < rtpHeaderLength || (packet[0]! & versionMask) !== version) return undefined;
  let length = rtpHeaderLength + 4 * (packet[0]! & 0x0f);
  if ((packet[0]! & extensionBit) !== 0) {
    if (packet.length < length + 4) return undefined;
    length += 4 + 4 * packet.readUInt16BE(length + 2);
  }
  return length > packet.length ? undefined : length;
}

/** Octets without header, contributing sources, extension and padding. Undefined: not a valid RTP packet. */
export function payloadLengthOf(packet: Buffer): number | undefined {
  const start = headerLengthOf(packet);
  if (start === undefined) return undefined;
  const padding = (packet[0]! & paddingBit) === 0 ? 0 : packet[packet.length - 1]!;
  return start + padding > packet.length ? undefined : packet.length - padding - start;
}

/** Undefined: not a valid RTP packet. */
export function readPacket(packet: Buffer): RtpPacket | undefined {
  const length = payloadLengthOf(packet);
  if (length === undefined) return undefined;
  const start = headerLengthOf(packet)!;
  return {
    payloadType: packet[1]! & 0x7f,
    isMarked: (packet[1]! & markerBit) !== 0,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    source: packet.readUInt32BE(8),
    payload: packet.subarray(start, start + length),
  };
}

/** Without contributing sources, extension and padding (RFC 3550 §5.1). */
export function writePacket(parts: RtpPacket): Buffer {
  const packet = Buffer.allocUnsafe(rtpHeaderLength + parts.payload.length);
  packet[0] = version;
  packet[1] = parts.payloadType | (parts.isMarked ? markerBit : 0);
  packet.writeUInt16BE(parts.sequence, 2);
  packet.writeUInt32BE(parts.timestamp, 4);
  packet.writeUInt32BE(parts.source, 8);
  parts.payload.copy(packet, rtpHeaderLength);
  return packet;
}
