import { networkInterfaces } from 'node:os';
import { interfaceAddresses } from '../../base/interface-addresses.js';
import { canonicalAddress, familyOf } from '../../naming/address.js';

/** The addresses of this machine's interfaces. */
export const localAddresses = (): string[] => interfaceAddresses().map(canonicalAddress);

/** The address that a listener on every interface advertises: the first external one of the family, else loopback. */
export function ownAddress(family: 4 | 6): string {
  for (const addresses of Object.values(networkInterfaces())) {
    for (const each of addresses ?? []) {
      if (each.internal || each.address.startsWith('fe80:')) continue;
      if (familyOf(each.address) === family) return canonicalAddress(each.address);
    }
  }
  return family === 4 ? '127.0.0.1' : '::1';
}
