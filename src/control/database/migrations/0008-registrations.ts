import { type Kysely, type Migration, sql } from 'kysely';

/** Documents of numbers with `auth_mode: register` are written again: from now on they have the server that edges register with. */
export const registrations: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`
      with revised as (
        update number_revisions set revision = revision + 1
        where number in (select number from configurations where register_username is not null)
        returning number
      )
      insert into projection_outbox (number) select number from revised`.execute(database);
  },
};
