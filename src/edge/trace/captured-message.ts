import type { HepPacket } from '../../hep/decode.js';
import { tagOf } from '../../sip/address.js';
import { type CSeq, parseCSeq } from '../../sip/cseq.js';
import { Headers } from '../../sip/headers.js';
import { contentLength, readHeaderLines } from '../../sip/parse-head.js';
import { readStart } from '../../sip/read.js';
import { headerScan } from '../../sip/scan.js';
import { viaTransport } from '../../sip/via.js';

/** One message as captured, not parsed. */
export interface CapturedMessage {
  readonly packet: HepPacket;
  readonly bytes: Buffer;
  /** What was read from it. */
  facts?: MessageFacts | undefined;
}

/** What a trace needs of a message. */
export interface MessageFacts {
  /** Unicode. */
  readonly text: string;
  readonly head: string;
  /** Of a response. */
  readonly status: number | undefined;
  readonly summary: string;
  readonly cseq: CSeq | undefined;
  readonly fromTag: string | undefined;
}

/** Read once, although several questions are asked about it when its call ends. */
export function factsOf(message: CapturedMessage): MessageFacts {
  if (message.facts !== undefined) return message.facts;
  const text = message.bytes.toString('utf8');
  const head = headOf(text);
  const { status, summary } = readStart(head);
  message.facts = { text, head, status, summary, cseq: cseqOf(head), fromTag: fromTagOf(head) };
  return message.facts;
}

/** Start line and headers; all of a torn message. */
export function headOf(text: string): string {
  const end = text.indexOf('\r\n\r\n');
  return end < 0 ? text : text.slice(0, end);
}

const scanCSeq = headerScan('CSeq');
const scanFrom = headerScan('From');
const scanTo = headerScan('To');
const scanVia = headerScan('Via');

const cseqOf = (head: string): CSeq | undefined => parseCSeq(scanCSeq(head) ?? '');
const fromTagOf = (head: string): string | undefined => tagOf(scanFrom(head) ?? '');
/** Of the topmost Via, upper case. */
export const viaTransportOf = (head: string): string | undefined => viaTransport(scanVia(head) ?? '');

/** An INVITE outside any dialog. */
export const isInitialInvite = (text: string): boolean =>
  text.startsWith('INVITE ') && tagOf(scanTo(headOf(text)) ?? '') === undefined;

const statusLine = Buffer.from('SIP/2.0 ');

/** True for a provisional response to the INVITE of that CSeq number. */
export function isProvisional({ bytes }: CapturedMessage, sequence: number): boolean {
  if (bytes.toString('latin1', 0, statusLine.length + 1) !== 'SIP/2.0 1') return false;
  const cseq = cseqOf(headOf(bytes.toString('latin1')));
  return cseq?.method === 'INVITE' && cseq.number === sequence;
}

/** True when the bytes begin with a request line or a status line. */
export function beginsMessage(bytes: Buffer): boolean {
  if (bytes.subarray(0, statusLine.length).equals(statusLine)) return true;
  const end = bytes.indexOf('\r\n', 0, 'latin1');
  return end > 0 && bytes.toString('latin1', Math.max(0, end - 8), end) === ' SIP/2.0';
}

/**
 * Length of the first message; more than `bytes.length` when it is incomplete, undefined when the head doesn't say it.
 * drachtio-server captures what it reads from a stream, which may be a piece of a message or several of them.
 */
export function firstMessageLength(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n', 0, 'latin1');
  if (headEnd < 0) return undefined;
  const headers = new Headers();
  const head = bytes.toString('latin1', 0, headEnd);
  readHeaderLines(head, head.indexOf('\r\n') + 2, head.length, headers);
  const length = contentLength(headers);
  return typeof length === 'number' ? headEnd + 4 + length : undefined;
}
