import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import { checkWebhookUrl } from '../../deliveries/webhook/webhook-url.js';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { pageLimit } from '../../http/query.js';
import type { RequirePrices } from '../budget/budget-routes.js';
import type { Runs } from '../runs/run-order.js';
import { isEnded } from '../runs/run-view.js';
import { budgetErrors, type StartLimit } from '../runs/start-limit.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { afterId, runStatuses } from '../schemas/run.js';
import { setComparisonSchema } from '../schemas/set-comparison.js';
import {
  listedSimulationSetSchema,
  simulationSetSchema,
  simulationStart,
  simulationStartedSchema,
} from '../schemas/simulation.js';
import { compareSets } from './compare-sets.js';
import { listedSimulationSetView, listSimulationSets } from './simulation-list.js';
import { readSimulationSet, startSimulationSet } from './simulation-storage.js';
import { simulationSetView } from './simulation-view.js';

const path = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Id of the simulation set.' }),
});

interface SimulationRouteDeps {
  readonly runs: Runs;
  readonly limit: StartLimit;
  readonly requirePrices: RequirePrices;
}

/** `/agent-testing/simulation-sets`: start, read, list, cancel. */
export function simulationRoutes(
  server: ApiServer,
  { database, settings }: ControlDeps,
  { runs, limit, requirePrices }: SimulationRouteDeps,
): void {
  server.post(
    '/agent-testing/simulation-sets',
    {
      schema: {
        operationId: 'startSimulationSet',
        errors: ['NOT_FOUND', 'RUN_QUEUE_FULL', ...budgetErrors],
        tags,
        summary: 'Run scenarios many times',
        description:
          'Repeated runs show how often a scenario passes and whether it is flaky. Poll `GET /v1/agent-testing/simulation-sets/{id}` until it has ended, or send `webhook_url`.',
        body: simulationStart,
        example: {
          scenario_ids: ['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d'],
          simulations_per_scenario: 16,
        },
        response: answers(simulationStartedSchema),
      },
    },
    async (request, reply) => {
      const { body, caller, operationId } = request;
      checkWebhookUrl(settings.notices, body.webhook_url, 'webhook_url');
      await limit(request, reply);
      if (body.cost_budget !== undefined) await requirePrices(caller.organizationId);
      const set = await startSimulationSet({ database, runs }, caller.organizationId, operationId, body);
      return success({
        simulation_set_id: set.id,
        status: 'PENDING' as const,
        simulations_per_scenario: set.simulations_per_scenario,
        total_scenarios: set.scenario_ids.length,
        created_at: set.created_at.toISOString(),
      });
    },
  );

  server.get(
    '/agent-testing/simulation-sets/:id',
    {
      schema: {
        operationId: 'getSimulationSet',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a simulation set',
        description: 'With the statistics of the runs that have ended.',
        params: path,
        response: answers(simulationSetSchema),
      },
    },
    async ({ params, caller }) =>
      success(simulationSetView(await readSimulationSet(database, caller.organizationId, params.id))),
  );

  server.get(
    '/agent-testing/simulation-sets/:id/comparison',
    {
      schema: {
        operationId: 'compareSimulationSets',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Compare two simulation sets',
        description:
          'Says of each scenario that both sets have whether the set passes more often than the other one, and how sure that is: run the same scenarios with two versions or models.',
        params: path,
        querystring: z.strictObject({
          other: z.string().min(1).max(64).meta({ description: 'Id of the other simulation set.' }),
        }),
        response: answers(setComparisonSchema),
      },
    },
    async ({ params, query, caller }) => {
      const read = (id: string) => readSimulationSet(database, caller.organizationId, id);
      return success(compareSets(await read(params.id), await read(query.other)));
    },
  );

  server.get(
    '/agent-testing/simulation-sets',
    {
      schema: {
        operationId: 'listSimulationSets',
        tags,
        summary: 'List simulation sets',
        description: 'Newest first, with the number of runs that ended and passed, without statistics.',
        querystring: z.strictObject({
          limit: pageLimit(100, 50),
          after: afterId,
          status: z.enum(runStatuses).optional().meta({ description: 'Only those in this state.' }),
          schedule_id: z.uuid().optional().meta({ description: 'Only those that this schedule started.' }),
        }),
        response: listAnswers(
          z.object({
            simulation_sets: z.array(listedSimulationSetSchema).meta({ description: 'The sets.' }),
          }),
        ),
      },
    },
    async ({ query: { limit, after, ...filter }, caller }) => {
      const page = await listSimulationSets(database, caller.organizationId, filter, { limit, after });
      return listed({ simulation_sets: page.rows.map(listedSimulationSetView) }, page.next);
    },
  );

  server.post(
    '/agent-testing/simulation-sets/:id/cancel',
    {
      schema: {
        operationId: 'cancelSimulationSet',
        errors: ['NOT_FOUND', 'RUN_ENDED'],
        tags,
        summary: 'Cancel a simulation set',
        description: 'Cancels those of its runs that have not ended; the statistics keep those that have.',
        params: path,
        body: z.strictObject({}).nullish(),
        example: {},
        response: answers(simulationSetSchema),
      },
    },
    async ({ params, caller }) => {
      const { organizationId } = caller;
      const { set, runs: own } = await readSimulationSet(database, organizationId, params.id);
      const ids = own.filter(({ status }) => !isEnded(status)).map(({ id }) => id);
      if ((await runs.cancel(organizationId, ids)) === 0)
        throw new DemarcError('RUN_ENDED', 'all runs of the set have ended');
      return success(simulationSetView(await readSimulationSet(database, organizationId, set.id)));
    },
  );
}
