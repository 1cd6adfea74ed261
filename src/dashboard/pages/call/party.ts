import { parseAddress } from '../../../sip/address.js';
import { parseUri } from '../../../sip/uri.js';

export interface Party {
  /** The display name, if present. */
  readonly name: string | undefined;
  /** The user of the URI, else its host, else the raw text. */
  readonly address: string;
}

/** The person in a From or To header; an unparsable header is shown as received. */
export function readParty(value: string): Party {
  const { displayName, uri = value.trim() } = parseAddress(value) ?? {};
  const name = displayName === '' ? undefined : displayName;
  const parsed = parseUri(uri);
  if (parsed === undefined) return { name, address: uri };
  return { name, address: parsed.kind === 'sip' ? (parsed.user ?? parsed.host) : uri.replace(/^[^:]*:/, '') };
}
