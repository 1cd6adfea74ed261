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
