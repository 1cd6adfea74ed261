import { type Kysely, type Migration, sql } from 'kysely';

/** The calls of one caller, callee, source or Call-ID, and orders by what customers attached to them, without reading the others. */
export const callFilters: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const order = sql`started_at desc, call_id desc`;
    for (const column of ['caller', 'called', 'source_address', 'end_reason'] as const) {
      const name = sql.ref(`calls_${column}_page`);
      await sql`create index ${name} on calls (organization_id, ${sql.ref(column)}, ${order})`.execute(
        database,
      );
    }
    await sql`create index calls_sip_call_id on calls (organization_id, sip_call_id)`.execute(database);
    await sql`create index ordered_calls_metadata on ordered_calls using gin (metadata jsonb_path_ops)`.execute(
      database,
    );
    await sql`create index ordered_calls_callee_page
      on ordered_calls (organization_id, phone_number, created_at desc, call_id desc)`.execute(database);
  },
};
