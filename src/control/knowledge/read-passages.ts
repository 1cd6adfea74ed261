import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';
import { readScope } from './scope.js';

export interface ReadPassage {
  /** UUID of its base. */
  readonly baseId: string;
  readonly baseName: string;
  readonly position: number;
  readonly heading: string;
  readonly content: string;
}

/**
 * Passages of learned bases in their order: all of them, or of more than `most` every n-th.
 * @param ids UUIDs of bases
 */
export async function readPassages(
  database: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
  most: number,
): Promise<ReadPassage[]> {
  const { organizationKey, bases } = await readScope(database, organizationId, ids);
  if (bases.length === 0) return [];
  const total = bases.reduce((sum, { passages }) => sum + passages, 0);
  const step = Math.max(1, Math.ceil(total / most));
  const { rows } = await sql<{ base_key: number; position: number; heading: string; content: string }>`
    select base_key, position, heading, content from knowledge_passages
    where organization_key = ${organizationKey} and base_key = any(${bases.map(({ baseKey }) => baseKey)}::int[])
      and position % ${step}::int = 0
    order by base_key, position`.execute(database);
  const found = new Map(bases.map((base) => [base.baseKey, base]));
  return rows.map(({ base_key: baseKey, position, heading, content }) => {
    const { id: baseId, name: baseName } = found.get(baseKey)!;
    return { baseId, baseName, position, heading, content };
  });
}
