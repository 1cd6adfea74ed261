import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import { checkWebhookUrl } from '../../deliveries/webhook/webhook-url.js';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { pageLimit } from '../../http/query.js';
import type { RequirePrices } from '../budget/budget-routes.js';
import type { Runs } from '../runs/run-order.js';
import { budgetErrors, type StartLimit } from '../runs/start-limit.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import {
  listedLoadTestSchema,
  loadTestSchema,
  loadTestStart,
  loadTestStartedSchema,
  loadTestStatuses,
} from '../schemas/load-test.js';
import { afterId } from '../schemas/run.js';
import { endLoadTest } from './end-load-test.js';
import { listLoadTests, openCallers, readLoadTest, storeLoadTest } from './load-test-storage.js';
import { listedLoadTestView, viewLoadTest } from './load-test-view.js';

const path = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Id of the load test.' }),
});

interface LoadTestRoutesDeps {
  readonly runs: Runs;
  readonly limit: StartLimit;
  readonly requirePrices: RequirePrices;
  readonly wake: () => void;
  readonly wakeDeliveries: () => void;
}

/** `/agent-testing/load-tests`: start, list, read, cancel. */
export function loadTestRoutes(
  server: ApiServer,
  { database, settings }: ControlDeps,
  { runs, limit, requirePrices, wake, wakeDeliveries }: LoadTestRoutesDeps,
): void {
  server.post(
    '/agent-testing/load-tests',
    {
      schema: {
        operationId: 'startLoadTest',
        errors: ['NOT_FOUND', 'LOAD_TEST_RUNNING', ...budgetErrors],
        tags,
        summary: 'Start a load test',
        description:
          'Many simulated callers converse with the agent at once, in steps with more and more of them, until it breaks. Each is judged by the assertions of its scenario. An organization runs one load test at a time; by voice it takes at most half of the concurrent calls of the organization and of the number. Poll `GET /v1/agent-testing/load-tests/{id}` until it has ended, or send `webhook_url`.',
        body: loadTestStart,
        example: {
          scenario_ids: ['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d'],
          concurrency: [1, 5, 10, 20],
          maximum_latency_ms: 2_000,
        },
        response: answers(loadTestStartedSchema),
      },
    },
    async (request, reply) => {
      const { body, caller, operationId } = request;
      checkWebhookUrl(settings.notices, body.webhook_url, 'webhook_url');
      await limit(request, reply);
      if (body.cost_budget !== undefined) await requirePrices(caller.organizationId);
      const test = await storeLoadTest(
        { database, settings, runs },
        caller.organizationId,
        operationId,
        body,
      );
      wake();
      return success({
        load_test_id: test.id,
        status: test.status,
        concurrency: test.steps.map(({ concurrency }) => concurrency),
        created_at: test.created_at.toISOString(),
      });
    },
  );

  server.get(
    '/agent-testing/load-tests',
    {
      schema: {
        operationId: 'listLoadTests',
        tags,
        summary: 'List load tests',
        description: 'Newest first, with where the agent breaks, without the figures of the steps.',
        querystring: z.strictObject({
          limit: pageLimit(100, 50),
          after: afterId,
          status: z.enum(loadTestStatuses).optional().meta({ description: 'Only those in this state.' }),
        }),
        response: listAnswers(
          z.object({ load_tests: z.array(listedLoadTestSchema).meta({ description: 'The load tests.' }) }),
        ),
      },
    },
    async ({ query: { limit: most, after, status }, caller }) => {
      const page = await listLoadTests(database, caller.organizationId, { status }, { limit: most, after });
      return listed({ load_tests: page.rows.map(listedLoadTestView) }, page.next);
    },
  );

  server.get(
    '/agent-testing/load-tests/:id',
    {
      schema: {
        operationId: 'getLoadTest',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a load test',
        description:
          'With the figures of each step; those of the present one are those so far. `GET /v1/agent-testing/runs?load_test_id=` has the conversations of the callers.',
        params: path,
        response: answers(loadTestSchema),
      },
    },
    async ({ params, caller }) =>
      success(await viewLoadTest(database, await readLoadTest(database, caller.organizationId, params.id))),
  );

  server.post(
    '/agent-testing/load-tests/:id/cancel',
    {
      schema: {
        operationId: 'cancelLoadTest',
        errors: ['NOT_FOUND', 'RUN_ENDED'],
        tags,
        summary: 'Cancel a load test',
        description:
          'No more callers begin, and those in a conversation stop within a second. The figures of what has ended stay.',
        params: path,
        body: z.strictObject({}).nullish(),
        example: {},
        response: answers(loadTestSchema),
      },
    },
    async ({ params, caller }) => {
      const { organizationId } = caller;
      const test = await readLoadTest(database, organizationId, params.id);
      const isCancelled = await database
        .transaction()
        .execute((transaction) => endLoadTest(transaction, test, 'CANCELLED'));
      if (!isCancelled) throw new DemarcError('RUN_ENDED', 'the load test has ended');
      wakeDeliveries();
      await runs.cancel(organizationId, await openCallers(database, test));
      return success(await viewLoadTest(database, await readLoadTest(database, organizationId, test.id)));
    },
  );
}
