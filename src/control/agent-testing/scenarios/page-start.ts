import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/tables.js';
import { isUuid } from '../../database/uuid.js';
import { InvalidRequest } from '../../http/validation.js';

/** Tables whose rows are listed newest first, by `created_at` and `id`. */
type ListedTable =
  | 'agent_test_scenarios'
  | 'agent_test_runs'
  | 'agent_test_batches'
  | 'agent_test_simulation_sets'
  | 'agent_test_schedules'
  | 'agent_test_monitors'
  | 'agent_test_load_tests'
  | 'agent_test_tornado_sessions';

/**
 * The condition for the rows of one page of a list.
 * @param after id of the last row of the previous page; undefined: the first page
 * @throws `InvalidRequest` when `after` is none of the organization's rows
 */
export async function pageStart(
  database: Kysely<Database>,
  table: ListedTable,
  organizationId: string,
  after: string | undefined,
): Promise<RawBuilder<boolean>> {
  if (after === undefined) return sql<boolean>`true`;
  const last = isUuid(after)
    ? await sql<{ created_at: Date }>`select created_at from ${sql.table(table)}
        where organization_id = ${organizationId} and id = ${after}`.execute(database)
    : { rows: [] };
  const [row] = last.rows;
  if (row === undefined) throw InvalidRequest.at('after', 'after must be the next of an earlier page.');
  const [at, id] = ['created_at', 'id'].map((column) => sql.ref(`${table}.${column}`));
  return sql<boolean>`(${at}, ${id}) < (${row.created_at}, ${after}::uuid)`;
}

/** Splits what was read with one row more than fits, and names where the next page begins. */
export function pageFrom<Row extends { readonly id: string }>(
  rows: readonly Row[],
  limit: number,
): { readonly rows: readonly Row[]; readonly next: string | null } {
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}
