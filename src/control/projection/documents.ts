import type { Kysely, Transaction } from 'kysely';
import { type NumberDocument, numberDocumentSchema } from '../../contract/number.js';
import type { Database } from '../database/tables.js';
import { composeNumberDocuments } from '../trunks/number-documents.js';

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
  const composed = await composeNumberDocuments(database, numbers);
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
