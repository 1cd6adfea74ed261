/** What a request that has no Max-Forwards gets (RFC 3261 §8.1.1.6). */
const initial = 70;

/**
 * Max-Forwards of the request on the other leg: a call that goes round through several servers of ours ends like one through
 * proxies (RFC 3261 §16.6 step 3, RFC 7332). Whoever sent 0 has been refused before.
 */
export function forwardsLeft(received: string | undefined): number {
  const value = Number.parseInt(received ?? '', 10);
  return Number.isNaN(value) ? initial : Math.max(0, Math.min(value, 255) - 1);
}
