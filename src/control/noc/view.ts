import { z } from 'zod';
import { endReasonSchema } from '../../contract/call-record.js';
import { concernedParties } from '../../contract/concerned.js';
import { callStates } from '../../contract/failing-calls.js';
import { unreachableReasonSchema } from '../../contract/health.js';
import { liveCallSchema, liveChanges, liveEndSchema } from '../../contract/live.js';
import { registrationStates } from '../../contract/registration.js';

/** The NOC's response schemas, described in `docs/api.md`. */

const moment = z.iso.datetime();
const milliseconds = z.number().nullable();

/** down: does not work. degraded: works, but not all of it. unknown: no data. */
const partStateSchema = z.enum(['up', 'degraded', 'down', 'unknown']);
export type PartState = z.infer<typeof partStateSchema>;

const failureCountSchema = z
  .object({
    end_reason: endReasonSchema,
    sip_status: z.int().nullable(),
    direction: z.enum(['inbound', 'outbound']),
    count: z.int(),
    concerns: z.enum(concernedParties).meta({
      description:
        'Whom it concerns. caller: a mistake of the sender; customer: a setting, limit or PBX of the organization; service: the agent, the trunk’s server or the network to them; fleet: Demarc; none: a person did not take the call.',
    }),
    cause: z.string(),
    advice: z.string(),
  })
  .meta({ id: 'FailureCount' });
export type FailureCount = z.infer<typeof failureCountSchema>;

const callShareSchema = z.object({ calls: z.int(), failed: z.int() });

const windowFiguresSchema = z
  .object({
    attempts: z.int(),
    answered: z.int(),
    answer_rate_percent: z.number().nullable(),
    average_setup_ms: milliseconds.meta({ description: 'INVITE to 200, of answered calls' }),
    average_post_dial_delay_ms: milliseconds.meta({ description: 'INVITE to the first ringing' }),
    failed: z.int().meta({ description: 'Failed or refused, without those in `bad_audio`' }),
    bad_audio: z
      .int()
      .meta({ description: 'Answered calls with bad audio: the audio of a side was missing or stopped' }),
    judged: callShareSchema
      .extend({
        caller_errors: z
          .int()
          .meta({ description: 'Calls that only their senders can correct; not in `calls`' }),
        worst: failureCountSchema
          .nullable()
          .meta({ description: 'The most frequent cause of the calls in `failed`; null: none' }),
      })
      .meta({
        description:
          'What the verdict judges: all calls but those that were the mistake of their caller, and how many of them concern the customer, the service or the fleet',
      }),
    failures: z.array(failureCountSchema).meta({ description: 'Most frequent first' }),
    day_before: z
      .object({
        attempts: z.int(),
        answered: z.int(),
        answer_rate_percent: z.number().nullable(),
        failed: z.int(),
        average_post_dial_delay_ms: milliseconds,
      })
      .meta({ description: 'The same window one day earlier, for comparison' }),
  })
  .meta({ id: 'WindowFigures' });
export type WindowFigures = z.infer<typeof windowFiguresSchema>;

export const callFiguresSchema = z
  .object({
    active: z.int().nullable().meta({
      description: 'Answered and not ended, as in the list of active calls; null while Redis is down',
    }),
    ringing: z.int().nullable(),
    calls_per_second: z.number().nullable().meta({ description: 'New calls, mean of the last ten seconds' }),
    windows: z
      .object({ '5m': windowFiguresSchema, '1h': windowFiguresSchema, '24h': windowFiguresSchema })
      .nullable()
      .meta({ description: 'Of the calls that ended within it; null while the database is down' }),
  })
  .meta({ id: 'CallFigures' });
export type CallFigures = z.infer<typeof callFiguresSchema>;

const callJudgementSchema = z.object({
  state: z.enum(callStates).meta({
    description:
      'Of the last five minutes, or of the hour if there were fewer than five calls. failing: half or more fail; degraded: a fifth; quiet: fewer than five calls',
  }),
  window: z.enum(['5m', '1h']).meta({ description: 'What decided the state' }),
  ...callShareSchema.shape,
  worst: failureCountSchema
    .nullable()
    .meta({ description: 'The most frequent cause of failure within the window; null: none' }),
});
export type CallJudgement = z.infer<typeof callJudgementSchema>;

const trunkCallsSchema = callJudgementSchema
  .extend({
    hour: z.array(callShareSchema).meta({ description: 'Five-minute intervals, oldest first' }),
  })
  .meta({
    id: 'TrunkCalls',
    description: 'Calls of the number but those that were the mistake of their caller',
  });
export type TrunkCalls = z.infer<typeof trunkCallsSchema>;

export const trunkSummarySchema = z
  .object({
    phone_number: z.string(),
    directions: z.array(z.enum(['inbound', 'outbound'])),
    status: z.enum(['healthy', 'unreachable', 'unchecked']),
    endpoint: z.string().nullable(),
    reason: unreachableReasonSchema.nullable(),
    detail: z.string().nullable(),
    cause: z.string().nullable(),
    advice: z.string().nullable(),
    response_time_ms: milliseconds,
    checked_at: moment.nullable(),
    servers: z.object({ total: z.int(), unreachable: z.int() }).meta({
      description:
        'State of the number’s trunk; a healthy trunk with an unreachable first server uses a backup',
    }),
    registration: z
      .enum([...registrationStates, 'unknown'])
      .nullable()
      .meta({
        description: 'The worst state of its registrations; null: none; unknown while Redis is down',
      }),
    calls: trunkCallsSchema,
  })
  .meta({ id: 'TrunkSummary' });
export type TrunkSummary = z.infer<typeof trunkSummarySchema>;

const fleetTrunkSchema = trunkSummarySchema.extend({
  organization: z.object({ id: z.string(), name: z.string() }),
});
export type FleetTrunk = z.infer<typeof fleetTrunkSchema>;

const edgeSummarySchema = z
  .object({
    id: z.string(),
    version: z.string(),
    since: moment,
    seen_at: moment,
    state: z.enum(['up', 'degraded', 'draining', 'down']),
    engine: z.object({
      up: z.boolean(),
      kind: z.enum(['embedded', 'drachtio']),
      listeners: z.array(z.string()),
    }),
    rtpengine: z.array(
      z.object({
        name: z.string(),
        state: z.enum(['up', 'down', 'unknown']),
        round_trip_ms: milliseconds,
      }),
    ),
    redis_up: z.boolean(),
    counts: z.object({
      calls: z.int(),
      ringing: z.int(),
      answered: z.int(),
      ending: z.int(),
      records_waiting: z.int(),
      owed_deletions: z.int(),
    }),
    calls_per_second: z.number(),
    event_loop_delay_ms: z.number(),
    memory_bytes: z.int(),
    takeovers: z
      .array(
        z.object({
          at: moment,
          from_edge_id: z.string().meta({ description: 'Id of the edge that had the calls.' }),
          calls: z.int().meta({ description: 'How many it took over.' }),
        }),
      )
      .meta({ description: 'Answered calls taken over from other edges since its start, the latest first' }),
  })
  .meta({ id: 'EdgeSummary' });
export type EdgeSummary = z.infer<typeof edgeSummarySchema>;

const trunkCountsSchema = z.object({
  total: z.int(),
  healthy: z.int(),
  unreachable: z.int(),
  unchecked: z.int(),
  failing: z.int().meta({ description: 'Half of their calls or more fail' }),
  degraded: z.int().meta({ description: 'A fifth of their calls or more fail, or a server is unreachable' }),
  unregistered: z.int().meta({ description: 'A registration failed or is missing' }),
});

const storeSchema = z.object({ state: partStateSchema, round_trip_ms: milliseconds, detail: z.string() });

export const fleetSchema = z
  .object({
    edges: z.array(edgeSummarySchema),
    redis: storeSchema,
    database: storeSchema,
    control: z.object({
      version: z.string(),
      since: moment,
      parts: z.array(z.object({ name: z.string(), ready: z.boolean(), detail: z.string() })),
    }),
    calls: callFiguresSchema,
    organizations: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          active: z.int(),
          attempts_1h: z.int(),
          answered_1h: z.int(),
          failed_1h: z.int(),
          judged: callJudgementSchema.meta({ description: 'How the organization’s calls ended' }),
        }),
      )
      .meta({ description: 'Those whose calls fail first, then the busiest; at most 100' }),
    trunk_counts: trunkCountsSchema.nullable().meta({
      description: 'Of the first 2,000 numbers of all organizations; null: unknown',
    }),
    trunks: z.array(fleetTrunkSchema).meta({ description: 'Of all organizations, worst first, at most 50' }),
  })
  .meta({ id: 'Fleet' });
export type Fleet = z.infer<typeof fleetSchema>;

const figuresStateSchema = z.object({
  state: z.enum(['current', 'late', 'unknown']).meta({
    description:
      'late: PostgreSQL is slow or down, these are the last ones. unknown: there are none yet, so that 0 or null says nothing.',
  }),
  as_of: moment.nullable().meta({ description: 'Of late ones' }),
});
export type FiguresState = z.infer<typeof figuresStateSchema>;

export const summarySchema = z
  .object({
    at: moment,
    parts: z.object({
      edges: partStateSchema,
      media: partStateSchema,
      redis: partStateSchema,
      database: partStateSchema,
    }),
    trunk_counts: trunkCountsSchema,
    trunks: z.array(trunkSummarySchema).meta({ description: 'Worst first, at most 200' }),
    figures: z
      .object({
        calls: figuresStateSchema.meta({ description: 'Of `calls.windows`' }),
        trunks: figuresStateSchema.meta({ description: 'Of `trunks` and `trunk_counts`' }),
      })
      .meta({ description: 'How current the windows of calls, and the trunks with their counts, are' }),
    alerts: z
      .object({
        active: z.int(),
        unnoticed: z.int().meta({
          description:
            'Active alerts of which no notice was delivered two minutes after they fired, or for which there is no recipient',
        }),
      })
      .nullable()
      .meta({ description: 'Null while the database is down' }),
    calls: callFiguresSchema,
    registrations: z
      .object({ total: z.int(), registered: z.int(), failed: z.int() })
      .nullable()
      .meta({ description: 'Null: none' }),
    fleet: fleetSchema.nullable().meta({ description: 'Operator keys only' }),
  })
  .meta({ id: 'NocSummary' });
export type NocSummary = z.infer<typeof summarySchema>;

const liveCallViewSchema = liveCallSchema
  .omit({ organization: true, number: true, test_run_id: true })
  .extend({
    organization_id: z.string().nullable(),
    phone_number: z.string().nullable(),
    from_header: z.string(),
    to_header: z.string(),
    edge_id: z.string().nullable().meta({ description: 'Operator keys only' }),
  })
  .meta({ id: 'LiveCall' });
export type LiveCallView = z.infer<typeof liveCallViewSchema>;

const callGroupSchema = z
  .object({
    organization_id: z.string().nullable(),
    phone_number: z.string().nullable(),
    edge_id: z.string().nullable().meta({ description: 'Operator keys only' }),
    active: z.int().meta({ description: 'Answered and not ended' }),
    ringing: z.int(),
  })
  .meta({ id: 'CallGroup' });
export type CallGroup = z.infer<typeof callGroupSchema>;

export const liveCallsSchema = z
  .object({
    calls: z.array(liveCallViewSchema).meta({ description: 'Newest first, at most 1,000' }),
    unlisted: z.array(callGroupSchema).meta({
      description: 'Counts of the calls beyond those in `calls`, by organization, number and edge',
    }),
    total: z.int().meta({ description: 'Active calls, with those in `unlisted`' }),
    truncated: z.boolean().meta({ description: 'True: there are calls in `unlisted`' }),
    at: moment,
  })
  .meta({ id: 'LiveCalls' });
export type LiveCalls = z.infer<typeof liveCallsSchema>;

export const callEventSchema = z
  .object({
    change: z.enum(liveChanges),
    call: liveCallViewSchema,
    end: liveEndSchema.extend({ cause: z.string(), advice: z.string() }).nullable(),
  })
  .meta({ id: 'CallEvent' });
export type CallEvent = z.infer<typeof callEventSchema>;

export const seriesSchema = z
  .object({
    window: z.enum(['1h', '24h', '7d', '30d']),
    bucket_seconds: z.int(),
    buckets: z.array(
      z.object({
        at: moment,
        attempts: z.int(),
        answered: z.int(),
        failed: z.int(),
        bad_audio: z
          .int()
          .meta({ description: 'Answered calls with bad audio: the audio of a side was missing or stopped' }),
        answer_rate_percent: z.number().nullable(),
        average_setup_ms: milliseconds,
        average_post_dial_delay_ms: milliseconds,
      }),
    ),
  })
  .meta({ id: 'CallSeries' });
export type CallSeries = z.infer<typeof seriesSchema>;
