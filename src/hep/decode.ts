import ipaddr from 'ipaddr.js';
import { chunkHeadBytes, chunkType, ipProtocol, magic, packetHeadBytes, payloadType } from './format.js';

/** A captured SIP message. */
export interface HepPacket {
  /** IANA protocol number of the transport as the sender states it: 6 TCP, 17 UDP; sofia-sip says 22 for TLS. */
  readonly ipProtocol: number;
  /** Textual; IPv6 without brackets. */
  readonly sourceAddress: string;
  readonly sourcePort: number;
  readonly destinationAddress: string;
  readonly destinationPort: number;
  /** Unix time in microseconds. */
  readonly at: number;
  /** A byte string; some senders put the Call-ID there. */
  readonly correlationId: string | undefined;
  /** The message; shares memory with the packet. */
  readonly payload: Buffer;
}

/** Undefined for what isn't a HEP3 packet, and for packets that don't carry SIP. */
export function decodeHep(packet: Buffer): HepPacket | undefined {
  if (packet.length < packetHeadBytes || packet.readUInt32BE(0) !== magic) return undefined;
  const end = packet.readUInt16BE(4);
  if (end > packet.length) return undefined;
  let protocol: number = ipProtocol.udp;
  let sourceAddress = '';
  let destinationAddress = '';
  let sourcePort = 0;
  let destinationPort = 0;
  let seconds = 0;
  let microseconds = 0;
  let correlationId: string | undefined;
  let payloadStart = 0;
  let payloadEnd = 0;
  for (let at = packetHeadBytes; at + chunkHeadBytes <= end; ) {
    const type = packet.readUInt16BE(at + 2);
    const length = packet.readUInt16BE(at + 4);
    const next = at + length;
    if (length < chunkHeadBytes || next > end) return undefined;
    const isGeneric = packet.readUInt16BE(at) === 0;
    const value = at + chunkHeadBytes;
    const size = length - chunkHeadBytes;
    at = next;
    if (!isGeneric) continue;
    switch (type) {
      case chunkType.ipProtocol:
        if (size === 1) protocol = packet[value]!;
        break;
      case chunkType.sourceIpv4:
        if (size === 4) sourceAddress = ipv4Text(packet, value);
        break;
      case chunkType.destinationIpv4:
        if (size === 4) destinationAddress = ipv4Text(packet, value);
        break;
      case chunkType.sourceIpv6:
        if (size === 16) sourceAddress = ipv6Text(packet, value);
        break;
      case chunkType.destinationIpv6:
        if (size === 16) destinationAddress = ipv6Text(packet, value);
        break;
      case chunkType.sourcePort:
        if (size === 2) sourcePort = packet.readUInt16BE(value);
        break;
      case chunkType.destinationPort:
        if (size === 2) destinationPort = packet.readUInt16BE(value);
        break;
      case chunkType.seconds:
        if (size === 4) seconds = packet.readUInt32BE(value);
        break;
      case chunkType.microseconds:
        if (size === 4) microseconds = packet.readUInt32BE(value);
        break;
      case chunkType.payloadType:
        if (packet[value] !== payloadType.sip) return undefined;
        break;
      case chunkType.correlationId:
        correlationId = packet.toString('latin1', value, next);
        break;
      case chunkType.payload:
        payloadStart = value;
        payloadEnd = next;
        break;
    }
  }
  if (payloadStart === 0) return undefined;
  return {
    ipProtocol: protocol,
    sourceAddress,
    sourcePort,
    destinationAddress,
    destinationPort,
    at: seconds * 1_000_000 + microseconds,
    correlationId,
    payload: packet.subarray(payloadStart, payloadEnd),
  };
}

const ipv4Text = (bytes: Buffer, at: number): string =>
  `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`;

/** RFC 5952. */
const ipv6Text = (bytes: Buffer, at: number): string =>
  new ipaddr.IPv6([...bytes.subarray(at, at + 16)]).toRFC5952String();
