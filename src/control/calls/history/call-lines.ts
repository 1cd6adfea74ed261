import type { CallRow, Cursor } from './call-filter.js';
import { summaryOf } from './call-view.js';

/** The columns of the export, with the names of the list response. */
const columns = [
  ...(['call_id', 'direction', 'phone_number', 'from', 'to'] as const),
  ...(['started_at', 'answered_at', 'ended_at', 'duration_seconds'] as const),
  ...(['outcome', 'sip_code', 'status', 'end_reason', 'audio_problem', 'ended_by', 'cause'] as const),
  ...(['sip_call_id', 'source_ip', 'party_name', 'mos', 'organization_id'] as const),
] as const;

/** Rows held in memory. */
const pageLength = 500;

/** The calls, newest first, as CSV (RFC 4180) with a header line; one chunk per page. */
export async function* callLines(
  read: (cursor: Cursor | undefined, limit: number) => Promise<readonly CallRow[]>,
): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`;
  let cursor: Cursor | undefined;
  for (;;) {
    const rows = await read(cursor, pageLength);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows
      .map((row) => {
        const call = summaryOf(row);
        return `${columns.map((column) => cellOf(call[column])).join(',')}\r\n`;
      })
      .join('');
    if (rows.length < pageLength) return;
    cursor = { startedAt: last.started_at, callId: last.call_id };
  }
}

/** Spreadsheets read text with these first characters as a formula; E.164 numbers are safe. */
const formula = /^[=@\t\r]|^[+-](?!\d+$)/;

export function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
