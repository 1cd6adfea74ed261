import type { TraceEntry } from '../../contract/call-record.js';
import type { HepPacket } from '../../hep/decode.js';
import { ipProtocol } from '../../hep/format.js';
import { formatHostPort } from '../../sip/uri.js';
import { type CapturedMessage, factsOf, isInitialInvite, viaTransportOf } from './captured-message.js';
import { redact } from './redaction.js';

export interface Leg {
  readonly name: 'trunk' | 'agent';
  /** Who sent the leg's first INVITE. */
  readonly initiator: 'peer' | 'edge';
  readonly messages: readonly CapturedMessage[];
}

interface Timed {
  readonly at: number;
  readonly entry: TraceEntry;
}

/** The messages of a call's legs in order of time, redacted; a message that was captured twice appears once. */
export function traceEntries(legs: readonly Leg[]): TraceEntry[] {
  const timed: Timed[] = [];
  for (const leg of legs) {
    const invite = leg.messages.find((message) => isInitialInvite(factsOf(message).head));
    const callerTag = invite && factsOf(invite).fromTag;
    for (const [index, message] of leg.messages.entries()) {
      if (isCapturedAgain(leg.messages, index)) continue;
      timed.push({ at: message.packet.at, entry: entryOf(leg, message, callerTag) });
    }
  }
  // Stable: messages of the same microsecond keep their order of arrival.
  return timed.sort((a, b) => a.at - b.at).map(({ entry }) => entry);
}

/** A second capture of a message has the same octets, time and ports; a retransmission has another time. */
function isCapturedAgain(messages: readonly CapturedMessage[], index: number): boolean {
  const { packet, bytes } = messages[index]!;
  for (let earlier = 0; earlier < index; earlier++) {
    const message = messages[earlier]!;
    if (
      message.packet.at === packet.at &&
      message.packet.sourcePort === packet.sourcePort &&
      message.packet.destinationPort === packet.destinationPort &&
      message.bytes.equals(bytes)
    )
      return true;
  }
  return false;
}

function entryOf(leg: Leg, message: CapturedMessage, callerTag: string | undefined): TraceEntry {
  const { packet } = message;
  const { text, head, status, summary, fromTag } = factsOf(message);
  return {
    at: isoMicroseconds(packet.at),
    leg: leg.name,
    direction: directionOf(leg, status === undefined, fromTag, callerTag),
    protocol: protocolOf(packet, head),
    source: formatHostPort(packet.sourceAddress, packet.sourcePort),
    destination: formatHostPort(packet.destinationAddress, packet.destinationPort),
    summary,
    message: redact(text),
  };
}

/**
 * From is the sender of a request, and the receiver of its responses. This gives the direction without a list of our own
 * addresses, behind any proxy and over any connection.
 */
function directionOf(
  leg: Leg,
  isRequest: boolean,
  fromTag: string | undefined,
  callerTag: string | undefined,
): 'received' | 'sent' {
  const isFromCaller = callerTag === undefined || fromTag === callerTag;
  const isSentByCaller = isFromCaller === isRequest;
  return isSentByCaller === (leg.initiator === 'peer') ? 'received' : 'sent';
}

/** sofia-sip's stand-in for TLS. */
const ipProtocolIdp = 22;

function protocolOf({ ipProtocol: protocol }: HepPacket, head: string): TraceEntry['protocol'] {
  if (protocol === ipProtocolIdp) return 'tls';
  if (protocol !== ipProtocol.tcp) return 'udp';
  return viaTransportOf(head) === 'TLS' ? 'tls' : 'tcp';
}

/** Unix microseconds as ISO 8601 with six digits. */
function isoMicroseconds(at: number): string {
  const milliseconds = Math.floor(at / 1000);
  const rest = String(at % 1000).padStart(3, '0');
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`;
}
