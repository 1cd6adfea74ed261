import { z } from 'zod';
import { checkWebhookUrl } from '../../deliveries/webhook/webhook-url.js';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import type { Runs } from '../runs/run-order.js';
import type { StartLimit } from '../runs/start-limit.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { simulationSetSchema, simulationStart, simulationStartedSchema } from '../schemas/simulation.js';
import { readSimulationSet, startSimulationSet } from './simulation-storage.js';
import { simulationSetView } from './simulation-view.js';

/** `/agent-testing/simulation-sets`: start and read. */
export function simulationRoutes(
  server: ApiServer,
  { database, settings }: ControlDeps,
  { runs, limit }: { readonly runs: Runs; readonly limit: StartLimit },
): void {
  server.post(
    '/agent-testing/simulation-sets',
    {
      schema: {
        operationId: 'startSimulationSet',
        errors: ['NOT_FOUND', 'RUN_QUEUE_FULL'],
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
        params: z.strictObject({
          id: z.string().min(1).max(64).meta({ description: 'Id of the simulation set.' }),
        }),
        response: answers(simulationSetSchema),
      },
    },
    async ({ params, caller }) =>
      success(simulationSetView(await readSimulationSet(database, caller.organizationId, params.id))),
  );
}
