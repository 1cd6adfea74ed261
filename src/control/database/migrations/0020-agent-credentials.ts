import { type Kysely, type Migration, sql } from 'kysely';

/** What an organization's agents prove themselves with when they place calls by SIP. */
export const agentCredentials: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table agent_credentials (
      id text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      name text not null,
      password text not null,
      created_at timestamptz(3) not null default now()
    )`.execute(database);
    await sql`create index agent_credentials_organization on agent_credentials (organization_id, created_at)`.execute(
      database,
    );
  },
};
