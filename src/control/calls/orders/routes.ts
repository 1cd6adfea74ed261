import { z } from 'zod';
import type { Redis } from '../../../base/redis.js';
import { endReasonSchema } from '../../../contract/call-record.js';
import { DemarcError } from '../../../errors.js';
import type { CallControls } from '../../fleet/call-controls.js';
import type { RouteGroup } from '../../http/api-server.js';
import { cursorFields, failureSchema, listed } from '../../http/envelope.js';
import { metadataFilter, moment, pageLimit, phoneNumber, truth, withMetadata } from '../../http/query.js';
import { callResult } from './call-results.js';
import { endCall } from './end-call.js';
import { listCalls, stateFilters } from './list.js';
import { orderSchema, placeOrder } from './order.js';
import { orderTransfer, transferBodySchema } from './transfer.js';
import { orderedCallDetailSchema, orderedCallSchema } from './view.js';

const listFilters = z.strictObject({
  state: z
    .enum(stateFilters)
    .optional()
    .meta({ description: 'Only calls in this state; `active`: all that have not ended.' }),
  end_reason: endReasonSchema.optional().meta({ description: 'Only calls with this end reason.' }),
  metadata: metadataFilter,
  after: z.string().min(1).max(300).optional().meta({ description: '`next` of the previous page.' }),
  from_number: phoneNumber.optional(),
  to_number: phoneNumber.optional(),
  start_date: moment.optional(),
  end_date: moment.optional(),
  batch_id: z.string().min(1).max(64).optional().meta({ description: 'Only calls of this batch' }),
  ascending: truth.default(false).meta({ description: 'Oldest first. Default false.' }),
  limit: pageLimit(1_000, 1_000),
});
const listQuery = withMetadata(listFilters);

/** Retry-After: an edge restarts, or a call ends, in about that time. */
const retryAfterSeconds = { 503: '5', 429: '10' } as const;

const callPath = z.strictObject({ call_id: z.string().min(1).max(300) });
const failures = { '4xx': failureSchema, '5xx': failureSchema };
const stopping = { status: 'success' as const, message: 'The call is ending.' };
const isOver = { status: 'success' as const, message: 'The call has already ended.' };
const unknownCall = (): DemarcError => new DemarcError('NOT_FOUND', 'Call not found');

/** Calls placed by the API: `POST /calls`, `GET /calls`, `GET /calls/{call_id}`, `POST /calls/{call_id}/stop|transfer`. */
export const callRoutes =
  (redis: Redis, controls: Pick<CallControls, 'act'>): RouteGroup =>
  (server, { database, settings, secrets }) => {
    server.post(
      '/calls',
      {
        schema: {
          operationId: 'createCall',
          errors: [
            'NO_EDGE_READY',
            'TOO_MANY_CALLS_WAITING',
            'NUMBER_QUEUE_FULL',
            'CALLS_UNAVAILABLE',
            'TOO_MANY_UPCOMING_CALLS',
          ],
          tags: ['Calls'],
          summary: 'Place a call',
          description:
            'Calls a phone number from one of your numbers. Returns once the order is stored. One edge dials it, at most once, when the number’s limits allow; it is given up if no edge takes it within a minute, or if it waits too long in the queue. Only after `CALLS_UNAVAILABLE` the order may have been stored anyway: retry with the same `Idempotency-Key`.',
          example: {
            phone_number: '+14155550199',
            from: '+14155550100',
            task: 'Remind Ada of her appointment.',
            request_data: { name: 'Ada' },
            max_duration: 10,
          },
          body: orderSchema,
          response: {
            200: z.object({
              status: z.literal('success'),
              message: z.string(),
              call_id: z.string(),
              batch_id: z.null(),
            }),
            ...failures,
          },
        },
      },
      async (request, reply) => {
        const { organizationId } = request.caller;
        try {
          const callId = request.operationId;
          await placeOrder({ database, redis, settings, secrets }, organizationId, request.body, callId);
          return {
            status: 'success' as const,
            message:
              request.body.scheduled_at === undefined ? 'The call is queued.' : 'The call is scheduled.',
            call_id: callId,
            batch_id: null,
          };
        } catch (error) {
          const status = error instanceof DemarcError ? error.definition.http : 0;
          if (status === 503 || status === 429) reply.header('retry-after', retryAfterSeconds[status]);
          throw error;
        }
      },
    );

    server.get(
      '/calls',
      {
        schema: {
          operationId: 'listCalls',
          tags: ['Calls'],
          summary: 'List calls placed through the API',
          description:
            'Newest first. `/v1/sip/calls` also has inbound calls, with traces. The list is in `calls`, beside `count` and `total_count`.',
          querystring: listQuery,
          response: {
            200: z.object({
              calls: z.array(orderedCallSchema).meta({ description: 'The calls of this page.' }),
              count: z.int(),
              total_count: z.int(),
              ...cursorFields,
              errors: z.null(),
            }),
            ...failures,
          },
        },
      },
      async ({ query, caller }) => {
        const page = {
          limit: query.limit,
          ascending: query.ascending,
          number: query.from_number,
          phoneNumber: query.to_number,
          createdAfter: query.start_date,
          createdBefore: query.end_date,
          batchId: query.batch_id,
          endReason: query.end_reason,
          metadata: query.metadata,
          after: query.after,
        };
        const { calls, total, next } = await listCalls(
          { database, redis },
          caller.organizationId,
          page,
          query.state,
        );
        const { data, ...rest } = listed(calls, next);
        return { calls: data, count: data.length, total_count: total, ...rest };
      },
    );

    server.get(
      '/calls/:call_id',
      {
        config: { acceptsCallToken: true },
        schema: {
          operationId: 'getCall',
          errors: ['NOT_FOUND', 'CALL_TOKEN_NOT_ACCEPTED'],
          tags: ['Calls'],
          summary: 'Get a call placed through the API',
          description:
            'The order and its result. The agent reads its task and `request_data` here, with the `X-Demarc-Call-ID` and `X-Demarc-Token` of its INVITE.',
          params: callPath,
          response: { 200: orderedCallDetailSchema, ...failures },
        },
      },
      async ({ params, caller }) => {
        if (caller.call !== undefined && caller.call.callId !== params.call_id.toLowerCase())
          throw new DemarcError('CALL_TOKEN_NOT_ACCEPTED');
        const found = await callResult({ database, redis }, caller.organizationId, params.call_id);
        if (found === undefined) throw unknownCall();
        return found;
      },
    );

    server.post(
      '/calls/:call_id/transfer',
      {
        schema: {
          operationId: 'transferCall',
          errors: ['NOT_FOUND', 'TRANSFER_NOT_POSSIBLE', 'TRANSFER_FORBIDDEN', 'CALLS_UNAVAILABLE'],
          tags: ['Calls'],
          summary: 'Transfer an active call',
          description:
            'Same as a REFER from the agent. Works for any call, inbound or placed through the API, with the agent’s `X-Demarc-Call-ID`. Returns once the transfer has begun; the call’s record has the outcome.',
          params: callPath,
          example: { target: '+14155550199', mode: 'bridge' },
          body: transferBodySchema,
          response: { 200: z.object({ status: z.literal('success'), message: z.string() }), ...failures },
        },
      },
      async ({ params, caller, body }) => {
        await orderTransfer(redis, caller.organizationId, params.call_id, body);
        return { status: 'success' as const, message: 'The transfer has begun.' };
      },
    );

    server.post(
      '/calls/:call_id/stop',
      {
        schema: {
          operationId: 'stopCall',
          errors: ['NOT_FOUND', 'LIVE_CALL_UNAVAILABLE', 'CALLS_UNAVAILABLE'],
          tags: ['Calls'],
          summary: 'Stop a call',
          description:
            'Ends an answered call, cancels a ringing one, removes a queued one. Repeating the request changes nothing.',
          params: callPath,
          response: { 200: z.object({ status: z.literal('success'), message: z.string() }), ...failures },
        },
      },
      async ({ params, caller }) => {
        const end = await endCall({ database, redis, controls }, caller.organizationId, params.call_id);
        if (end === undefined) throw unknownCall();
        return end === 'over' ? isOver : stopping;
      },
    );
  };
