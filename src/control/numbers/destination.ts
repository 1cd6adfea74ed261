import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPrivate as isPrivateAddress } from '../../naming/address-scope.js';
import { formatHostPort, parseUri } from '../../sip/uri.js';

export type SipTransport = 'udp' | 'tcp' | 'tls';

/** Where calls go; parts that the input leaves open are absent. */
export interface Destination {
  /** Lower case; IPv6 without brackets. */
  readonly host: string;
  readonly port?: number;
  /** As it stands in the URI, escapes included. */
  readonly user?: string;
  readonly transport?: SipTransport;
  readonly isPrivate: boolean;
}

export type ParsedDestination =
  | { readonly ok: true; readonly destination: Destination }
  | { readonly ok: false; readonly reason: string };

const maximumLength = 512;

const refused = (reason: string): ParsedDestination => ({ ok: false, reason });

const transportOf = (text: string): SipTransport | undefined =>
  text === 'udp' || text === 'tcp' || text === 'tls' ? text : undefined;

/**
 * Reads what people paste: a host name, an IPv4 or IPv6 address, either with a port, a SIP URI, or a shorthand such as
 * `tls://host:5061` and `tls:host`. Never resolves a name.
 */
export function parseDestination(input: string): ParsedDestination {
  const text = input.trim().replace(/^<(.*)>$/, '$1');
  if (text === '') return refused('The destination is empty');
  if (text.length > maximumLength)
    return refused(`The destination is longer than ${maximumLength} characters`);
  if (/[\s\x00-\x1f\x7f]/.test(text))
    return refused('The destination contains a space or a control character');
  if (/^(tel:)?\+?[\d().-]{3,20}$/i.test(text) && isIP(text) === 0 && !/^\d+(\.\d+)+$/.test(text)) {
    return refused('The destination is a phone number; enter the server’s host name or address');
  }
  if (/[^\x20-\x7e]/.test(text)) {
    return refused('Only ASCII is allowed: write international host names in xn-- form (punycode)');
  }
  const scheme =
    /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/.exec(text) ?? /^(sips?|tls|tcp|udp):(?!\d+$)(.*)$/i.exec(text);
  const name = scheme?.[1]?.toLowerCase() ?? 'sip';
  const given = name === 'sips' ? 'tls' : transportOf(name);
  if (name !== 'sip' && given === undefined)
    return refused(`The scheme ${name} is not one of sip, sips, tls, tcp, udp`);
  const rest = (scheme?.[2] ?? text).replace(/\/$/, '');
  const uri = parseUri(`sip:${isIPv6(rest) ? `[${rest}]` : rest}`);
  const written = isIPv6(rest) ? undefined : /^[^[\]]*:(\d+)(?:[;?].*)?$/.exec(rest)?.[1];
  if (written !== undefined && Number(written) > 65_535) return refused('The port must be 1 to 65535');
  if (uri?.kind !== 'sip') return refused('Not a host name, an address or a SIP URI');
  if (uri.password !== undefined) return refused('The URI must not contain a password: use sip_password');
  if (uri.headers !== undefined) return refused('The URI must not contain headers (after "?")');
  if (uri.port !== undefined && (uri.port < 1 || uri.port > 65_535))
    return refused('The port must be 1 to 65535');
  const parameter = uri.parameters.get('transport')?.toLowerCase();
  const named = parameter === undefined ? undefined : transportOf(parameter);
  if (uri.parameters.has('transport') && named === undefined)
    return refused('The transport must be udp, tcp or tls');
  if (given !== undefined && named !== undefined && given !== named) {
    return refused(`${name} and transport=${named} contradict each other`);
  }
  const host = readHost(uri.host);
  if (!host.ok) return refused(host.reason);
  const transport = given ?? named;
  return {
    ok: true,
    destination: {
      host: host.name,
      ...(uri.port === undefined ? {} : { port: uri.port }),
      ...(uri.user === undefined ? {} : { user: uri.user }),
      ...(transport === undefined ? {} : { transport }),
      isPrivate: isPrivate(host.name),
    },
  };
}

function readHost(text: string): { ok: true; name: string } | { ok: false; reason: string } {
  const plain = text.replace(/^\[(.*)\]$/, '$1');
  if (isIP(plain) !== 0) {
    const address = ipaddr.process(plain);
    const isGroup = address.range() === 'multicast' || address.range() === 'broadcast';
    if (address.range() === 'unspecified') {
      return { ok: false, reason: 'The unspecified address cannot be a destination' };
    }
    return isGroup
      ? { ok: false, reason: 'A multicast or broadcast address cannot be a destination' }
      : { ok: true, name: address.toString() };
  }
  const name = plain.toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  const isName =
    name.length <= 253 && labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  if (!isName) return { ok: false, reason: 'The host name is not valid (RFC 1123)' };
  // What resolvers take for an address in an unusual spelling: 10.1, 0x7f000001.
  if (/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!)) return { ok: false, reason: 'The address is not valid' };
  return { ok: true, name };
}

/** True for private addresses and for `localhost`. */
function isPrivate(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost');
  return isPrivateAddress(host);
}

/** `sip:user@host:port;transport=x`, each part only when known. */
export function formatDestination(destination: Omit<Destination, 'isPrivate'>): string {
  const { user, host, port, transport } = destination;
  return (
    `sip:${user === undefined ? '' : `${user}@`}${formatHostPort(host, port)}` +
    (transport === undefined ? '' : `;transport=${transport}`)
  );
}
