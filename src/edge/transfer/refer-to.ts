import { isHeaderText } from '../../contract/header-mapping.js';
import { parseAddress } from '../../sip/address.js';
import { parseReplaces, type Replaces } from '../../sip/replaces.js';
import { isToken } from '../../sip/text.js';
import { parseUri, type SipUri, type TelUri, unescapeUri } from '../../sip/uri.js';

/** A header by which one application tells another what it needs; ours identify calls, and only we send them. */
export const isExtension = (name: string): boolean =>
  /^x-.{1,62}$/i.test(name) && isToken(name) && !/^x-demarc-/i.test(name);

/** The target of a Refer-To, and the dialog that the new INVITE replaces. */
export interface ReferTarget {
  readonly uri: SipUri | TelUri;
  readonly replaces: Replaces | undefined;
  /** Those of its headers that the new INVITE may get, by lower-case name. All others are dangerous (RFC 3261 §19.1.5), or not ours to fill. */
  readonly headers: ReadonlyMap<string, string>;
  /** The URI without its headers. */
  readonly text: string;
}

const maximumOctets = 1_024;

/**
 * Reads the value of a Refer-To header (RFC 3515 §2.1). Only an INVITE can be asked for: `method` may be missing or INVITE.
 * Undefined when it is malformed, names no SIP, SIPS or tel URI, or another method.
 */
export function readReferTo(value: string): ReferTarget | undefined {
  if (value.length > maximumOctets) return undefined;
  const address = parseAddress(value);
  const uri = address === undefined ? undefined : parseUri(address.uri);
  if (address === undefined || uri === undefined || uri.kind === 'other') return undefined;
  if (uri.kind === 'tel') return { uri, replaces: undefined, headers: new Map(), text: address.uri };
  const method = uri.parameters.get('method');
  if (method !== undefined && method.toUpperCase() !== 'INVITE') return undefined;
  const text = address.uri.split('?', 1)[0]!;
  const all = headersOf(uri);
  const headers = new Map([...all].filter(([name]) => isExtension(name) || name === 'user-to-user'));
  const replacing = all.get('replaces');
  if (replacing === undefined) return { uri, replaces: undefined, headers, text };
  const replaces = parseReplaces(replacing);
  return replaces === undefined ? undefined : { uri, replaces, headers, text };
}

/** The headers in a URI (RFC 3261 §19.1.1), without escapes; what could end a line is left out. */
function headersOf({ headers }: SipUri): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of headers?.split('&') ?? []) {
    const equals = part.indexOf('=');
    const name = unescapeUri(part.slice(0, Math.max(0, equals))).toLowerCase();
    // The escapes are of octets in UTF-8.
    const value = Buffer.from(unescapeUri(part.slice(equals + 1)), 'latin1').toString();
    if (name !== '' && !found.has(name) && isHeaderText(value)) found.set(name, value);
  }
  return found;
}
