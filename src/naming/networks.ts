import ipaddr from 'ipaddr.js';
import { type Address, parseAddress } from './address.js';

/**
 * True for an address in one of the networks (CIDRs or single addresses); text that is neither counts as none. An IPv4-mapped
 * IPv6 address is its IPv4 self.
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
