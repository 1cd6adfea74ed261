import { z } from 'zod';
import { audioProblemOf, audioProblems } from '../../../contract/audio-defect.js';
import type { EndReason } from '../../../contract/call-record.js';
import { type CallProgress, callProgressSchema } from '../../../contract/commands.js';
import { explainEndReason } from '../../../contract/explanations.js';
import { readJson } from '../../../contract/read-json.js';
import type { TransferRecord } from '../../../contract/transfer.js';
import { e164 } from '../../http/phone-number.js';
import { callAttemptSchema, transferSchema } from '../history/call-view.js';
import { isForgotten, type LostResult, lostEnd } from '../lost/lost-end.js';
import { removedParty } from '../parties/without-party.js';
import type { LiveState } from './live-state.js';
import type { OrderRow } from './read.js';

const moment = z.string().meta({ description: 'ISO 8601 in UTC', examples: ['2026-11-20T15:04:05.678Z'] });

/** The state of a call: its progress while active, then how it ended. */
export const callStates = [
  'queued',
  'dialing',
  'ringing',
  'in_progress',
  'ending',
  'completed',
  'busy',
  'no_answer',
  'cancelled',
  'failed',
  'unknown',
] as const;
export type CallState = (typeof callStates)[number];

export const orderedCallSchema = z
  .object({
    call_id: z.string(),
    to: z.string(),
    from: z.string(),
    inbound: z.literal(false),
    batch_id: z.string().nullable().meta({ description: 'Id of its batch; null: none' }),
    scheduled_at: moment.nullable().meta({ description: 'Earliest time to dial; null: at once' }),
    created_at: moment,
    state: z.enum(callStates).meta({
      description:
        '`queued`, `dialing` (the agent or the trunk is being called), `ringing`, `in_progress` (answered), `ending` (over, record not stored yet); then how it ended: `completed` (answered), `busy`, `no_answer`, `cancelled`, `failed`, or `unknown` (its edge died, or live state is unavailable while `completed` is false).',
    }),
    started_at: moment.nullable(),
    answered_at: moment.nullable(),
    ended_at: moment.nullable(),
    duration_seconds: z
      .number()
      .nullable()
      .meta({ description: 'Seconds from the answer to the end; null until the call has ended.' }),
    max_duration_seconds: z.int(),
    on_hold: z.boolean().meta({ description: 'True: on hold through the API.' }),
    end_at: moment.nullable(),
    completed: z.boolean().meta({ description: 'True: the call has ended, with any outcome' }),
    status: z
      .enum(['completed', 'failed', 'busy', 'no-answer', 'canceled', 'unknown'])
      .nullable()
      .meta({ description: 'Null until the call has ended; `state` shows its progress.' }),
    queue_status: z.enum([
      'new',
      'queued',
      'allocated',
      'started',
      'complete',
      'queue_error',
      'call_error',
      'complete_error',
    ]),
    answered_by: z.enum(['unknown', 'no-answer']).nullable(),
    call_ended_by: z.enum(['ASSISTANT', 'USER']).nullable(),
    call_length: z.number().nullable().meta({ description: 'The same as `duration_seconds`, in minutes.' }),
    corrected_duration: z
      .string()
      .nullable()
      .meta({ description: 'The same as `duration_seconds`, whole seconds as text.' }),
    max_duration: z.number().meta({ description: 'The same as `max_duration_seconds`, in minutes.' }),
    error_message: z.string().nullable(),
    audio_problem: z.enum(audioProblems).nullable(),
    cause: z.string().nullable().meta({ description: 'Why the call ended; null while it is active' }),
    advice: z.string().nullable().meta({ description: 'Recommended action' }),
    sip: z
      .object({
        code: z.int().nullable(),
        reason: z.string().nullable(),
        side: z.string().meta({ description: 'Side that ended it: callee, agent, edge, api' }),
        end_reason: z.string(),
      })
      .nullable()
      .meta({ description: "Final response to the trunk's INVITE; null while the call is active" }),
    request_data: z.record(z.string(), z.unknown()).nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'OrderedCall' });

export const orderedCallDetailSchema = orderedCallSchema
  .extend({
    task: z.string(),
    tools: z
      .array(z.string())
      .readonly()
      .nullable()
      .meta({ description: 'Ids of knowledge bases and tools of the order' }),
    persona_id: z.string().nullable().meta({ description: 'Id of the persona of the order' }),
    pathway_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the pathway of the order; null: that of the persona, if it has one' }),
    pathway_version: z
      .int()
      .nullable()
      .meta({ description: 'Version of the pathway that the order names; null: the one that is live' }),
    voice: z
      .string()
      .nullable()
      .meta({ description: 'Voice that the order names; null: that of the persona, if it has one' }),
    ringing_at: moment.nullable(),
    attempts: z.array(callAttemptSchema).meta({
      description: 'Servers tried, in order; the last one has no status while the attempt runs.',
    }),
  })
  .extend({
    transferred_to: z.string().nullable().meta({ description: 'Target of the successful transfer' }),
    transferred_at: moment.nullable(),
    transfer: transferSchema.nullable().meta({ description: 'The last transfer, with its outcome' }),
  })
  .meta({ id: 'OrderedCallDetail' });

export type OrderedCallDetail = z.infer<typeof orderedCallDetailSchema>;

/** What the record's transfers come to. */
export function transferView(
  transfers: readonly TransferRecord[],
): Pick<OrderedCallDetail, 'transferred_to' | 'transferred_at' | 'transfer'> {
  const completed = transfers.findLast(({ status }) => status === 'completed');
  return {
    transferred_to: completed?.target ?? null,
    transferred_at: completed?.completed_at ?? null,
    transfer: transfers.at(-1) ?? null,
  };
}
type View = z.infer<typeof orderedCallSchema>;
type Progress = Pick<View, 'completed' | 'status' | 'queue_status' | 'error_message'>;

/** A null status means that the call is active. */
function progressOf(
  row: OrderRow,
  live: LiveState,
  lost: LostResult | undefined,
  detail: string | null,
): Progress {
  if (lost !== undefined) return over(lost.status, lost.queue_status, lost.error_message);
  if (row.outcome !== null) {
    return over(statusOf(row), 'complete', errorMessage(row, detail));
  }
  if (live.kind === 'unknown') return going('new');
  const { phase, command } = live.call;
  if (live.kind === 'waiting') return going(command === undefined ? 'new' : 'queued');
  return going(phase === undefined || phase === 'claimed' ? 'allocated' : 'started');
}

/** Normal ends of an answered call. */
const usualEnds: ReadonlySet<string> = new Set<EndReason>([
  'caller_hung_up',
  'agent_hung_up',
  'callee_hung_up',
  'target_hung_up',
  'transferred',
  'stopped',
  'max_duration',
  'test_completed',
]);

function errorMessage({ outcome, end_reason: reason }: OrderRow, detail: string | null): string | null {
  if (reason === null || (outcome === 'completed' && usualEnds.has(reason))) return null;
  return detail ?? explainEndReason(reason).cause;
}

const going = (queue: View['queue_status']): Progress => ({
  completed: false,
  status: null,
  queue_status: queue,
  error_message: null,
});

const over = (status: View['status'], queue: View['queue_status'], message: string | null): Progress => ({
  completed: true,
  status,
  queue_status: queue,
  error_message: message,
});

/** The status of an ended call. */
export function statusOf({
  outcome,
  end_reason,
  sip_status,
}: Pick<OrderRow, 'outcome' | 'end_reason' | 'sip_status'>): Exclude<View['status'], null | 'unknown'> {
  if (outcome === 'completed') return 'completed';
  if (outcome === 'cancelled') return 'canceled';
  if (end_reason === 'trunk_no_answer') return 'no-answer';
  if (end_reason !== 'trunk_refused') return 'failed';
  if (sip_status === 486 || sip_status === 600) return 'busy';
  return sip_status === 480 || sip_status === 408 ? 'no-answer' : 'failed';
}

const endStates = {
  completed: 'completed',
  failed: 'failed',
  busy: 'busy',
  'no-answer': 'no_answer',
  canceled: 'cancelled',
  unknown: 'unknown',
} as const;

/** @param status of an ended call; null: the call is active */
function stateOf(status: View['status'], live: LiveState, progress: CallProgress | undefined): CallState {
  if (status !== null) return endStates[status];
  if (live.kind === 'unknown') return 'unknown';
  if (live.kind === 'waiting') return 'queued';
  const { phase } = live.call;
  if (phase === 'ended') return 'ending';
  // The order's digits are sent before the agent's audio is connected.
  if (phase === 'answered' || (progress?.answered_at ?? null) !== null) return 'in_progress';
  return phase === 'ringing' ? 'ringing' : 'dialing';
}

/** The state of a call without a record. */
export function progressSoFar(live: LiveState): CallProgress | undefined {
  if (live.kind !== 'claimed' || live.call.progress === undefined) return undefined;
  return readJson(callProgressSchema, live.call.progress);
}

/** No edge has it yet. */
const upcoming: LiveState = { kind: 'waiting', call: {} };

export function viewOf(row: OrderRow, state: LiveState, detail: string | null, now = Date.now()): View {
  const live: LiveState = row.is_pending ? upcoming : state;
  const isWithEdges = row.outcome === null && !row.is_pending && !isForgotten(live);
  const found = isWithEdges ? lostEnd(row.given_at ?? row.created_at, live, now) : undefined;
  const lost = row.lost ?? found;
  const progress = progressOf(row, live, lost, detail);
  const soFar = row.outcome === null ? progressSoFar(live) : undefined;
  const side = row.ended_by ?? found?.by ?? null;
  const reason = row.end_reason ?? found?.reason ?? null;
  // The history record of a lost call holds the times of its order.
  const milliseconds = row.lost === null ? row.duration_milliseconds : null;
  return {
    call_id: row.call_id,
    to: row.phone_number === removedParty ? removedParty : e164(row.phone_number),
    from: e164(row.number),
    inbound: false,
    batch_id: row.batch_id,
    scheduled_at: row.scheduled_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    state: stateOf(progress.status, live, soFar),
    started_at: row.lost === null ? (row.started_at?.toISOString() ?? soFar?.started_at ?? null) : null,
    answered_at: row.answered_at?.toISOString() ?? soFar?.answered_at ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    duration_seconds: milliseconds === null ? null : milliseconds / 1_000,
    max_duration_seconds: Math.round(row.max_duration_minutes * 60),
    on_hold: soFar?.on_hold ?? false,
    end_at: row.ended_at?.toISOString() ?? null,
    ...progress,
    audio_problem: audioProblemOf(row),
    cause: null,
    advice: null,
    ...(reason === null ? {} : explainEndReason(reason, row.sip_status)),
    answered_by: row.answered_at !== null ? 'unknown' : progress.status === 'no-answer' ? 'no-answer' : null,
    call_ended_by: side === 'agent' ? 'ASSISTANT' : side === 'callee' || side === 'target' ? 'USER' : null,
    call_length: milliseconds === null ? null : milliseconds / 60_000,
    corrected_duration: milliseconds === null ? null : String(Math.round(milliseconds / 1_000)),
    max_duration: row.max_duration_minutes,
    sip:
      side === null || reason === null
        ? null
        : { code: row.sip_status, reason: row.sip_reason, side, end_reason: reason },
    request_data: row.request_data,
    metadata: row.metadata,
  };
}
