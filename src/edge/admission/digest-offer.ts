export type OfferedAlgorithm = 'SHA-256' | 'MD5';

/**
 * User agents that give up when any challenge names an algorithm other than MD5, although RFC 3261 §22.4 lets them answer
 * the one they support: libre's SIP stack before it learned SHA-256 (tried with baresip 1.0.0, as Debian 12 ships it).
 */
const md5Only = [/^baresip v[0-2]\./i];

/**
 * The algorithms offered to a caller: the strongest first, because a client answers the first challenge that it can (RFC
 * 8760 §2.4). A caller that fails on the others gets only MD5, if MD5 is allowed.
 */
export function offeredTo(
  userAgent: string | undefined,
  allowed: readonly OfferedAlgorithm[],
): readonly OfferedAlgorithm[] {
  if (userAgent === undefined || !allowed.includes('MD5')) return allowed;
  return md5Only.some((pattern) => pattern.test(userAgent)) ? ['MD5'] : allowed;
}
