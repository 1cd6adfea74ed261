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

/** The entries of a frame from `start` on; each shares memory with it. What cannot be read ends the list. */
export function* readTraceEntries(frame: Buffer, start: number): Generator<TracedMessage | LostMessages> {
  for (let at = start; at < frame.length; ) {
    const end = frame.indexOf('\r\n', at, 'latin1');
    if (end < 0) return;
    const leader = frame.toString('latin1', at, end);
    const fields = leader.split('|', 8);
    const octets = Number(fields[7]);
    const first = end + 2;
    if (fields.length < 8 || !(octets >= 0) || first + octets > frame.length) return;
    // The Call-ID is last, because it may contain the separator.
    const callId = leader.slice(fields.reduce((sum, field) => sum + field.length + 1, 0));
    at = first + octets;
    const entry = entryOf(fields as unknown as EntryFields, callId, frame.subarray(first, at));
    if (entry !== undefined) yield entry;
  }
}

type EntryFields = readonly [string, string, string, string, string, string, string, string];

function entryOf(
  [direction, protocol, local, localPort, remote, remotePort, at]: EntryFields,
  callId: string,
  payload: Buffer,
): TracedMessage | LostMessages | undefined {
  if (direction === 'l') return { direction: 'lost', callId };
  if (direction !== 'r' && direction !== 's') return undefined;
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
    correlationId: callId,
    callId,
    payload,
  };
}
