import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import { lockForOrganization } from '../database/lock.js';
import type { Database } from '../database/tables.js';
import { isUuid } from '../database/uuid.js';
import { latestPromotions, type PromotionRow } from '../promotions/promotions.js';
import type { PathwayDocument } from './document.js';
import type { PathwaysTable, PathwayVersionsTable } from './tables.js';

export type PathwayRow = Selectable<PathwaysTable>;
export type PathwayVersionRow = Selectable<PathwayVersionsTable>;
/** A version without its document. */
export type PathwayVersionSummary = Omit<PathwayVersionRow, 'document'>;

export interface Pathway {
  readonly pathway: PathwayRow;
  readonly draft: PathwayVersionSummary | undefined;
  readonly production: PathwayVersionSummary | undefined;
  /** The latest that required tests. */
  readonly promotion: PromotionRow | undefined;
}

/** Of one organization: a script must not fill the table. */
export const maximumPathways = 1_000;

export const unknownPathway = (id: string): DemarcError =>
  new DemarcError('NOT_FOUND', `Pathway ${id.slice(0, 64)} not found`);

export const summaryColumns = [
  'organization_id',
  'pathway_id',
  'id',
  'version_number',
  'state',
  'forked_from',
  'note',
  'revision',
  'created_at',
  'updated_at',
  'promoted_at',
  'promoted_by',
] as const satisfies readonly (keyof PathwayVersionSummary)[];

/** Stores a pathway with its first draft, once for an id. Throws `DemarcError` `TOO_MANY_PATHWAYS`. */
export async function createPathway(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  values: {
    readonly name: string;
    readonly description?: string | null | undefined;
    readonly document: PathwayDocument;
  },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockForOrganization(transaction, 'pathways', organizationId);
    const { count } = await transaction
      .selectFrom('pathways')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      // Stored by an earlier attempt at the same request, it is not one more.
      .where('id', '<>', id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maximumPathways) throw new DemarcError('TOO_MANY_PATHWAYS');
    const { numInsertedOrUpdatedRows: inserted } = await transaction
      .insertInto('pathways')
      .values({
        organization_id: organizationId,
        id,
        name: values.name,
        description: values.description ?? null,
      })
      // Already stored by an earlier attempt at the same request.
      .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
      .executeTakeFirstOrThrow();
    if (inserted === 0n) return;
    const pathway = { organization_id: organizationId, id };
    await insertVersion(transaction, pathway, { state: 'draft', document: values.document });
  });
}

/** A version with the next number; the caller holds the pathway's lock. */
export async function insertVersion(
  transaction: Transaction<Database>,
  { organization_id, id }: Pick<PathwayRow, 'organization_id' | 'id'>,
  values: {
    readonly state: 'draft' | 'fork';
    readonly document: PathwayDocument;
    readonly forkedFrom?: number;
    readonly note?: string | null;
  },
): Promise<PathwayVersionRow> {
  const { newest } = await transaction
    .selectFrom('pathway_versions')
    .select(({ fn }) => fn.max('version_number').as('newest'))
    .where('organization_id', '=', organization_id)
    .where('pathway_id', '=', id)
    .executeTakeFirstOrThrow();
  return transaction
    .insertInto('pathway_versions')
    .values({
      organization_id,
      pathway_id: id,
      id: randomUUID(),
      version_number: (newest ?? 0) + 1,
      state: values.state,
      document: JSON.stringify(values.document),
      forked_from: values.forkedFrom ?? null,
      note: values.note ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The pathway, which no other change has until the end of the transaction. Throws `DemarcError` `NOT_FOUND`. */
export async function lockPathway(
  transaction: Transaction<Database>,
  organizationId: string,
  id: string,
): Promise<PathwayRow> {
  if (!isUuid(id)) throw unknownPathway(id);
  const row = await transaction
    .selectFrom('pathways')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw unknownPathway(id);
  return row;
}

/**
 * Changes name and description at once, and the document of the draft, which is made from the live version if there is none.
 * Throws `DemarcError` `NOT_FOUND` or `PATHWAY_CHANGED`.
 */
export async function changePathway(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  change: {
    readonly name?: string | undefined;
    readonly description?: string | null | undefined;
    readonly document?: PathwayDocument | undefined;
    /** Of the draft that the change was made for, or of the live version. */
    readonly revision?: number | undefined;
  },
): Promise<void> {
  const { document, revision, ...described } = change;
  await database.transaction().execute(async (transaction) => {
    const pathway = await lockPathway(transaction, organizationId, id);
    await transaction
      .updateTable('pathways')
      .set({ ...described, updated_at: new Date() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', pathway.id)
      .execute();
    if (document === undefined) return;
    const versions = await transaction
      .selectFrom('pathway_versions')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('pathway_id', '=', pathway.id)
      .where('state', 'in', ['draft', 'production'])
      .execute();
    const draft = versions.find(({ state }) => state === 'draft');
    const present = draft ?? versions[0];
    requireRevision(present, revision);
    if (isDeepStrictEqual(present?.document, document)) return;
    if (draft === undefined) await insertVersion(transaction, pathway, { state: 'draft', document });
    else await writeDocument(transaction, draft, document);
  });
}

/** Throws `DemarcError` `PATHWAY_CHANGED`. */
export function requireRevision(
  present: Pick<PathwayVersionRow, 'revision' | 'version_number'> | undefined,
  revision: number | undefined,
): void {
  if (revision === undefined || present === undefined || present.revision === revision) return;
  const detail = `version ${present.version_number} is at revision ${present.revision}, not ${revision}`;
  throw new DemarcError('PATHWAY_CHANGED', detail);
}

/** Changes a draft or fork; its revision counts up. */
export async function writeDocument(
  transaction: Transaction<Database>,
  { id }: Pick<PathwayVersionRow, 'id'>,
  document: PathwayDocument,
): Promise<PathwayVersionRow> {
  return transaction
    .updateTable('pathway_versions')
    .set(({ eb }) => ({
      document: JSON.stringify(document),
      revision: eb('revision', '+', 1),
      updated_at: new Date(),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Its versions stay, for the results of tests. Throws `DemarcError` `NOT_FOUND`. */
export async function deletePathway(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const pathway = await lockPathway(transaction, organizationId, id);
    const now = new Date();
    await transaction
      .updateTable('pathways')
      .set({ deleted_at: now, updated_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', '=', pathway.id)
      .execute();
  });
}

/** The pathways with their present versions, in the given order. */
async function complete(
  database: Kysely<Database>,
  organizationId: string,
  rows: readonly PathwayRow[],
): Promise<Pathway[]> {
  const ids = rows.map(({ id }) => id);
  const promotions = await latestPromotions(database, organizationId, 'pathway', ids);
  const versions = await database
    .selectFrom('pathway_versions')
    .select(summaryColumns)
    .where('organization_id', '=', organizationId)
    .where('pathway_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('state', 'in', ['draft', 'production'])
    .execute();
  const versionOf = (id: string, state: PathwayVersionRow['state']) =>
    versions.find((version) => version.pathway_id === id && version.state === state);
  return rows.map((pathway) => ({
    pathway,
    draft: versionOf(pathway.id, 'draft'),
    production: versionOf(pathway.id, 'production'),
    promotion: promotions.get(pathway.id),
  }));
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readPathway(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<Pathway> {
  const row = isUuid(id)
    ? await database
        .selectFrom('pathways')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw unknownPathway(id);
  return (await complete(database, organizationId, [row]))[0]!;
}

/** Newest first. `after`: id of the last entry of the previous page. Undefined: unknown id. */
export async function readPathways(
  database: Kysely<Database>,
  organizationId: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly pathways: Pathway[]; readonly hasMore: boolean } | undefined> {
  let query = database
    .selectFrom('pathways')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null);
  if (after !== undefined) {
    if (!isUuid(after)) return undefined;
    const last = await database
      .selectFrom('pathways')
      .select('created_at')
      .where('organization_id', '=', organizationId)
      .where('id', '=', after)
      .executeTakeFirst();
    if (last === undefined) return undefined;
    query = query.where(sql<boolean>`(created_at, id) < (${last.created_at}, ${after}::uuid)`);
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return {
    pathways: await complete(database, organizationId, rows.slice(0, limit)),
    hasMore: rows.length > limit,
  };
}
