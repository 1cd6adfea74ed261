import type { Span } from '../../../base/span-exporter.js';
import type { StreamEntry } from '../../../base/stream.js';
import { type CallRecord, callRecordSchema, type TraceEntry } from '../../../contract/call-record.js';
import { isSampled, spanIdOf, traceIdOf } from '../../../contract/trace-context.js';
import type { Telemetry } from '../../telemetry/telemetry.js';

const edge = 'demarc-edge';
const engine = 'demarc-engine';

/**
 * The spans of an ended call: the call and its legs as the edge timed them, and each SIP transaction as it crossed the engine, from the trace. They
 * name no caller and no callee.
 */
export function spansOfCall(record: CallRecord): readonly Span[] {
  const { call_id: callId } = record;
  const of = (name: string) => ({ traceId: traceIdOf(callId), spanId: spanIdOf(callId, name) });
  const start = Date.parse(record.started_at);
  const end = Date.parse(record.ended_at);
  const isFailed = record.outcome === 'failed' || record.outcome === 'refused';
  const call: Span = {
    ...of('call'),
    service: edge,
    name: `${record.direction} call`,
    kind: record.direction === 'inbound' ? 'server' : 'client',
    start,
    end,
    attributes: {
      'demarc.call_id': callId,
      'demarc.edge_id': record.edge_id,
      'demarc.direction': record.direction,
      'demarc.outcome': record.outcome,
      'demarc.end_reason': record.end_reason,
      'demarc.ended_by': record.ended_by,
      ...(record.organization === null ? {} : { 'demarc.organization': record.organization }),
      ...(record.sip_status === null ? {} : { 'sip.status_code': record.sip_status }),
      ...(record.test_run_id === undefined ? {} : { 'demarc.test_run_id': record.test_run_id }),
    },
    events: [
      ...eventOf('ringing', record.ringing_at),
      ...eventOf('answered', record.answered_at),
      ...(record.adoptions ?? []).flatMap(({ at }) => eventOf('continued by another edge', at)),
      ...(record.media_moves ?? []).flatMap(({ at }) => eventOf('media moved to another node', at)),
    ],
    ...(isFailed ? { error: record.end_reason } : {}),
  };
  const agentMessages = record.trace.filter(({ leg }) => leg === 'agent');
  const agent: Span[] =
    record.sip_call_ids.agent === null
      ? []
      : [
          {
            ...of('agent'),
            parentSpanId: call.spanId,
            service: edge,
            name: 'agent',
            kind: 'client',
            start: agentMessages[0] === undefined ? start : timeOf(agentMessages[0]),
            end: agentMessages.at(-1) === undefined ? end : timeOf(agentMessages.at(-1)!),
            attributes: {},
          },
        ];
  const attempts = record.attempts.map(
    (attempt, index): Span => ({
      ...of(`attempt ${index}`),
      parentSpanId: call.spanId,
      service: edge,
      name: 'trunk attempt',
      kind: 'client',
      start: Date.parse(attempt.started_at),
      end: Date.parse(attempt.started_at) + attempt.duration_milliseconds,
      attributes: {
        'server.address': attempt.server,
        ...(attempt.sip_status === null ? {} : { 'sip.status_code': attempt.sip_status }),
      },
      ...((attempt.sip_status ?? 0) >= 300 ? { error: `${attempt.sip_status}` } : {}),
    }),
  );
  const transactions = transactionsOf(record.trace).map(
    ({ request, final }, index): Span => ({
      ...of(`transaction ${index}`),
      parentSpanId: request.leg === 'agent' && agent[0] !== undefined ? agent[0].spanId : call.spanId,
      service: engine,
      name: `SIP ${methodOf(request)}`,
      kind: request.direction === 'received' ? 'server' : 'client',
      start: timeOf(request),
      end: timeOf(final),
      attributes: {
        'sip.method': methodOf(request),
        'sip.status_code': statusOf(final),
        'demarc.leg': request.leg,
        'network.transport': request.protocol,
      },
      ...(statusOf(final) >= 400 ? { error: final.summary } : {}),
    }),
  );
  return [call, ...agent, ...attempts, ...transactions];
}

const eventOf = (name: string, at: string | null) => (at === null ? [] : [{ name, at: Date.parse(at) }]);

/** With the microseconds that `Date` drops. */
function timeOf({ at }: Pick<TraceEntry, 'at'>): number {
  const [, microseconds = '0'] = /\.\d{3}(\d{3})Z$/.exec(at) ?? [];
  return Date.parse(at) + Number(microseconds) / 1_000;
}

const methodOf = ({ summary }: TraceEntry): string => summary.split(' ', 1)[0]!;

/** 0 for a request. */
const statusOf = ({ summary }: TraceEntry): number => Number(/^(\d{3})\b/.exec(summary)?.[1] ?? 0);

interface Transaction {
  readonly request: TraceEntry;
  readonly final: TraceEntry;
}

/** Requests with their final response, matched by Call-ID, CSeq and direction (RFC 3261 §17.1.3 without the branch, which one leg does not need). */
function transactionsOf(trace: readonly TraceEntry[]): readonly Transaction[] {
  const open = new Map<string, TraceEntry>();
  const found: Transaction[] = [];
  for (const entry of trace) {
    const status = statusOf(entry);
    if (status === 0) {
      const key = keyOf(entry, entry.direction);
      // A retransmission belongs to the first one.
      if (methodOf(entry) !== 'ACK' && !open.has(key)) open.set(key, entry);
    } else if (status >= 200) {
      const key = keyOf(entry, entry.direction === 'sent' ? 'received' : 'sent');
      const request = open.get(key);
      if (request === undefined) continue;
      open.delete(key);
      found.push({ request, final: entry });
    }
  }
  return found;
}

/** @param direction of the request */
function keyOf({ message }: TraceEntry, direction: TraceEntry['direction']): string {
  const header = (pattern: RegExp): string => pattern.exec(message)?.[1]?.trim() ?? '';
  return `${direction} ${header(/^(?:Call-ID|i)\s*:(.*)$/im)} ${header(/^CSeq\s*:(.*)$/im)}`;
}

/**
 * Adds the spans of the calls in these entries of the record stream that are sampled, with one for their storing. Entries that are no records
 * make none.
 * @param began when they were read, Unix milliseconds
 */
export function addSpans(telemetry: Telemetry, entries: readonly StreamEntry[], began: number): void {
  const end = Date.now();
  for (const { json } of entries) {
    const record = readRecord(json);
    if (record === undefined || !isSampled(record.call_id, telemetry.sample)) continue;
    const { call_id: callId } = record;
    const stored: Span = {
      service: 'demarc-control',
      traceId: traceIdOf(callId),
      spanId: spanIdOf(callId, 'store'),
      parentSpanId: spanIdOf(callId, 'call'),
      name: 'store record',
      kind: 'internal',
      start: began,
      end,
      attributes: {},
    };
    telemetry.add([...spansOfCall(record), stored]);
  }
}

/** Undefined: it was refused. */
function readRecord(json: string | undefined): CallRecord | undefined {
  try {
    return callRecordSchema.safeParse(JSON.parse(json ?? '')).data;
  } catch {
    return undefined;
  }
}
