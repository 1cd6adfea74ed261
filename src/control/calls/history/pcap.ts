import ipaddr from 'ipaddr.js';
import { parseSocketAddress } from '../../../base/socket-address.js';
import type { TraceEntry } from '../../../contract/call-record.js';

/**
 * The messages of a trace as a capture file for Wireshark, tshark and sngrep. Every message is one UDP datagram,
 * including messages received over TCP or TLS, because the trace holds decrypted SIP and no TCP segments.
 */

/** Libpcap's file format with microseconds: https://www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html */
const magic = 0xa1b2c3d4;
/** LINKTYPE_RAW: a packet begins with its IP header. */
const linkTypeRaw = 101;
const snapLength = 262_144;

const udp = 17;
const udpHeaderLength = 8;
const ipv4HeaderLength = 20;
const ipv6HeaderLength = 40;
const largestDatagram = 65_535 - ipv4HeaderLength - udpHeaderLength;

export function pcapOf(trace: readonly TraceEntry[]): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(magic, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(snapLength, 16);
  header.writeUInt32LE(linkTypeRaw, 20);
  return Buffer.concat([header, ...trace.map(recordOf)]);
}

function recordOf(entry: TraceEntry): Buffer {
  const packet = packetOf(entry);
  const header = Buffer.alloc(16);
  const { seconds, microseconds } = timeOf(entry.at);
  header.writeUInt32LE(seconds, 0);
  header.writeUInt32LE(microseconds, 4);
  header.writeUInt32LE(packet.length, 8);
  header.writeUInt32LE(packet.length, 12);
  return Buffer.concat([header, packet]);
}

/** ISO 8601 with up to six digits of a second. */
function timeOf(at: string): { seconds: number; microseconds: number } {
  const fraction = /\.(\d{1,6})/.exec(at)?.[1] ?? '';
  const milliseconds = Date.parse(at);
  return { seconds: Math.floor(milliseconds / 1_000), microseconds: Number(fraction.padEnd(6, '0')) };
}

function packetOf({ source, destination, message }: TraceEntry): Buffer {
  const from = endpointOf(source);
  const to = endpointOf(destination);
  const isIpv4 = from.address.length === 4 && to.address.length === 4;
  const addresses = isIpv4
    ? { from: from.address, to: to.address }
    : { from: asIpv6(from.address), to: asIpv6(to.address) };
  const payload = Buffer.from(
    withTrueLength(message.replaceAll('inline:[redacted]', zeroKey)),
    'utf8',
  ).subarray(0, largestDatagram);
  const datagram = Buffer.alloc(udpHeaderLength + payload.length);
  datagram.writeUInt16BE(from.port, 0);
  datagram.writeUInt16BE(to.port, 2);
  datagram.writeUInt16BE(datagram.length, 4);
  payload.copy(datagram, udpHeaderLength);
  datagram.writeUInt16BE(udpChecksum(addresses.from, addresses.to, datagram), 6);
  const header = isIpv4
    ? ipv4Header(addresses.from, addresses.to, datagram.length)
    : ipv6Header(addresses.from, addresses.to, datagram.length);
  return Buffer.concat([header, datagram]);
}

function endpointOf(text: string): { address: Buffer; port: number } {
  const parsed = parseSocketAddress(text);
  const isAddress = parsed !== undefined && ipaddr.isValid(parsed.host);
  return {
    address: Buffer.from(isAddress ? ipaddr.process(parsed.host).toByteArray() : [0, 0, 0, 0]),
    port: parsed?.port ?? 0,
  };
}

/** RFC 4291 §2.5.5.2. */
const asIpv6 = (address: Buffer): Buffer =>
  address.length === 16 ? address : Buffer.concat([Buffer.alloc(10), Buffer.from([0xff, 0xff]), address]);

/** RFC 791 §3.1. */
function ipv4Header(from: Buffer, to: Buffer, length: number): Buffer {
  const header = Buffer.alloc(ipv4HeaderLength);
  header.writeUInt8(0x45, 0);
  header.writeUInt16BE(ipv4HeaderLength + length, 2);
  header.writeUInt8(64, 8);
  header.writeUInt8(udp, 9);
  from.copy(header, 12);
  to.copy(header, 16);
  header.writeUInt16BE(checksum(header), 10);
  return header;
}

/** RFC 8200 §3. */
function ipv6Header(from: Buffer, to: Buffer, length: number): Buffer {
  const header = Buffer.alloc(ipv6HeaderLength);
  header.writeUInt32BE(0x60000000, 0);
  header.writeUInt16BE(length, 4);
  header.writeUInt8(udp, 6);
  header.writeUInt8(64, 7);
  from.copy(header, 8);
  to.copy(header, 24);
  return header;
}

/** RFC 768: over addresses, protocol, length and datagram; 0 is sent as 0xffff. */
function udpChecksum(from: Buffer, to: Buffer, datagram: Buffer): number {
  const pseudo = Buffer.alloc(4);
  pseudo.writeUInt16BE(udp, 0);
  pseudo.writeUInt16BE(datagram.length, 2);
  return checksum(Buffer.concat([from, to, pseudo, datagram])) || 0xffff;
}

/** RFC 1071. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += (bytes[at]! << 8) | (bytes[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + Math.floor(sum / 0x10000);
  return ~sum & 0xffff;
}

/** Readers reject a message whose SDES key is not base64, so redacted keys become all zeros (RFC 4568 §6.1). */
const zeroKey = `inline:${'A'.repeat(40)}`;

/** Redacting keys shortened the body; without a correct Content-Length readers would report truncation. */
function withTrueLength(message: string): string {
  const end = message.indexOf('\r\n\r\n');
  if (end < 0) return message;
  const length = Buffer.byteLength(message.slice(end + 4), 'utf8');
  const head = message.slice(0, end).replace(/(\r\n(?:content-length|l)[ \t]*:[ \t]*)\d+/i, `$1${length}`);
  return head + message.slice(end);
}
