import type { TraceEntry } from '../../contract/call-record.js';
import type { HepPacket } from '../../hep/decode.js';
import { formatHostPort } from '../../sip/uri.js';
import type { CapturedMessage } from './captured-message.js';
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

/** The messages of a call's legs in order of time, redacted; what was captured twice appears once. */
export function traceEntries(legs: readonly Leg[]): TraceEntry[] {
  const timed: Timed[] = [];
  for (const leg of legs) {
    const texts = leg.messages.map(({ bytes }) => bytes.toString('utf8'));
    const callerTag = firstOf(texts, callerTagOf);
    const captured = new Captured();
    for (const [index, { packet }] of leg.messages.entries()) {
      const text = texts[index]!;
      if (captured.has(packet, text)) continue;
      timed.push({ at: packet.at, entry: entryOf(leg, packet, text, callerTag) });
    }
  }
  // Stable: messages of the same microsecond stay in the order they came in.
  return timed.sort((a, b) => a.at - b.at).map(({ entry }) => entry);
}

function firstOf<From, To>(all: readonly From[], read: (one: From) => To | undefined): To | undefined {
  for (const one of all) {
    const found = read(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Captures that have been seen: one with the same octets, time and ports is the same; a retransmission has another time. */
class Captured {
  private readonly byTime = new Map<number, { readonly packet: HepPacket; readonly text: string }[]>();

  /** Whether it has been seen before; it has been now. */
  has(packet: HepPacket, text: string): boolean {
    const earlier = this.byTime.get(packet.at);
    if (earlier === undefined) {
      this.byTime.set(packet.at, [{ packet, text }]);
      return false;
    }
    const { sourcePort, destinationPort } = packet;
    const isSame = earlier.some(
      (one) =>
        one.packet.sourcePort === sourcePort &&
        one.packet.destinationPort === destinationPort &&
        one.text === text,
    );
    if (!isSame) earlier.push({ packet, text });
    return isSame;
  }
}

function entryOf(leg: Leg, packet: HepPacket, text: string, callerTag: string | undefined): TraceEntry {
  return {
    at: isoMicroseconds(packet.at),
    leg: leg.name,
    direction: directionOf(leg, text, callerTag),
    protocol: protocolOf(packet, text),
    source: formatHostPort(packet.sourceAddress, packet.sourcePort),
    destination: formatHostPort(packet.destinationAddress, packet.destinationPort),
    summary: summaryOf(text),
    message: redact(text),
  };
}

const isResponse = (text: string): boolean => text.startsWith('SIP/2.0 ');

/** `INVITE` or `200 OK`. */
function summaryOf(text: string): string {
  const end = text.indexOf('\r\n');
  const line = end < 0 ? text : text.slice(0, end);
  if (isResponse(line)) return line.slice(8);
  const blank = line.indexOf(' ');
  return blank < 0 ? line : line.slice(0, blank);
}

const headerEnd = (text: string): number => {
  const end = text.indexOf('\r\n\r\n');
  return end < 0 ? text.length : end;
};

function tagOfHeader(text: string, pattern: RegExp): string | undefined {
  const line = pattern.exec(text.slice(0, headerEnd(text)))?.[1];
  return line === undefined ? undefined : /;\s*tag\s*=\s*([^;\s,]+)/i.exec(line)?.[1];
}

const fromTagOf = (text: string): string | undefined => tagOfHeader(text, /\r\n(?:from|f)[ \t]*:([^\r]*)/i);
const toTagOf = (text: string): string | undefined => tagOfHeader(text, /\r\n(?:to|t)[ \t]*:([^\r]*)/i);

function callerTagOf(text: string): string | undefined {
  return text.startsWith('INVITE ') && toTagOf(text) === undefined ? fromTagOf(text) : undefined;
}

/**
 * From is the sender of a request, and the receiver of its responses. That tells the direction without knowing which
 * addresses are ours, and does so behind any proxy and over any connection.
 */
function directionOf(leg: Leg, text: string, callerTag: string | undefined): 'received' | 'sent' {
  const isFromCaller = callerTag === undefined || fromTagOf(text) === callerTag;
  const isSentByCaller = isFromCaller !== isResponse(text);
  return isSentByCaller === (leg.initiator === 'peer') ? 'received' : 'sent';
}

const ipProtocolTcp = 6;
/** sofia-sip's stand-in for TLS. */
const ipProtocolIdp = 22;

function protocolOf(packet: HepPacket, text: string): 'udp' | 'tcp' | 'tls' {
  if (packet.ipProtocol === ipProtocolIdp) return 'tls';
  if (packet.ipProtocol !== ipProtocolTcp) return 'udp';
  const via = /\r\n(?:via|v)[ \t]*:[ \t]*SIP[ \t]*\/[ \t]*2\.0[ \t]*\/[ \t]*(\w+)/i.exec(text)?.[1];
  return via?.toUpperCase() === 'TLS' ? 'tls' : 'tcp';
}

/** Unix microseconds as ISO 8601 with six digits. */
function isoMicroseconds(at: number): string {
  const milliseconds = Math.floor(at / 1000);
  const rest = String(at % 1000).padStart(3, '0');
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`;
}
