import { z } from 'zod';
import { agentMetadataSchema } from './agent-metadata.js';
import { failoverTriggerSchema } from './failover.js';
import { codecNameSchema } from './number.js';
import { qualitySamplesSchema, qualitySourceSchema } from './quality.js';
import { transferRecordSchema } from './transfer.js';
import { turnsSchema } from './turns.js';

/** Why a call ended or never began: a closed list. */
export const endReasons = [
  'caller_hung_up',
  'agent_hung_up',
  'callee_hung_up',
  'caller_cancelled',
  'stopped',
  'target_hung_up',
  'transferred',
  'test_completed',
  'refused_draining',
  'refused_too_many_hops',
  'refused_loop',
  'refused_unknown_number',
  'refused_source',
  'refused_credentials',
  'refused_guessing',
  'refused_limit',
  'refused_unavailable',
  'refused_media',
  'refused_bad_request',
  'agent_refused',
  'agent_unreachable',
  'agent_no_answer',
  'agent_lost',
  'trunk_refused',
  'trunk_unreachable',
  'trunk_no_answer',
  'media_failed',
  'media_timeout',
  'one_way_audio',
  'dead_air',
  'ack_timeout',
  'session_expired',
  'max_duration',
  'drained',
  'engine_lost',
  'edge_lost',
  'order_not_taken',
  'order_expired',
  'internal_error',
] as const;
export const endReasonSchema = z.enum(endReasons);
export type EndReason = z.infer<typeof endReasonSchema>;

export const endedBySchema = z.enum(['caller', 'callee', 'agent', 'target', 'edge', 'api']);
export type EndedBy = z.infer<typeof endedBySchema>;

/** One SIP message as it crossed the wire; secrets (SDES keys, digest responses) are replaced by `[redacted]`. */
export const traceEntrySchema = z.strictObject({
  /** ISO 8601 with microseconds, UTC. */
  at: z.string(),
  leg: z.enum(['trunk', 'agent', 'unknown']),
  direction: z.enum(['received', 'sent']),
  protocol: z.enum(['udp', 'tcp', 'tls']),
  /** `address:port`, IPv6 in brackets. */
  source: z.string(),
  destination: z.string(),
  /** `INVITE` or `200 OK`. */
  summary: z.string(),
  message: z.string(),
});
export type TraceEntry = z.infer<typeof traceEntrySchema>;

/** Quality as the other end reported it at one moment (RTCP); what a report does not say is absent. */
export const qualitySampleSchema = z.strictObject({
  /** Unix seconds. */
  at: z.int(),
  mos: z.number().optional(),
  jitter_milliseconds: z.number().optional(),
  /** Since the report before. */
  loss_percent: z.number().optional(),
});
export type QualitySample = z.infer<typeof qualitySampleSchema>;

/** Approximate size of rtpengine's statistics for one call; calls that changed their media have more. */
export const mostQualitySamples = 24;

/**
 * Why audio was converted from codec to codec.
 * - `no_common_codec`: the offering side had none of the number's codecs, so that others were offered in their place
 * - `agent_chose`, `trunk_chose`: that side was offered the other side's codecs and answered another one, which conversion added
 */
export const transcodingCauseSchema = z.enum(['no_common_codec', 'agent_chose', 'trunk_chose']);
export type TranscodingCause = z.infer<typeof transcodingCauseSchema>;

/** Counters of what we received from one side and sent to it (rtpengine's); units in the names. */
export const rtpSideSchema = z.strictObject({
  packets_received: z.int(),
  packets_sent: z.int(),
  octets_received: z.int(),
  octets_sent: z.int(),
  errors: z.int(),
  /** This, jitter and MOS are of what came from the side; jitter as heard at the other end (its RTCP reports). */
  packets_lost: z.int().optional(),
  jitter_milliseconds: z.number().optional(),
  /** Between rtpengine and the side. */
  round_trip_milliseconds: z.number().optional(),
  /** By the E-model (ITU-T G.107), 1.0 to 4.5. */
  mos: z.number().optional(),
  /** Of `packets_lost` and `mos`; absent: neither is known, or the edge was older and the source RTCP. */
  quality_source: qualitySourceSchema.optional(),
  /** The other end's reports over time, oldest first, evenly spread over the call. */
  progression: z.array(qualitySampleSchema).max(mostQualitySamples).optional(),
});
export type RtpSide = z.infer<typeof rtpSideSchema>;

/** One INVITE to one server of the customer's, with its repetitions for digest challenges. */
export const attemptSchema = z.strictObject({
  /** `endpointName`. */
  server: z.string(),
  sip_call_id: z.string(),
  started_at: z.iso.datetime(),
  /** Until the final answer, or until it was given up. */
  duration_milliseconds: z.int(),
  /** The server's, or ours where it gave none; null: the call was ended meanwhile. */
  sip_status: z.int().nullable(),
  sip_reason: z.string().nullable(),
  /** True: the server gave no final answer itself. */
  is_local: z.boolean(),
  /** What the failure counts as, when it may send the call to the next server. */
  trigger: failoverTriggerSchema.nullable(),
});
export type AttemptRecord = z.infer<typeof attemptSchema>;

export const callRecordSchema = z.strictObject({
  version: z.literal(1),
  call_id: z.string(),
  edge_id: z.string(),
  organization: z.string().nullable(),
  /** E.164 digits of the configured number; null when unknown. */
  number: z.string().nullable(),
  direction: z.enum(['inbound', 'outbound']),
  /** The call is an agent test, of this run: it counts neither as usage nor as health. */
  test_run_id: z.string().max(64).optional(),
  from: z.string(),
  to: z.string(),
  source: z.strictObject({ address: z.string(), port: z.int(), protocol: z.string() }),
  /** ISO 8601, milliseconds, UTC. */
  started_at: z.string(),
  ringing_at: z.string().nullable(),
  answered_at: z.string().nullable(),
  ended_at: z.string(),
  /** From answer to end; 0 if not answered. */
  duration_milliseconds: z.int(),
  outcome: z.enum(['completed', 'cancelled', 'refused', 'failed']),
  /** Final SIP status on the trunk leg's INVITE. */
  sip_status: z.int().nullable(),
  sip_reason: z.string().nullable(),
  ended_by: endedBySchema,
  end_reason: endReasonSchema,
  /** Further details, such as the rule that refused the call: which rule refused, what to configure. */
  detail: z.string().nullable(),
  media: z
    .strictObject({
      node: z.string(),
      trunk_codec: codecNameSchema.or(z.string()).nullable(),
      agent_codec: codecNameSchema.or(z.string()).nullable(),
      /** SRTP suite on the trunk leg. */
      srtp_suite: z.string().nullable(),
      /** Absent: both sides have the same codec. */
      transcoded_because: transcodingCauseSchema.optional(),
      trunk: rtpSideSchema.nullable(),
      agent: rtpSideSchema.nullable(),
      /** Absent: the call was neither watched nor bad. */
      samples: qualitySamplesSchema.optional(),
      /** Absent: not measured, or the agent replied to nothing meanwhile. */
      turns: turnsSchema.optional(),
    })
    .nullable(),
  /** Of outbound calls, in order; absent from earlier edges. */
  attempts: z.array(attemptSchema).default([]),
  sip_call_ids: z.strictObject({ trunk: z.string(), agent: z.string().nullable() }),
  /** Those that were asked for, in the order of their outcomes. */
  transfers: z.array(transferRecordSchema).optional(),
  /** Edges that held the call before `edge_id`, and when each was replaced; messages of about that time may be missing. */
  adoptions: z.array(z.strictObject({ at: z.string(), edge_id: z.string() })).optional(),
  /** Media nodes that were lost, and by which one each was replaced: when, and after how long since the loss was found. */
  media_moves: z
    .array(
      z.strictObject({ at: z.string(), from: z.string().nullable(), to: z.string(), milliseconds: z.int() }),
    )
    .optional(),
  /** Its address, without parameters, which may be secrets; absent: none was called, or the edge was older. */
  agent: z.string().max(300).optional(),
  /** What the agent noted; absent: nothing. */
  agent_metadata: agentMetadataSchema.optional(),
  trace: z.array(traceEntrySchema),
  /** True when the trace was cut at its size limit. */
  trace_truncated: z.boolean(),
});
export type CallRecord = z.infer<typeof callRecordSchema>;
