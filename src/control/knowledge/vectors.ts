import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';

/** `{0.1,-0.2}`: an array as PostgreSQL reads it. */
export const arrayText = (vector: Float32Array): string => `{${vector.join(',')}}`;

/** `10`: the sign of each component, which quickly distinguishes far vectors from near ones. */
export const signatureOf = (vector: Float32Array): string =>
  Array.from(vector, (component) => (component > 0 ? '1' : '0')).join('');

export interface StoredVector {
  readonly position: number;
  readonly vector: Float32Array;
}

export const storeVectors = async (
  database: Kysely<Database>,
  { organizationKey, baseKey }: { readonly organizationKey: number; readonly baseKey: number },
  vectors: readonly StoredVector[],
): Promise<void> => {
  await sql`insert into knowledge_vectors (organization_key, base_key, position, signature, embedding)
    select ${organizationKey}, ${baseKey}, position, signature::bit varying, embedding::real[]
    from unnest(${vectors.map(({ position }) => position)}::int[],
      ${vectors.map(({ vector }) => signatureOf(vector))}::text[],
      ${vectors.map(({ vector }) => arrayText(vector))}::text[]) as v (position, signature, embedding)
    on conflict do nothing`.execute(database);
};

/**
 * Whether the server computes with vectors (the extension pgvector); installs it where the server has it and the role may.
 * Asked once for each database.
 */
export function hasPgvector(database: Kysely<Database>): Promise<boolean> {
  let answer = answers.get(database);
  if (answer === undefined) {
    answer = findPgvector(database);
    answers.set(database, answer);
    answer.catch(() => answers.delete(database));
  }
  return answer;
}

const answers = new WeakMap<Kysely<Database>, Promise<boolean>>();

async function findPgvector(database: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ installed_version: string | null }>`
    select installed_version from pg_available_extensions where name = 'vector'`.execute(database);
  const [extension] = rows;
  if (extension === undefined) return false;
  if (extension.installed_version !== null) return true;
  try {
    await sql`create extension if not exists vector`.execute(database);
    return true;
  } catch (error) {
    // 42501: the role may not; 23505: another process was quicker.
    const { code } = error as { code?: string };
    if (code === '23505') return true;
    if (code === '42501') return false;
    throw error;
  }
}
