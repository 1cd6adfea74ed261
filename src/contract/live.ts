import { z } from 'zod';
import { callRecordSchema, endedBySchema, endReasonSchema } from './call-record.js';

/**
 * Live state that edges publish for people who watch: it lives in Redis as long as it is renewed, may be lost, and decides
 * nothing. Records (`contract/call-record.ts`) describe ended calls and are never lost.
 */

/** How often an edge renews its heartbeat, and how long it counts as alive without one. */
export const heartbeatMilliseconds = 2_000;
export const liveMilliseconds = 8_000;
/** An edge that ended without a word is shown as down for this long. */
export const rememberedMilliseconds = 600_000;
/** More calls of one edge are counted, not listed. */
export const maximumLiveCalls = 5_000;

/** One active call. Texts from peers are cut; they are never markup. */
export const liveCallSchema = z.object({
  call_id: z.string(),
  organization: z.string().nullable(),
  /** E.164 digits of the configured number. */
  number: z.string().nullable(),
  direction: z.enum(['inbound', 'outbound']),
  from: z.string(),
  to: z.string(),
  state: z.enum(['setup', 'ringing', 'answered']),
  /** ISO 8601. */
  started_at: z.string(),
  ringing_at: z.string().nullable(),
  answered_at: z.string().nullable(),
  /** The far side of the trunk's leg; `address` is `address:port`, empty while it is not known. */
  trunk: z.object({ address: z.string(), protocol: z.string(), sip_call_id: z.string() }),
  media: z.object({ codec: z.string().nullable(), srtp_suite: z.string().nullable() }).nullable(),
  /** Run of an agent test that placed the call; absent: any other call. */
  test_run_id: z.string().max(64).optional(),
});
export type LiveCall = z.infer<typeof liveCallSchema>;

/** How it ended; the record follows separately. */
export const liveEndSchema = z.object({
  at: z.string(),
  end_reason: endReasonSchema,
  ended_by: endedBySchema,
  outcome: callRecordSchema.shape.outcome,
  sip_status: z.int().nullable(),
  sip_reason: z.string().nullable(),
  detail: z.string().nullable(),
});
export type LiveEnd = z.infer<typeof liveEndSchema>;

export const liveChanges = ['began', 'ringing', 'answered', 'ended'] as const;

export const liveEventSchema = z.object({
  change: z.enum(liveChanges),
  call: liveCallSchema,
  /** Only with `ended`. */
  end: liveEndSchema.nullable(),
});
export type LiveEvent = z.infer<typeof liveEventSchema>;

/** What an edge publishes at once. `lost`: there was more than fits, so read the hashes again. */
export const liveBatchSchema = z.object({
  edge_id: z.string(),
  events: z.array(liveEventSchema),
  lost: z.boolean(),
});
export type LiveBatch = z.infer<typeof liveBatchSchema>;

const callCountsSchema = z.object({
  /** Begun and not answered; answered and not ended; begun within the last ten seconds. */
  ringing: z.int(),
  answered: z.int(),
  begun: z.int(),
});
export type CallCounts = z.infer<typeof callCountsSchema>;

/** Over so many seconds `begun` counts. */
export const begunSeconds = 10;

/** Answered calls that the edge took over from one that was lost or replaced. */
const takeoverSchema = z.object({ at: z.string(), from_edge_id: z.string(), calls: z.int() });
export type Takeover = z.infer<typeof takeoverSchema>;

/** Takeovers in a heartbeat. */
export const maximumTakeovers = 20;

/** One edge process, as it says itself. */
export const edgeHeartbeatSchema = z.object({
  edge_id: z.string(),
  version: z.string(),
  /** ISO 8601: start of the process, and of this heartbeat. */
  since: z.string(),
  at: z.string(),
  draining: z.boolean(),
  engine: z.object({
    up: z.boolean(),
    kind: z.enum(['embedded', 'drachtio']),
    listeners: z.array(z.string()),
    /** The same as `protocol/host:port`; absent: an edge of an earlier release. */
    addresses: z.array(z.string()).optional(),
  }),
  rtpengine: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['up', 'down', 'unknown']),
      /** Of the last answered ping. */
      round_trip_milliseconds: z.number().nullable(),
      owed_deletions: z.int(),
      /** Its release; null: unknown. Absent from earlier edges. */
      version: z.string().nullable().optional(),
    }),
  ),
  redis: z.object({ ready: z.boolean(), detail: z.string() }),
  counts: z.object({
    calls: z.int(),
    ringing: z.int(),
    answered: z.int(),
    ending: z.int(),
    records_waiting: z.int(),
    owed_deletions: z.int(),
  }),
  calls_per_second: z.number(),
  /** The busiest organizations, and those of the last seconds; not more than `maximumOrganizations`. */
  organizations: z.record(z.string(), callCountsSchema),
  /** 99th percentile since the last heartbeat. */
  event_loop_delay_milliseconds: z.number(),
  memory_bytes: z.int(),
  /** Since its start, the latest first; absent from earlier edges. */
  takeovers: z.array(takeoverSchema).default([]),
});
export type EdgeHeartbeat = z.infer<typeof edgeHeartbeatSchema>;

export const maximumOrganizations = 500;

/** Sorted set: process (edge id and a random part) → Unix milliseconds of its last heartbeat, for finding the keys below. */
export const liveEdgesKey = 'demarc:live:edges';

/** JSON of an `EdgeHeartbeat`; expires after `rememberedMilliseconds`, so the remaining time gives its age. */
export const heartbeatKey = (owner: string): string => `demarc:live:edge:${owner}`;

/** Hash: call id → JSON of a `LiveCall`; expires after `liveMilliseconds`. */
export const liveCallsKey = (owner: string): string => `demarc:live:calls:${owner}`;

/** Pub/sub: JSON of a `LiveBatch`. */
export const liveChannel = 'demarc:live:events';

/** Something that people who watch an organization are to see at once: an alert, the progress of a test call. */
export const noticeSchema = z.object({
  organization: z.string().min(1).max(64),
  event: z.enum(['alert', 'test_call', 'registration']),
  data: z.record(z.string(), z.unknown()),
});
export type Notice = z.infer<typeof noticeSchema>;

export const maximumNoticeLength = 16_384;

/** Pub/sub: JSON of a `Notice`. */
export const noticeChannel = 'demarc:live:notices';
