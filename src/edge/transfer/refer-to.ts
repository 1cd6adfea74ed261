import { parseAddress } from '../../sip/address.js';
import { parseReplaces, type Replaces } from '../../sip/replaces.js';
import { parseUri, type SipUri, type TelUri, unescapeUri } from '../../sip/uri.js';

/** The target of a Refer-To, and the dialog that the new INVITE replaces. */
export interface ReferTarget {
  readonly uri: SipUri | TelUri;
  readonly replaces: Replaces | undefined;
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
  if (uri.kind === 'tel') return { uri, replaces: undefined, text: address.uri };
  const method = uri.parameters.get('method');
  if (method !== undefined && method.toUpperCase() !== 'INVITE') return undefined;
  const text = address.uri.split('?', 1)[0]!;
  const replacing = headerOf(uri, 'replaces');
  if (replacing === undefined) return { uri, replaces: undefined, text };
  const replaces = parseReplaces(replacing);
  return replaces === undefined ? undefined : { uri, replaces, text };
}

/** A header in a URI (RFC 3261 §19.1.1), without escapes. */
function headerOf({ headers }: SipUri, name: string): string | undefined {
  for (const part of headers?.split('&') ?? []) {
    const equals = part.indexOf('=');
    if (equals > 0 && unescapeUri(part.slice(0, equals)).toLowerCase() === name) {
      return unescapeUri(part.slice(equals + 1));
    }
  }
  return undefined;
}
