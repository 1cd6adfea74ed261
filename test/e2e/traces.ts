import type { CallRecord, TraceEntry } from '../../src/contract/call-record.js';

/**
 * Messages of a record's trace, in order; `method` is the one of the transaction (CSeq). Repetitions are left out: a 200 is sent
 * again when its ACK is late, over TLS as well (RFC 3261 §13.3.1.4).
 */
export function messagesOf(
  record: CallRecord,
  criteria: { leg?: TraceEntry['leg']; method?: string; summary?: string } = {},
): string[] {
  return withoutRepetitions(record.trace)
    .filter(
      ({ leg, summary, message }) =>
        (criteria.leg === undefined || leg === criteria.leg) &&
        (criteria.method === undefined ||
          new RegExp(`^CSeq:\\s*\\d+ ${criteria.method}\\r?$`, 'im').test(message)) &&
        (criteria.summary === undefined || summary === criteria.summary),
    )
    .map(({ message }) => message);
}

/** Each message once, however often it was sent. */
export function withoutRepetitions<Entry extends Pick<TraceEntry, 'leg' | 'direction' | 'message'>>(
  trace: readonly Entry[],
): Entry[] {
  return trace.filter(
    ({ leg, direction, message }, at) =>
      trace.findIndex(
        (earlier) => earlier.message === message && earlier.direction === direction && earlier.leg === leg,
      ) === at,
  );
}

/** Direction of each media description in a message; `sendrecv` where none is written (RFC 8866 §6.7). */
export function directionsOf(message: string): string[] {
  const sections = message.split(/^m=/m).slice(1);
  return sections.map(
    (section) => /^a=(sendrecv|sendonly|recvonly|inactive)\r?$/m.exec(section)?.[1] ?? 'sendrecv',
  );
}
