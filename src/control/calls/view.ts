import { z } from 'zod';
import { attemptSchema } from '../../contract/call-record.js';
import { type OrderedCall, orderSeconds } from '../../contract/commands.js';
import { type TransferRecord, transferRecordSchema } from '../../contract/transfer.js';
import { e164 } from '../trunks/phone-number.js';
import type { LiveState, OrderRow } from './read.js';

const moment = z.string().meta({ description: 'ISO 8601 in UTC', examples: ['2026-11-20T15:04:05.678Z'] });

export const orderedCallSchema = z
  .object({
    call_id: z.string(),
    to: z.string(),
    from: z.string(),
    inbound: z.literal(false),
    batch_id: z.null(),
    created_at: moment,
    started_at: moment.nullable(),
    end_at: moment.nullable(),
    completed: z.boolean().meta({ description: 'The call is over, however it ended' }),
    status: z
      .enum(['completed', 'failed', 'busy', 'no-answer', 'canceled', 'unknown'])
      .nullable()
      .meta({ description: 'Null until the call is over' }),
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
    call_length: z.number().nullable().meta({ description: 'Minutes from answer to end' }),
    corrected_duration: z.string().nullable().meta({ description: 'Whole seconds from answer to end' }),
    max_duration: z.number().meta({ description: 'Minutes' }),
    error_message: z.string().nullable(),
    sip: z
      .object({
        code: z.int().nullable(),
        reason: z.string().nullable(),
        side: z.string().meta({ description: 'Who ended it: callee, agent, edge, api' }),
        end_reason: z.string(),
      })
      .nullable()
      .meta({ description: "Final answer to the trunk's INVITE, once the call is over" }),
    request_data: z.record(z.string(), z.unknown()).nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'OrderedCall' });

export const orderedCallDetailSchema = orderedCallSchema
  .extend({
    task: z.string(),
    attempts: z
      .array(attemptSchema)
      .meta({ description: 'Each server that was tried, in order, once the call is over' }),
  })
  .extend({
    transferred_to: z.string().nullable().meta({ description: 'Target of the transfer that succeeded' }),
    transferred_at: moment.nullable(),
    transfer: transferRecordSchema.nullable().meta({ description: 'The last transfer, with its outcome' }),
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

/** Beyond an order's life: an edge that took it in the last moment has claimed it by then. */
const lateMilliseconds = 10_000;

/** Null as a status means that the call goes on. */
function progressOf(row: OrderRow, live: LiveState, detail: string | null, now: number): Progress {
  if (row.outcome !== null) {
    const status = statusOf(row);
    return over(status, 'complete', status === 'completed' ? null : (detail ?? row.end_reason));
  }
  if (live.kind === 'unknown') return going('new');
  const { call } = live;
  if (call.phase === 'expired') {
    return over('failed', 'queue_error', call.command === undefined ? notTaken : notItsTurn);
  }
  if (live.kind === 'waiting') return waiting(call, now - row.created_at.getTime(), now);
  if (!live.isEdgeAlive) return withoutEdge(call);
  return going(call.phase === undefined || call.phase === 'claimed' ? 'allocated' : 'started');
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

const notTaken = 'No edge took the order in time.';
const notItsTurn =
  'The turn of the call did not come in time: the limits of the number let too few calls out.';
const notOrdered = 'The order did not reach the edges, or Redis lost it; the call was not dialled.';

/** No edge will dial what is over here: a stopped order is never dialled, a late one neither. */
function waiting({ ordered, command, until, stop }: OrderedCall, age: number, now: number): Progress {
  if (stop !== undefined) return over('canceled', 'complete', null);
  if (command !== undefined) {
    const isLate = now > Number(until) + lateMilliseconds;
    return isLate ? over('failed', 'queue_error', notItsTurn) : going('queued');
  }
  const life = orderSeconds * 1_000;
  if (ordered === undefined && age > lateMilliseconds) {
    // Orders of earlier releases have no such mark.
    return over('failed', 'queue_error', age > life + lateMilliseconds ? notTaken : notOrdered);
  }
  return age > life + lateMilliseconds ? over('failed', 'queue_error', notTaken) : going('new');
}

function withoutEdge({ phase }: OrderedCall): Progress {
  const gone = 'The edge that had the call is gone; the call is not dialled again.';
  if (phase === 'ended') return over('unknown', 'complete_error', gone);
  if (phase === 'answered') return over('unknown', 'call_error', gone);
  return over('failed', 'call_error', `Nobody had answered yet. ${gone}`);
}

function statusOf({ outcome, end_reason, sip_status }: OrderRow): NonNullable<View['status']> {
  if (outcome === 'completed') return 'completed';
  if (outcome === 'cancelled') return 'canceled';
  if (end_reason === 'trunk_no_answer') return 'no-answer';
  if (end_reason !== 'trunk_refused') return 'failed';
  if (sip_status === 486 || sip_status === 600) return 'busy';
  return sip_status === 480 || sip_status === 408 ? 'no-answer' : 'failed';
}

export function viewOf(row: OrderRow, live: LiveState, detail: string | null, now = Date.now()): View {
  const progress = progressOf(row, live, detail, now);
  const milliseconds = row.duration_milliseconds;
  const { ended_by: side, end_reason: reason } = row;
  return {
    call_id: row.call_id,
    to: e164(row.phone_number),
    from: e164(row.number),
    inbound: false,
    batch_id: null,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    end_at: row.ended_at?.toISOString() ?? null,
    ...progress,
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
