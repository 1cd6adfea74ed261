import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** 4, 6, or 0 when the text is no IP literal. */
export function familyOf(address: string): 0 | 4 | 6 {
  if (isIPv4(address)) return 4;
  return isIPv6(address) ? 6 : 0;
}

/** One spelling for each address: RFC 5952 for IPv6, dotted quad for IPv4-mapped IPv6. Other text stays as it is. */
export function canonicalAddress(address: string): string {
  if (!address.includes(':')) return address;
  const zone = address.indexOf('%');
  const bare = zone < 0 ? address : address.slice(0, zone);
  if (!isIPv6(bare)) return address;
  const text = new SocketAddress({ address: bare, family: 'ipv6' }).address;
  if (text.startsWith('::ffff:') && text.includes('.')) return text.slice(7);
  return zone < 0 ? text : text + address.slice(zone);
}

export const isWildcard = (address: string): boolean => address === '0.0.0.0' || address === '::';

export const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';

/** Loopback, RFC 1918, RFC 6598, link-local and RFC 4193 addresses: networks of one's own. The address must be canonical. */
export function isPrivate(address: string): boolean {
  if (address.includes(':')) return /^(::1$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/.test(address);
  const [first = 0, second = 0] = address.split('.', 2).map(Number);
  if (first === 10 || first === 127) return true;
  if (first === 172) return second >= 16 && second < 32;
  if (first === 100) return second >= 64 && second < 128;
  return (first === 192 && second === 168) || (first === 169 && second === 254);
}

/** An address of the Internet: no network of one's own, no multicast, nothing reserved, however it is spelled. */
export const isPublic = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';

/**
 * Whom a limit per source counts: an IPv4 address, or an IPv6 /64, because one host owns a whole /64.
 * The address must be canonical.
 */
export function sourceOf(address: string): string {
  if (!address.includes(':')) return address;
  return Array.from(addressOctets(address).subarray(0, 8)).join('.');
}

/** The 4 or 16 octets of a canonical address; no octets for anything else. */
export function addressOctets(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const zone = address.indexOf('%');
  const bare = zone < 0 ? address : address.slice(0, zone);
  if (!isIPv6(bare)) return Buffer.alloc(0);
  const octets = Buffer.alloc(16);
  const [head, tail] = bare.split('::');
  const left = groupOctets(head!);
  octets.set(left, 0);
  if (tail !== undefined) {
    const right = groupOctets(tail);
    octets.set(right, 16 - right.length);
  }
  return octets;
}

function groupOctets(groups: string): number[] {
  if (groups === '') return [];
  return groups.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

/** What others can call us on when we listen on every interface: the first external address of the family, else loopback. */
export function ownAddress(family: 4 | 6): string {
  for (const addresses of Object.values(networkInterfaces())) {
    for (const each of addresses ?? []) {
      if (each.internal || each.address.startsWith('fe80:')) continue;
      if (familyOf(each.address) === family) return canonicalAddress(each.address);
    }
  }
  return family === 4 ? '127.0.0.1' : '::1';
}
