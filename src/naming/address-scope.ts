import ipaddr from 'ipaddr.js';
import { parseAddress, withoutBrackets } from './address.js';
import { remembered } from './remembered.js';

/**
 * How far an address reaches. `private`: a private network. `reserved`: not the address of a host
 * (multicast, broadcast, unspecified, documentation, future use).
 */
export type AddressScope = 'public' | 'loopback' | 'private' | 'reserved';

const privateRanges: ReadonlySet<string> = new Set([
  'private',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
  'deprecatedSiteLocal',
  'benchmarking',
]);

/** RFC 2544: test networks, which laboratories route. */
const benchmarking = ipaddr.IPv4.parseCIDR('198.18.0.0/15');
/** RFC 8215: NAT64 prefixes of the local network. */
const localTranslation = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');
/** RFC 4291 §2.5.5.1, deprecated: `::a.b.c.d`. */
const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96');

/**
 * The scope of an address in any spelling that `ipaddr.js` reads, with or without brackets or zone; text that is not an
 * address is `reserved`. An IPv6 address that carries an IPv4 address (mapped, translated, NAT64, 6to4) reaches as far as
 * that one.
 */
export const scopeOf = remembered((address): AddressScope => {
  const parsed = parseAddress(withoutBrackets(address));
  if (parsed === undefined) return 'reserved';
  return parsed instanceof ipaddr.IPv4 ? scopeOfIpv4(parsed) : scopeOfIpv6(parsed);
});

export const isPublic = (address: string): boolean => scopeOf(address) === 'public';

/** Loopback, or a private network. */
export function isPrivate(address: string): boolean {
  const scope = scopeOf(address);
  return scope === 'private' || scope === 'loopback';
}

/**
 * True for this machine's own addresses, in their normal spelling. They cannot be forged from outside: the system drops
 * packets with such a source (RFC 1122 §3.2.1.3).
 */
export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

/**
 * The key for a limit per source: an IPv4 address, or an IPv6 /64, because one host owns a whole /64. Text that is not an
 * address stays unchanged.
 */
export function sourcePrefix(address: string): string {
  if (!address.includes(':')) return address;
  const parsed = parseAddress(address);
  if (parsed === undefined) return address;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const prefix = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}

function scopeOfIpv4(address: ipaddr.IPv4): AddressScope {
  const range: string = address.range();
  if (range === 'unicast') return 'public';
  if (range === 'loopback') return 'loopback';
  return privateRanges.has(range) || address.match(benchmarking) ? 'private' : 'reserved';
}

function scopeOfIpv6(address: ipaddr.IPv6): AddressScope {
  if (address.match(localTranslation)) return 'private';
  const range: string = address.range();
  if (range === 'loopback') return 'loopback';
  if (privateRanges.has(range)) return 'private';
  const octets = address.toByteArray();
  // NAT64 (RFC 6052) and stateless translation (RFC 6145) are how IPv6-only hosts reach the IPv4 Internet.
  if (range === 'rfc6052' || range === 'rfc6145') return scopeOfOctets(octets.slice(12));
  if (range === '6to4') return closed(scopeOfOctets(octets.slice(2, 6)));
  if (range !== 'unspecified' && address.match(ipv4Compatible))
    return closed(scopeOfOctets(octets.slice(12)));
  return range === 'unicast' ? 'public' : 'reserved';
}

const scopeOfOctets = (octets: number[]): AddressScope => scopeOfIpv4(new ipaddr.IPv4(octets));

/** 6to4 relays are gone (RFC 7526): an address that doesn't lead to a private network is unreachable. */
const closed = (scope: AddressScope): AddressScope => (scope === 'public' ? 'reserved' : scope);
