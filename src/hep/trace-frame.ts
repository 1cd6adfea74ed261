import type { HepPacket } from './decode.js';
import { ipProtocol } from './format.js';

/**
 * Traces on the wire connection: an extension of the drachtio protocol for the application that has the call.
 *
 *     LENGTH "#" ID "|trace" CRLF *entry
 *     entry: DIRECTION "|" PROTOCOL "|" LOCAL "|" PORT "|" REMOTE "|" PORT "|" MICROSECONDS "|" OCTETS "|" CALL-ID CRLF message
 *
 * DIRECTION is `r` (received), `s` (sent), or `l`: messages of that Call-ID were lost, and no message follows. PROTOCOL is udp,
 * tcp or tls; addresses are bare; MICROSECONDS is Unix time; OCTETS counts those of the message, which follows as it was on the
 * network. An application gets such frames only after it has asked for the route below.
 */
export const traceRoute = 'trace:messages';

/** Field 1 of the frame. */
export const traceFrameType = 'trace';

type Protocol = 'udp' | 'tcp' | 'tls';

export interface TracedMessage extends HepPacket {
  readonly protocol: Protocol;
  readonly direction: 'received' | 'sent';
  /** A byte string. */
  readonly callId: string;
}

/** Messages of that Call-ID are missing. */
export interface LostMessages {
  readonly direction: 'lost';
  readonly callId: string;
}

/** @param callId a byte string @param microseconds Unix time */
export const traceEntry = (
  direction: 'r' | 's',
  { protocol, localAddress, localPort, remoteAddress, remotePort }: TracedFlow,
  microseconds: number,
  callId: string,
  message: string,
): string =>
  `${direction}|${protocol}|${localAddress}|${localPort}|${remoteAddress}|${remotePort}|${microseconds}|${message.length}|${callId}\r\n${message}`;

export interface TracedFlow {
  readonly protocol: Protocol;
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

/** The entry of a message that was read from one, or decoded from HEP3. */
export function entryOfPacket(
  packet: HepPacket & Partial<TracedMessage>,
  callId: string,
  message: Buffer,
): string {
  const isSent = packet.direction === 'sent';
  const source = { address: packet.sourceAddress, port: packet.sourcePort };
  const destination = { address: packet.destinationAddress, port: packet.destinationPort };
  const [local, remote] = isSent ? [source, destination] : [destination, source];
  return traceEntry(
    isSent ? 's' : 'r',
    {
      protocol: packet.protocol ?? (packet.ipProtocol === ipProtocol.udp ? 'udp' : 'tcp'),
      localAddress: local.address,
      localPort: local.port,
      remoteAddress: remote.address,
      remotePort: remote.port,
    },
    packet.at,
    callId,
    message.toString('latin1'),
  );
}

export const lostEntry = (callId: string): string => `l|||||||0|${callId}\r\n`;

const marker = Buffer.from(`|${traceFrameType}\r\n`);

/** Where the entries begin in a frame's payload; 0 for a frame of another type. */
export function traceEntriesStart(payload: Buffer): number {
  // An id is a UUID; the type is looked for right behind it.
  const at = payload.indexOf(124);
  if (at <= 0 || payload.length < at + marker.length) return 0;
  return payload.compare(marker, 0, marker.length, at, at + marker.length) === 0 ? at + marker.length : 0;
}

/** A message as its entry has it: the fields are read when they are asked for, which is mostly when the call has ended. */
export class TracedEntry {
  private fields: TracedMessage | undefined;

  /**
   * @param entry all of it, in separate memory
   * @param messageStart where the message begins in it
   * @param callId a byte string
   */
  constructor(
    readonly entry: Buffer,
    private readonly messageStart: number,
    readonly callId: string,
  ) {}

  /** Of the message. */
  get octets(): number {
    return this.entry.length - this.messageStart;
  }

  get bytes(): Buffer {
    return this.fields?.payload ?? this.entry.subarray(this.messageStart);
  }

  get packet(): TracedMessage {
    this.fields ??= this.read();
    return this.fields;
  }

  forgetRead(): void {
    this.fields = undefined;
  }

  private read(): TracedMessage {
    const [direction, protocol = '', local = '', localPort, remote = '', remotePort, at] = this.entry
      .toString('latin1', 0, this.messageStart)
      .split('|', 7);
    const isSent = direction === 's';
    return {
      direction: isSent ? 'sent' : 'received',
      protocol: protocol as Protocol,
      ipProtocol: protocol === 'udp' ? ipProtocol.udp : ipProtocol.tcp,
      sourceAddress: isSent ? local : remote,
      sourcePort: Number(isSent ? localPort : remotePort),
      destinationAddress: isSent ? remote : local,
      destinationPort: Number(isSent ? remotePort : localPort),
      at: Number(at),
      correlationId: this.callId,
      callId: this.callId,
      payload: this.bytes,
    };
  }
}

const separator = 124;
/** Fields before the Call-ID, which is last because it may contain the separator. */
const leadingFields = 8;

/** The entries of a frame from `start` on, each with a copy of its octets. What cannot be read ends the list. */
export function readTraceEntries(frame: Buffer, start: number): (TracedEntry | LostMessages)[] {
  const entries: (TracedEntry | LostMessages)[] = [];
  for (let at = start; at < frame.length; ) {
    let callIdStart = at;
    let octetsStart = at;
    for (let field = 0; field < leadingFields; field++) {
      octetsStart = callIdStart;
      callIdStart = frame.indexOf(separator, callIdStart) + 1;
      if (callIdStart === 0) return entries;
    }
    const end = frame.indexOf('\r\n', callIdStart, 'latin1');
    const octets = Number(frame.toString('latin1', octetsStart, callIdStart - 1));
    const first = end + 2;
    if (end < 0 || !(octets >= 0) || first + octets > frame.length) return entries;
    const callId = frame.toString('latin1', callIdStart, end);
    const next = first + octets;
    const direction = frame[at];
    if (direction === lost) entries.push({ direction: 'lost', callId });
    else if (direction === received || direction === sent) {
      // The frame would keep the messages of other calls in memory.
      const entry = Buffer.allocUnsafeSlow(next - at);
      frame.copy(entry, 0, at, next);
      entries.push(new TracedEntry(entry, first - at, callId));
    }
    at = next;
  }
  return entries;
}

const [lost, received, sent] = ['l', 'r', 's'].map((letter) => letter.charCodeAt(0));
