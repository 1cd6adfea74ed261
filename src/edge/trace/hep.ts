/** HEP3 (HOMER Encapsulation Protocol, version 3): "HEP3", total length, then chunks of vendor, type, length, value. */

export interface HepPacket {
  /** IANA protocol number of the transport as the exporter states it: 6 TCP, 17 UDP; sofia-sip says 22 for TLS. */
  readonly ipProtocol: number;
  /** Textual; IPv6 without brackets. */
  readonly sourceAddress: string;
  readonly sourcePort: number;
  readonly destinationAddress: string;
  readonly destinationPort: number;
  /** Unix time in microseconds. */
  readonly at: number;
  /** Correlation id; some exporters put the Call-ID there. */
  readonly correlationId: string | undefined;
  /** The message; shares memory with the packet. */
  readonly payload: Buffer;
}

const magic = 0x48_45_50_33;
const headerLength = 6;
const chunkHeaderLength = 6;
const sipProtocolType = 1;

const chunk = {
  ipProtocol: 0x02,
  sourceIpv4: 0x03,
  destinationIpv4: 0x04,
  sourceIpv6: 0x05,
  destinationIpv6: 0x06,
  sourcePort: 0x07,
  destinationPort: 0x08,
  seconds: 0x09,
  microseconds: 0x0a,
  protocolType: 0x0b,
  payload: 0x0f,
  correlationId: 0x11,
} as const;

/** Undefined for what is no HEP3 packet, or carries no SIP. */
export function decodeHep(packet: Buffer): HepPacket | undefined {
  if (packet.length < headerLength || packet.readUInt32BE(0) !== magic) return undefined;
  const end = packet.readUInt16BE(4);
  if (end > packet.length) return undefined;
  let ipProtocol = 17;
  let sourceAddress = '';
  let destinationAddress = '';
  let sourcePort = 0;
  let destinationPort = 0;
  let seconds = 0;
  let microseconds = 0;
  let correlationId: string | undefined;
  let payloadStart = 0;
  let payloadEnd = 0;
  for (let at = headerLength; at + chunkHeaderLength <= end; ) {
    const type = packet.readUInt16BE(at + 2);
    const length = packet.readUInt16BE(at + 4);
    const next = at + length;
    if (length < chunkHeaderLength || next > end) return undefined;
    const isGeneric = packet.readUInt16BE(at) === 0;
    const value = at + chunkHeaderLength;
    const size = length - chunkHeaderLength;
    at = next;
    if (!isGeneric) continue;
    switch (type) {
      case chunk.ipProtocol:
        if (size === 1) ipProtocol = packet[value]!;
        break;
      case chunk.sourceIpv4:
        if (size === 4) sourceAddress = ipv4Text(packet, value);
        break;
      case chunk.destinationIpv4:
        if (size === 4) destinationAddress = ipv4Text(packet, value);
        break;
      case chunk.sourceIpv6:
        if (size === 16) sourceAddress = ipv6Text(packet, value);
        break;
      case chunk.destinationIpv6:
        if (size === 16) destinationAddress = ipv6Text(packet, value);
        break;
      case chunk.sourcePort:
        if (size === 2) sourcePort = packet.readUInt16BE(value);
        break;
      case chunk.destinationPort:
        if (size === 2) destinationPort = packet.readUInt16BE(value);
        break;
      case chunk.seconds:
        if (size === 4) seconds = packet.readUInt32BE(value);
        break;
      case chunk.microseconds:
        if (size === 4) microseconds = packet.readUInt32BE(value);
        break;
      case chunk.protocolType:
        if (packet[value] !== sipProtocolType) return undefined;
        break;
      case chunk.correlationId:
        correlationId = packet.toString('latin1', value, next);
        break;
      case chunk.payload:
        payloadStart = value;
        payloadEnd = next;
        break;
    }
  }
  if (payloadStart === 0) return undefined;
  return {
    ipProtocol,
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

/** RFC 5952 without the IPv4-mapped form's brackets; the longest run of zero groups is shortened. */
function ipv6Text(bytes: Buffer, at: number): string {
  const groups: string[] = [];
  for (let i = 0; i < 16; i += 2) groups.push(bytes.readUInt16BE(at + i).toString(16));
  const text = groups.join(':');
  const runs = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].sort((a, b) => b[0].length - a[0].length);
  const longest = runs[0];
  if (longest === undefined) return text;
  const before = text.slice(0, longest.index);
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, '');
  return `${before}::${after}`;
}
