import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';

/**
 * Throws `DemarcError` `NUMBER_NOT_PROVEN` for a number that the organization neither has nor has proven; the error does not reveal
 * whether another organization has it.
 */
export async function requireProof(
  transaction: Transaction<Database>,
  organizationId: string,
  number: string,
): Promise<void> {
  for (const table of ['numbers', 'number_proofs'] as const) {
    const found = await transaction
      .selectFrom(table)
      .select('number')
      .where('number', '=', number)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (found !== undefined) return;
  }
  throw new DemarcError('NUMBER_NOT_PROVEN');
}

/**
 * Notes that the organization holds these numbers; noting it again changes nothing. Throws `DemarcError` `NOT_FOUND` for an
 * organization that does not exist.
 * @param keyId of the operator whose word it is
 */
export async function noteProof(
  database: Kysely<Database>,
  organizationId: string,
  numbers: readonly string[],
  keyId: string,
): Promise<void> {
  const organization = await database
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (organization === undefined)
    throw new DemarcError('NOT_FOUND', `Organization ${organizationId} not found`);
  await database
    .insertInto('number_proofs')
    .values(numbers.map((number) => ({ number, organization_id: organizationId, key_id: keyId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
