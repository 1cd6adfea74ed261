import { randomBytes } from 'node:crypto';

/** RFC 3261 §8.1.1.7: a branch that begins so identifies the transaction by itself. */
export const magicCookie = 'z9hG4bK';

const octetsEach = 12;
const pooled = octetsEach * 256;

/** Makes unguessable branches (96 random bits): who can guess one can forge responses and CANCELs. Random octets are drawn in bulk. */
export function randomBranches(): () => string {
  let pool = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at + octetsEach > pool.length) {
      pool = randomBytes(pooled);
      at = 0;
    }
    at += octetsEach;
    return magicCookie + pool.toString('hex', at - octetsEach, at);
  };
}
