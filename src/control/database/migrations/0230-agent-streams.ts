import { type Kysely, type Migration, sql } from 'kysely';

/** Settings of the agents of a direction that are WebSocket servers, and what an organization signs connections to them with. */
export const agentStreams: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table configurations add column agent_streams jsonb not null default '[]'`.execute(
      database,
    );
    await database.schema
      .createTable('stream_secrets')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute();
    await sql`create index stream_secrets_of_organization on stream_secrets (organization_id, created_at)`.execute(
      database,
    );
  },
};
