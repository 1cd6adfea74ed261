import { type Kysely, sql } from 'kysely';
import type { CallRecord } from '../../../contract/call-record.js';
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

/** How a stored call ended, and what its agent noted about it. Undefined: there is no such call. */
export async function readCallOutcome(
  database: Kysely<Database>,
  organizationId: string,
  callId: string,
): Promise<
  | (Pick<CallRecord, 'ended_by'> & {
      readonly transfers: readonly TransferRecord[];
      readonly agentMetadata: Readonly<Record<string, string>>;
    })
  | undefined
> {
  const found = await readCall(database, organizationId, callId);
  if (found === undefined) return undefined;
  const { ended_by, transfers = [], agent_metadata: agentMetadata = {} } = found.record;
  return { ended_by, transfers, agentMetadata };
}

/** Calls last longer rarely; the index finds calls by their start. */
const longestCallHours = 24;

/** Answered calls of numbers that ended in a period, oldest end first unless said otherwise, without those of agent tests. */
export function readAnsweredCalls(
  database: Kysely<Database>,
  organizationId: string,
  {
    numbers,
    endedAfter,
    endedBefore,
    limit,
    order = 'asc',
  }: {
    /** E.164 digits without plus. */
    readonly numbers: readonly string[];
    readonly endedAfter: Date;
    readonly endedBefore: Date;
    readonly limit: number;
    readonly order?: 'asc' | 'desc';
  },
): Promise<{ readonly call_id: string; readonly ended_at: Date }[]> {
  return database
    .selectFrom('calls')
    .select(['call_id', 'ended_at'])
    .where('organization_id', '=', organizationId)
    .where('number', '=', sql<string>`any(${[...numbers]}::text[])`)
    .where('started_at', '>=', new Date(endedAfter.getTime() - longestCallHours * 3_600_000))
    .where('ended_at', '>', endedAfter)
    .where('ended_at', '<=', endedBefore)
    .where('answered_at', 'is not', null)
    .where('test_run_id', 'is', null)
    .orderBy('ended_at', order)
    .limit(limit)
    .execute();
}
