import { parseAddress } from '../../sip/address.js';
import { splitList } from '../../sip/text.js';
import { parseUri, type SipUri, type TelUri } from '../../sip/uri.js';

/** Where a 3xx sends us. */
export interface RedirectContact {
  readonly uri: SipUri | TelUri;
  /** As it came. */
  readonly text: string;
}

/** Followed in one call; RFC 3261 §8.1.3.4 leaves the bound to the client. */
export const maximumRedirects = 3;
/** A longer list would keep the caller waiting. */
const maximumContacts = 5;

/** 305 names a proxy and is deprecated, 380 describes another service: neither is another address of the callee. */
const followed: ReadonlySet<number> = new Set([300, 301, 302]);

export const isRedirect = (status: number): boolean => followed.has(status);

/** The contacts of a 3xx in the order in which they are to be tried: by `q`, 1 where it is missing (RFC 3261 §20.10). */
export function redirectContacts(contact: string | undefined): readonly RedirectContact[] {
  const found = splitList(contact ?? '').flatMap((value) => {
    const address = parseAddress(value);
    const uri = address === undefined ? undefined : parseUri(address.uri);
    if (address === undefined || uri === undefined || uri.kind === 'other') return [];
    const quality = Number(address.parameters.get('q') ?? '1');
    return [{ uri, text: address.uri, quality: quality >= 0 && quality <= 1 ? quality : 0 }];
  });
  return found.toSorted((first, second) => second.quality - first.quality).slice(0, maximumContacts);
}
