import { z } from 'zod';
import { isRedisDown } from '../../base/redis.js';
import {
  endReasonExplanations,
  sipStatusExplanations,
  unreachableExplanations,
} from '../../contract/explanations.js';
import { DemarcError } from '../../errors.js';
import { allOrganizations } from '../calls/index.js';
import type { Caller, ControlDeps, RouteGroup } from '../http/api-server.js';
import { answers, failureSchema, listAnswers, listed, success } from '../http/envelope.js';
import { pageLimit, pageOf, pageStart } from '../http/query.js';
import { callerNow } from '../session/caller-now.js';
import { audienceOf, streamLimit } from './audience.js';
import type { EventHub } from './event-hub.js';
import { EventStream } from './event-stream.js';
import { readSeries } from './figures.js';
import type { Summaries } from './summaries.js';
import { trunkFilterNames, trunkFilters } from './trunks.js';
import { liveCallsSchema, seriesSchema, summarySchema, trunkSummarySchema } from './view.js';

const tags = ['NOC'];
const scope = z.enum(['organization', 'fleet']).default('organization');
/** The data of the events that carry whole objects, for generated clients. */
const eventStreamSchema = z.string().meta({
  contentMediaType: 'application/json',
  contentSchema: {
    anyOf: [{ $ref: '#/components/schemas/NocSummary' }, { $ref: '#/components/schemas/CallEvent' }],
  },
});

const explanation = z.object({ cause: z.string(), advice: z.string() });

/** Whether the caller's key or session is still valid. Rejects while the database is down. */
async function isStillWelcome(deps: ControlDeps, caller: Caller): Promise<boolean> {
  const now = await callerNow(deps, caller);
  return now?.sipEnabled === true && now.isOperator === caller.isOperator;
}

/** What the dashboard shows, for programs as well: `GET /noc/…`. */
export const nocRoutes =
  (summaries: Summaries, hub: EventHub): RouteGroup =>
  (server, deps) => {
    const { database } = deps;
    server.get(
      '/noc/summary',
      {
        schema: {
          operationId: 'getSummary',
          tags,
          summary: 'Get the overview',
          description:
            'Health of trunks and components, calls, and failures by cause of your organization. Operator keys also get `fleet`. If a component is down, unknown values are null.',
          response: answers(summarySchema),
        },
      },
      async ({ caller }) => success(await summaries.of(caller)),
    );

    server.get(
      '/noc/trunks',
      {
        schema: {
          operationId: 'listTrunkHealth',
          errors: ['SERVICE_UNAVAILABLE'],
          tags,
          summary: 'List trunks, worst first',
          description:
            'Reachability, registration and recent calls of the organization’s numbers, of 2,000 at most. Unreachable trunks come first, then those whose calls fail, then lost registrations.',
          querystring: z.strictObject({
            state: z.enum(trunkFilterNames).optional().meta({ description: 'Only trunks in this state.' }),
            limit: pageLimit(200, 50),
            after: pageStart.after,
          }),
          response: listAnswers(
            z.object({
              trunks: z.array(trunkSummarySchema).meta({ description: 'Worst first' }),
              counts: summarySchema.shape.trunk_counts,
            }),
          ),
        },
      },
      async ({ caller, query }) => {
        const overview = await summaries.trunksOf(caller.organizationId);
        if (overview === undefined) throw new DemarcError('SERVICE_UNAVAILABLE');
        const { state, limit, after } = query;
        const matching = overview.trunks.filter((trunk) => state === undefined || trunkFilters[state](trunk));
        const page = pageOf(
          matching.map((trunk) => ({ id: trunk.phone_number, trunk })),
          { limit, after },
        );
        return listed({ trunks: page.rows.map(({ trunk }) => trunk), counts: overview.counts }, page.next);
      },
    );

    server.get(
      '/noc/calls/live',
      {
        schema: {
          operationId: 'listLiveCalls',
          errors: ['OPERATOR_ONLY', 'LIVE_STATE_UNAVAILABLE'],
          tags,
          summary: 'List active calls',
          description:
            'At most 1,000, newest first, at most half a second old. `scope=fleet` requires an operator key.',
          querystring: z.strictObject({ scope }),
          response: answers(liveCallsSchema),
        },
      },
      async ({ caller, query }) => {
        const audience = audienceOf(caller, query.scope);
        const calls = await summaries.liveCalls(audience).catch((error: unknown) => {
          if (!isRedisDown(error)) throw error;
          throw new DemarcError('LIVE_STATE_UNAVAILABLE', { cause: error });
        });
        return success(calls);
      },
    );

    server.get(
      '/noc/calls/series',
      {
        schema: {
          operationId: 'getCallSeries',
          errors: ['OPERATOR_ONLY'],
          tags,
          summary: 'Get call statistics over time',
          description:
            'Calls, answer rate and failures by the minute in which calls ended, in buckets of a minute (1h), 15 minutes (24h), two hours (7d) or six hours (30d), oldest first, without gaps.',
          querystring: z.strictObject({ window: z.enum(['1h', '24h', '7d', '30d']).default('1h'), scope }),
          response: answers(seriesSchema),
        },
      },
      async (request) => {
        const { caller, query } = request;
        const audience = audienceOf(caller, query.scope);
        const organization = audience.scope === 'fleet' ? allOrganizations : audience.organizationId;
        return success(await request.inTurn(() => readSeries(database, organization, query.window)));
      },
    );

    server.get(
      '/noc/explanations',
      {
        schema: {
          operationId: 'getExplanations',
          tags,
          summary: 'List the explanations of end reasons and SIP statuses',
          description: 'The source of `cause` and `advice` in other responses.',
          response: answers(
            z.object({
              end_reasons: z.record(z.string(), explanation),
              unreachable_reasons: z.record(z.string(), explanation),
              sip_statuses: z.record(z.string(), explanation),
            }),
          ),
        },
      },
      async () =>
        success({
          end_reasons: endReasonExplanations,
          unreachable_reasons: unreachableExplanations,
          sip_statuses: sipStatusExplanations,
        }),
    );

    const streams = new Map<EventStream, Caller>();
    server.addHook('preClose', async () => {
      for (const stream of streams.keys()) stream.end('shutdown');
    });
    server.get(
      '/noc/events',
      {
        // A HEAD request would hold open a stream that it never reads.
        exposeHeadRoute: false,
        schema: {
          operationId: 'streamEvents',
          errors: ['OPERATOR_ONLY'],
          tags,
          summary: 'Stream live events',
          description: [
            'Server-sent events: snapshot (everything; first, and after missed events), summary (changed parts of the overview), call, trunk, alert, test_call, registration, sighting (what arrived from your PBX), beat (every four seconds), end.',
            'Last-Event-ID resumes the stream if the missed events are still available.',
          ].join(' '),
          querystring: z.strictObject({ scope }),
          response: {
            200: {
              description: 'text/event-stream',
              content: { 'text/event-stream': { schema: eventStreamSchema } },
            },
            '4xx': failureSchema,
            '5xx': failureSchema,
          },
        },
      },
      async (request, reply) => {
        const { caller } = request;
        const audience = audienceOf(caller, request.query.scope);
        const reached = streamLimit([...streams.values()], caller);
        if (reached !== undefined) {
          reply.header('retry-after', '30');
          throw new DemarcError('TOO_MANY_REQUESTS', reached);
        }
        const stream = new EventStream(
          request,
          reply,
          { topic: hub.topicOf(audience), mayWatch: () => isStillWelcome(deps, caller) },
          () => streams.delete(stream),
        );
        streams.set(stream, caller);
        await stream.open();
        return reply as never;
      },
    );
  };
