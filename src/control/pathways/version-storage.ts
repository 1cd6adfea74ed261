import type { Kysely, Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import { InvalidRequest } from '../http/validation.js';
import type { PathwayDocument } from './document.js';
import { checkDocument } from './document-check.js';
import { requireUnused } from './followers.js';
import {
  insertVersion,
  type PathwayVersionRow,
  pathways,
  requireRevision,
  writeDocument,
} from './pathway-storage.js';

/** Forks of one pathway at a time. */
export const maximumForks = 200;

/**
 * Copies a version to one that takes changes beside the draft. Throws `DemarcError` `NOT_FOUND` or `TOO_MANY_FORKS`.
 * @param note why it was copied
 */
export function forkVersion(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  { versionNumber, note = null }: { readonly versionNumber: number; readonly note?: string | null },
): Promise<PathwayVersionRow> {
  return inTransaction(database, async (transaction) => {
    const pathway = await pathways.lock(transaction, organizationId, id);
    const origin = await pathways.version(transaction, organizationId, id, versionNumber);
    const { count } = await transaction
      .selectFrom('pathway_versions')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('organization_id', '=', organizationId)
      .where('pathway_id', '=', pathway.id)
      .where('state', '=', 'fork')
      .executeTakeFirstOrThrow();
    if (Number(count) >= maximumForks) throw new DemarcError('TOO_MANY_FORKS');
    const { document } = origin;
    return insertVersion(transaction, pathway, { state: 'fork', document, forkedFrom: versionNumber, note });
  });
}

/**
 * Changes the document of a draft or fork. Throws `DemarcError` `NOT_FOUND`, `VERSION_NOT_CHANGEABLE` or `PATHWAY_CHANGED`, or
 * `InvalidRequest` for a document that no conversation can follow.
 * @param change the new document from the present one
 */
export function changeVersion(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  {
    versionNumber,
    revision,
    change,
  }: {
    readonly versionNumber: number;
    readonly revision?: number | undefined;
    readonly change: (present: PathwayDocument) => PathwayDocument;
  },
): Promise<PathwayVersionRow> {
  return inTransaction(database, async (transaction) => {
    const current = await lockVersion(transaction, organizationId, id, versionNumber);
    if (current.state !== 'draft' && current.state !== 'fork')
      throw new DemarcError('VERSION_NOT_CHANGEABLE', `version ${versionNumber} is ${current.state}`);
    requireRevision(current, revision);
    const document = change(current.document);
    const [fault] = checkDocument(document).faults;
    if (fault !== undefined) throw InvalidRequest.at(`document.${fault.path}`, fault.message);
    return writeDocument(transaction, current, document);
  });
}

/** Deletes a fork. Throws `DemarcError` `NOT_FOUND`, `VERSION_NOT_CHANGEABLE` or `PATHWAY_IN_USE`. */
export async function deleteFork(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  versionNumber: number,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const version = await lockVersion(transaction, organizationId, id, versionNumber);
    if (version.state !== 'fork')
      throw new DemarcError('VERSION_NOT_CHANGEABLE', `version ${versionNumber} is not a fork`);
    await requireUnused(
      transaction,
      { organization_id: organizationId, id: version.pathway_id },
      versionNumber,
    );
    await transaction.deleteFrom('pathway_versions').where('id', '=', version.id).execute();
  });
}

/** In the transaction of the caller, or in a new one. */
const inTransaction = <Result>(
  database: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> =>
  database.isTransaction ? work(database as Transaction<Database>) : database.transaction().execute(work);

async function lockVersion(
  transaction: Transaction<Database>,
  organizationId: string,
  id: string,
  versionNumber: number,
): Promise<PathwayVersionRow> {
  await pathways.lock(transaction, organizationId, id);
  return pathways.version(transaction, organizationId, id, versionNumber);
}
