import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';

type Connection = Kysely<Database> | Transaction<Database>;

/**
 * The persona of a number of the organization. Throws `InvalidRequest`.
 * @param number E.164 digits without plus
 * @param given as the client sent it
 */
export async function requireNumber(
  database: Connection,
  organizationId: string,
  number: string,
  given: string,
): Promise<{ readonly persona_id: string | null }> {
  const own = await database
    .selectFrom('numbers')
    .select('persona_id')
    .where('organization_id', '=', organizationId)
    .where('number', '=', number)
    .executeTakeFirst();
  if (own === undefined) throw InvalidRequest.at('number', `${given} is not a number of yours.`);
  return own;
}

/** The numbers that a persona has now, E.164 digits without plus. */
export async function numbersOfPersona(
  database: Connection,
  organizationId: string,
  personaId: string | null,
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('numbers')
    .select('number')
    .where('organization_id', '=', organizationId)
    .where('persona_id', '=', personaId)
    .execute();
  return rows.map((row) => row.number);
}
