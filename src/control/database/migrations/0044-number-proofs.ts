import { type Kysely, type Migration, sql } from 'kysely';

/** Numbers that an organization has been shown to hold. */
export const numberProofs: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table number_proofs (
      number text not null,
      organization_id text not null references organizations (id) on delete cascade,
      key_id text not null,
      proven_at timestamptz(3) not null default now(),
      primary key (number, organization_id)
    )`.execute(database);
  },
};
