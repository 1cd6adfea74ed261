import type { HepPacket } from '../../hep/decode.js';

/** One message as captured, still undecoded. */
export interface CapturedMessage {
  readonly packet: HepPacket;
  bytes: Buffer;
}

const statusLine = Buffer.from('SIP/2.0 ');

/** True for a provisional response to the INVITE of that CSeq number. */
export function isProvisional(bytes: Buffer, sequence: number): boolean {
  if (bytes.toString('latin1', 0, statusLine.length + 1) !== 'SIP/2.0 1') return false;
  const headEnd = bytes.indexOf('\r\n\r\n', 0, 'latin1');
  const head = bytes.toString('latin1', 0, headEnd < 0 ? bytes.length : headEnd);
  const match = /\ncseq[ \t]*:[ \t]*(\d{1,10})[ \t]+INVITE[ \t]*(?:\r|$)/i.exec(head);
  return match !== null && Number(match[1]) === sequence;
}

/** True when the bytes begin with a request line or a status line. */
export function beginsMessage(bytes: Buffer): boolean {
  if (bytes.subarray(0, statusLine.length).equals(statusLine)) return true;
  const end = bytes.indexOf('\r\n', 0, 'latin1');
  return end > 0 && bytes.toString('latin1', Math.max(0, end - 8), end) === ' SIP/2.0';
}

/**
 * Length of the first message; more than `bytes.length` when it is not complete, undefined when that cannot be told.
 * drachtio-server captures what it reads from a stream, which may be a piece of a message or several of them.
 */
export function firstMessageLength(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n', 0, 'latin1');
  if (headEnd < 0) return undefined;
  const bodyStart = headEnd + 4;
  if (bodyStart === bytes.length && bytes.indexOf('\r\nContent-Length: 0\r\n', 0, 'latin1') >= 0)
    return bodyStart;
  const head = bytes.toString('latin1', 0, bodyStart);
  const match = /\n(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})/i.exec(head);
  return match === null ? undefined : bodyStart + Number(match[1]);
}
