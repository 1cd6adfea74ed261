import { z } from 'zod';
import type { BotState } from '../../../contract/agent-stream.js';
import { audioProblemOf, audioProblems } from '../../../contract/audio-defect.js';
import { type CallSnapshot, openTransferSchema, unfinishedStates } from '../../../contract/call-look.js';
import {
  attemptSchema,
  type CallRecord,
  callRecordSchema,
  endedBySchema,
  endReasonSchema,
  qualitySampleSchema,
  rtpSideSchema,
  traceEntrySchema,
  transcodingCauseSchema,
} from '../../../contract/call-record.js';
import { explainEndReason } from '../../../contract/explanations.js';
import { qualitySourceSchema, sampleSeconds } from '../../../contract/quality.js';
import { consultationStages, transferRecordSchema } from '../../../contract/transfer.js';
import { turnsSchema } from '../../../contract/turns.js';
import { e164 } from '../../http/phone-number.js';
import type { CallRow } from './call-filter.js';
import { lowestMos, nameOf, partyOf } from './call-row.js';
import { qualityOf, turnsOf } from './quality-over-time.js';

const moment = z.string().meta({ description: 'ISO 8601 in UTC', examples: ['2026-11-20T15:04:05.678Z'] });

// Separate from the contract's schemas: those are what edges write, these are what the API shows.
const qualitySourceText =
  'Of loss and MOS. `rtcp`: reports of the other end. `sequence`: sequence numbers that rtpengine missed; MOS from loss alone. `estimate`: packets against time; MOS from that loss alone.';
const qualitySample = qualitySampleSchema
  .extend({
    at: z.int().meta({ description: 'Unix time in seconds' }),
    loss_percent: z
      .number()
      .optional()
      .meta({ description: 'Packets lost since the report before, in percent' }),
  })
  .meta({ id: 'QualitySample' });
const mediaSampleSchema = z
  .object({
    at: moment.meta({ description: 'End of the interval' }),
    is_sampled: z.boolean().meta({ description: 'False: an RTCP report of the other end' }),
    packets_per_second: z
      .number()
      .nullable()
      .meta({ description: 'RTP packets received from the side; null: unknown' }),
    loss_percent: z.number().nullable().meta({ description: 'Packets lost, in percent; null: unknown' }),
    jitter_milliseconds: z.number().nullable(),
    round_trip_milliseconds: z
      .number()
      .nullable()
      .meta({ description: 'Between rtpengine and the side; null: not reported' }),
    mos: z
      .number()
      .nullable()
      .meta({ description: 'By the E-model (ITU-T G.107), 1.0 to 4.5; null: unknown' }),
    quality_source: qualitySourceSchema
      .nullable()
      .meta({ description: `${qualitySourceText} null: neither is known` }),
  })
  .meta({ id: 'MediaSample' });
const rtpSide = rtpSideSchema
  .extend({
    quality_source: qualitySourceSchema.optional().meta({
      description: `${qualitySourceText} Absent: neither is known, or the edge was older and the source RTCP`,
    }),
    progression: z.array(qualitySample).optional().meta({
      description: 'Reports of the other end over time, oldest first, about ten, evenly spread over the call',
    }),
  })
  .meta({ id: 'RtpSide' });
const perSide = (side: string) =>
  z.array(mediaSampleSchema).meta({ description: `What came from the ${side}, oldest first` });
const quality = z
  .object({
    every_seconds: z
      .int()
      .nullable()
      .meta({
        description: `Length of the sampled intervals: ${sampleSeconds} s, and twice, four times … that for long calls; each figure is then the worst ${sampleSeconds} s. null: only RTCP reports are known`,
      }),
    trunk: perSide('trunk'),
    agent: perSide('agent'),
  })
  .meta({ id: 'CallQuality' });
const turns = turnsSchema
  .extend({
    count: z.int().meta({ description: 'Replies measured' }),
    p50_milliseconds: z.int().meta({
      description:
        'From the end of the caller’s speech to the first audio of the agent, as they pass Demarc; half of the replies were as fast or faster',
    }),
    p95_milliseconds: z.int().meta({ description: '95th percentile of the same' }),
    worst_milliseconds: z.int().meta({ description: 'Slowest reply' }),
    interruptions: z
      .int()
      .meta({ description: 'How often the agent began while the caller spoke; not among the replies' }),
    measured_seconds: z.int().meta({ description: 'For how long the call was measured' }),
    replies: z
      .array(z.object({ at: moment, milliseconds: z.int() }))
      .meta({ description: 'At most 40, oldest first; of more, the slower one of each two' }),
  })
  .meta({ id: 'CallTurns' });
const media = z
  .object({
    trunk_codec: z.string().nullable(),
    agent_codec: z.string().nullable(),
    srtp_suite: z.string().nullable(),
    transcoded_because: transcodingCauseSchema.nullable().meta({
      description:
        'Why audio was converted. `no_common_codec`: the offering side had none of the number’s codecs. `agent_chose`, `trunk_chose`: that side answered another codec than the offering side’s. null: not converted',
    }),
    rtp: z.object({ trunk: rtpSide.nullable(), agent: rtpSide.nullable() }),
    quality: quality.nullable().meta({
      description:
        'Quality over time. Sampled by the edge while the call is watched or bad, otherwise from about ten RTCP reports; null: no reports',
    }),
    turns: turns.nullable().meta({
      description: 'How soon the agent replied; null: not measured, as the call was not watched',
    }),
  })
  .meta({ id: 'CallMedia' });

/** A trunk server that the call was tried at. */
export const callAttemptSchema = attemptSchema.meta({ id: 'CallAttempt' });
export const transferSchema = transferRecordSchema.meta({ id: 'CallTransfer' });

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
    audio_problem: z.enum(audioProblems).nullable(),
    cause: z.string().meta({ description: 'Why the call ended' }),
    advice: z.string().meta({ description: 'Recommended action' }),
    duration_seconds: z.number().meta({ description: 'From answer to end; 0 if not answered' }),
    started_at: moment,
    answered_at: moment.nullable(),
    ended_at: moment,
    source_ip: z.string(),
    party_name: z
      .string()
      .nullable()
      .meta({ description: 'Display name of the other party; null: none was sent' }),
    mos: z
      .number()
      .nullable()
      .meta({ description: 'The lower mean opinion score of both sides, 1.0 to 5.0; null: not reported' }),
    organization_id: z.string().nullable().meta({ description: 'Null: no organization has the number' }),
    continued_as: z.string().nullable().meta({
      description:
        'The call rang when its edge was lost, and another edge began it again as this call, with the same `sip_call_id`; statistics count that one alone. null: it was not',
    }),
    test_run_id: z.string().nullable().meta({
      description:
        'Test run that placed the call; null: none. Tests count neither as usage nor in statistics.',
    }),
  })
  .meta({ id: 'Call' });

/** The full details of an ended call. */
export const callDetailSchema = callSummarySchema
  .extend({
    state: z.literal('ended'),
    edge_id: z.string(),
    ringing_at: moment.nullable(),
    source_port: z.int(),
    source_protocol: z.string(),
    from_header: z.string(),
    to_header: z.string(),
    detail: z
      .string()
      .nullable()
      .meta({ description: 'Further details, such as the rule that refused the call' }),
    agent_sip_call_id: z.string().nullable(),
    media: media.nullable(),
    transfers: z.array(transferSchema).meta({ description: 'Each requested transfer with its outcome' }),
    adoptions: z.array(z.object({ at: moment, edge_id: z.string() })).meta({
      description:
        'Edges that held the call before `edge_id`, and when another one took it over from each; messages of about that moment may be missing in `trace`',
    }),
    continues: z.string().nullable().meta({
      description:
        'Id of the call of a lost edge that this one continues, see its `continued_as`; null: none',
    }),
    media_moves: z
      .array(
        z.object({
          at: moment,
          from: z.string().nullable().meta({ description: 'Lost media server; null: unknown' }),
          to: z.string().meta({
            description: 'Media server that has the audio since then; the same as `from`: it was restarted',
          }),
          milliseconds: z.int().meta({ description: 'From the finding of the loss to the move' }),
        }),
      )
      .meta({ description: 'When the audio moved to another media server because its own was lost' }),
    attempts: z.array(callAttemptSchema).meta({ description: 'Outbound calls: servers tried, in order' }),
    agent_metadata: z
      .record(z.string(), z.string())
      .meta({ description: 'Values that the agent set during the call', examples: [{ intent: 'billing' }] }),
    trace: z.array(traceEntrySchema.meta({ id: 'TraceMessage' })),
    trace_truncated: z.boolean(),
    trace_unavailable: z.boolean().meta({
      description:
        'True: the trace is in the object store, which does not respond. Repeat the request later.',
    }),
  })
  .meta({ id: 'CallDetail' });

/** The same for a call without a record yet; undecided fields are null. */
export const liveCallDetailSchema = callDetailSchema
  .extend({
    state: z.enum(unfinishedStates).meta({ description: '`ending`: over, but the record is not stored yet' }),
    at: moment.meta({ description: 'Time of this data' }),
    outcome: callRecordSchema.shape.outcome.nullable(),
    end_reason: endReasonSchema.nullable(),
    ended_by: endedBySchema.nullable(),
    cause: z.string().nullable(),
    advice: z.string().nullable(),
    ended_at: moment.nullable(),
    open_transfer: openTransferSchema
      .nullable()
      .meta({ description: 'The transfer in progress; finished ones are in `transfers`' }),
    consultation: z.enum(consultationStages).nullable().meta({
      description:
        'Stage of the warm transfer in progress: `calling` the target, `connecting` it to the agent, `consulting`, `joining` caller and target, or `returning` the caller to the agent; null: there is none',
    }),
    on_hold: z.boolean().meta({ description: 'True: on hold through the API.' }),
    listeners: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name of the person or API key' }),
          since: moment,
        }),
      )
      .meta({ description: 'Who listens to the call now' }),
    bot: z
      .object({
        url: z.string().meta({ description: 'URL of the bot', examples: ['wss://bot.example.com/stream'] }),
        connected: z.boolean().meta({ description: 'False: the connection is being made, or made again' }),
        reconnects: z.int().meta({ description: 'How often the connection was lost and made again' }),
        latency_ms: z
          .number()
          .nullable()
          .meta({ description: 'Milliseconds of the round trip of the last ping; null: not measured yet' }),
        queued_ms: z.number().meta({ description: 'Milliseconds of the bot’s audio that wait to be played' }),
      })
      .nullable()
      .meta({ description: 'Connection to an agent by WebSocket; null: the agent is another one' }),
  })
  .meta({ id: 'LiveCallDetail' });

type CallSummary = z.infer<typeof callSummarySchema>;

/** Caller or callee as sent; the number in E.164, even if the trunk omitted the plus. */
export const spelled = (party: string, number: string | null): string =>
  number !== null && party === number ? e164(number) : party;

const statusText = (status: number | null, reason: string | null): string | null =>
  status === null ? null : `${status} ${reason ?? ''}`.trim();

const continuation = {
  cause: 'The edge that had the call was lost while it rang, and another edge began the call again.',
  advice: 'The call that continues it has the result. Check why the edge was lost.',
};

export const summaryOf = (row: CallRow): CallSummary => ({
  call_id: row.call_id,
  sip_call_id: row.sip_call_id,
  phone_number: row.number === null ? null : e164(row.number),
  direction: row.direction,
  from: spelled(row.caller, row.number),
  to: spelled(row.called, row.number),
  status: statusText(row.sip_status, row.sip_reason),
  sip_code: row.sip_status,
  outcome: row.outcome,
  end_reason: row.end_reason,
  ended_by: row.ended_by,
  audio_problem: audioProblemOf(row),
  ...(row.continued_as === null ? explainEndReason(row.end_reason, row.sip_status) : continuation),
  continued_as: row.continued_as,
  duration_seconds: row.duration_milliseconds / 1_000,
  started_at: row.started_at.toISOString(),
  answered_at: row.answered_at?.toISOString() ?? null,
  ended_at: row.ended_at.toISOString(),
  source_ip: row.source_address,
  party_name: row.party_name,
  mos: row.mos,
  organization_id: row.organization_id,
  test_run_id: row.test_run_id,
});

export function detailOf(
  row: CallRow,
  record: CallRecord,
  isTraceUnavailable: boolean,
  continues: string | null,
): z.infer<typeof callDetailSchema> {
  return {
    ...summaryOf(row),
    state: 'ended',
    continues,
    ...factsOf(record),
    trace_unavailable: isTraceUnavailable,
  };
}

export function liveDetailOf(
  call: CallSnapshot,
  bot: BotState | null,
  continues: string | null = null,
): z.infer<typeof liveCallDetailSchema> {
  const { end_reason: reason } = call;
  return {
    call_id: call.call_id,
    sip_call_id: call.sip_call_ids.trunk,
    phone_number: call.number === null ? null : e164(call.number),
    direction: call.direction,
    from: spelled(partyOf(call.from), call.number),
    to: spelled(partyOf(call.to), call.number),
    status: statusText(call.sip_status, call.sip_reason),
    sip_code: call.sip_status,
    outcome: call.outcome,
    end_reason: reason,
    ended_by: call.ended_by,
    audio_problem: audioProblemOf(call),
    ...(reason === null ? { cause: null, advice: null } : explainEndReason(reason, call.sip_status)),
    duration_seconds: call.duration_milliseconds / 1_000,
    started_at: call.started_at,
    answered_at: call.answered_at,
    ended_at: call.ended_at,
    source_ip: call.source.address,
    party_name: nameOf(call.direction === 'inbound' ? call.from : call.to),
    mos: lowestMos(call.media),
    organization_id: call.organization,
    test_run_id: call.test_run_id ?? null,
    state: call.state,
    at: call.at,
    open_transfer: call.open_transfer,
    consultation: call.consultation,
    on_hold: call.on_hold,
    listeners: call.listeners,
    bot,
    continued_as: null,
    continues,
    ...factsOf(call),
    trace_unavailable: false,
  };
}

/** The fields that a record and a snapshot have beyond the summary. */
function factsOf(call: CallRecord | CallSnapshot) {
  const { media } = call;
  return {
    edge_id: call.edge_id,
    ringing_at: call.ringing_at,
    source_port: call.source.port,
    source_protocol: call.source.protocol,
    from_header: call.from,
    to_header: call.to,
    detail: call.detail,
    agent_sip_call_id: call.sip_call_ids.agent,
    media:
      media === null
        ? null
        : {
            trunk_codec: media.trunk_codec,
            agent_codec: media.agent_codec,
            srtp_suite: media.srtp_suite,
            transcoded_because: media.transcoded_because ?? null,
            rtp: { trunk: media.trunk, agent: media.agent },
            quality: qualityOf(media, call.started_at),
            turns: media.turns === undefined ? null : turnsOf(media.turns, call.started_at),
          },
    attempts: call.attempts,
    transfers: call.transfers ?? [],
    adoptions: call.adoptions ?? [],
    media_moves: call.media_moves ?? [],
    agent_metadata: call.agent_metadata ?? {},
    trace: call.trace,
    trace_truncated: call.trace_truncated,
  };
}
