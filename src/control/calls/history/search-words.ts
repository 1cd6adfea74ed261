import type { CallRecord } from '../../../contract/call-record.js';
import { canonicalHeaderName } from '../../../sip/header-name.js';

/**
 * What the index of traces finds a call by: parts of the trunk's Call-ID, and words of the headers in its trace. PostgreSQL keeps a
 * 64-bit hash of each behind its organization (`call_tokens`), so that the index holds no text of callers and a search reads nothing of others.
 */

/** Characters of a Call-ID that are indexed. */
const indexedLength = 128;
const partLength = 4;
/** Of so many parts in a row one is indexed, a third of all: the one whose hash is lowest, which a search for them chooses too. */
const windowParts = 5;

/** A shorter part of a Call-ID need not hold an indexed part. */
export const leastCallIdPart = partLength + windowParts - 1;

const mostHeaderWords = 48;
const longestWord = 64;
/** More words of a value are not indexed. */
const mostWordsOfValue = 12;

/** Differs in every call, is searched by other columns, is long and says nothing, or is a secret. */
const unindexed: ReadonlySet<string> = new Set([
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Allow',
  'Allow-Events',
  'Authentication-Info',
  'Authorization',
  'CSeq',
  'Contact',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Length',
  'Content-Type',
  'Date',
  'Expires',
  'From',
  'Identity',
  'MIME-Version',
  'Max-Forwards',
  'Min-SE',
  'Proxy-Authenticate',
  'Proxy-Authorization',
  'RAck',
  'RSeq',
  'Record-Route',
  'Require',
  'Route',
  'Session-Expires',
  'Supported',
  'Timestamp',
  'To',
  'Via',
  'WWW-Authenticate',
]);

export const isIndexedHeader = (name: string): boolean =>
  !unindexed.has(canonicalHeaderName(name)) && !/^x-demarc-(test-)?token$/i.test(name);

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The indexed parts of a Call-ID, or those that each Call-ID with this part has; none: it is too short. */
export function callIdWords(callId: string): string[] {
  const text = callId.toLowerCase().replaceAll(/[^!-~]/g, '');
  const words = new Set<string>();
  const windows = Math.min(text.length, indexedLength) - leastCallIdPart;
  for (let from = 0; from <= windows; from += 1) {
    let chosen = '';
    let least = Number.POSITIVE_INFINITY;
    for (let at = from; at < from + windowParts; at += 1) {
      const part = text.slice(at, at + partLength);
      const hash = hashOf(part);
      if (hash >= least) continue;
      chosen = part;
      least = hash;
    }
    words.add(`#${chosen}`);
  }
  return [...words];
}

/** What a call must have to be found by this header; none: the value has no word. A Call-ID is one word, of either leg. */
export function headerWords(name: string, value: string): string[] {
  const header = canonicalHeaderName(name).toLowerCase();
  const text = value.trim().toLowerCase();
  const words = header === 'call-id' ? [text.replaceAll(/[^!-~]/g, '')] : text.split(/[^\p{L}\p{N}]+/u);
  const most = header === 'call-id' ? indexedLength : longestWord;
  return words
    .filter((word) => word !== '' && word.length <= most)
    .slice(0, mostWordsOfValue)
    .map((word) => `${header}=${word}`);
}

/** All that finds the call. */
export function searchWordsOf({ sip_call_ids, trace }: CallRecord): string[] {
  const words = new Set<string>();
  const seen = new Set<string>();
  for (const { message } of trace) {
    const end = message.indexOf('\r\n\r\n');
    const [, ...lines] = message.slice(0, end < 0 ? undefined : end).split(/\r\n(?![ \t])/);
    for (const line of lines) {
      if (seen.has(line)) continue;
      seen.add(line);
      const colon = line.indexOf(':');
      const name = line.slice(0, Math.max(0, colon)).trim();
      if (name === '' || !/^[!-~]{1,64}$/.test(name) || !isIndexedHeader(name)) continue;
      for (const word of headerWords(name, line.slice(colon + 1))) {
        if (words.size < mostHeaderWords) words.add(word);
      }
    }
    if (words.size >= mostHeaderWords) break;
  }
  return [...callIdWords(sip_call_ids.trunk), ...words];
}
