import ipaddr from 'ipaddr.js';

/** What a HEP3 packet tells; lengths and the address family follow from it. */
export interface HepContent {
  /** 6 TCP, 17 UDP. */
  readonly ipProtocol: number;
  /** Textual, of one family. */
  readonly sourceAddress: string;
  readonly sourcePort: number;
  readonly destinationAddress: string;
  readonly destinationPort: number;
  /** Unix time in microseconds. */
  readonly at: number;
  readonly payloadType: number;
  readonly captureId: number;
  readonly authenticationKey: string | undefined;
  readonly correlationId: string;
  readonly payload: Buffer;
}

/** Payload types as Homer files them. */
export const payloadTypes = {
  sip: 1,
  /** Report of an RTP stream, JSON. */
  rtpReport: 35,
  log: 100,
} as const;

/** A packet's own length field ends there. */
const maximumLength = 65_535;
const addressFamily = { ipv4: 2, ipv6: 10 } as const;

/** Undefined when it would be too long, or an address is none. */
export function encodeHep(content: HepContent): Buffer | undefined {
  const source = octetsOf(content.sourceAddress);
  const destination = octetsOf(content.destinationAddress);
  if (source === undefined || destination === undefined || source.length !== destination.length)
    return undefined;
  const isIpv6 = source.length === 16;
  const seconds = Math.floor(content.at / 1_000_000);
  const chunks = [
    chunk(0x01, number(1, isIpv6 ? addressFamily.ipv6 : addressFamily.ipv4)),
    chunk(0x02, number(1, content.ipProtocol)),
    chunk(isIpv6 ? 0x05 : 0x03, source),
    chunk(isIpv6 ? 0x06 : 0x04, destination),
    chunk(0x07, number(2, content.sourcePort)),
    chunk(0x08, number(2, content.destinationPort)),
    chunk(0x09, number(4, seconds)),
    chunk(0x0a, number(4, Math.floor(content.at - seconds * 1_000_000))),
    chunk(0x0b, number(1, content.payloadType)),
    chunk(0x0c, number(4, content.captureId)),
    ...(content.authenticationKey === undefined ? [] : [chunk(0x0e, Buffer.from(content.authenticationKey))]),
    chunk(0x11, Buffer.from(content.correlationId)),
    chunk(0x0f, content.payload),
  ];
  const length = chunks.reduce((sum, one) => sum + one.length, 6);
  if (length > maximumLength) return undefined;
  const head = Buffer.alloc(6);
  head.write('HEP3', 0, 'latin1');
  head.writeUInt16BE(length, 4);
  return Buffer.concat([head, ...chunks], length);
}

function octetsOf(address: string): Buffer | undefined {
  return ipaddr.isValid(address) ? Buffer.from(ipaddr.parse(address).toByteArray()) : undefined;
}

function number(length: 1 | 2 | 4, value: number): Buffer {
  const octets = Buffer.alloc(length);
  octets.writeUIntBE(value, 0, length);
  return octets;
}

function chunk(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt16BE(type, 2);
  // What does not fit makes the packet too long, which is found out there.
  head.writeUInt16BE(Math.min(6 + value.length, maximumLength), 4);
  return Buffer.concat([head, value]);
}
