import type { ColumnType, Generated, Selectable } from 'kysely';
import type { CallRecord } from '../../../contract/call-record.js';

/** One finished call: listed and filtered fields as columns, everything else in `record`. */
export interface CallsTable {
  call_id: string;
  /** Null: the called number is not assigned to an organization. */
  organization_id: string | null;
  /** E.164 digits without plus. */
  number: string | null;
  direction: CallRecord['direction'];
  caller: string;
  called: string;
  /** Display name of the other party; null: none, or stored by an earlier version. */
  party_name: string | null;
  /** Call-ID header of the trunk's leg. */
  sip_call_id: string;
  source_address: string;
  started_at: Date;
  answered_at: Date | null;
  ended_at: Date;
  duration_milliseconds: number;
  outcome: CallRecord['outcome'];
  sip_status: number | null;
  sip_reason: string | null;
  ended_by: CallRecord['ended_by'];
  end_reason: CallRecord['end_reason'];
  /** The lower one of both sides, 1.0 to 5.0; null: not reported. */
  mos: number | null;
  /** Of the agent test that the call was; null: of none. */
  test_run_id: string | null;
  /** Of a call that rang when its edge was lost: the one as which another edge began it again. It is in no count. Null: none. */
  continued_as: ColumnType<string | null, string | null | undefined, string | null>;
  /** Hashes of what the index of traces finds it by (`search-words.ts`); null: stored by an earlier version. */
  search_tokens: ColumnType<readonly string[] | null, readonly string[] | undefined, readonly string[]>;
  /** The whole `CallRecord` with its trace: JSON, gzip. */
  record: Buffer;
}

/** An object in the object store with traces of calls. */
export interface CallTraceObjectsTable {
  name: string;
  stored_at: Generated<Date>;
}

/** Totals of the calls that ended in one minute. */
export interface CallMinutesTable {
  /** `*`: all organizations together. */
  organization_id: string;
  minute: Date;
  direction: CallRecord['direction'];
  outcome: CallRecord['outcome'];
  end_reason: CallRecord['end_reason'];
  /** 0: none. */
  sip_status: number;
  calls: number;
  answered: number;
  /** From INVITE to 200 for answered calls, and from INVITE to first ringing for calls that rang. */
  setup_milliseconds: number;
  rung: number;
  ringing_milliseconds: number;
}

/** Stream entries that are not valid call records; kept for diagnosis. */
export interface RefusedCallRecordsTable {
  /** Id in the stream. */
  entry_id: string;
  entry: Buffer;
  problem: string;
  refused_at: Generated<Date>;
}

/** Calls of an organization that started on one day (UTC). */
export interface CallDaysTable {
  organization_id: string;
  /** `YYYY-MM-DD` */
  day: string;
  direction: CallRecord['direction'];
  calls: number;
  answered: number;
  /** From answer to end, of those that were answered. Read as text, because it is a bigint. */
  answered_milliseconds: number | string;
}

/** The same by number and agent, of calls that were counted since there is this table. */
export interface CallNumberDaysTable extends CallDaysTable {
  /** E.164 digits without plus; empty: none. */
  number: string;
  /** Address of the agent; empty: none was called, or it is unknown. */
  agent: string;
}

/** Peak concurrent calls of a day; absent: not counted yet. */
export interface CallDayPeaksTable {
  organization_id: string;
  day: string;
  peak: number;
}

/** What other areas may read of ended calls: of a call that another edge began again, the later record alone. */
export type EndedCallsView = Selectable<
  Pick<
    CallsTable,
    | 'organization_id'
    | 'call_id'
    | 'number'
    | 'direction'
    | 'source_address'
    | 'started_at'
    | 'ended_at'
    | 'end_reason'
    | 'sip_status'
    | 'test_run_id'
  >
>;

declare module '../../database/tables.js' {
  interface Database {
    calls: CallsTable;
    call_trace_objects: CallTraceObjectsTable;
    call_minutes: CallMinutesTable;
    call_days: CallDaysTable;
    call_number_days: CallNumberDaysTable;
    call_day_peaks: CallDayPeaksTable;
    refused_call_records: RefusedCallRecordsTable;
  }
  interface Views {
    ended_calls: EndedCallsView;
    call_totals: Selectable<CallMinutesTable>;
  }
}
