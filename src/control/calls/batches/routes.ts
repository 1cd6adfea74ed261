import { z } from 'zod';
import type { Redis } from '../../../base/redis.js';
import { DemarcError } from '../../../errors.js';
import type { RouteGroup } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { pageLimit } from '../../http/query.js';
import { InvalidRequest } from '../../http/validation.js';
import { stopCall } from '../orders/order-stream.js';
import { batchOrderSchema, maximumBatchCalls } from './batch-order.js';
import { createBatch, readBatch, readBatches, stopBatch } from './batch-storage.js';
import { batchSchema, batchView } from './batch-view.js';

const tags = ['Calls'];

/** Body limit: a thousand calls with request data each. */
const maximumBodyOctets = 4 * 1024 * 1024;
/** How many active calls of a stopped batch are ended at once. */
const stopsAtOnce = 50;

const path = z.strictObject({
  batch_id: z.string().min(1).max(64).meta({ description: 'batch_id of the batch' }),
});
const unknown = (): DemarcError => new DemarcError('NOT_FOUND', 'Batch not found');

/** `POST /v1/calls/batch` and `/v1/batches`. */
export const batchRoutes =
  (redis: Redis): RouteGroup =>
  (server, { database, settings, secrets }) => {
    server.post(
      '/calls/batch',
      {
        bodyLimit: maximumBodyOctets,
        schema: {
          operationId: 'createBatch',
          errors: ['TOO_MANY_UPCOMING_CALLS'],
          tags,
          summary: 'Order a batch of calls',
          description: `At most ${maximumBatchCalls} calls from one of your numbers, stored together or not at all. They are dialled in order, as fast as the number’s limits allow, each at most once. Fields of a call override those of the batch.`,
          body: batchOrderSchema,
          example: {
            name: 'Friday reminders',
            from: '+14155550100',
            task: 'Remind the customer of the appointment.',
            calls: [
              { phone_number: '+14155550199', request_data: { name: 'Ada' } },
              { phone_number: '+14155550198', request_data: { name: 'Grace' }, metadata: { row: 2 } },
            ],
          },
          response: answers(batchSchema),
        },
      },
      async ({ body, caller, operationId }) => {
        const { organizationId } = caller;
        const batch = await createBatch({ database, settings, secrets }, organizationId, operationId, body);
        const counts = { waiting: batch.total, active: 0, completed: 0, cancelled: 0, failed: 0 };
        return success(batchView({ batch, counts }));
      },
    );

    server.get(
      '/batches',
      {
        schema: {
          operationId: 'listBatches',
          tags,
          summary: 'List batches',
          description: 'Newest first, each with its progress.',
          querystring: z.strictObject({
            limit: pageLimit(100, 20),
            after: z.string().max(64).optional().meta({ description: '`next` of the previous page' }),
          }),
          response: listAnswers(
            z.object({
              batches: z.array(batchSchema).meta({ description: 'The batches' }),
              has_more: z.boolean(),
              next: z.string().nullable(),
            }),
          ),
        },
      },
      async ({ query, caller }) => {
        const page = await readBatches(database, caller.organizationId, query);
        if (page === undefined)
          throw InvalidRequest.at('after', 'after must be the next of an earlier page.');
        const next = page.hasMore ? (page.rows.at(-1)?.batch.id ?? null) : null;
        const batches = page.rows.map((row) => batchView(row));
        return listed({ batches, has_more: page.hasMore, next }, next);
      },
    );

    server.get(
      '/batches/:batch_id',
      {
        schema: {
          operationId: 'getBatch',
          errors: ['NOT_FOUND'],
          tags,
          summary: 'Get a batch with its progress',
          description: '`GET /v1/calls?batch_id=…` lists its calls.',
          params: path,
          response: answers(batchSchema),
        },
      },
      async ({ params, caller }) => {
        const found = await readBatch(database, caller.organizationId, params.batch_id);
        if (found === undefined) throw unknown();
        return success(batchView(found));
      },
    );

    server.post(
      '/batches/:batch_id/stop',
      {
        schema: {
          operationId: 'stopBatch',
          errors: ['NOT_FOUND', 'CALLS_UNAVAILABLE'],
          tags,
          summary: 'Stop a batch',
          description:
            'No further call is dialled; waiting calls end as cancelled within seconds. Active calls continue unless end_calls is true.',
          params: path,
          body: z
            .strictObject({
              end_calls: z
                .boolean()
                .default(false)
                .meta({ description: 'Also end active calls. Default false' }),
            })
            .default({ end_calls: false }),
          example: { end_calls: false },
          response: answers(batchSchema),
        },
      },
      async ({ params, body, caller }) => {
        const { organizationId } = caller;
        const given = await stopBatch(database, organizationId, params.batch_id);
        if (given === undefined) throw unknown();
        if (body.end_calls) {
          for (let at = 0; at < given.length; at += stopsAtOnce) {
            await Promise.all(given.slice(at, at + stopsAtOnce).map((id) => stopCall(redis, id)));
          }
        }
        const found = await readBatch(database, organizationId, params.batch_id);
        if (found === undefined) throw unknown();
        return success(batchView(found));
      },
    );
  };
