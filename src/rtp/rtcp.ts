/** Writes and reads RTCP packets (RFC 3550 §6). */

/** Seconds since 1900 and their fraction in 2^-32 (RFC 3550 §4). */
export interface NtpTime {
  readonly seconds: number;
  readonly fraction: number;
}

/** The sender information of a sender report (RFC 3550 §6.4.1). */
export interface SenderInformation {
  readonly ntp: NtpTime;
  /** The same moment in RTP timestamp units of the stream. */
  readonly timestamp: number;
  readonly packets: number;
  /** Payload only. */
  readonly octets: number;
}

/** The report block of one received source (RFC 3550 §6.4.1). */
export interface ReceptionReport {
  readonly source: number;
  /** Fraction lost since the previous report, in 1/256. */
  readonly fractionLost: number;
  /** Total since the start; negative when the network duplicated packets. */
  readonly packetsLost: number;
  readonly highestSequence: number;
  /** In units of the stream's timestamps. */
  readonly jitter: number;
  /** Middle 32 bits of the NTP time of the last sender report; 0: none received. */
  readonly lastSenderReport: number;
  /** In 1/65536 s. */
  readonly delay: number;
}

export interface Report {
  readonly source: number;
  /** undefined: nothing was sent, so this is a receiver report. */
  readonly sender: SenderInformation | undefined;
  /** At most 31. */
  readonly receptions: readonly ReceptionReport[];
  readonly canonicalName: string;
  /** True: with BYE, as the source's last packet. */
  readonly isLast: boolean;
}

/** A received sender report. */
export interface HeardSenderReport {
  readonly source: number;
  /** Middle 32 bits of its NTP time. */
  readonly middleOfNtp: number;
}

export const maximumReceptions = 31;

const packetTypes = { senderReport: 200, receiverReport: 201, description: 202, bye: 203 } as const;
const canonicalNameItem = 1;
const version = 0x80;
const versionMask = 0xc0;
const paddingBit = 0x20;
const headerLength = 8;
const senderLength = 20;
const receptionLength = 24;
/** Seconds from 1900 to 1970. */
const ntpEpoch = 2_208_988_800;

/** Converts milliseconds since 1970; the seconds wrap in 2036, as in NTP. */
export function ntpTime(milliseconds: number): NtpTime {
  const seconds = Math.floor(milliseconds / 1_000);
  return {
    seconds: (seconds + ntpEpoch) >>> 0,
    fraction: Math.floor(((milliseconds - seconds * 1_000) / 1_000) * 2 ** 32) >>> 0,
  };
}

/** A compound packet: report, SDES with CNAME and, in the last packet, BYE (RFC 3550 §6.1). */
export function writeReport(report: Report): Buffer {
  const parts = [reportPacket(report), descriptionPacket(report.source, report.canonicalName)];
  if (report.isLast) parts.push(header(packetTypes.bye, 1, headerLength, report.source));
  return Buffer.concat(parts);
}

/** The sender reports of a compound packet; empty when the packet is invalid (RFC 3550 §A.2). */
export function readSenderReports(compound: Buffer): HeardSenderReport[] {
  const found: HeardSenderReport[] = [];
  let at = 0;
  while (at + 4 <= compound.length) {
    const first = compound[at]!;
    const type = compound[at + 1]!;
    const end = at + 4 * (compound.readUInt16BE(at + 2) + 1);
    const isReport = type === packetTypes.senderReport || type === packetTypes.receiverReport;
    if ((first & versionMask) !== version || end > compound.length) return [];
    if (at === 0 && (!isReport || (first & paddingBit) !== 0)) return [];
    if (type === packetTypes.senderReport) {
      if (end - at < headerLength + senderLength) return [];
      found.push({ source: compound.readUInt32BE(at + 4), middleOfNtp: compound.readUInt32BE(at + 10) });
    }
    at = end;
  }
  return at === compound.length ? found : [];
}

function header(type: number, count: number, length: number, source: number): Buffer {
  const packet = Buffer.alloc(length);
  packet[0] = version | count;
  packet[1] = type;
  packet.writeUInt16BE(length / 4 - 1, 2);
  packet.writeUInt32BE(source, 4);
  return packet;
}

function reportPacket({ source, sender, receptions }: Report): Buffer {
  const type = sender === undefined ? packetTypes.receiverReport : packetTypes.senderReport;
  const begin = headerLength + (sender === undefined ? 0 : senderLength);
  const packet = header(type, receptions.length, begin + receptions.length * receptionLength, source);
  if (sender !== undefined) {
    const { ntp, timestamp, packets, octets } = sender;
    [ntp.seconds, ntp.fraction, timestamp, packets, octets].forEach((word, index) => {
      packet.writeUInt32BE(word >>> 0, headerLength + 4 * index);
    });
  }
  receptions.forEach((reception, index) => {
    const at = begin + index * receptionLength;
    packet.writeUInt32BE(reception.source, at);
    packet[at + 4] = reception.fractionLost;
    packet.writeIntBE(reception.packetsLost, at + 5, 3);
    packet.writeUInt32BE(reception.highestSequence, at + 8);
    packet.writeUInt32BE(reception.jitter, at + 12);
    packet.writeUInt32BE(reception.lastSenderReport, at + 16);
    packet.writeUInt32BE(reception.delay, at + 20);
  });
  return packet;
}

function descriptionPacket(source: number, canonicalName: string): Buffer {
  const name = Buffer.from(canonicalName);
  const items = headerLength + 2 + name.length;
  // At least one null octet ends the list of items; more pad to the word boundary.
  const packet = header(packetTypes.description, 1, 4 * (Math.floor(items / 4) + 1), source);
  packet[headerLength] = canonicalNameItem;
  packet[headerLength + 1] = name.length;
  name.copy(packet, headerLength + 2);
  return packet;
}
