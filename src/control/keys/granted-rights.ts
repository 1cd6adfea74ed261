import { DemarcError } from '../../errors.js';
import type { Caller } from '../http/api-server.js';
import { hasScope, type Scope } from '../http/scopes.js';
import { InvalidRequest } from '../http/validation.js';

/** Null: all. Throws `DemarcError` `INSUFFICIENT_SCOPE` for a scope that the caller has not itself. */
export function scopesFor(
  { scopes: own }: Pick<Caller, 'scopes'>,
  wanted: readonly Scope[] | undefined,
): readonly Scope[] | null {
  if (wanted === undefined) return own;
  const missing = wanted.find((scope) => !hasScope(own, scope));
  if (missing === undefined) return [...new Set(wanted)];
  throw new DemarcError('INSUFFICIENT_SCOPE', `this key lacks ${missing}, so it cannot create a key with it`);
}

/** A new key does not outlive the one that creates it. Throws `InvalidRequest`. */
export function expiryFor(
  { keyExpiresAt }: Pick<Caller, 'keyExpiresAt'>,
  wanted: string | undefined,
  now: number,
): Date | null {
  if (wanted === undefined) return keyExpiresAt;
  const expiresAt = new Date(wanted);
  if (expiresAt.getTime() <= now) {
    throw InvalidRequest.at('expires_at', `expires_at must be in the future; ${wanted} is not.`);
  }
  if (keyExpiresAt !== null && expiresAt > keyExpiresAt) {
    const latest = keyExpiresAt.toISOString();
    throw InvalidRequest.at(
      'expires_at',
      `expires_at must not be after ${latest}, when the requesting key expires.`,
    );
  }
  return expiresAt;
}
