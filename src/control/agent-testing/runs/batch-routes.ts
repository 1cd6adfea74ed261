import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { pageLimit } from '../../http/query.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { batchSchema, listedBatchSchema } from '../schemas/batch.js';
import { afterId, runOrigins, runStatuses } from '../schemas/run.js';
import { listBatches } from './batch-list.js';
import type { Runs } from './run-order.js';
import { readBatch } from './run-storage.js';
import { batchView, isEnded, listedBatchView } from './run-view.js';

const path = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Id of the batch.' }),
});

/** `/agent-testing/batches`: list, read, cancel. */
export function batchRoutes(
  server: ApiServer,
  { database }: ControlDeps,
  { runs }: { readonly runs: Runs },
): void {
  server.get(
    '/agent-testing/batches',
    {
      schema: {
        operationId: 'listTestBatches',
        tags,
        summary: 'List test batches',
        description: 'Newest first, with the number of runs that passed and failed, without the runs.',
        querystring: z.strictObject({
          limit: pageLimit(100, 50),
          after: afterId,
          status: z.enum(runStatuses).optional().meta({ description: 'Only those in this state.' }),
          trigger_source: z
            .enum(runOrigins)
            .optional()
            .meta({ description: 'Only those that this has started.' }),
        }),
        response: listAnswers(
          z.object({ batches: z.array(listedBatchSchema).meta({ description: 'The batches.' }) }),
        ),
      },
    },
    async ({ query: { limit, after, ...filter }, caller }) => {
      const { rows, next } = await listBatches(database, caller.organizationId, filter, { limit, after });
      return listed({ batches: rows.map(listedBatchView) }, next);
    },
  );

  server.get(
    '/agent-testing/batches/:id',
    {
      schema: {
        operationId: 'getTestBatch',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a test batch',
        description: 'With its runs, without their conversations.',
        params: path,
        response: answers(batchSchema),
      },
    },
    async ({ params, caller }) =>
      success(batchView(await readBatch(database, caller.organizationId, params.id))),
  );

  server.post(
    '/agent-testing/batches/:id/cancel',
    {
      schema: {
        operationId: 'cancelTestBatch',
        errors: ['NOT_FOUND', 'RUN_ENDED'],
        tags,
        summary: 'Cancel a test batch',
        description: 'Cancels those of its runs that have not ended.',
        params: path,
        body: z.strictObject({}).nullish(),
        example: {},
        response: answers(batchSchema),
      },
    },
    async ({ params, caller }) => {
      const { organizationId } = caller;
      const { batch, runs: own } = await readBatch(database, organizationId, params.id);
      const ids = own.filter(({ status }) => !isEnded(status)).map(({ id }) => id);
      if ((await runs.cancel(organizationId, ids)) === 0)
        throw new DemarcError('RUN_ENDED', 'all runs of the batch have ended');
      return success(batchView(await readBatch(database, organizationId, batch.id)));
    },
  );
}
