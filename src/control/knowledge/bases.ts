import { type Kysely, type Selectable, sql } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { InvalidRequest } from '../http/validation.js';
import type { KnowledgeBasesTable } from './tables.js';

export type KnowledgeBase = Selectable<KnowledgeBasesTable>;

export interface NewBase {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly text: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const unknownBase = (id: string): DemarcError => new DemarcError('KB_ERROR', id.slice(0, 64));

/**
 * Stores a text that is to be learned. One with the same id is returned as it is: the request was repeated.
 * Throws `DemarcError` `KB_UPLOAD_LIMIT_EXCEEDED`.
 */
export function createBase(
  database: Kysely<Database>,
  organizationId: string,
  { id, name, description, text }: NewBase,
  maximumBases: number,
): Promise<KnowledgeBase> {
  return database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('knowledge_organizations')
      .values({ organization_id: organizationId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Locked: two requests at once count each other.
    const { organization_key } = await transaction
      .selectFrom('knowledge_organizations')
      .select('organization_key')
      .where('organization_id', '=', organizationId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const earlier = await baseById(transaction, organizationId, id);
    if (earlier !== undefined) return earlier;
    const { count } = await transaction
      .selectFrom('knowledge_bases')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('organization_id', '=', organizationId)
      .where('status', '<>', 'DELETED')
      .executeTakeFirstOrThrow();
    if (count >= maximumBases)
      throw new DemarcError('KB_UPLOAD_LIMIT_EXCEEDED', `the limit is ${maximumBases}`);
    const base = await transaction
      .insertInto('knowledge_bases')
      .values({
        organization_id: organizationId,
        id,
        name,
        description,
        type: 'TEXT',
        status: 'PROCESSING',
        text_octets: Buffer.byteLength(text),
        due_at: new Date(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await transaction
      .insertInto('knowledge_texts')
      .values({ organization_key, base_key: base.base_key, text })
      .execute();
    return base;
  });
}

const baseById = (
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<KnowledgeBase | undefined> =>
  database
    .selectFrom('knowledge_bases')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();

/**
 * The bases that ids name, deleted ones included: UUIDs, and `KB-…` ids of an earlier system.
 * @returns by the id as it was given; unknown ones are missing
 */
export async function resolveBases(
  database: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnowledgeBase>> {
  const current = new Map(ids.filter((id) => uuid.test(id)).map((id) => [id, id.toLowerCase()]));
  const prefixed = ids.filter((id) => id.startsWith('KB-'));
  if (prefixed.length > 0) {
    const rows = await database
      .selectFrom('knowledge_former_ids')
      .select(['former_id', 'id'])
      .where('organization_id', '=', organizationId)
      .where('former_id', 'in', prefixed)
      .execute();
    for (const { former_id, id } of rows) current.set(former_id, id);
  }
  if (current.size === 0) return new Map();
  const bases = await database
    .selectFrom('knowledge_bases')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...new Set(current.values())])
    .execute();
  const byId = new Map(bases.map((base) => [base.id, base]));
  return new Map(
    [...current].flatMap(([given, id]) => {
      const base = byId.get(id);
      return base === undefined ? [] : [[given, base]];
    }),
  );
}

/** Also a deleted one. Throws `DemarcError` `KB_ERROR`. */
export async function requireBase(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<KnowledgeBase> {
  const base = (await resolveBases(database, organizationId, [id])).get(id);
  if (base === undefined) throw unknownBase(id);
  return base;
}

/**
 * UUIDs of the bases that ids name, in their order; for areas that attach knowledge.
 * @returns undefined for an id that names none, or a deleted one
 */
export async function knowledgeBaseIds(
  database: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const bases = await resolveBases(database, organizationId, ids);
  return ids.map((id) => {
    const base = bases.get(id);
    return base === undefined || base.status === 'DELETED' ? undefined : base.id;
  });
}

export interface BasePage {
  readonly limit: number;
  /** From 1; `after` goes before it. */
  readonly page: number;
  readonly after?: string | undefined;
}

/** Newest first, without deleted ones. Throws `InvalidRequest` when `after` is none of them. */
export async function listBases(
  database: Kysely<Database>,
  organizationId: string,
  { limit, page, after }: BasePage,
): Promise<{
  readonly bases: readonly KnowledgeBase[];
  readonly total: number;
  readonly next: string | null;
}> {
  let query = database
    .selectFrom('knowledge_bases')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('status', '<>', 'DELETED');
  if (after !== undefined) {
    // Of a deleted one as well: it may have been deleted between two pages.
    const last = (await resolveBases(database, organizationId, [after])).get(after);
    if (last === undefined) throw InvalidRequest.at('after', 'after must be the next of an earlier page.');
    query = query.where(sql<boolean>`(created_at, id) < (${last.created_at}, ${last.id})`);
  } else query = query.offset((page - 1) * limit);
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { total } = await database
    .selectFrom('knowledge_bases')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('organization_id', '=', organizationId)
    .where('status', '<>', 'DELETED')
    .executeTakeFirstOrThrow();
  const bases = rows.slice(0, limit);
  return { bases, total, next: rows.length > limit ? (bases.at(-1)?.id ?? null) : null };
}

/** Omitted fields keep their value. Throws `DemarcError` `KB_ERROR`. */
export async function updateBase(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  changes: { readonly name?: string | undefined; readonly description?: string | null | undefined },
): Promise<KnowledgeBase> {
  const { id: baseId } = await requireBase(database, organizationId, id);
  const updated = await database
    .updateTable('knowledge_bases')
    .set({
      ...(changes.name === undefined ? {} : { name: changes.name }),
      ...(changes.description === undefined ? {} : { description: changes.description }),
      updated_at: new Date(),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', baseId)
    .where('status', '<>', 'DELETED')
    .returningAll()
    .executeTakeFirst();
  if (updated === undefined) throw unknownBase(id);
  return updated;
}

/** Deletes text, passages and indexes; the record stays as DELETED. Throws `DemarcError` `KB_ERROR`. */
export async function deleteBase(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<KnowledgeBase> {
  const { id: baseId } = await requireBase(database, organizationId, id);
  return database.transaction().execute(async (transaction) => {
    const base = await transaction
      .updateTable('knowledge_bases')
      .set({
        status: 'DELETED',
        error_message: null,
        due_at: null,
        lease_until: null,
        updated_at: sql<Date>`case when status = 'DELETED' then updated_at else now() end`,
      })
      .where('organization_id', '=', organizationId)
      .where('id', '=', baseId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await deleteContents(transaction, organizationId, base.base_key);
    return base;
  });
}

/** Text, passages and indexes of a base. */
export async function deleteContents(
  transaction: Kysely<Database>,
  organizationId: string,
  baseKey: number,
): Promise<void> {
  const { organization_key: key } = await transaction
    .selectFrom('knowledge_organizations')
    .select('organization_key')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  await sql`delete from knowledge_postings p
    using knowledge_texts t, knowledge_bases b, unnest(t.lexemes) as l (lexeme)
    where t.organization_key = ${key} and t.base_key = ${baseKey}
      and b.organization_id = ${organizationId} and b.base_key = ${baseKey}
      and p.organization_key = ${key} and p.language = b.language and p.lexeme = l.lexeme
      and p.base_key = ${baseKey}`.execute(transaction);
  for (const table of ['knowledge_vectors', 'knowledge_passages', 'knowledge_texts'] as const) {
    await transaction
      .deleteFrom(table)
      .where('organization_key', '=', key)
      .where('base_key', '=', baseKey)
      .execute();
  }
}
