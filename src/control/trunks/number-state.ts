import type { Kysely } from 'kysely';
import type { Database } from '../database/tables.js';

export const numberStates = ['available', 'attached', 'taken', 'proof_required'] as const;
export type NumberState = (typeof numberStates)[number];

/**
 * What attaching the number would meet. Without proof of ownership where it is required, the state says nothing about other
 * organizations.
 */
export async function stateOfNumber(
  database: Kysely<Database>,
  organizationId: string,
  number: string,
  isProofRequired: boolean,
): Promise<NumberState> {
  const holder = await database
    .selectFrom('numbers')
    .select('organization_id')
    .where('number', '=', number)
    .executeTakeFirst();
  if (holder?.organization_id === organizationId) return 'attached';
  if (isProofRequired) {
    const proof = await database
      .selectFrom('number_proofs')
      .select('number')
      .where('number', '=', number)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (proof === undefined) return 'proof_required';
  }
  return holder === undefined ? 'available' : 'taken';
}
