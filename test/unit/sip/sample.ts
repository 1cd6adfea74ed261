import type { SipMessage, SipRequest } from '../../../src/sip/message.js';
import { parseMessage } from '../../../src/sip/parse.js';

/** Lines of the sample INVITE, by header name, so that a test can replace or drop one. */
export interface SampleLines {
  [name: string]: string | undefined;
}

const sampleLines: SampleLines = {
  Via: 'SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK776asdhds;rport',
  'Max-Forwards': '70',
  From: '"Alice" <sip:alice@example.net>;tag=1928301774',
  To: '<sip:+15551234567@demarc.example.com>',
  'Call-ID': 'a84b4c76e66710@192.0.2.1',
  CSeq: '314159 INVITE',
  Contact: '<sip:alice@192.0.2.1:5060>',
  'Content-Length': '0',
};

export interface SampleOptions {
  startLine?: string;
  lines?: SampleLines;
  /** Raw lines put after the others. */
  extra?: readonly string[];
  body?: string;
}

/** The octets of an INVITE, as a byte string. `lines` replaces headers; undefined drops one. */
export function sample(options: SampleOptions = {}): string {
  const { startLine = 'INVITE sip:+15551234567@demarc.example.com SIP/2.0', extra = [], body = '' } = options;
  const lines = Object.entries({ ...sampleLines, ...options.lines })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`);
  return `${[startLine, ...lines, ...extra].join('\r\n')}\r\n\r\n${body}`;
}

export function parsedFrom(text: string): SipMessage {
  const result = parseMessage(Buffer.from(text, 'latin1'));
  if (!result.ok) throw new Error(result.error);
  return result.message;
}

export function requestFrom(text: string): SipRequest {
  const message = parsedFrom(text);
  if (message.kind !== 'request') throw new Error('not a request');
  return message;
}

/** Mulberry32: the same numbers for the same seed, from 0 to below 1. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
