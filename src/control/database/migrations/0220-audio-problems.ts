import { type Kysely, type Migration, sql } from 'kysely';

/** An answered call that lost its media counts as one with bad audio, so the index of these calls has it too. */
export const audioProblems: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`drop index calls_bad_audio_page`.execute(database);
    await sql`create index calls_bad_audio_page on calls (organization_id, started_at desc, call_id desc)
      where mos < 3.6 or end_reason in ('one_way_audio', 'dead_air', 'media_timeout', 'agent_lost')
        or (end_reason = 'media_failed' and outcome = 'completed')`.execute(database);
  },
};
