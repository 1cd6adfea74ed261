import { type Kysely, type Migration, sql } from 'kysely';

/** The registrar is stored apart from the server that calls are forwarded to: `sip_endpoint` of an inbound direction meant both. */
export const registrars: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table configurations add column registrar text`.execute(database);
    await sql`update configurations set registrar = sip_endpoint, sip_endpoint = null
      where direction = 'inbound' and auth_mode = 'register'`.execute(database);
  },
};
