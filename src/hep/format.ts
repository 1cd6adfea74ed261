/**
 * HEP3 (HOMER Encapsulation Protocol, version 3): "HEP3", the packet's length, then chunks of vendor, type, length and value.
 * Lengths include their own header and are of 16 bits.
 */

export const magic = 0x48_45_50_33;
/** Octets of magic and length. */
export const packetHeadBytes = 6;
/** Octets of a chunk's vendor, type and length. */
export const chunkHeadBytes = 6;
export const maximumPacketBytes = 65_535;

/** Types of the generic vendor (0). */
export const chunkType = {
  family: 0x01,
  ipProtocol: 0x02,
  sourceIpv4: 0x03,
  destinationIpv4: 0x04,
  sourceIpv6: 0x05,
  destinationIpv6: 0x06,
  sourcePort: 0x07,
  destinationPort: 0x08,
  seconds: 0x09,
  microseconds: 0x0a,
  payloadType: 0x0b,
  captureId: 0x0c,
  authenticationKey: 0x0e,
  payload: 0x0f,
  correlationId: 0x11,
} as const;

export const addressFamily = { ipv4: 2, ipv6: 10 } as const;

/** IANA protocol numbers. */
export const ipProtocol = { tcp: 6, udp: 17 } as const;

/** Payload types as Homer files them. */
export const payloadType = {
  sip: 1,
  /** Report of an RTP stream, JSON. */
  rtpReport: 35,
  log: 100,
} as const;
