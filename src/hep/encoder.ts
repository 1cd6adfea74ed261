import ipaddr from 'ipaddr.js';
import {
  addressFamily,
  chunkHeadBytes,
  chunkType,
  magic,
  maximumPacketBytes,
  packetHeadBytes,
} from './format.js';

/** What one packet says; lengths and the address family follow from it. */
export interface HepContent {
  /** IANA protocol number: 6 TCP, 17 UDP. */
  readonly ipProtocol: number;
  /** Textual, both of one family. */
  readonly sourceAddress: string;
  readonly sourcePort: number;
  readonly destinationAddress: string;
  readonly destinationPort: number;
  /** Unix time in microseconds. */
  readonly at: number;
  readonly payloadType: number;
  /** A byte string; absent: none. */
  readonly correlationId?: string | undefined;
  /** Octets, or a byte string. */
  readonly payload: string | Buffer;
}

export interface HepEncoderSettings {
  /** Distinguishes the captures of several senders. */
  readonly captureId: number;
  /** Sent in each packet when given. */
  readonly authenticationKey?: string | undefined;
}

/** Addresses repeat; a hostile stream of new ones only empties the cache. */
const maximumCachedAddresses = 1_024;

/** Chunks that every packet has beside its addresses and payload: one to four octets each. */
const numberBytes = 8 * chunkHeadBytes + 1 + 1 + 2 + 2 + 4 + 4 + 1 + 4;

/** Writes HEP3 packets: one allocation each. */
export class HepEncoder {
  private readonly octets = new Map<string, Buffer | undefined>();
  private readonly captureId: number;
  private readonly key: string;

  constructor({ captureId, authenticationKey = '' }: HepEncoderSettings) {
    this.captureId = captureId;
    this.key = Buffer.from(authenticationKey, 'utf8').toString('latin1');
  }

  /** Undefined when the packet would be too long, or the addresses aren't two of one family. */
  encode(content: HepContent): Buffer | undefined {
    const source = this.octetsOf(content.sourceAddress);
    const destination = this.octetsOf(content.destinationAddress);
    if (source === undefined || source.length !== destination?.length) return undefined;
    const { payload, correlationId = '' } = content;
    const total =
      packetHeadBytes +
      numberBytes +
      2 * (chunkHeadBytes + source.length) +
      optionalBytes(this.key) +
      optionalBytes(correlationId) +
      chunkHeadBytes +
      payload.length;
    if (total > maximumPacketBytes) return undefined;
    const isIpv6 = source.length === 16;
    const seconds = Math.floor(content.at / 1_000_000);
    const packet = Buffer.allocUnsafe(total);
    packet.writeUInt32BE(magic, 0);
    packet.writeUInt16BE(total, 4);
    let at = packetHeadBytes;
    at = writeNumber(packet, at, chunkType.family, 1, isIpv6 ? addressFamily.ipv6 : addressFamily.ipv4);
    at = writeNumber(packet, at, chunkType.ipProtocol, 1, content.ipProtocol);
    at = writeOctets(packet, at, isIpv6 ? chunkType.sourceIpv6 : chunkType.sourceIpv4, source);
    at = writeOctets(packet, at, isIpv6 ? chunkType.destinationIpv6 : chunkType.destinationIpv4, destination);
    at = writeNumber(packet, at, chunkType.sourcePort, 2, content.sourcePort);
    at = writeNumber(packet, at, chunkType.destinationPort, 2, content.destinationPort);
    at = writeNumber(packet, at, chunkType.seconds, 4, seconds);
    at = writeNumber(packet, at, chunkType.microseconds, 4, Math.floor(content.at - seconds * 1_000_000));
    at = writeNumber(packet, at, chunkType.payloadType, 1, content.payloadType);
    at = writeNumber(packet, at, chunkType.captureId, 4, this.captureId);
    if (this.key !== '') at = writeOctets(packet, at, chunkType.authenticationKey, this.key);
    if (correlationId !== '') at = writeOctets(packet, at, chunkType.correlationId, correlationId);
    writeOctets(packet, at, chunkType.payload, payload);
    return packet;
  }

  private octetsOf(address: string): Buffer | undefined {
    const cached = this.octets.get(address);
    if (cached !== undefined) return cached;
    if (this.octets.size >= maximumCachedAddresses) this.octets.clear();
    const octets = ipaddr.isValid(address) ? Buffer.from(ipaddr.parse(address).toByteArray()) : undefined;
    this.octets.set(address, octets);
    return octets;
  }
}

const optionalBytes = ({ length }: string): number => (length === 0 ? 0 : chunkHeadBytes + length);

function writeHead(packet: Buffer, at: number, type: number, length: number): number {
  packet.writeUInt16BE(0, at);
  packet.writeUInt16BE(type, at + 2);
  packet.writeUInt16BE(chunkHeadBytes + length, at + 4);
  return at + chunkHeadBytes;
}

function writeNumber(packet: Buffer, at: number, type: number, length: 1 | 2 | 4, value: number): number {
  const start = writeHead(packet, at, type, length);
  packet.writeUIntBE(value, start, length);
  return start + length;
}

function writeOctets(packet: Buffer, at: number, type: number, octets: string | Buffer): number {
  const start = writeHead(packet, at, type, octets.length);
  if (typeof octets === 'string') packet.write(octets, start, 'latin1');
  else octets.copy(packet, start);
  return start + octets.length;
}
