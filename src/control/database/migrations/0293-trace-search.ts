import { type Kysely, type Migration, sql } from 'kysely';

/** Parts of Call-IDs and words of headers find a call, by an index that is built beside writers (`large-indexes.ts`). */
export const traceSearch: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    // Without a default, so that no row is written; calls of earlier releases have none.
    await sql`alter table calls add column search_tokens bigint[]`.execute(database);
    await sql`create function call_tokens(organization text, words text[]) returns bigint[]
      language sql immutable parallel safe as $$
        select coalesce(array_agg(distinct hashtextextended(coalesce(organization, '') || ' ' || word, 0)), '{}')
        from unnest(words) as word
      $$`.execute(database);
  },
};
