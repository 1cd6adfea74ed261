import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { type VersionedSubject, VersionedSubjects } from '../versions/versioned-subjects.js';
import type { PathwayDocument } from './document.js';
import { renewFollowers } from './followed-pathways.js';
import type { PathwaysTable, PathwayVersionsTable } from './tables.js';

export type PathwayRow = Selectable<PathwaysTable>;
export type PathwayVersionRow = Selectable<PathwayVersionsTable>;
/** A version without its document. */
export type PathwayVersionSummary = Omit<PathwayVersionRow, 'document'>;

export type Pathway = VersionedSubject<PathwayRow, PathwayVersionSummary>;

/** Of one organization. */
export const maximumPathways = 1_000;

export const pathways = new VersionedSubjects<PathwayRow, PathwayVersionRow, PathwayVersionSummary>({
  kind: 'pathway',
  name: 'Pathway',
  table: 'pathways',
  versionTable: 'pathway_versions',
  reference: 'pathway_id',
  summaryColumns: [
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
  ] satisfies readonly (keyof PathwayVersionSummary)[],
  maximum: maximumPathways,
  tooMany: 'TOO_MANY_PATHWAYS',
  changed: 'PATHWAY_CHANGED',
});

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
  await pathways.create(database, organizationId, id, async (transaction) => {
    await transaction
      .insertInto('pathways')
      .values({
        organization_id: organizationId,
        id,
        name: values.name,
        description: values.description ?? null,
      })
      .execute();
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
  const versionNumber = await pathways.nextNumber(transaction, { organization_id, id });
  return transaction
    .insertInto('pathway_versions')
    .values({
      organization_id,
      pathway_id: id,
      id: randomUUID(),
      version_number: versionNumber,
      state: values.state,
      document: JSON.stringify(values.document),
      forked_from: values.forkedFrom ?? null,
      note: values.note ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
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
    const pathway = await pathways.lock(transaction, organizationId, id);
    await transaction
      .updateTable('pathways')
      .set({ ...described, updated_at: new Date() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', pathway.id)
      .execute();
    if (document === undefined) return;
    const { draft, production } = await pathways.presentVersions(transaction, pathway);
    const current = draft ?? production;
    requireRevision(current, revision);
    if (isDeepStrictEqual(current?.document, document)) return;
    if (draft === undefined) await insertVersion(transaction, pathway, { state: 'draft', document });
    else await writeDocument(transaction, draft, document);
  });
}

/** Throws `DemarcError` `PATHWAY_CHANGED`. */
export function requireRevision(
  current: Pick<PathwayVersionRow, 'revision' | 'version_number'> | undefined,
  revision: number | undefined,
): void {
  if (revision === undefined || current === undefined || current.revision === revision) return;
  const detail = `version ${current.version_number} is at revision ${current.revision}, not ${revision}`;
  throw new DemarcError('PATHWAY_CHANGED', detail);
}

/** Changes a draft or fork; its revision counts up. Numbers that name it get its knowledge bases. */
export async function writeDocument(
  transaction: Transaction<Database>,
  { id }: Pick<PathwayVersionRow, 'id'>,
  document: PathwayDocument,
): Promise<PathwayVersionRow> {
  const written = await transaction
    .updateTable('pathway_versions')
    .set(({ eb }) => ({
      document: JSON.stringify(document),
      revision: eb('revision', '+', 1),
      updated_at: new Date(),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await renewFollowers(transaction, written.organization_id, written.pathway_id);
  return written;
}
