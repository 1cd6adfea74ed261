import { headerVariablePrefix, isHeaderText } from '../../contract/header-mapping.js';
import { parseAddress } from '../../sip/address.js';
import { splitList } from '../../sip/text.js';
import { parseUri, userOf } from '../../sip/uri.js';
import type { HeaderReader } from './header-mapping.js';

/** A PASSporT with its certificate URL has about 800 octets (RFC 8225); longer ones do not go into the INVITE to an agent. */
const maximumOctets = 1_500;

/** Headers of the caller's INVITE about the caller's identity and diversions, as the agent reads them. */
const originals: Readonly<Record<string, string>> = {
  'x-original-pai': 'P-Asserted-Identity',
  'x-original-rpid': 'Remote-Party-ID',
  'x-original-div': 'Diversion',
  'x-original-history': 'History-Info',
  identity: 'Identity',
};

/**
 * Variables of the agent about the caller's identity: the headers above, and `verstat`, the network's verification result
 * for the number (3GPP TS 24.229 §7.2A.20, ATIS-1000074).
 */
export function identityVariables(header: HeaderReader): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const [name, original] of Object.entries(originals)) {
    const value = header(original);
    if (value === undefined || Buffer.byteLength(value) > maximumOctets || !isHeaderText(value)) continue;
    variables[`${headerVariablePrefix}${name}`] = value;
  }
  const verstat = verstatOf(header);
  if (verstat !== undefined) variables[`${headerVariablePrefix}verstat`] = verstat;
  return variables;
}

/** The network's assertion takes precedence over the caller's From. */
function verstatOf(header: HeaderReader): string | undefined {
  const asserted = splitList(header('P-Asserted-Identity') ?? '');
  for (const value of [...asserted, header('From') ?? '']) {
    const found = verstatIn(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A parameter of the tel URI, of the user part of a SIP URI, of that URI, or of the header. */
function verstatIn(value: string): string | undefined {
  const address = parseAddress(value);
  const uri = address === undefined ? undefined : parseUri(address.uri);
  if (address === undefined || uri === undefined || uri.kind === 'other') return undefined;
  const user = uri.kind === 'sip' ? (uri.user ?? '') : '';
  const ofUser = /;verstat=([^;]*)/i.exec(user)?.[1];
  const found = ofUser ?? uri.parameters.get('verstat') ?? address.parameters.get('verstat');
  return found !== undefined && /^[A-Za-z0-9-]{1,64}$/.test(found) ? found : undefined;
}

/** The caller's number or name, without the parameters that a telephone subscriber may have (RFC 3966 §3). */
export function callerUser(from: string | undefined): string | undefined {
  const address = parseAddress(from ?? '');
  const uri = address === undefined ? undefined : parseUri(address.uri);
  const user = uri === undefined ? undefined : userOf(uri);
  return user?.split(';', 1)[0];
}
