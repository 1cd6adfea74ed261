import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { pageLimit, wholeNumber } from '../../http/query.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { afterId, runPath, runSchema, runStatuses, runSummarySchema } from '../schemas/run.js';
import type { Runs } from './run-order.js';
import { listRuns, readRun } from './run-storage.js';
import { isEnded, runSummaryView, runView } from './run-view.js';

const only = (what: string) =>
  z
    .uuid()
    .optional()
    .meta({ description: `Only those of this ${what}.` });

/** `/agent-testing/runs`: list, read, cancel. */
export function runRoutes(
  server: ApiServer,
  { database }: ControlDeps,
  { runs }: { readonly runs: Runs },
): void {
  server.get(
    '/agent-testing/runs',
    {
      schema: {
        operationId: 'listTestRuns',
        tags,
        summary: 'List test runs',
        description: 'Newest first, without their conversations.',
        querystring: z.strictObject({
          limit: pageLimit(100, 50),
          offset: wholeNumber(0, 1_000_000)
            .default(0)
            .meta({ description: 'Entries to skip. `after` is faster for long lists, and goes before it.' }),
          after: afterId,
          scenario_id: only('scenario'),
          pathway_id: only('pathway'),
          persona_id: only('persona'),
          batch_id: only('batch'),
          simulation_set_id: only('simulation set'),
          tornado_session_id: only('tornado session'),
          monitor_id: only('monitor'),
          load_test_id: only('load test'),
          call_id: z
            .string()
            .min(1)
            .max(64)
            .optional()
            .meta({ description: 'Only those that judge this real call.' }),
          status: z.enum(runStatuses).optional().meta({ description: 'Only those in this state.' }),
        }),
        response: listAnswers(
          z.object({
            runs: z.array(runSummarySchema).meta({ description: 'The runs.' }),
            total_count: z.int(),
          }),
        ),
      },
    },
    async ({ query, caller }) => {
      const { limit, offset, after, ...filter } = query;
      const page = await listRuns(database, caller.organizationId, filter, { limit, offset, after });
      return listed({ runs: page.rows.map(runSummaryView), total_count: page.total }, page.next);
    },
  );

  server.get(
    '/agent-testing/runs/:id',
    {
      schema: {
        operationId: 'getTestRun',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a test run',
        description: 'With its conversation so far and, when it has ended, the result of each assertion.',
        params: runPath,
        response: answers(runSchema),
      },
    },
    async ({ params, caller }) => success(runView(await readRun(database, caller.organizationId, params.id))),
  );

  server.post(
    '/agent-testing/runs/:id/cancel',
    {
      schema: {
        operationId: 'cancelTestRun',
        errors: ['NOT_FOUND', 'RUN_ENDED'],
        tags,
        summary: 'Cancel a test run',
        description:
          'Pending or running; a conversation in progress stops within a second. What was said so far stays.',
        params: runPath,
        body: z.strictObject({}).nullish(),
        example: {},
        response: answers(runSchema),
      },
    },
    async ({ params, caller }) => {
      const { organizationId } = caller;
      const { run } = await readRun(database, organizationId, params.id);
      if (isEnded(run.status) || (await runs.cancel(organizationId, [run.id])) === 0)
        throw new DemarcError('RUN_ENDED');
      return success(runView(await readRun(database, organizationId, run.id)));
    },
  );
}
