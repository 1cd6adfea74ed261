import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../database/tables.js';
import type { ContactMessagesTable } from './tables.js';

const maximumLines = 500;

/** The first messages that the agent of a call stored, each once. */
export async function readCallTranscript(
  database: Kysely<Database>,
  organizationId: string,
  callId: string,
): Promise<Pick<Selectable<ContactMessagesTable>, 'role' | 'content'>[]> {
  const { rows } = await sql<Pick<Selectable<ContactMessagesTable>, 'role' | 'content'>>`
    select distinct on (sent_at, role, md5(content)) role, content from contact_messages
    where organization_id = ${organizationId} and call_id = ${callId}
    order by sent_at, role, md5(content) limit ${maximumLines}`.execute(database);
  return rows;
}

/** Those of the calls of which an agent stored messages. */
export async function readHeardCalls(
  database: Kysely<Database>,
  organizationId: string,
  callIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ call_id: string }>`
    select distinct call_id from contact_messages
    where organization_id = ${organizationId} and call_id = any(${[...callIds]}::text[])`.execute(database);
  return new Set(rows.map(({ call_id }) => call_id));
}
