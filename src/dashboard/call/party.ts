import { parseAddress } from '../../sip/address.js';
import { parseUri } from '../../sip/uri.js';

export interface Party {
  /** The display name, if there is one. */
  readonly name: string | undefined;
  /** The URI's user, else its host, else the text as it came. */
  readonly address: string;
}

/** The person in a From or To header; a header that can't be read is shown as it came. */
export function readParty(value: string): Party {
  const { displayName, uri = value.trim() } = parseAddress(value) ?? {};
  const name = displayName === '' ? undefined : displayName;
  const parsed = parseUri(uri);
  if (parsed === undefined) return { name, address: uri };
  return { name, address: parsed.kind === 'sip' ? (parsed.user ?? parsed.host) : uri.replace(/^[^:]*:/, '') };
}
