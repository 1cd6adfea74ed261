import type { Kysely, Transaction } from 'kysely';
import { type NumberDocument, numberDocumentSchema } from '../../contract/number.js';
import { isUnavailable } from '../database/database.js';
import type { Database } from '../database/tables.js';
import { composeNumberDocuments } from '../trunks/number-documents.js';
import type { Projected } from './redis-projection.js';

export interface Documents {
  /** Undefined for a number without configuration; one whose document is not valid is absent. */
  readonly documents: ReadonlyMap<string, NumberDocument | undefined>;
  readonly unusable: readonly { readonly number: string; readonly problem: string }[];
}

/** The present documents of these numbers, checked as the edges will check them. */
export async function readDocuments(
  database: Kysely<Database> | Transaction<Database>,
  numbers: readonly string[],
): Promise<Documents> {
  try {
    return check(numbers, await composeNumberDocuments(database, numbers));
  } catch (error) {
    // One number that cannot be read must not hold up the others.
    if (isOfDatabase(error)) throw error;
    return readOneByOne(database, numbers);
  }
}

async function readOneByOne(
  database: Kysely<Database> | Transaction<Database>,
  numbers: readonly string[],
): Promise<Documents> {
  const documents = new Map<string, NumberDocument | undefined>();
  const unusable: { number: string; problem: string }[] = [];
  for (const number of numbers) {
    try {
      const read = check([number], await composeNumberDocuments(database, [number]));
      for (const [each, document] of read.documents) documents.set(each, document);
      unusable.push(...read.unusable);
    } catch (error) {
      if (isOfDatabase(error)) throw error;
      unusable.push({ number, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  return { documents, unusable };
}

/** SQLSTATE or the code of a broken connection, which a row that cannot be read does not have. */
const isOfDatabase = (error: unknown): boolean =>
  isUnavailable(error) || typeof (error as { code?: unknown }).code === 'string';

function check(numbers: readonly string[], composed: ReadonlyMap<string, NumberDocument>): Documents {
  const documents = new Map<string, NumberDocument | undefined>();
  const unusable: { number: string; problem: string }[] = [];
  for (const number of numbers) {
    const document = composed.get(number);
    const read = document === undefined ? undefined : numberDocumentSchema.safeParse(document);
    if (read?.success === false) {
      const problem = read.error.issues
        .map(({ path, message }) => `${path.join('.')}: ${message}`)
        .join('; ');
      unusable.push({ number, problem });
    } else {
      documents.set(number, read?.data);
    }
  }
  return { documents, unusable };
}

/** What is to be written: of a number whose document is not valid the revision only, so that edges keep the earlier one. */
export function projectedOf(
  revisions: readonly { readonly number: string; readonly revision: string }[],
  { documents }: Documents,
): Projected[] {
  return revisions.map(({ number, revision }) => ({
    number,
    revision: Number(revision),
    document: documents.has(number) ? documents.get(number) : 'keep',
  }));
}
