import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.js';
import { lowest, type RunLimits, readRunLimits } from '../budget/token-budget.js';

/** Tokens that runs which are started together may take: the lower limit of the order and the organization; null: none. */
export const groupBudget = async (
  database: Kysely<Database>,
  organizationId: string,
  which: keyof RunLimits,
  ordered: number | undefined,
): Promise<number | null> => lowest(ordered ?? null, (await readRunLimits(database, organizationId))[which]);
