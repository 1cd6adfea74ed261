import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';

/** A base that is searched. */
export interface ScopedBase {
  readonly baseKey: number;
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly passages: number;
  readonly words: number;
  readonly embeddingModel: string | null;
  readonly embeddingDimensions: number | null;
}

/** The bases of one organization that a search looks through. */
export interface Scope {
  readonly organizationKey: number;
  readonly bases: readonly ScopedBase[];
}

/** Its rows are found by the key (organization, id), or all of the organization. */
export const scopeQuery = (organizationId: string, ids: readonly string[] | undefined) => sql<
  ScopedBase & { organizationKey: number }
>`select o.organization_key as "organizationKey", b.base_key as "baseKey", b.id, b.name,
    coalesce(b.language, 'und') as language, coalesce(b.passage_count, 0) as passages,
    coalesce(b.word_count, 0) as words, b.embedding_model as "embeddingModel",
    b.embedding_dimensions as "embeddingDimensions"
  from knowledge_organizations o join knowledge_bases b on b.organization_id = o.organization_id
  where o.organization_id = ${organizationId} and b.organization_id = ${organizationId}
    and b.status = 'COMPLETED' ${ids === undefined ? sql`` : sql`and b.id = any(${ids}::uuid[])`}
  order by b.base_key`;

/**
 * The learned bases.
 * @param ids UUIDs; undefined: all of the organization
 */
export async function readScope(
  database: Kysely<Database>,
  organizationId: string,
  ids: readonly string[] | undefined,
): Promise<Scope> {
  const { rows } = await scopeQuery(organizationId, ids).execute(database);
  return { organizationKey: rows[0]?.organizationKey ?? 0, bases: rows };
}
