import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/tables.js';
import { configurationOf } from './language.js';
import { type Posting, writePostings } from './postings.js';
import type { IndexedPassage } from './read-text.js';

/** Passages whose words are read in one statement, and rows that are written in one. */
const passagesAtOnce = 100;
const rowsAtOnce = 2_000;

export interface IndexedBase {
  readonly organizationKey: number;
  readonly baseKey: number;
  readonly language: string;
}

/**
 * Stores the passages of a base with the index of their words, in statements that each occupy the event loop for some
 * milliseconds only. Returns how many words they have.
 */
export async function indexWords(
  transaction: Kysely<Database>,
  { organizationKey, baseKey, language }: IndexedBase,
  passages: readonly IndexedPassage[],
): Promise<number> {
  const words = new Map<string, Posting[]>();
  let total = 0;
  for (let from = 0; from < passages.length; from += passagesAtOnce) {
    const batch = passages.slice(from, from + passagesAtOnce);
    await sql`insert into knowledge_passages (organization_key, base_key, position, heading, content)
      select ${organizationKey}, ${baseKey}, ${from} + place - 1, heading, content
      from unnest(${batch.map(({ heading }) => heading)}::text[], ${batch.map(({ content }) => content)}::text[])
        with ordinality as p (heading, content, place)`.execute(transaction);
    const { rows } = await sql<{ place: number; lexemes: string[]; counts: number[] }>`
      select p.place::int as place, array_agg(l.lexeme) as lexemes,
        array_agg(coalesce(cardinality(l.positions), 1)) as counts
      from unnest(${batch.map(({ indexed }) => indexed)}::text[]) with ordinality as p (content, place),
        unnest(to_tsvector(${configurationOf(language)}::regconfig, p.content)) as l (lexeme, positions, weights)
      group by p.place order by p.place`.execute(transaction);
    for (const { place, lexemes, counts } of rows) {
      const length = counts.reduce((sum, count) => sum + count, 0);
      total += length;
      lexemes.forEach((lexeme, index) => {
        const posting = { position: from + place - 1, count: counts[index]!, length };
        const word = words.get(lexeme);
        if (word === undefined) words.set(lexeme, [posting]);
        else word.push(posting);
      });
    }
  }
  const lexemes = [...words.keys()];
  for (let from = 0; from < lexemes.length; from += rowsAtOnce) {
    // In the order of the key, so that neighbouring rows share pages; all at once would occupy the event loop.
    const batch = lexemes.slice(from, from + rowsAtOnce).sort();
    const postings = batch.map((lexeme) => writePostings(words.get(lexeme)!));
    await sql`insert into knowledge_postings (organization_key, base_key, language, lexeme, postings)
      select ${organizationKey}, ${baseKey}, ${language}, lexeme, postings
      from unnest(${batch}::text[], ${postings}::bytea[]) as w (lexeme, postings)`.execute(transaction);
  }
  // From the rows themselves: hundreds of thousands of words are slow to write into a statement.
  await sql`update knowledge_texts set text = null, lexemes = (
      select coalesce(array_agg(lexeme), '{}') from knowledge_postings
      where organization_key = ${organizationKey} and base_key = ${baseKey} and language = ${language})
    where organization_key = ${organizationKey} and base_key = ${baseKey}`.execute(transaction);
  return total;
}
