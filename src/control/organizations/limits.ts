import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/tables.js';

/** Limits of one organization that replace those of the edges' settings. */
export interface OrganizationLimits {
  readonly concurrent_calls?: number;
  readonly calls_per_second?: number;
}

/** Organizations that have none are absent, so that earlier edges read their documents as well. */
export async function readOrganizationLimits(
  database: Kysely<Database> | Transaction<Database>,
  organizationIds: readonly string[],
): Promise<Map<string, OrganizationLimits>> {
  if (organizationIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('organizations')
    .select(['id', 'concurrent_calls', 'calls_per_second'])
    .where('id', 'in', [...new Set(organizationIds)])
    .where(({ eb, or }) =>
      or([eb('concurrent_calls', 'is not', null), eb('calls_per_second', 'is not', null)]),
    )
    .execute();
  return new Map(
    rows.map(({ id, concurrent_calls, calls_per_second }) => [
      id,
      {
        ...(concurrent_calls === null ? {} : { concurrent_calls }),
        ...(calls_per_second === null ? {} : { calls_per_second }),
      },
    ]),
  );
}
