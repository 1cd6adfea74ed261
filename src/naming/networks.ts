import ipaddr from 'ipaddr.js';

/**
 * True for an address in one of the networks (CIDRs or single addresses); text that is neither counts as none. An IPv4-mapped
 * IPv6 address is its IPv4 self.
 */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const known = networks.flatMap((text) => {
    if (ipaddr.isValidCIDR(text)) return [ipaddr.parseCIDR(text)];
    if (!ipaddr.isValid(text)) return [];
    const address = ipaddr.process(text);
    return [[address, address.kind() === 'ipv4' ? 32 : 128] as [typeof address, number]];
  });
  return (text) => {
    if (known.length === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return known.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };
}
