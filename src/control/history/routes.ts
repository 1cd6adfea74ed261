import { z } from 'zod';
import { callRecordSchema } from '../../contract/call-record.js';
import { DemarcError } from '../../errors.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, envelope, success } from '../http/envelope.js';
import { moment, pageLimit, phoneNumber, wholeNumber } from '../http/query.js';
import type { LiveCallReader } from '../live-calls/live-call-reader.js';
import { readPage } from './call-page.js';
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

const listQuery = z.strictObject({
  phone_number: phoneNumber.optional(),
  limit: pageLimit(500, 50),
  /** `call_id` of the last call of the page before. */
  before: z.string().min(1).max(300).optional(),
  direction: callRecordSchema.shape.direction.optional(),
  outcome: callRecordSchema.shape.outcome.optional(),
  sip_code: wholeNumber(100, 699).optional(),
  started_after: moment.optional(),
  started_before: moment.optional(),
});

const anyCallSchema = z.discriminatedUnion('state', [callDetailSchema, liveCallDetailSchema]);
const callPath = z.strictObject({ call_id: z.string().min(1).max(300) });
const callQuery = z.strictObject({ format: z.enum(['json', 'text', 'pcap']).default('json') });

/** What may stand in a file name everywhere. */
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
          summary: 'Calls of the organization, newest first',
          description:
            'The next page begins behind the `call_id` given as `before`; `has_more` tells whether there is one.',
          querystring: listQuery,
          response: answers(z.object({ calls: z.array(callSummarySchema), has_more: z.boolean() })),
        },
      },
      async (request) => {
        const { query, caller } = request;
        const { rows, hasMore } = await readPage(database, {
          organizationId: caller.organizationId,
          limit: query.limit,
          before: query.before,
          number: query.phone_number,
          direction: query.direction,
          outcome: query.outcome,
          sipStatus: query.sip_code,
          startedAfter: query.started_after,
          startedBefore: query.started_before,
        });
        return success({ calls: rows.map(summaryOf), has_more: hasMore });
      },
    );

    server.get(
      '/sip/calls/:call_id',
      {
        schema: {
          operationId: 'getCallRecord',
          errors: ['NOT_FOUND', 'LIVE_CALL_UNAVAILABLE', 'LIVE_STATE_UNAVAILABLE'],
          tags: ['Calls'],
          summary: 'One call with RTP statistics and every SIP message, also while it goes on',
          description:
            '`format=text` is a page to read with the ladder of messages, `format=pcap` a file for Wireshark or sngrep. Of a call whose `state` is not `ended` it is what its edge knows at this moment.',
          params: callPath,
          querystring: callQuery,
          response: {
            ...answers(anyCallSchema),
            200: {
              description: 'The call, in the form that was asked for',
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
