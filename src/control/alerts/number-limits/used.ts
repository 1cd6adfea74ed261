import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.js';
import type { FoundCall } from '../../fleet/fleet-reader.js';
import { activeCallsOf, type LimitedDirection, limitsInUse, type NumberLimit } from './limits-in-use.js';
import { alertPercent, percentOf } from './share.js';

const numbersAtOnce = 1_000;

/**
 * The limits that active calls use most of. Only numbers with active calls are read, however many are configured.
 * @param calls active ones of all organizations
 */
export async function readNearNumbers(
  database: Kysely<Database>,
  calls: readonly FoundCall[],
): Promise<NumberLimit[]> {
  const numbers = [...new Set(calls.flatMap(({ call }) => call.number ?? []))];
  const settings: LimitedDirection[] = [];
  for (let at = 0; at < numbers.length; at += numbersAtOnce) {
    settings.push(...(await readSettings(database, numbers.slice(at, at + numbersAtOnce))));
  }
  const active = activeCallsOf(calls.map(({ call }) => call));
  return limitsInUse(settings, active).filter((limit) => percentOf(limit) >= alertPercent);
}

const readSettings = (database: Kysely<Database>, numbers: readonly string[]) =>
  database
    .selectFrom('direction_settings')
    .innerJoin('numbers', 'numbers.number', 'direction_settings.number')
    .select(['numbers.number', 'organization_id', 'trunk_id', 'direction', 'limits'])
    .where('numbers.number', 'in', numbers)
    .execute();
