import ipaddr from 'ipaddr.js';
import { type Address, parseAddress } from './address.js';

/**
 * True for an address in one of the networks (CIDRs or single addresses); other text is in none. An IPv4-mapped IPv6 address
 * counts as its IPv4 address.
 */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const known = networks.flatMap((text) => {
    if (ipaddr.isValidCIDR(text)) return [ipaddr.parseCIDR(text)];
    const address = parseAddress(text);
    if (address === undefined) return [];
    return [[address, address.kind() === 'ipv4' ? 32 : 128] as [Address, number]];
  });
  return (text) => {
    const address = known.length === 0 ? undefined : parseAddress(text);
    if (address === undefined) return false;
    return known.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };
}
