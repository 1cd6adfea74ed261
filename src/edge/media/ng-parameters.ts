export type Profile = 'RTP/SAVP' | 'RTP/AVP';

const suites = [
  'AES_CM_128_HMAC_SHA1_80',
  'AES_CM_128_HMAC_SHA1_32',
  'AES_192_CM_HMAC_SHA1_80',
  'AES_192_CM_HMAC_SHA1_32',
  'AES_256_CM_HMAC_SHA1_80',
  'AES_256_CM_HMAC_SHA1_32',
  'AEAD_AES_128_GCM',
  'AEAD_AES_256_GCM',
  'F8_128_HMAC_SHA1_80',
  'F8_128_HMAC_SHA1_32',
  'NULL_HMAC_SHA1_80',
  'NULL_HMAC_SHA1_32',
];

/**
 * Names the suites that rtpengine must not use: 10.5 ignores `only-…` and would also offer NULL and F8. Keys are padded: linphonec drops
 * the last octet of one that is not, and hears nothing (RFC 4568 §6.1: a receiver discards the padding).
 */
export function suiteFlags(allowed: readonly string[]): readonly string[] {
  const policy = allowed.join();
  let flags = flagsByPolicy.get(policy);
  if (flags === undefined) {
    flags = ['pad', ...suites.filter((suite) => !allowed.includes(suite)).map((suite) => `no-${suite}`)];
    flagsByPolicy.set(policy, flags);
  }
  return flags;
}

/** Every call keeps its commands, and settings allow few policies. */
const flagsByPolicy = new Map<string, readonly string[]>();

/**
 * Which source rtpengine accepts packets from, for the side that sent the description. The address of a caller behind NAT is
 * learned from its packets, which its keys authenticate. Plain RTP proves nothing: rtpengine would send the caller's voice
 * to the last sender to the agent's port, so there only the described address counts. `asymmetric` alone says that to rtpengine 10.5,
 * which ignores the last flag; without the last one 26 plays any first sender to the caller.
 */
export const sourceFlags = {
  'RTP/SAVP': [],
  'RTP/AVP': ['asymmetric', 'strict-source', 'endpoint-learning-off'],
} as const;
