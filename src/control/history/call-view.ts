import { z } from 'zod';
import {
  attemptSchema,
  type CallRecord,
  callRecordSchema,
  endedBySchema,
  endReasonSchema,
  rtpSideSchema,
  traceEntrySchema,
} from '../../contract/call-record.js';
import { explainEndReason } from '../../contract/explanations.js';
import { transferRecordSchema } from '../../contract/transfer.js';
import { e164 } from '../trunks/phone-number.js';
import type { readPage } from './call-page.js';

const moment = z.string().meta({ description: 'ISO 8601 in UTC', examples: ['2026-11-20T15:04:05.678Z'] });

/** One line of the history. */
export const callSummarySchema = z
  .object({
    call_id: z.string(),
    sip_call_id: z.string().meta({ description: "Call-ID header of the trunk's leg" }),
    phone_number: z.string().nullable(),
    direction: callRecordSchema.shape.direction,
    from: z.string(),
    to: z.string(),
    status: z
      .string()
      .nullable()
      .meta({ examples: ['200 OK', '486 Busy Here'] }),
    sip_code: z.int().nullable(),
    outcome: callRecordSchema.shape.outcome,
    end_reason: endReasonSchema,
    ended_by: endedBySchema,
    cause: z.string().meta({ description: 'Why it ended, in plain words' }),
    advice: z.string().meta({ description: 'What to do about it' }),
    duration_seconds: z.number().meta({ description: 'From answer to end; 0 when never answered' }),
    started_at: moment,
    answered_at: moment.nullable(),
    ended_at: moment,
    source_ip: z.string(),
  })
  .meta({ id: 'Call' });

/** All there is to know about one call. */
export const callDetailSchema = callSummarySchema
  .extend({
    edge_id: z.string(),
    ringing_at: moment.nullable(),
    source_port: z.int(),
    source_protocol: z.string(),
    from_header: z.string(),
    to_header: z.string(),
    detail: z.string().nullable().meta({ description: 'What a person should know or do' }),
    agent_sip_call_id: z.string().nullable(),
    media: z
      .object({
        trunk_codec: z.string().nullable(),
        agent_codec: z.string().nullable(),
        srtp_suite: z.string().nullable(),
        rtp: z.object({ trunk: rtpSideSchema.nullable(), agent: rtpSideSchema.nullable() }),
      })
      .nullable(),
    transfers: z
      .array(transferRecordSchema)
      .meta({ description: 'Each transfer that was asked for, with its outcome' }),
    attempts: z
      .array(attemptSchema)
      .meta({ description: 'Of a call from us: each server that was tried, in order' }),
    trace: z.array(traceEntrySchema),
    trace_truncated: z.boolean(),
  })
  .meta({ id: 'CallDetail' });

type CallSummary = z.infer<typeof callSummarySchema>;
type Row = Awaited<ReturnType<typeof readPage>>['rows'][number];

const statusText = (status: number | null, reason: string | null): string | null =>
  status === null ? null : `${status} ${reason ?? ''}`.trim();

export const summaryOf = (row: Row): CallSummary => ({
  call_id: row.call_id,
  sip_call_id: row.sip_call_id,
  phone_number: row.number === null ? null : e164(row.number),
  direction: row.direction,
  from: row.caller,
  to: row.called,
  status: statusText(row.sip_status, row.sip_reason),
  sip_code: row.sip_status,
  outcome: row.outcome,
  end_reason: row.end_reason,
  ended_by: row.ended_by,
  ...explainEndReason(row.end_reason, row.sip_status),
  duration_seconds: row.duration_milliseconds / 1_000,
  started_at: row.started_at.toISOString(),
  answered_at: row.answered_at?.toISOString() ?? null,
  ended_at: row.ended_at.toISOString(),
  source_ip: row.source_address,
});

export function detailOf(row: Row, record: CallRecord): z.infer<typeof callDetailSchema> {
  const { media } = record;
  return {
    ...summaryOf(row),
    edge_id: record.edge_id,
    ringing_at: record.ringing_at,
    source_port: record.source.port,
    source_protocol: record.source.protocol,
    from_header: record.from,
    to_header: record.to,
    detail: record.detail,
    agent_sip_call_id: record.sip_call_ids.agent,
    media:
      media === null
        ? null
        : {
            trunk_codec: media.trunk_codec,
            agent_codec: media.agent_codec,
            srtp_suite: media.srtp_suite,
            rtp: { trunk: media.trunk, agent: media.agent },
          },
    attempts: record.attempts,
    transfers: record.transfers ?? [],
    trace: record.trace,
    trace_truncated: record.trace_truncated,
  };
}
