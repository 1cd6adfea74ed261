import { type Kysely, sql, type Transaction } from 'kysely';
import type { CallRecord } from '../../../contract/call-record.js';
import type { Database } from '../../database/tables.js';
import { countDays } from './call-days.js';
import type { CallMinutesTable } from './tables.js';

/** Instead of an organization: the calls of all, including calls to unassigned numbers. */
export const allOrganizations = '*';

const minuteMilliseconds = 60_000;

/** The counted fields of a stored call. */
export interface CountedCall {
  readonly organization_id: string | null;
  readonly number: string | null;
  readonly agent?: string | undefined;
  readonly direction: CallMinutesTable['direction'];
  readonly outcome: CallMinutesTable['outcome'];
  readonly end_reason: CallMinutesTable['end_reason'];
  readonly sip_status: number | null;
  readonly started_at: Date;
  readonly ringing_at: Date | null;
  readonly answered_at: Date | null;
  readonly ended_at: Date;
}

/** Whether only the caller of an agent test and the agent took part. A transfer to anyone else is a call like others, and costs as much. */
export const isTestAlone = ({
  test_run_id: run,
  transfers,
}: Pick<CallRecord, 'test_run_id' | 'transfers'>): boolean =>
  run !== undefined && transfers?.some(({ status }) => status !== 'failed') !== true;

/**
 * Adds calls to the minutes in which they ended. Call in the transaction that stores them, so that each counts once.
 * @param sign -1: subtracts calls that leave the history
 */
export async function countCalls(
  transaction: Transaction<Database>,
  calls: readonly CountedCall[],
  sign: 1 | -1 = 1,
): Promise<void> {
  await countDays(transaction, calls, sign);
  const ordered = minuteRows(calls, sign);
  if (ordered.length === 0) return;
  await transaction
    .insertInto('call_minutes')
    .values(ordered)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'minute', 'direction', 'outcome', 'end_reason', 'sip_status'])
        .doUpdateSet({
          calls: sql`call_minutes.calls + excluded.calls`,
          answered: sql`call_minutes.answered + excluded.answered`,
          setup_milliseconds: sql`call_minutes.setup_milliseconds + excluded.setup_milliseconds`,
          rung: sql`call_minutes.rung + excluded.rung`,
          ringing_milliseconds: sql`call_minutes.ringing_milliseconds + excluded.ringing_milliseconds`,
        }),
    )
    .execute();
  if (sign === 1) return;
  const minutes = [...new Set(ordered.map(({ minute }) => minute.getTime()))].map((at) => new Date(at));
  await transaction
    .deleteFrom('call_minutes')
    .where('minute', 'in', minutes)
    .where('calls', '<=', 0)
    .execute();
}

/** What calls add to the minutes in which they ended, for their organization and for all. */
export function minuteRows(calls: readonly CountedCall[], sign: 1 | -1): CallMinutesTable[] {
  const rows = new Map<string, CallMinutesTable>();
  for (const call of calls) {
    if (call.organization_id !== null) add(rows, call, call.organization_id, sign);
    add(rows, call, allOrganizations, sign);
  }
  // A fixed order, so that two processes cannot deadlock.
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}

function add(
  rows: Map<string, CallMinutesTable>,
  call: CountedCall,
  organizationId: string,
  sign: 1 | -1,
): void {
  const { direction, outcome, end_reason } = call;
  const minute = Math.floor(call.ended_at.getTime() / minuteMilliseconds) * minuteMilliseconds;
  const status = call.sip_status ?? 0;
  const key = [organizationId, minute, direction, outcome, end_reason, status].join(' ');
  let row = rows.get(key);
  if (row === undefined) {
    row = {
      organization_id: organizationId,
      minute: new Date(minute),
      direction,
      outcome,
      end_reason,
      sip_status: status,
      calls: 0,
      answered: 0,
      setup_milliseconds: 0,
      rung: 0,
      ringing_milliseconds: 0,
    };
    rows.set(key, row);
  }
  const since = (at: Date): number => sign * Math.max(0, at.getTime() - call.started_at.getTime());
  row.calls += sign;
  if (call.answered_at !== null) {
    row.answered += sign;
    row.setup_milliseconds += since(call.answered_at);
  }
  if (call.ringing_at !== null) {
    row.rung += sign;
    row.ringing_milliseconds += since(call.ringing_at);
  }
}

/** Plots reach back thirty days. */
export async function deleteOldMinutes(database: Kysely<Database>): Promise<void> {
  await database
    .deleteFrom('call_minutes')
    .where('minute', '<', sql<Date>`now() - interval '31 days'`)
    .execute();
}
