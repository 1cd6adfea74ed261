import type { CallRecord, TraceEntry } from '../../src/contract/call-record.js';

/** Messages of a record's trace, in order; `method` is the one of the transaction (CSeq). */
export function messagesOf(
  record: CallRecord,
  wanted: { leg?: TraceEntry['leg']; method?: string; summary?: string } = {},
): string[] {
  return record.trace
    .filter(
      ({ leg, summary, message }) =>
        (wanted.leg === undefined || leg === wanted.leg) &&
        (wanted.method === undefined ||
          new RegExp(`^CSeq:\\s*\\d+ ${wanted.method}\\r?$`, 'im').test(message)) &&
        (wanted.summary === undefined || summary === wanted.summary),
    )
    .map(({ message }) => message);
}

/** Direction of each media description in a message; `sendrecv` where none is written (RFC 8866 §6.7). */
export function directionsOf(message: string): string[] {
  const sections = message.split(/^m=/m).slice(1);
  return sections.map(
    (section) => /^a=(sendrecv|sendonly|recvonly|inactive)\r?$/m.exec(section)?.[1] ?? 'sendrecv',
  );
}
