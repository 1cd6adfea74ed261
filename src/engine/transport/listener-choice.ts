import { familyOf, isWildcard } from '../../naming/address.js';
import { isLoopback } from '../../naming/address-scope.js';
import type { Listener, Protocol } from './flow.js';

/**
 * The listener to reach an address from: same protocol and address family; if there is a choice, loopback only for loopback
 * addresses; then the first configured.
 */
export function preferredListener<L extends Listener>(
  listeners: readonly L[],
  protocol: Protocol,
  address: string,
): L | undefined {
  const family = familyOf(address);
  const local = isLoopback(address);
  let best: L | undefined;
  let bestRank = 0;
  for (const listener of listeners) {
    if (listener.protocol !== protocol || familyOf(listener.address) !== family) continue;
    const rank = isLoopback(listener.address) === local ? 3 : isWildcard(listener.address) ? 2 : 1;
    if (rank > bestRank) {
      best = listener;
      bestRank = rank;
    }
  }
  return best;
}
