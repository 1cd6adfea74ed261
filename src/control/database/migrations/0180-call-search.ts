import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Parts of caller, callee and name find a call. The index holds every three characters in a row, each behind the organization: so a
 * search reads only the entries of the organization that searches, however many calls the others have, and no extension is needed.
 */
export const callSearch: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table calls
      add column party_name text,
      add column mos real`.execute(database);
    await sql`create function call_search_tokens(organization text, variadic texts text[]) returns text[]
      language sql immutable parallel safe as $$
        select coalesce(array_agg(distinct coalesce(organization, '') || ' ' || substr(lower(one), position, 3)), '{}')
        from unnest(texts) as one, generate_series(1, least(length(one), 64) - 2) as position
      $$`.execute(database);
    await sql`create index calls_search on calls
      using gin (call_search_tokens(organization_id, caller, called, party_name))`.execute(database);
    await sql`create index calls_bad_audio_page on calls (organization_id, started_at desc, call_id desc)
      where mos < 3.6 or end_reason in ('one_way_audio', 'dead_air', 'media_timeout', 'agent_lost')`.execute(
      database,
    );
  },
};
