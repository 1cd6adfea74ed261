import { type Kysely, type Migration, sql } from 'kysely';

/** Pathways that calls follow: of numbers, personas and orders; and the voice of the agent. */
export const followedPathways: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    // Control of the release before knows no number that follows a pathway, so it must be able to delete the pathway. The version, which
    // PostgreSQL cannot clear with it, means nothing without the pathway.
    await sql`alter table numbers
      add column pathway_id uuid,
      add column pathway_version integer,
      add constraint numbers_pathway_fkey foreign key (organization_id, pathway_id)
        references pathways (organization_id, id) on delete set null (pathway_id)`.execute(database);
    await sql`alter table persona_versions
      add column pathway_id uuid,
      add column pathway_version integer,
      add column voice text`.execute(database);
    await sql`alter table ordered_calls
      add column pathway_id uuid,
      add column pathway_version integer,
      add column voice text`.execute(database);
    await sql`create table pathway_followers (
      organization_id text not null,
      pathway_id uuid not null,
      persona_id uuid not null,
      version_number integer,
      primary key (organization_id, persona_id),
      foreign key (organization_id, pathway_id) references pathways (organization_id, id) on delete cascade,
      foreign key (organization_id, persona_id) references personas (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create index pathway_followers_of_pathway on pathway_followers (organization_id, pathway_id)`.execute(
      database,
    );
  },
};
