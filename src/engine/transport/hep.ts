import type { Flow } from './flow.js';
import { DatagramSink, type HepSink, StreamSink } from './hep-sink.js';
import { addressOctets } from './ip-address.js';
import type { WireObserver } from './observer.js';

export interface HepSettings {
  /** UDP when absent, as most collectors expect it. */
  readonly transport?: 'udp' | 'tcp';
  /** The collector; a host name is resolved once, at the start. */
  readonly host: string;
  readonly port: number;
  /** Tells captures of several engines apart (chunk 0x000c). */
  readonly captureId: number;
  /** Chunk 0x000e. */
  readonly authenticationKey?: string;
}

/** A datagram cannot be longer (RFC 768 over IPv4); a packet's own length field ends at 65,535. */
const maximumPacketBytes = 65_507;

/** Addresses repeat; a hostile stream of new ones only empties this. */
const maximumCachedAddresses = 1_024;

const chunk = {
  family: 0x0001,
  ipProtocol: 0x0002,
  sourceIpv4: 0x0003,
  destinationIpv4: 0x0004,
  sourceIpv6: 0x0005,
  destinationIpv6: 0x0006,
  sourcePort: 0x0007,
  destinationPort: 0x0008,
  seconds: 0x0009,
  microseconds: 0x000a,
  payloadType: 0x000b,
  captureId: 0x000c,
  authenticationKey: 0x000e,
  payload: 0x000f,
  correlationId: 0x0011,
} as const;

const headBytes = 6;
const chunkHeadBytes = 6;
const addressFamily = { inet: 2, inet6: 10 } as const;
const ipProtocol = { udp: 17, tcp: 6, tls: 6 } as const;
const sipPayload = 1;

/** Sends every SIP message of the wire to a HEP3 collector (Homer; our own edge). Never waits, never fails a call. */
export class HepExporter implements WireObserver {
  readonly counters = { sent: 0, dropped: 0, errors: 0 };
  private readonly sink: HepSink;
  private readonly octets = new Map<string, Buffer>();
  private readonly key: Buffer;

  constructor(private readonly settings: HepSettings) {
    this.key = Buffer.from(settings.authenticationKey ?? '', 'utf8');
    const failed = (): void => {
      this.counters.errors++;
    };
    this.sink =
      settings.transport === 'tcp' ? new StreamSink(settings, failed) : new DatagramSink(settings, failed);
  }

  /** Rejects when the host cannot be resolved (UDP). Messages before that are counted as dropped. */
  start(): Promise<void> {
    return this.sink.start();
  }

  stop(): Promise<void> {
    return this.sink.stop();
  }

  sent(flow: Flow, bytes: string | Buffer, at: number): void {
    this.export(flow.localAddress, flow.localPort, flow.remoteAddress, flow.remotePort, flow, bytes, at);
  }

  received(flow: Flow, bytes: Buffer, at: number): void {
    this.export(flow.remoteAddress, flow.remotePort, flow.localAddress, flow.localPort, flow, bytes, at);
  }

  private export(
    source: string,
    sourcePort: number,
    destination: string,
    destinationPort: number,
    flow: Flow,
    bytes: string | Buffer,
    at: number,
  ): void {
    const from = this.octetsOf(source);
    const to = this.octetsOf(destination);
    const [callIdStart, callIdEnd] = findCallId(bytes);
    const callIdBytes = callIdEnd - callIdStart;

    const fixedBytes = headBytes + 8 * chunkHeadBytes + 1 + 1 + 2 + 2 + 4 + 4 + 1 + 4;
    const total =
      fixedBytes +
      2 * chunkHeadBytes +
      from.length +
      to.length +
      (this.key.length > 0 ? chunkHeadBytes + this.key.length : 0) +
      (callIdBytes > 0 ? chunkHeadBytes + callIdBytes : 0) +
      chunkHeadBytes +
      bytes.length;
    const hasAddresses = from.length > 0 && from.length === to.length;
    if (total > maximumPacketBytes || !hasAddresses) {
      this.counters.dropped++;
      return;
    }

    const packet = Buffer.allocUnsafe(total);
    const isIpv6 = from.length === 16;
    packet.write('HEP3', 0, 'latin1');
    packet.writeUInt16BE(total, 4);
    let offset = headBytes;
    offset = writeNumber(packet, offset, chunk.family, 1, isIpv6 ? addressFamily.inet6 : addressFamily.inet);
    offset = writeNumber(packet, offset, chunk.ipProtocol, 1, ipProtocol[flow.protocol]);
    offset = writeOctets(packet, offset, isIpv6 ? chunk.sourceIpv6 : chunk.sourceIpv4, from);
    offset = writeOctets(packet, offset, isIpv6 ? chunk.destinationIpv6 : chunk.destinationIpv4, to);
    offset = writeNumber(packet, offset, chunk.sourcePort, 2, sourcePort);
    offset = writeNumber(packet, offset, chunk.destinationPort, 2, destinationPort);
    const seconds = Math.floor(at / 1000);
    offset = writeNumber(packet, offset, chunk.seconds, 4, seconds);
    offset = writeNumber(packet, offset, chunk.microseconds, 4, Math.floor((at - seconds * 1000) * 1000));
    offset = writeNumber(packet, offset, chunk.payloadType, 1, sipPayload);
    offset = writeNumber(packet, offset, chunk.captureId, 4, this.settings.captureId);
    if (this.key.length > 0) offset = writeOctets(packet, offset, chunk.authenticationKey, this.key);
    if (callIdBytes > 0) {
      offset = writeHead(packet, offset, chunk.correlationId, callIdBytes);
      offset += writeBytes(packet, offset, bytes, callIdStart, callIdEnd);
    }
    offset = writeHead(packet, offset, chunk.payload, bytes.length);
    writeBytes(packet, offset, bytes, 0, bytes.length);
    if (this.sink.write(packet)) this.counters.sent++;
    else this.counters.dropped++;
  }

  private octetsOf(address: string): Buffer {
    const known = this.octets.get(address);
    if (known !== undefined) return known;
    if (this.octets.size >= maximumCachedAddresses) this.octets.clear();
    const octets = addressOctets(address);
    this.octets.set(address, octets);
    return octets;
  }
}

/** Start and end of the Call-ID's value; equal when there is none. The head only: a body may quote another message. */
function findCallId(bytes: string | Buffer): [number, number] {
  let start = bytes.indexOf('\r\nCall-ID:');
  if (start < 0) start = otherSpelling(bytes);
  if (start < 0) return [0, 0];
  const colon = bytes.indexOf(':', start);
  const end = bytes.indexOf('\r\n', colon);
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (end < 0 || (headEnd >= 0 && start > headEnd)) return [0, 0];
  let from = colon + 1;
  while (from < end && isBlank(bytes, from)) from++;
  let to = end;
  while (to > from && isBlank(bytes, to - 1)) to--;
  return [from, to];
}

function otherSpelling(bytes: string | Buffer): number {
  const text = typeof bytes === 'string' ? bytes : bytes.toString('latin1');
  return text.search(/\r\n(?:call-id|i)[ \t]*:/i);
}

function isBlank(bytes: string | Buffer, at: number): boolean {
  const code = typeof bytes === 'string' ? bytes.charCodeAt(at) : bytes[at];
  return code === 32 || code === 9;
}

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

function writeOctets(packet: Buffer, at: number, type: number, octets: Buffer): number {
  const start = writeHead(packet, at, type, octets.length);
  octets.copy(packet, start);
  return start + octets.length;
}

function writeBytes(packet: Buffer, at: number, bytes: string | Buffer, start: number, end: number): number {
  if (typeof bytes !== 'string') return bytes.copy(packet, at, start, end);
  const part = start === 0 && end === bytes.length ? bytes : bytes.slice(start, end);
  return packet.write(part, at, 'latin1');
}
