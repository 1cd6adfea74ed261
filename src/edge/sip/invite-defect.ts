import { parseAddress } from '../../sip/address.js';
import { parseUri } from '../../sip/uri.js';
import { capabilityHeaders, unsupportedIn } from './capabilities.js';
import { foreignBodyOf, type HeaderLookup } from './message-reading.js';
import type { ReceivedRequest } from './messages.js';

interface InviteDefect {
  readonly status: 400 | 415 | 420;
  readonly reason?: string;
  readonly headers: Record<string, string>;
  readonly detail: string;
}

/** What makes an INVITE unacceptable from any sender (RFC 3261 §8.1.1.8, §8.2.2.3, §8.2.3). */
export function inviteDefect(request: ReceivedRequest, header: HeaderLookup): InviteDefect | undefined {
  const unsupported = unsupportedIn(header('Require'));
  if (unsupported !== undefined) {
    return {
      status: 420,
      headers: { Unsupported: unsupported },
      detail: `The caller requires unsupported extensions: ${unsupported}.`,
    };
  }
  const contact = header('Contact') ?? '';
  if (parseUri(parseAddress(contact)?.uri ?? '')?.kind !== 'sip') {
    const detail = `The Contact ${contact.slice(0, 100)} is not a SIP URI, so no request could be sent to it.`;
    return { status: 400, reason: 'Contact Is Not A SIP URI', headers: {}, detail };
  }
  const foreign = foreignBodyOf(request);
  if (foreign === undefined) return undefined;
  return {
    status: 415,
    headers: { Accept: capabilityHeaders.Accept! },
    detail: `The INVITE carries ${foreign}.`,
  };
}
