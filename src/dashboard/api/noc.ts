import * as z from 'zod/mini';
import { ask } from './client.js';

/** What `/v1/noc` answers. Closed lists are read as text: a server newer than this page may know more of them. */

const figure = z.nullable(z.number());
const text = z.nullable(z.string());

export const trunkSummarySchema = z.object({
  phone_number: z.string(),
  directions: z.array(z.string()),
  status: z.string(),
  endpoint: text,
  reason: text,
  detail: text,
  cause: text,
  advice: text,
  response_time_ms: figure,
  checked_at: text,
  servers: z._default(z.object({ total: z.number(), unreachable: z.number() }), { total: 0, unreachable: 0 }),
  registration: z._default(text, null),
});
export type TrunkSummary = z.infer<typeof trunkSummarySchema>;

const failureSchema = z.object({
  end_reason: z.string(),
  sip_status: figure,
  direction: z.string(),
  count: z.number(),
  cause: z.string(),
  advice: z.string(),
});

const windowSchema = z.object({
  attempts: z.number(),
  answered: z.number(),
  answer_rate_percent: figure,
  average_setup_ms: figure,
  average_post_dial_delay_ms: figure,
  failed: z.number(),
  failures: z.array(failureSchema),
});
export type WindowFigures = z.infer<typeof windowSchema>;
export const windowNames = ['5m', '1h', '24h'] as const;
export type WindowName = (typeof windowNames)[number];

const callFiguresSchema = z.object({
  active: figure,
  ringing: figure,
  calls_per_second: figure,
  /** null: the database is away. */
  windows: z.nullable(z.object({ '5m': windowSchema, '1h': windowSchema, '24h': windowSchema })),
});
export type CallFigures = z.infer<typeof callFiguresSchema>;

const edgeSchema = z.object({
  id: z.string(),
  version: z.string(),
  since: z.string(),
  seen_at: z.string(),
  state: z.string(),
  engine: z.object({ up: z.boolean(), kind: z.string(), listeners: z.array(z.string()) }),
  rtpengine: z.array(z.object({ name: z.string(), state: z.string(), round_trip_ms: figure })),
  redis_up: z.boolean(),
  counts: z.object({
    calls: z.number(),
    ringing: z.number(),
    answered: z.number(),
    ending: z.number(),
    records_waiting: z.number(),
    owed_deletions: z.number(),
  }),
  calls_per_second: z.number(),
  event_loop_delay_ms: z.number(),
  memory_bytes: z.number(),
});
export type EdgeSummary = z.infer<typeof edgeSchema>;

const storeSchema = z.object({ state: z.string(), round_trip_ms: figure, detail: z.string() });

const fleetSchema = z.object({
  edges: z.array(edgeSchema),
  redis: storeSchema,
  database: storeSchema,
  control: z.object({
    version: z.string(),
    since: z.string(),
    parts: z.array(z.object({ name: z.string(), ready: z.boolean(), detail: z.string() })),
  }),
  calls: callFiguresSchema,
  organizations: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      active: z.number(),
      attempts_1h: z.number(),
      answered_1h: z.number(),
      failed_1h: z.number(),
    }),
  ),
});
export type Fleet = z.infer<typeof fleetSchema>;

export const summarySchema = z.object({
  at: z.string(),
  parts: z.object({ edges: z.string(), media: z.string(), redis: z.string(), database: z.string() }),
  trunk_counts: z.object({
    total: z.number(),
    healthy: z.number(),
    unreachable: z.number(),
    unchecked: z.number(),
  }),
  trunks: z.array(trunkSummarySchema),
  calls: callFiguresSchema,
  registrations: z.nullable(z.object({ total: z.number(), registered: z.number(), failed: z.number() })),
  fleet: z.nullable(fleetSchema),
});
export type Summary = z.infer<typeof summarySchema>;

export const liveCallSchema = z.object({
  call_id: z.string(),
  organization_id: z.nullish(z.string()),
  phone_number: text,
  direction: z.string(),
  from: z.string(),
  to: z.string(),
  from_header: z.string(),
  to_header: z.string(),
  state: z.string(),
  started_at: z.string(),
  ringing_at: text,
  answered_at: text,
  trunk: z.object({ address: z.string(), protocol: z.string(), sip_call_id: z.string() }),
  media: z.nullable(z.object({ codec: text, srtp_suite: text })),
  edge_id: z.nullish(z.string()),
});
export type LiveCall = z.infer<typeof liveCallSchema>;

export const liveCallsSchema = z.object({
  calls: z.array(liveCallSchema),
  total: z.number(),
  truncated: z.boolean(),
  at: z.string(),
});
export type LiveCalls = z.infer<typeof liveCallsSchema>;

export const callEventSchema = z.object({
  change: z.string(),
  call: liveCallSchema,
  end: z.nullish(
    z.object({
      at: z.string(),
      end_reason: z.string(),
      outcome: z.string(),
      sip_status: figure,
      sip_reason: text,
      detail: text,
      cause: text,
      advice: text,
    }),
  ),
});
export type CallEvent = z.infer<typeof callEventSchema>;

const callSeriesSchema = z.object({
  bucket_seconds: z.number(),
  buckets: z.array(
    z.object({
      at: z.string(),
      attempts: z.number(),
      answered: z.number(),
      failed: z.number(),
      answer_rate_percent: figure,
      average_setup_ms: figure,
      average_post_dial_delay_ms: figure,
    }),
  ),
});
export type CallSeries = z.infer<typeof callSeriesSchema>;
export const seriesWindows = ['1h', '24h', '7d', '30d'] as const;
export type SeriesWindow = (typeof seriesWindows)[number];

export type Scope = 'organization' | 'fleet';

export const readCallSeries = (
  window: SeriesWindow,
  scope: Scope,
  signal?: AbortSignal,
): Promise<CallSeries> =>
  ask(callSeriesSchema, `/v1/noc/calls/series?window=${window}&scope=${scope}`, {
    ...(signal && { signal }),
  });

const healthHistorySchema = z.object({
  bucket_seconds: z.number(),
  endpoints: z.array(
    z.object({
      endpoint: z.string(),
      uptime_percent: figure,
      buckets: z.array(
        z.object({ at: z.string(), checks: z.number(), uptime_percent: figure, response_time_ms: figure }),
      ),
    }),
  ),
});
export type HealthHistory = z.infer<typeof healthHistorySchema>;
export const healthWindows = ['24h', '7d', '30d'] as const;
export type HealthWindow = (typeof healthWindows)[number];

export const readHealthHistory = (
  phoneNumber: string,
  window: HealthWindow,
  signal?: AbortSignal,
): Promise<HealthHistory> =>
  ask(
    healthHistorySchema,
    `/v1/sip/health/history?phone_number=${encodeURIComponent(phoneNumber)}&window=${window}`,
    { ...(signal && { signal }) },
  );
