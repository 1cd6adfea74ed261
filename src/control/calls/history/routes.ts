import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { BotState } from '../../../contract/agent-stream.js';
import { callRecordSchema, endReasonSchema } from '../../../contract/call-record.js';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import type { LiveCallReader } from '../../fleet/live-call-reader.js';
import type { Caller, RouteGroup } from '../../http/api-server.js';
import { answers, envelope, failureSchema, listAnswers, listed, success } from '../../http/envelope.js';
import {
  cursorOf,
  metadataFilter,
  moment,
  pageLimit,
  pageStart,
  party,
  phoneNumber,
  truth,
  wholeNumber,
  withMetadata,
} from '../../http/query.js';
import { InvalidRequest } from '../../http/validation.js';
import { legOf, readContinued } from '../lost/continued-calls.js';
import type { CallFilter, CallRow, PageRequest } from './call-filter.js';
import { callLines } from './call-lines.js';
import { countMatching, readPage, readRows } from './call-page.js';
import { leastSearchLength, searchTermOf } from './call-search.js';
import {
  callDetailSchema,
  callSummarySchema,
  detailOf,
  liveCallDetailSchema,
  liveDetailOf,
  summaryOf,
} from './call-view.js';
import { findCall } from './find-call.js';
import { textOf } from './ladder.js';
import { pcapOf } from './pcap.js';
import { headerWords, isIndexedHeader, leastCallIdPart } from './search-words.js';
import { type TraceArchive, withTrace } from './trace-archive.js';

const searchTerm = z
  .string()
  .max(128)
  .transform((text, context) => {
    const term = searchTermOf(text);
    if (term !== undefined) return term;
    context.addIssue({
      code: 'custom',
      message: `Must have at least ${leastSearchLength} characters, of a number as many digits`,
    });
    return z.NEVER;
  });

/** `Name: value` of a header, as what finds it. */
const headerTerm = z
  .string()
  .max(200)
  .transform((text, context) => {
    const [, name = '', value = ''] = /^([!-9;-~]{1,64})\s*:(.*)$/s.exec(text.trim()) ?? [];
    const isIndexed = isIndexedHeader(name);
    const words = headerWords(name, value);
    if (name !== '' && isIndexed && words.length > 0) return words;
    context.addIssue({
      code: 'custom',
      message: isIndexed
        ? 'Must be the name and value of a header, such as X-Tenant: acme'
        : `Calls are not indexed by ${name}`,
    });
    return z.NEVER;
  });

/** IPv4 or IPv6 with the length of its prefix. */
function isNetwork(text: string): boolean {
  const [, address = '', prefix] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** More are not counted. */
const mostCounted = 10_000;

const filters = {
  q: searchTerm.optional().meta({
    description: `Only calls with this part of the caller, the callee or the display name, this part of the Call-ID (at least ${leastCallIdPart} characters), or exactly this Call-ID, call id or source address. A number may have blanks, brackets and dashes; at least three characters.`,
  }),
  header: headerTerm.optional().meta({
    description:
      'Only calls whose trace has this header with these words, such as `X-Tenant: acme`. Words are whole; capitals, order and punctuation do not matter.',
    examples: ['X-Tenant: acme'],
  }),
  scope: z.enum(['organization', 'fleet']).default('organization').meta({
    description: 'fleet: calls of all organizations, and of numbers that none has; operator keys only.',
  }),
  organization_id: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Only calls of this organization; with scope=fleet.' }),
  phone_number: phoneNumber
    .optional()
    .meta({ description: 'Only calls of this number of your organization.' }),
  direction: callRecordSchema.shape.direction.optional(),
  outcome: callRecordSchema.shape.outcome.optional(),
  problem: z.enum(['any', 'audio']).optional().meta({
    description:
      'audio: only answered calls in which the audio of a side was missing or stopped, or with a MOS below 3.6. any: also failed and refused calls.',
  }),
  sip_code: wholeNumber(100, 699).optional(),
  started_after: moment.optional(),
  started_before: moment.optional(),
  ended_after: moment.optional().meta({ description: 'Only calls that ended at that time or later.' }),
  ended_before: moment.optional().meta({ description: 'Only calls that ended before that time.' }),
  from: party.optional().meta({ description: 'Only calls from this caller: a number or a name.' }),
  to: party.optional().meta({ description: 'Only calls to this callee: a number or a name.' }),
  end_reason: endReasonSchema.optional().meta({ description: 'Only calls with this end reason.' }),
  sip_call_id: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .meta({ description: "Only calls with this Call-ID header on the trunk's leg." }),
  source_ip: z
    .string()
    .min(1)
    .max(64)
    .refine((text) => !text.includes('/') || isNetwork(text), {
      error: 'Must be an address, or a network such as 198.51.100.0/24',
    })
    .optional()
    .meta({ description: 'Only calls from or to this address, or this network, such as `198.51.100.0/24`.' }),
  metadata: metadataFilter,
};

const listQuery = withMetadata(
  z.strictObject({
    ...filters,
    include_total: truth
      .default(false)
      .meta({ description: 'Also count the matching calls of all pages. Default false.' }),
    limit: pageLimit(500, 50),
    ...pageStart,
  }),
);
const exportQuery = withMetadata(z.strictObject(filters));

/** Throws `DemarcError` `OPERATOR_ONLY`, and `InvalidRequest`. */
function ownerOf(
  { scope, organization_id }: z.infer<typeof exportQuery>,
  { organizationId, isOperator }: Caller,
): string | undefined {
  if (scope === 'fleet' && !isOperator) throw new DemarcError('OPERATOR_ONLY');
  if (scope === 'fleet') return organization_id;
  if (organization_id !== undefined && organization_id !== organizationId) {
    throw InvalidRequest.at('organization_id', 'Calls of other organizations need scope=fleet');
  }
  return organizationId;
}

const filterOf = (query: z.infer<typeof exportQuery>): CallFilter & Pick<PageRequest, 'search'> => ({
  search: query.q,
  headerWords: query.header,
  problem: query.problem,
  endedAfter: query.ended_after,
  endedBefore: query.ended_before,
  number: query.phone_number,
  direction: query.direction,
  outcome: query.outcome,
  sipStatus: query.sip_code,
  startedAfter: query.started_after,
  startedBefore: query.started_before,
  caller: query.from,
  called: query.to,
  endReason: query.end_reason,
  sipCallId: query.sip_call_id,
  sourceAddress: query.source_ip,
  metadata: query.metadata,
});

const anyCallSchema = z.discriminatedUnion('state', [callDetailSchema, liveCallDetailSchema]);
const callPath = z.strictObject({ call_id: z.string().min(1).max(300) });
const callQuery = z.strictObject({ format: z.enum(['json', 'text', 'pcap']).default('json') });

/** Characters allowed in file names on every platform. */
const fileName = (callId: string): string => callId.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 100);

/** Names by id. */
async function readOwners(
  database: Kysely<Database>,
  rows: readonly CallRow[],
): Promise<Record<string, string>> {
  const ids = [...new Set(rows.map((row) => row.organization_id))];
  const owners = await database
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  return Object.fromEntries(owners.map(({ id, name }) => [id, name]));
}

/** Call history: `GET /sip/calls` and `GET /sip/calls/{call_id}`. */
export const historyRoutes =
  (
    live: Pick<LiveCallReader, 'look'>,
    botOf: (callId: string) => Promise<BotState | null>,
    traces: Pick<TraceArchive, 'read'> | undefined,
  ): RouteGroup =>
  (server, { database }) => {
    server.get(
      '/sip/calls',
      {
        schema: {
          operationId: 'listCallRecords',
          errors: ['OPERATOR_ONLY'],
          tags: ['Calls'],
          summary: 'List calls in the history',
          description:
            'All calls of the organization, newest first: inbound, and placed through the API or by an agent.',
          querystring: listQuery,
          response: listAnswers(
            z.object({
              calls: z.array(callSummarySchema),
              organizations: z.record(z.string(), z.string()).meta({
                description: 'Names of the organizations of these calls, by id; empty without scope=fleet',
              }),
              has_more: z.boolean(),
              total: z
                .object({
                  calls: z.int().meta({ description: `Matching calls, at most ${mostCounted}.` }),
                  is_complete: z.boolean().meta({ description: 'False: there are more.' }),
                })
                .nullable()
                .meta({ description: 'Null without `include_total`.' }),
            }),
          ),
        },
      },
      async (request) => {
        const { query, caller } = request;
        const cursor = cursorOf(query);
        const page = {
          ...filterOf(query),
          organizationId: ownerOf(query, caller),
          limit: query.limit,
          before: cursor.id,
          cursorPath: cursor.path,
        };
        const { rows, hasMore } = await request.inTurn(() => readPage(database, page));
        const next = hasMore ? rows.at(-1)!.call_id : null;
        const organizations = query.scope === 'fleet' ? await readOwners(database, rows) : {};
        const counted = query.include_total
          ? await request.inTurn(() => countMatching(database, page, mostCounted + 1))
          : undefined;
        const total =
          counted === undefined
            ? null
            : { calls: Math.min(counted, mostCounted), is_complete: counted <= mostCounted };
        return listed({ calls: rows.map(summaryOf), organizations, has_more: hasMore, total }, next);
      },
    );

    server.get(
      '/sip/calls.csv',
      {
        config: { isSearch: true },
        schema: {
          operationId: 'exportCallRecords',
          errors: ['OPERATOR_ONLY'],
          tags: ['Calls'],
          summary: 'Export calls as CSV',
          description:
            'All matching calls, newest first, one per line after a header line. Filters are those of `GET /v1/sip/calls`. The file is streamed and can have any length; calls that end during the export are not included.',
          querystring: exportQuery,
          response: {
            200: {
              description: 'The calls, RFC 4180 in UTF-8',
              content: { 'text/csv': { schema: z.string() } },
            },
            '4xx': failureSchema,
            '5xx': failureSchema,
          },
        },
      },
      async (request, reply) => {
        const { query, caller } = request;
        reply.type('text/csv; charset=utf-8');
        reply.header('content-disposition', 'attachment; filename="calls.csv"');
        const filter = { ...filterOf(query), organizationId: ownerOf(query, caller) };
        const lines = callLines((cursor, limit) =>
          request.inTurn(() => readRows(database, { ...filter, limit }, cursor)),
        );
        return reply.send(Readable.from(lines) as never);
      },
    );

    server.get(
      '/sip/calls/:call_id',
      {
        schema: {
          operationId: 'getCallRecord',
          errors: ['NOT_FOUND', 'LIVE_CALL_UNAVAILABLE', 'LIVE_STATE_UNAVAILABLE', 'TRACE_UNAVAILABLE'],
          tags: ['Calls'],
          summary: 'Get a call with its SIP trace',
          description:
            'RTP statistics and every SIP message, also for active calls. `format=text` draws the ladder, `format=pcap` is a file for Wireshark or sngrep. While `state` is not `ended`, the data is what the call’s edge currently knows.',
          params: callPath,
          querystring: callQuery,
          response: {
            ...answers(anyCallSchema),
            200: {
              description: 'The call in the requested format',
              content: {
                'application/json': { schema: envelope(anyCallSchema) },
                'text/plain': { schema: z.string() },
                'application/vnd.tcpdump.pcap': { schema: z.string().meta({ format: 'binary' }) },
              },
            },
          },
        },
      },
      async (request, reply) => {
        const { call_id: callId } = request.params;
        const { format } = request.query;
        const briefly = (error: unknown): never => {
          const isBrief = error instanceof DemarcError && error.definition.http === 503;
          if (isBrief) reply.header('retry-after', '1');
          throw error;
        };
        const found = await findCall({ database, live }, request.caller, callId).catch(briefly);
        const shown = found.kind === 'live' ? found : await withTrace(traces, found);
        if (format === 'json') {
          if (shown.kind === 'live') {
            const { call } = shown;
            const continues = await readContinued(database, legOf(call));
            return success(liveDetailOf(call, await botOf(callId), continues));
          }
          const { row, record, isTraceUnavailable } = shown;
          return success(detailOf(row, record, isTraceUnavailable, await readContinued(database, row)));
        }
        // Without its messages, a file would look like that of a call without any.
        if (shown.kind === 'ended' && shown.isTraceUnavailable)
          return briefly(new DemarcError('TRACE_UNAVAILABLE'));
        const call = shown.kind === 'live' ? shown.call : shown.record;
        switch (format) {
          case 'text':
            reply.type('text/plain; charset=utf-8');
            return reply.send(textOf(call) as never);
          case 'pcap':
            reply.type('application/vnd.tcpdump.pcap');
            reply.header('content-disposition', `attachment; filename="${fileName(callId)}.pcap"`);
            return reply.send(pcapOf(call.trace) as never);
        }
      },
    );
  };
