import { type Expression, sql, type Transaction, type Updateable } from 'kysely';
import type { Database } from '../database/tables.js';
import { e164 } from '../http/phone-number.js';
import { InvalidRequest } from '../http/validation.js';
import { requirePhoneNumber } from './number-access.js';
import { markNumbersChanged } from './outbox.js';
import type { NumbersTable } from './tables.js';

/** Of one request. */
export const maximumNumbersAtOnce = 100;

/** Digits of a request's `inbound_numbers`. Throws `InvalidRequest`. */
export const digitsOf = (phoneNumbers: readonly string[]): string[] =>
  phoneNumbers.map((text, index) => requirePhoneNumber(text, `inbound_numbers.${index}`));

/**
 * Locks numbers of the organization that take calls. Throws `InvalidRequest` that names every number that is not the organization's or
 * has no inbound direction.
 */
export async function lockInboundNumbers(
  transaction: Transaction<Database>,
  organizationId: string,
  numbers: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ number: string; has_inbound: boolean }>`
    select number, exists (
      select from configurations where configurations.number = numbers.number and direction = 'inbound'
    ) as has_inbound
    from numbers where organization_id = ${organizationId} and number = any(${[...numbers]}::text[])
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
}

/** Changes the numbers to which the condition applies; edges learn of them after the commit. */
export async function changeNumbers(
  transaction: Transaction<Database>,
  organizationId: string,
  change: Updateable<NumbersTable>,
  where: Expression<boolean>,
): Promise<void> {
  const changed = await transaction
    .updateTable('numbers')
    .set({ ...change, updated_at: new Date() })
    .where('organization_id', '=', organizationId)
    .where(where)
    .returning('number')
    .execute();
  await markNumbersChanged(
    transaction,
    changed.map(({ number }) => number),
  );
}
