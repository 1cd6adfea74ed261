import { type Expression, type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database/tables.js';
import { e164 } from '../http/phone-number.js';
import { InvalidRequest } from '../http/validation.js';
import { requirePhoneNumber } from '../numbers/number-access.js';
import { markNumbersChanged } from '../numbers/outbox.js';
import { personas } from './persona-storage.js';

export const maximumNumbersAtOnce = 100;

const digitsOf = (phoneNumbers: readonly string[]): string[] =>
  phoneNumbers.map((text, index) => requirePhoneNumber(text, `inbound_numbers.${index}`));

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
    const { rows } = await sql<{ number: string; has_inbound: boolean }>`
      select number, exists (
        select from configurations where configurations.number = numbers.number and direction = 'inbound'
      ) as has_inbound
      from numbers where organization_id = ${organizationId} and number = any(${numbers}::text[])
      order by number for update`.execute(transaction);
    const owned = new Map(rows.map((row) => [row.number, row.has_inbound]));
    const faults = numbers.flatMap((number, index) => {
      if (owned.get(number) === true) return [];
      const problem = owned.has(number)
        ? 'has no inbound direction; add one (POST /v1/sip/attach)'
        : 'is not one of your numbers; attach it first (POST /v1/sip/attach)';
      const message = `${e164(number)} ${problem}.`;
      return [{ error: 'VALIDATION_ERROR' as const, message, path: `inbound_numbers.${index}` }];
    });
    if (faults.length > 0) throw new InvalidRequest(faults);
    await setPersona(transaction, organizationId, numbers, {
      persona: persona.id,
      where: sql<boolean>`persona_id is distinct from ${persona.id}::uuid`,
    });
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
    await setPersona(transaction, organizationId, numbers, {
      persona: null,
      where: sql<boolean>`persona_id = ${persona.id}::uuid`,
    });
  });
}

/** The edges learn of the numbers that it changes. */
async function setPersona(
  transaction: Transaction<Database>,
  organizationId: string,
  numbers: readonly string[],
  { persona, where }: { readonly persona: string | null; readonly where: Expression<boolean> },
): Promise<void> {
  const changed = await transaction
    .updateTable('numbers')
    .set({ persona_id: persona, updated_at: new Date() })
    .where('organization_id', '=', organizationId)
    .where('number', 'in', numbers)
    .where(where)
    .returning('number')
    .execute();
  await markNumbersChanged(
    transaction,
    changed.map(({ number }) => number),
  );
}
