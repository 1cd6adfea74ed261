import type { Kysely } from 'kysely';
import type { TransferRecord } from '../../../contract/transfer.js';
import type { Database } from '../../database/tables.js';
import { matchingCalls } from './call-filter.js';
import { readCall } from './call-page.js';
import { findInPeriods } from './call-periods.js';

/** When those of these calls started whose records are stored, by their ids. */
export async function readStarts(
  database: Kysely<Database>,
  organizationId: string,
  callIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (callIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('calls')
    .select(['call_id', 'started_at'])
    .where('organization_id', '=', organizationId)
    .where('call_id', 'in', [...callIds])
    .execute();
  return new Map(rows.map(({ call_id, started_at }) => [call_id, started_at]));
}

/** The id of the stored call with this Call-ID header. */
export async function findBySipCallId(
  database: Kysely<Database>,
  organizationId: string,
  sipCallId: string,
): Promise<string | undefined> {
  const found = await findInPeriods((period) =>
    matchingCalls(database, organizationId, { ...period, sipCallId }).executeTakeFirst(),
  );
  return found?.call_id;
}

/** `request_data` of the order of a call, empty for an inbound call. Undefined: the organization has no such call. */
export async function readRequestData(
  database: Kysely<Database>,
  organizationId: string,
  callId: string,
): Promise<Record<string, unknown> | undefined> {
  const ordered = await database
    .selectFrom('ordered_calls')
    .select('request_data')
    .where('organization_id', '=', organizationId)
    .where('call_id', '=', callId)
    .executeTakeFirst();
  if (ordered !== undefined) return ordered.request_data ?? {};
  const stored = await readStarts(database, organizationId, [callId]);
  return stored.has(callId) ? {} : undefined;
}

/** Transfers of a stored call, in their order. */
export async function readTransfers(
  database: Kysely<Database>,
  organizationId: string,
  callId: string,
): Promise<readonly TransferRecord[]> {
  const found = await readCall(database, organizationId, callId);
  return found?.record.transfers ?? [];
}

/** What the agent of a stored call noted about it. */
export async function readAgentMetadata(
  database: Kysely<Database>,
  organizationId: string,
  callId: string,
): Promise<Readonly<Record<string, string>>> {
  const found = await readCall(database, organizationId, callId);
  return found?.record.agent_metadata ?? {};
}
