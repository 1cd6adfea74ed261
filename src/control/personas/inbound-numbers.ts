import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';
import { changeNumbers, digitsOf, lockInboundNumbers } from '../numbers/inbound-numbers.js';
import { personas } from './persona-storage.js';

/**
 * Lets the persona answer calls to these numbers, all or none; another persona's number moves to this one. Throws `DemarcError`
 * `NOT_FOUND`, or `InvalidRequest` that names every number that is not the organization's or has no inbound direction.
 */
export async function attachNumbers(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  phoneNumbers: readonly string[],
): Promise<void> {
  const numbers = digitsOf(phoneNumbers);
  await database.transaction().execute(async (transaction) => {
    const persona = await personas.lock(transaction, organizationId, id);
    await lockInboundNumbers(transaction, organizationId, numbers);
    const unattached = sql<boolean>`number = any(${numbers}::text[]) and persona_id is distinct from ${persona.id}::uuid`;
    await changeNumbers(transaction, organizationId, { persona_id: persona.id }, unattached);
  });
}

/** Numbers that the persona does not have are no error. Throws `DemarcError` `NOT_FOUND`, or `InvalidRequest` for what is no number. */
export async function detachNumbers(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  phoneNumbers: readonly string[],
): Promise<void> {
  const numbers = digitsOf(phoneNumbers);
  await database.transaction().execute(async (transaction) => {
    const persona = await personas.lock(transaction, organizationId, id);
    const own = sql<boolean>`number = any(${numbers}::text[]) and persona_id = ${persona.id}::uuid`;
    await changeNumbers(transaction, organizationId, { persona_id: null }, own);
  });
}
