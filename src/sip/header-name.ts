/** Canonical header names: RFC 3261 §7.3.3 and §20, and the registered names of later RFCs. */

import { isToken } from './text.js';

/** Compact form → long form. */
const compact: ReadonlyMap<string, string> = new Map([
  ['a', 'Accept-Contact'],
  ['b', 'Referred-By'],
  ['c', 'Content-Type'],
  ['d', 'Request-Disposition'],
  ['e', 'Content-Encoding'],
  ['f', 'From'],
  ['i', 'Call-ID'],
  ['j', 'Reject-Contact'],
  ['k', 'Supported'],
  ['l', 'Content-Length'],
  ['m', 'Contact'],
  ['n', 'Identity-Info'],
  ['o', 'Event'],
  ['r', 'Refer-To'],
  ['s', 'Subject'],
  ['t', 'To'],
  ['u', 'Allow-Events'],
  ['v', 'Via'],
  ['x', 'Session-Expires'],
  ['y', 'Identity'],
]);

/** Names whose capitals do not follow from "first letter of each word". */
const irregular: ReadonlyMap<string, string> = new Map([
  ['call-id', 'Call-ID'],
  ['cseq', 'CSeq'],
  ['mime-version', 'MIME-Version'],
  ['www-authenticate', 'WWW-Authenticate'],
  ['sip-etag', 'SIP-ETag'],
  ['sip-if-match', 'SIP-If-Match'],
  ['rack', 'RAck'],
  ['rseq', 'RSeq'],
  ['min-se', 'Min-SE'],
  ['session-id', 'Session-ID'],
  ['remote-party-id', 'Remote-Party-ID'],
  ['p-called-party-id', 'P-Called-Party-ID'],
  ['p-associated-uri', 'P-Associated-URI'],
]);

const maximumCached = 512;
const cache = new Map<string, string>();

/** A copy that does not keep the message alive from which the text was cut. */
const detached = (text: string): string =>
  String.fromCharCode(...Array.from(text, (character) => character.charCodeAt(0)));

function derive(name: string): string {
  const lower = name.toLowerCase();
  const canonical = compact.get(lower) ?? irregular.get(lower);
  if (canonical !== undefined) return canonical;
  if (lower.startsWith('x-') || lower.includes('_')) return name;
  return lower.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/**
 * The long, canonical spelling of a header name: `v` → `Via`, `call-id` → `Call-ID`, `abc-def` → `Abc-Def`.
 * Names that begin with `X-` or contain an underscore are not standardized and keep their spelling.
 */
export function canonicalHeaderName(name: string): string {
  const hit = cache.get(name);
  if (hit !== undefined) return hit;
  const canonical = derive(name);
  if (cache.size < maximumCached && isToken(name)) cache.set(detached(name), canonical);
  return canonical;
}

/** As `canonicalHeaderName`, but `undefined` for text that isn't a token (RFC 3261 §25.1). */
export function readHeaderName(name: string): string | undefined {
  return cache.get(name) ?? (isToken(name) ? canonicalHeaderName(name) : undefined);
}

/** The compact form of a canonical name, if it has one: `Via` → `v`. */
export function compactNameOf(canonical: string): string | undefined {
  for (const [form, name] of compact) if (name === canonical) return form;
  return undefined;
}
