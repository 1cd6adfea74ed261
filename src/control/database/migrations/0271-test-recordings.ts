import { type Kysely, type Migration, sql } from 'kysely';

/** Recordings of agent tests by voice, in parts, so that a range is read without the rest. */
export const testRecordings: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table agent_test_recordings (
      organization_id text not null,
      run_id uuid not null,
      octets integer not null check (octets > 0),
      created_at timestamptz not null default now(),
      primary key (organization_id, run_id),
      foreign key (organization_id, run_id) references agent_test_runs (organization_id, id) on delete cascade
    )`.execute(database);
    await sql`create index agent_test_recordings_by_age on agent_test_recordings (created_at)`.execute(
      database,
    );
    await sql`create table agent_test_recording_parts (
      organization_id text not null,
      run_id uuid not null,
      position integer not null,
      data bytea not null,
      primary key (organization_id, run_id, position),
      foreign key (organization_id, run_id)
        references agent_test_recordings (organization_id, run_id) on delete cascade
    )`.execute(database);
    // Companded speech does not compress.
    await sql`alter table agent_test_recording_parts alter column data set storage external`.execute(
      database,
    );
  },
};
