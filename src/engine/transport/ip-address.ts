import { isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';
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

/** The 4 or 16 octets of a canonical address; no octets for anything else. */
export function addressOctets(address: string): Buffer {
  const bare = address.replace(/%.*$/, '');
  return isIP(bare) === 0 ? Buffer.alloc(0) : Buffer.from(ipaddr.parse(bare).toByteArray());
}

/** The addresses of this machine's interfaces. */
export const localAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => canonicalAddress(address)),
  );

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
