import { Readable } from 'node:stream';
import { z } from 'zod';
import { callRecordSchema, endReasonSchema } from '../../../contract/call-record.js';
import { DemarcError } from '../../../errors.js';
import type { LiveCallReader } from '../../fleet/live-call-reader.js';
import type { RouteGroup } from '../../http/api-server.js';
import { answers, envelope, failureSchema, listAnswers, listed, success } from '../../http/envelope.js';
import {
  cursorOf,
  metadataFilter,
  moment,
  pageLimit,
  pageStart,
  party,
  phoneNumber,
  wholeNumber,
  withMetadata,
} from '../../http/query.js';
import { callLines } from './call-lines.js';
import { type CallFilter, readPage } from './call-page.js';
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

const filters = {
  phone_number: phoneNumber
    .optional()
    .meta({ description: 'Only calls of this number of your organization.' }),
  direction: callRecordSchema.shape.direction.optional(),
  outcome: callRecordSchema.shape.outcome.optional(),
  sip_code: wholeNumber(100, 699).optional(),
  started_after: moment.optional(),
  started_before: moment.optional(),
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
    .optional()
    .meta({ description: 'Only calls from or to this address.' }),
  metadata: metadataFilter,
};

const listQuery = withMetadata(z.strictObject({ ...filters, limit: pageLimit(500, 50), ...pageStart }));
const exportQuery = withMetadata(z.strictObject(filters));

const filterOf = (query: z.infer<typeof exportQuery>): CallFilter => ({
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

/** Call history: `GET /sip/calls` and `GET /sip/calls/{call_id}`. */
export const historyRoutes =
  (live: Pick<LiveCallReader, 'look'>): RouteGroup =>
  (server, { database }) => {
    server.get(
      '/sip/calls',
      {
        schema: {
          operationId: 'listCallRecords',
          tags: ['Calls'],
          summary: 'List calls in the history',
          description:
            'All calls of the organization, newest first: inbound, and placed through the API or by an agent.',
          querystring: listQuery,
          response: listAnswers(z.object({ calls: z.array(callSummarySchema), has_more: z.boolean() })),
        },
      },
      async (request) => {
        const { query, caller } = request;
        const cursor = cursorOf(query);
        const { rows, hasMore } = await readPage(database, {
          ...filterOf(query),
          organizationId: caller.organizationId,
          limit: query.limit,
          before: cursor.id,
          cursorPath: cursor.path,
        });
        const next = hasMore ? rows.at(-1)!.call_id : null;
        return listed({ calls: rows.map(summaryOf), has_more: hasMore }, next);
      },
    );

    server.get(
      '/sip/calls.csv',
      {
        schema: {
          operationId: 'exportCallRecords',
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
      async ({ query, caller }, reply) => {
        reply.type('text/csv; charset=utf-8');
        reply.header('content-disposition', 'attachment; filename="calls.csv"');
        const request = { ...filterOf(query), organizationId: caller.organizationId };
        return reply.send(Readable.from(callLines(database, request)) as never);
      },
    );

    server.get(
      '/sip/calls/:call_id',
      {
        schema: {
          operationId: 'getCallRecord',
          errors: ['NOT_FOUND', 'LIVE_CALL_UNAVAILABLE', 'LIVE_STATE_UNAVAILABLE'],
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
        const found = await findCall({ database, live }, request.caller.organizationId, callId).catch(
          (error: unknown) => {
            const isBrief = error instanceof DemarcError && error.definition.http === 503;
            if (isBrief) reply.header('retry-after', '1');
            throw error;
          },
        );
        const call = found.kind === 'live' ? found.call : found.record;
        switch (request.query.format) {
          case 'json':
            return success(
              found.kind === 'live' ? liveDetailOf(found.call) : detailOf(found.row, found.record),
            );
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
