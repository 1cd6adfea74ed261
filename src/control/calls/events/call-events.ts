import { sql, type Transaction } from 'kysely';
import type { AgentMetadata } from '../../../contract/agent-metadata.js';
import { audioProblemOf } from '../../../contract/audio-defect.js';
import type { CallRecord, EndReason } from '../../../contract/call-record.js';
import { explainEndReason } from '../../../contract/explanations.js';
import { storable } from '../../database/storable.js';
import type { Database } from '../../database/tables.js';
import { queueEvents, wantedOrganizations } from '../../deliveries/queue-events.js';
import { eventId, type OccurredEvent } from '../../events/event.js';
import type { EventType } from '../../events/event-types.js';
import { e164 } from '../../http/phone-number.js';
import { partyOf } from '../history/call-row.js';

/** The stages of a call, in order. */
export const callStages = ['initiated', 'ringing', 'answered', 'completed', 'failed'] as const;
export type CallStage = (typeof callStages)[number];

/** Fields known at every stage of a call. */
export interface CallFacts {
  readonly call_id: string;
  readonly organization: string | null;
  /** E.164 digits. */
  readonly number: string | null;
  readonly direction: CallRecord['direction'];
  /** From and To headers. */
  readonly from: string;
  readonly to: string;
  readonly source_address: string;
  readonly sip_call_id: string;
  readonly started_at: string;
  readonly ringing_at: string | null;
  readonly answered_at: string | null;
}

export interface CallMoment {
  readonly stage: CallStage;
  readonly call: CallFacts;
  /** Only with `completed` and `failed`. */
  readonly end?: CallRecord;
  /** Of an ended call: the one as which another edge began it again; absent: none. */
  readonly continuedAs?: string | undefined;
}

/**
 * Refusals that any host on the network can cause, for calls without an owner: a scanner must not make us flood a
 * customer's webhook receiver. The call history shows them.
 */
const untold: ReadonlySet<EndReason> = new Set<EndReason>([
  'refused_unknown_number',
  'refused_source',
  'refused_credentials',
  'refused_guessing',
  'refused_bad_request',
  'refused_loop',
  'refused_too_many_hops',
]);

const factsOf = (record: CallRecord): CallFacts => ({
  call_id: record.call_id,
  organization: record.organization,
  number: record.number,
  direction: record.direction,
  from: record.from,
  to: record.to,
  source_address: record.source.address,
  sip_call_id: record.sip_call_ids.trunk,
  started_at: record.started_at,
  ringing_at: record.ringing_at,
  answered_at: record.answered_at,
});

/**
 * Every event of an ended call. Most were sent while the call was active; those that were not, because the
 * edge died or Redis was down, are sent now.
 * @param continuedAs the call as which another edge began it again
 */
export function momentsOf(record: CallRecord, continuedAs?: string): CallMoment[] {
  if (record.organization === null || untold.has(record.end_reason)) return [];
  const call = factsOf(record);
  const stages: CallStage[] = ['initiated'];
  if (record.ringing_at !== null) stages.push('ringing');
  if (record.answered_at !== null) stages.push('answered');
  // By the answer, so that an edge of an earlier release does not have an answered call dialled again.
  const last = record.answered_at === null ? 'failed' : 'completed';
  return [...stages.map((stage) => ({ stage, call })), { stage: last, call, end: record, continuedAs }];
}

/** Queues these events for the endpoints that subscribe to them; returns how many deliveries that made. */
export async function queueCallEvents(
  transaction: Transaction<Database>,
  moments: readonly CallMoment[],
): Promise<number> {
  const organizations = moments.flatMap(({ call }) => call.organization ?? []);
  const wanted = await wantedOrganizations(transaction, organizations);
  if (wanted.size === 0) return 0;
  const subscribed = moments.filter(({ call }) => wanted.has(call.organization ?? ''));
  const orders = await readOrdersOf(transaction, subscribed);
  return queueEvents(
    transaction,
    subscribed.map((moment) => eventOf(moment, orders.get(moment.call.call_id))),
  );
}

interface OrderFacts {
  readonly call_id: string;
  readonly metadata: Record<string, unknown> | null;
}

async function readOrdersOf(
  transaction: Transaction<Database>,
  moments: readonly CallMoment[],
): Promise<ReadonlyMap<string, OrderFacts>> {
  const ids = [
    ...new Set(moments.flatMap(({ call }) => (call.direction === 'outbound' ? [call.call_id] : []))),
  ];
  if (ids.length === 0) return new Map();
  const rows = await transaction
    .selectFrom('ordered_calls')
    .select(['call_id', 'metadata'])
    .where('call_id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.call_id, row]));
}

const states: Readonly<Record<CallStage, string>> = {
  initiated: 'initiated',
  ringing: 'ringing',
  answered: 'in_progress',
  completed: 'completed',
  failed: 'failed',
};

/** @param order of an outbound call, if it has one */
export function eventOf(
  { stage, call, end, continuedAs }: CallMoment,
  order: OrderFacts | undefined,
): OccurredEvent {
  const event: EventType = `call.${stage}`;
  const at = { initiated: call.started_at, ringing: call.ringing_at, answered: call.answered_at };
  const occurredAt = stage === 'completed' || stage === 'failed' ? end?.ended_at : at[stage];
  return {
    organizationId: call.organization ?? '',
    subject: storable(call.call_id),
    event_id: eventId(event, call.call_id),
    event,
    occurred_at: occurredAt ?? call.started_at,
    sequence: callStages.indexOf(stage === 'failed' ? 'completed' : stage) + 1,
    data: {
      call_id: storable(call.call_id),
      sip_call_id: storable(call.sip_call_id),
      phone_number: call.number === null ? null : e164(storable(call.number)),
      direction: call.direction,
      from: storable(partyOf(call.from)),
      to: storable(partyOf(call.to)),
      source_ip: storable(call.source_address),
      state: states[stage],
      started_at: call.started_at,
      ringing_at: stage === 'initiated' ? null : call.ringing_at,
      answered_at: stage === 'initiated' || stage === 'ringing' ? null : call.answered_at,
      metadata: order?.metadata ?? null,
      ...(end === undefined ? {} : { ...endOf(end), continued_as: continuedAs ?? null }),
    },
  };
}

const endOf = (record: CallRecord) => ({
  ended_at: record.ended_at,
  duration_seconds: record.duration_milliseconds / 1_000,
  outcome: record.outcome,
  end_reason: record.end_reason,
  audio_problem: audioProblemOf(record),
  ended_by: record.ended_by,
  sip_code: record.sip_status,
  sip_reason: record.sip_reason === null ? null : storable(record.sip_reason),
  ...explainEndReason(record.end_reason, record.sip_status),
  detail: record.detail === null ? null : storable(record.detail),
  agent_metadata: storableMetadata(record.agent_metadata ?? {}),
});

const storableMetadata = (values: AgentMetadata): AgentMetadata =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, storable(value)]));
