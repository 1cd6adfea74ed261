import type { Kysely } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { membershipsOf } from './members.js';
import { isTokenShaped, newToken, tokenHash } from './one-time-token.js';
import { findPerson, type Person, setPassword } from './people.js';

export const resetHours = 2;

/**
 * A link's token, in place of earlier ones; returned only here.
 * @param organizationId of the owner who creates the link; null: it goes to the person alone
 */
export async function createReset(
  database: Kysely<Database>,
  personId: string,
  organizationId: string | null,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = newToken();
  const expiresAt = new Date(Date.now() + resetHours * 3_600_000);
  await database.deleteFrom('password_resets').where('person_id', '=', personId).execute();
  await database
    .insertInto('password_resets')
    .values({
      hash: tokenHash(token),
      person_id: personId,
      organization_id: organizationId,
      expires_at: expiresAt,
    })
    .execute();
  return { token, expiresAt };
}

/**
 * An owner who resets the password of a colleague gets into the account: not allowed where that leads into other organizations or
 * to the fleet. Throws `DemarcError` `MEMBER_ELSEWHERE` or `INSUFFICIENT_SCOPE`.
 */
export async function requireOwnersReach(database: Kysely<Database>, personId: string): Promise<void> {
  refuseBeyondReach(await membershipsOf(database, personId));
}

interface Membership {
  readonly organization_id: string;
  readonly is_operator: boolean;
}

/** Throws `DemarcError` `MEMBER_ELSEWHERE` or `INSUFFICIENT_SCOPE`. */
export function refuseBeyondReach(memberships: readonly Pick<Membership, 'is_operator'>[]): void {
  if (memberships.length > 1) throw new DemarcError('MEMBER_ELSEWHERE');
  if (!memberships.some((membership) => membership.is_operator)) return;
  throw new DemarcError(
    'INSUFFICIENT_SCOPE',
    'the member sees the fleet; the operator of the service creates the link with `demarc member reset`',
  );
}

/**
 * Whether a link may still set the password: one that an owner created leads into that owner's organization alone.
 * @param organizationId of the owner; null: it went to the person alone
 */
export const isWithinReach = (organizationId: string | null, memberships: readonly Membership[]): boolean =>
  organizationId === null ||
  (memberships.length > 0 &&
    memberships.every(
      (membership) => membership.organization_id === organizationId && !membership.is_operator,
    ));

/**
 * Uses up the link. Undefined: it was used or replaced, has expired, or an owner created it and the person has joined another
 * organization or got access to the fleet since.
 */
export function finishReset(
  database: Kysely<Database>,
  token: string,
  password: string,
): Promise<Person | undefined> {
  return database.transaction().execute(async (transaction) => {
    if (!isTokenShaped(token)) return undefined;
    const used = await transaction
      .deleteFrom('password_resets')
      .where('hash', '=', tokenHash(token))
      .where('expires_at', '>', new Date())
      .returning(['person_id', 'organization_id'])
      .executeTakeFirst();
    if (used === undefined) return undefined;
    const memberships = await membershipsOf(transaction, used.person_id);
    if (!isWithinReach(used.organization_id, memberships)) return undefined;
    await setPassword(transaction, used.person_id, password);
    return findPerson(transaction, used.person_id);
  });
}
