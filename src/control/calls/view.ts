import { z } from 'zod';
import { attemptSchema } from '../../contract/call-record.js';
import { orderSeconds } from '../../contract/commands.js';
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
  .meta({ id: 'OrderedCallDetail' });

export type OrderedCallDetail = z.infer<typeof orderedCallDetailSchema>;
type View = z.infer<typeof orderedCallSchema>;
type Progress = Pick<View, 'completed' | 'status' | 'queue_status' | 'error_message'>;

/** Beyond an order's life: an edge that took it in the last moment has claimed it by then. */
const lateMilliseconds = (orderSeconds + 10) * 1_000;

/** Null as a status means that the call goes on. */
function progressOf(row: OrderRow, live: LiveState, detail: string | null, now: number): Progress {
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
  if (row.outcome !== null) {
    const status = statusOf(row);
    return over(status, 'complete', status === 'completed' ? null : (detail ?? row.end_reason));
  }
  const isLate = now - row.created_at.getTime() > lateMilliseconds;
  const notTaken = 'No edge took the order in time.';
  if (live.kind === 'unknown') return going('new');
  if (live.kind === 'waiting') return isLate ? over('failed', 'queue_error', notTaken) : going('new');
  const { phase } = live.call;
  if (phase === 'expired') return over('failed', 'queue_error', notTaken);
  if (!live.isEdgeAlive) {
    const queue = phase === 'ended' ? 'complete_error' : 'call_error';
    return over('unknown', queue, 'The edge that had the call is gone; the call is not dialled again.');
  }
  return going(phase === undefined || phase === 'claimed' ? 'allocated' : 'started');
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
    call_ended_by: side === 'agent' ? 'ASSISTANT' : side === 'callee' ? 'USER' : null,
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
