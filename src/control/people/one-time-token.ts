import { createHash, randomBytes } from 'node:crypto';

const tokenOctets = 32;

/** 256 bits: a plain hash of them needs no salt. */
export const newToken = (): string => randomBytes(tokenOctets).toString('base64url');

export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** False: not in our token format, so no database lookup is needed. */
export const isTokenShaped = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
