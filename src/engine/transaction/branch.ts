import { randomBytes } from 'node:crypto';

/** RFC 3261 §8.1.1.7: a branch with this prefix identifies the transaction alone. */
export const magicCookie = 'z9hG4bK';

const drawnAtOnce = 256;

/** Makes strings of that many random octets, in hexadecimal. Octets are drawn in bulk: one draw costs as much as hundreds. */
export function randomTokens(octets: number): () => string {
  let pool = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at + octets > pool.length) {
      pool = randomBytes(octets * drawnAtOnce);
      at = 0;
    }
    at += octets;
    return pool.toString('hex', at - octets, at);
  };
}

/** Makes unguessable branches (96 random bits): a guessed one would allow forged responses and CANCELs. */
export function randomBranches(): () => string {
  const token = randomTokens(12);
  return () => magicCookie + token();
}
