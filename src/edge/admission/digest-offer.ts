export type OfferedAlgorithm = 'SHA-256' | 'MD5';

/**
 * User agents that give up when any challenge names an algorithm other than MD5, though RFC 3261 §22.4 lets them answer
 * the one they know: libre's SIP stack before it learned SHA-256 (tried with baresip 1.0.0, as Debian 12 ships it).
 */
const md5Only = [/^baresip v[0-2]\./i];

/**
 * What a caller is offered: the strongest first, because a client answers the first challenge that it can (RFC 8760 §2.4).
 * A caller that would choke on the others is offered MD5 alone, where MD5 is allowed at all.
 */
export function offeredTo(
  userAgent: string | undefined,
  allowed: readonly OfferedAlgorithm[],
): readonly OfferedAlgorithm[] {
  if (userAgent === undefined || !allowed.includes('MD5')) return allowed;
  return md5Only.some((pattern) => pattern.test(userAgent)) ? ['MD5'] : allowed;
}
