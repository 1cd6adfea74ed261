import { DemarcError } from '../../errors.js';
import { allScopes, hasScope, type Scope } from './scopes.js';

/** From the most to the fewest rights. */
export const roles = ['owner', 'operator', 'viewer'] as const;
export type Role = (typeof roles)[number];

const reading = allScopes.filter((scope) => scope.endsWith(':read'));

/** Scopes of each role; null: everything that the organization may do. */
const scopesByRole: Readonly<Record<Role, readonly Scope[] | null>> = {
  owner: null,
  operator: [...reading, 'alerts:write', 'calls:write', 'agent-testing:write'],
  viewer: reading,
};

export const scopesOf = (role: Role): readonly Scope[] | null => scopesByRole[role];

/** Throws `DemarcError` `OPERATOR_ONLY`. */
export function requireOperator({ isOperator }: { readonly isOperator: boolean }): void {
  if (!isOperator) throw new DemarcError('OPERATOR_ONLY');
}

/** Who wants to give, change or take a role. */
export interface Granter {
  /** Null: all. */
  readonly scopes: readonly Scope[] | null;
  /** Expiry of the key; null: none. */
  readonly keyExpiresAt: Date | null;
}

/**
 * Members outlive a key that expires, and an owner can do everything: a key with fewer rights than a role must not give or take it.
 * Throws `DemarcError` `INSUFFICIENT_SCOPE`.
 */
export function requireRights({ scopes: own, keyExpiresAt }: Granter, role: Role): void {
  if (keyExpiresAt !== null) {
    throw new DemarcError('INSUFFICIENT_SCOPE', 'a key that expires cannot manage members');
  }
  const needed = scopesOf(role);
  if (own === null || needed?.every((scope) => hasScope(own, scope)) === true) return;
  throw new DemarcError('INSUFFICIENT_SCOPE', `the role ${role} has more rights than this key`);
}
