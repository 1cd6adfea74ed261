import type { CallRecord } from '../../contract/call-record.js';

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

/** Peak concurrent calls of a day; absent: not counted yet. */
export interface CallDayPeaksTable {
  organization_id: string;
  day: string;
  peak: number;
}

declare module '../database/tables.js' {
  interface Database {
    call_days: CallDaysTable;
    call_day_peaks: CallDayPeaksTable;
  }
}
