import type { Kysely } from 'kysely';
import type { Database } from '../database/tables.js';
import { allConfiguredNumbers } from '../numbers/number-documents.js';
import { markNumbersChanged } from '../numbers/outbox.js';
import { type Documents, projectedOf, readDocuments } from './documents.js';
import type { RedisProjection } from './redis-projection.js';
import { continueAbove } from './revisions.js';

const pageSize = 500;

/** Identifies this database. */
export async function databaseIdentity(database: Kysely<Database>): Promise<string> {
  const { id } = await database.selectFrom('projection_identity').select('id').executeTakeFirstOrThrow();
  return id;
}

export interface Rebuilt {
  /** Numbers written, those without configuration included. */
  readonly numbers: number;
  readonly unusable: Documents['unusable'];
  /** Documents in Redis of numbers that the database never had; they are left alone. */
  readonly foreign: number;
}

/**
 * Writes the present state of every number there ever was. Safe beside other processes and while changes are made: a
 * document never replaces a newer one. Interrupted, it leaves Redis marked as incomplete; emptied meanwhile, it throws
 * `ForeignRedis`.
 */
export async function rebuild(database: Kysely<Database>, projection: RedisProjection): Promise<Rebuilt> {
  const epoch = await projection.begin();
  let after = '';
  let numbers = 0;
  const unusable: Documents['unusable'][number][] = [];
  for (;;) {
    const page = await database
      .selectFrom('number_revisions')
      .select(['number', 'revision'])
      .where('number', '>', after)
      .orderBy('number')
      .limit(pageSize)
      .execute();
    if (page.length === 0) break;
    after = page.at(-1)!.number;
    numbers += page.length;
    const read = await readDocuments(
      database,
      page.map(({ number }) => number),
    );
    unusable.push(...read.unusable);
    const overtaken = await projection.write(projectedOf(page, read), epoch);
    await database.transaction().execute((transaction) => continueAbove(transaction, overtaken));
  }
  await adoptUnknownRevisions(database, projection);
  await projection.finish(epoch);
  return { numbers, unusable, foreign: await countForeign(database, projection) };
}

/** Numbers that Redis has a revision of and the database does not know any more. */
async function adoptUnknownRevisions(database: Kysely<Database>, projection: RedisProjection): Promise<void> {
  for await (const revisions of projection.revisions()) {
    const unknown = await unknownOf(database, [...revisions.keys()]);
    if (unknown.length === 0) continue;
    await database.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('number_revisions')
        .values(unknown.map((number) => ({ number, revision: revisions.get(number)! })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await markNumbersChanged(transaction, unknown);
    });
  }
}

async function countForeign(database: Kysely<Database>, projection: RedisProjection): Promise<number> {
  let foreign = 0;
  for await (const numbers of projection.documents()) foreign += (await unknownOf(database, numbers)).length;
  return foreign;
}

async function unknownOf(database: Kysely<Database>, numbers: readonly string[]): Promise<string[]> {
  const rows = await database
    .selectFrom('number_revisions')
    .select('number')
    .where('number', 'in', [...numbers])
    .execute();
  const knownNumbers = new Set(rows.map(({ number }) => number));
  return numbers.filter((number) => !knownNumbers.has(number));
}

/**
 * For `demarc control --resync`: everything in Redis becomes what the database says, also documents that another program
 * wrote or removed there.
 */
export async function resync(database: Kysely<Database>, projection: RedisProjection): Promise<Rebuilt> {
  let after = '';
  for (;;) {
    const page = await allConfiguredNumbers(database, after, pageSize);
    if (page.length === 0) break;
    after = page.at(-1)!;
    await database.transaction().execute((transaction) => markNumbersChanged(transaction, page));
  }
  for await (const numbers of projection.documents()) {
    const unknown = await unknownOf(database, numbers);
    await database.transaction().execute((transaction) => markNumbersChanged(transaction, unknown));
  }
  return rebuild(database, projection);
}
