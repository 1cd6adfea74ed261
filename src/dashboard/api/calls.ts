import * as z from 'zod/mini';
import { ask, query } from './client.js';

const text = z.nullable(z.string());
const figure = z.nullable(z.number());

const callSummaryShape = {
  call_id: z.string(),
  sip_call_id: z.string(),
  phone_number: text,
  direction: z.string(),
  from: z.string(),
  to: z.string(),
  status: text,
  sip_code: figure,
  outcome: z.string(),
  end_reason: z.string(),
  ended_by: z.string(),
  duration_seconds: z.number(),
  started_at: z.string(),
  answered_at: text,
  ended_at: z.string(),
  source_ip: z.string(),
  cause: z.nullish(z.string()),
  advice: z.nullish(z.string()),
};
const callSummarySchema = z.object(callSummaryShape);
export type CallSummary = z.infer<typeof callSummarySchema>;

const rtpSideSchema = z.object({
  packets_received: z.number(),
  packets_sent: z.number(),
  octets_received: z.number(),
  octets_sent: z.number(),
  errors: z.number(),
  packets_lost: z.optional(z.number()),
  jitter_milliseconds: z.optional(z.number()),
  round_trip_milliseconds: z.optional(z.number()),
  mos: z.optional(z.number()),
});
export type RtpSide = z.infer<typeof rtpSideSchema>;

const traceEntrySchema = z.object({
  at: z.string(),
  leg: z.string(),
  direction: z.string(),
  protocol: z.string(),
  source: z.string(),
  destination: z.string(),
  summary: z.string(),
  message: z.string(),
});
export type TraceMessage = z.infer<typeof traceEntrySchema>;

const mediaSchema = z.object({
  trunk_codec: text,
  agent_codec: text,
  srtp_suite: text,
  rtp: z.object({ trunk: z.nullable(rtpSideSchema), agent: z.nullable(rtpSideSchema) }),
});
export type CallMedia = z.infer<typeof mediaSchema>;

const attemptSchema = z.object({
  server: z.string(),
  sip_call_id: z.string(),
  started_at: z.string(),
  duration_milliseconds: z.number(),
  sip_status: figure,
  sip_reason: text,
  is_local: z.boolean(),
  trigger: text,
});

const transferSchema = z.object({
  mode: z.string(),
  requested_by: z.string(),
  target: z.string(),
  status: z.string(),
  reason: z.string(),
  sip_status: figure,
  sip_reason: text,
  detail: text,
  requested_at: z.string(),
  other_call_id: text,
});

const callDetailShape = {
  ...callSummaryShape,
  edge_id: z.string(),
  ringing_at: text,
  source_port: z.number(),
  source_protocol: z.string(),
  from_header: z.string(),
  to_header: z.string(),
  detail: text,
  agent_sip_call_id: text,
  media: z.nullable(mediaSchema),
  trace: z.array(traceEntrySchema),
  trace_truncated: z.boolean(),
  attempts: z._default(z.array(attemptSchema), []),
  transfers: z._default(z.array(transferSchema), []),
};

const endedCallSchema = z.object({ ...callDetailShape, state: z.literal('ended') });
export type EndedCall = z.infer<typeof endedCallSchema>;

/** What its edge knows of a call that has no record yet. */
const unfinishedCallSchema = z.object({
  ...callDetailShape,
  state: z.enum(['setup', 'ringing', 'answered', 'ending']),
  at: z.string(),
  outcome: text,
  end_reason: text,
  ended_by: text,
  ended_at: text,
  open_transfer: z.nullable(
    z.object({ mode: z.string(), requested_by: z.string(), target: z.string(), requested_at: z.string() }),
  ),
});
export type UnfinishedCall = z.infer<typeof unfinishedCallSchema>;

const callDetailSchema = z.discriminatedUnion('state', [endedCallSchema, unfinishedCallSchema]);
export type CallDetail = z.infer<typeof callDetailSchema>;

export const outcomes = ['completed', 'cancelled', 'refused', 'failed'] as const;

export interface CallFilter {
  readonly phone_number?: string | undefined;
  readonly direction?: string | undefined;
  readonly outcome?: string | undefined;
  readonly sip_code?: string | undefined;
  readonly started_after?: string | undefined;
  readonly started_before?: string | undefined;
}

const pageSchema = z.object({ calls: z.array(callSummarySchema), has_more: z.boolean() });
export type CallPage = z.infer<typeof pageSchema>;

/** `before`: id of the call that the page before ended with. */
export const readCalls = (
  filter: CallFilter,
  page: { readonly limit: number; readonly before?: string | undefined },
  signal?: AbortSignal,
): Promise<CallPage> =>
  ask(pageSchema, `/v1/sip/calls${query({ ...filter, ...page })}`, { ...(signal && { signal }) });

const callPath = (callId: string): string => `/v1/sip/calls/${encodeURIComponent(callId)}`;

export const readCall = (callId: string, signal?: AbortSignal): Promise<CallDetail> =>
  ask(callDetailSchema, callPath(callId), { ...(signal && { signal }) });

export const captureAddress = (callId: string): string => `${callPath(callId)}?format=pcap`;
export const transcriptAddress = (callId: string): string => `${callPath(callId)}?format=text`;
