import { DemarcError } from '../../errors.js';
import { allScopes, type Scope, scopeSchema } from '../http/scopes.js';
import type { KeySummary } from './keys.js';

/** What the command line reads and prints of keys. */

/** Throws `DemarcError` `VALIDATION_ERROR`. */
export function readScopes(text: string): Scope[] {
  return text.split(/[\s,]+/).map((name) => {
    const read = scopeSchema.safeParse(name);
    if (read.success) return read.data;
    throw new DemarcError('VALIDATION_ERROR', `unknown scope ${name}; scopes are ${allScopes.join(' ')}`);
  });
}

/** Throws `DemarcError` `VALIDATION_ERROR`. */
export function readExpiry(text: string, now: number): Date {
  const moment = new Date(text);
  if (moment.getTime() > now) return moment;
  throw new DemarcError(
    'VALIDATION_ERROR',
    `${text} is not a time in the future, such as 2099-01-31T00:00:00Z`,
  );
}

/** A line of `demarc key list`: columns separated by tabs. */
export function keyLine(key: KeySummary, now: number): string {
  const columns = [
    key.id,
    key.organizationId,
    key.name,
    `${key.prefix}…`,
    stateOf(key, now),
    key.isOperator ? 'operator' : '',
    key.scopes?.join(',') ?? 'all',
    key.lastUsedAt?.toISOString() ?? 'never used',
  ];
  return `${columns.join('\t')}\n`;
}

function stateOf({ revokedAt, expiresAt }: KeySummary, now: number): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt === null) return 'active';
  return `${expiresAt.getTime() > now ? 'active until' : 'expired'} ${expiresAt.toISOString()}`;
}
