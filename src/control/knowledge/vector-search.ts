import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';
import type { Scope } from './scope.js';
import type { Hit } from './text-search.js';
import { arrayText, signatureOf } from './vectors.js';

/**
 * Passages that are all compared exactly. Of more, the nearest by their signatures are compared: SQL takes 100 µs for a vector of
 * 1,536 components, pgvector 5 µs.
 */
const exactly = { sql: 500, pgvector: 10_000 } as const;
const preselected = { sql: 400, pgvector: 1_000 } as const;

export interface VectorQuestion {
  readonly vector: Float32Array;
  readonly model: string;
}

/** The bases whose vectors are of the question's model. */
export const comparableBases = ({ bases }: Scope, { vector, model }: VectorQuestion): Scope['bases'] =>
  bases.filter((base) => base.embeddingModel === model && base.embeddingDimensions === vector.length);

/**
 * The query for the nearest passages. Its rows are found by the key (organization, base, position).
 * @param isPrecise pgvector computes the distances
 */
export function nearestQuery(
  { organizationKey }: Pick<Scope, 'organizationKey'>,
  bases: Scope['bases'],
  vector: Float32Array,
  limit: number,
  isPrecise: boolean,
) {
  const kind = isPrecise ? 'pgvector' : 'sql';
  const keys = bases.map(({ baseKey }) => baseKey);
  const passages = bases.reduce((sum, base) => sum + base.passages, 0);
  const among = sql`v.organization_key = ${organizationKey} and v.base_key = any(${keys}::int[])`;
  const question = arrayText(vector);
  const score = isPrecise
    ? sql<number>`1 - (v.embedding::vector <=> (${question}::real[])::vector)`
    : sql<number>`(select sum(c.one * c.other) from unnest(v.embedding, ${question}::real[]) as c (one, other))`;
  const chosen =
    passages <= exactly[kind]
      ? sql`select v.base_key, v.position, v.embedding from knowledge_vectors v where ${among}`
      : sql`select v.base_key, v.position, v.embedding from knowledge_vectors v where ${among}
          order by bit_count(v.signature # ${signatureOf(vector)}::bit varying) limit ${preselected[kind]}`;
  return sql<Hit>`select v.base_key as "baseKey", v.position, (${score})::float8 as score
    from (${chosen}) v order by score desc limit ${limit}`;
}

/** The passages whose vectors are nearest to the question's, by the cosine of their angle, nearest first. */
export async function searchVectors(
  database: Kysely<Database>,
  scope: Scope,
  question: VectorQuestion,
  limit: number,
  isPrecise: boolean,
): Promise<Hit[]> {
  const bases = comparableBases(scope, question);
  if (bases.length === 0) return [];
  const { rows } = await nearestQuery(scope, bases, question.vector, limit, isPrecise).execute(database);
  return rows;
}
