import { z } from 'zod';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { pageLimit, truth } from '../../http/query.js';
import type { WorkerPool } from '../../workers/worker-pool.js';
import { checkPatterns } from '../assertions/check-patterns.js';
import { unheardWarnings } from '../assertions/unheard.js';
import { afterId, runStatuses } from '../schemas/run.js';
import {
  categories,
  scenarioCreation,
  scenarioPath,
  scenarioSchema,
  scenarioUpdate,
} from '../schemas/scenario.js';
import { checkTargetExists } from './check-target.js';
import {
  changeScenario,
  createScenario,
  deleteScenario,
  listScenarios,
  type MostRecentRun,
  maximumScenarios,
  mostRecentRuns,
  readScenario,
  type Scenario,
} from './scenario-storage.js';
import { scenarioView } from './scenario-view.js';

export const testTags = ['Agent testing'];
const tags = testTags;

const mostRecentRun = z
  .object({
    id: z.string().meta({ description: 'Id of the run.' }),
    status: z.enum(runStatuses).meta({ description: 'State of the run.' }),
    score: z.number().nullable().meta({ description: 'Overall score, 0–1; null: none.' }),
    completed_at: z.iso.datetime().nullable(),
  })
  .nullable()
  .meta({ description: 'Latest run; null: never run.' });
const listedScenario = scenarioSchema
  .extend({ most_recent_run: mostRecentRun })
  .meta({ id: 'ListedTestScenario' });

const changedScenario = scenarioSchema
  .extend({
    warnings: z.array(z.string()).meta({ description: 'Assertions that its runs cannot evaluate, and why.' }),
  })
  .meta({ id: 'ChangedTestScenario' });

const recentView = (run: MostRecentRun | undefined) =>
  run === undefined
    ? null
    : {
        id: run.id,
        status: run.status,
        score: run.overall_score,
        completed_at: run.completed_at?.toISOString() ?? null,
      };

/** `/agent-testing/scenarios`: create, list, read, change, delete. */
export function scenarioRoutes(
  server: ApiServer,
  deps: ControlDeps,
  { workers }: { readonly workers: WorkerPool },
): void {
  const { database, settings } = deps;
  const changed = (scenario: Scenario) => {
    const view = scenarioView(scenario);
    return success({
      ...view,
      warnings: unheardWarnings(view, settings.testCalls.recognition !== undefined),
    });
  };
  const { notices } = settings;

  server.post(
    '/agent-testing/scenarios',
    {
      schema: {
        operationId: 'createTestScenario',
        errors: ['SCENARIO_NAME_TAKEN', 'TOO_MANY_SCENARIOS', 'SECRET_KEY_MISSING'],
        tags,
        summary: 'Create a test scenario',
        description: `A test case for a pathway, a persona or an agent at its own address: how the simulated caller behaves, and what must hold afterwards. It stays across versions. At most ${maximumScenarios.toLocaleString('en-US')} per organization.`,
        body: scenarioCreation,
        example: {
          name: 'Asks for opening hours',
          agent: { url: 'https://agent.example.com/v1', model: 'front-desk' },
          tester_persona_prompt: 'You want to know when the shop opens on Saturday.',
          assertions: [
            { type: 'STRING_CHECK', name: 'Names Saturday', config: { value: 'Saturday', target: 'agent' } },
          ],
        },
        response: answers(changedScenario),
      },
    },
    async ({ body, caller, operationId }) => {
      const { organizationId } = caller;
      await checkTargetExists({ database, notices }, organizationId, body);
      await checkPatterns(workers, organizationId, body.assertions);
      return changed(await createScenario(deps, organizationId, operationId, body));
    },
  );

  server.get(
    '/agent-testing/scenarios',
    {
      schema: {
        operationId: 'listTestScenarios',
        tags,
        summary: 'List test scenarios',
        description: 'Newest first, each with its latest run.',
        querystring: z.strictObject({
          limit: pageLimit(100, 50),
          after: afterId,
          pathway_id: z.uuid().optional().meta({ description: 'Only those of this pathway.' }),
          persona_id: z.uuid().optional().meta({ description: 'Only those of this persona.' }),
          category: z.enum(categories).optional().meta({ description: 'Only those of this category.' }),
          enabled: truth.optional().meta({ description: 'Only enabled ones, or only others.' }),
        }),
        response: listAnswers(
          z.object({ scenarios: z.array(listedScenario).meta({ description: 'The scenarios.' }) }),
        ),
      },
    },
    async ({ query, caller }) => {
      const { organizationId } = caller;
      const { limit, after, ...filter } = query;
      const page = await listScenarios(database, organizationId, filter, { limit, after });
      const ids = page.scenarios.map(({ row }) => row.id);
      const recent = await mostRecentRuns(database, organizationId, ids);
      const scenarios = page.scenarios.map((scenario) => ({
        ...scenarioView(scenario),
        most_recent_run: recentView(recent.get(scenario.row.id)),
      }));
      return listed({ scenarios }, page.next);
    },
  );

  server.get(
    '/agent-testing/scenarios/:id',
    {
      schema: {
        operationId: 'getTestScenario',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a test scenario',
        description: 'With its assertions.',
        params: scenarioPath,
        response: answers(scenarioSchema),
      },
    },
    async ({ params, caller }) =>
      success(scenarioView(await readScenario(database, caller.organizationId, params.id))),
  );

  server.put(
    '/agent-testing/scenarios/:id',
    {
      schema: {
        operationId: 'updateTestScenario',
        errors: ['NOT_FOUND', 'SCENARIO_NAME_TAKEN', 'SECRET_KEY_MISSING'],
        tags,
        summary: 'Change a test scenario',
        description:
          'Omitted fields keep their value; `assertions` replaces all of them. Runs that were started before keep the scenario as it was.',
        params: scenarioPath,
        body: scenarioUpdate,
        example: { is_required_for_promotion: true },
        response: answers(changedScenario),
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId } = caller;
      await checkTargetExists({ database, notices }, organizationId, {
        agent: body.agent,
        voice: body.voice,
      });
      await checkPatterns(workers, organizationId, body.assertions);
      return changed(await changeScenario(deps, organizationId, params.id, body));
    },
  );

  server.delete(
    '/agent-testing/scenarios/:id',
    {
      schema: {
        operationId: 'deleteTestScenario',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Delete a test scenario',
        description: 'Runs are kept.',
        params: scenarioPath,
        response: answers(z.object({ id: z.string(), deleted: z.literal(true) })),
      },
    },
    async ({ params, caller }) => {
      await deleteScenario(database, caller.organizationId, params.id);
      return success({ id: params.id, deleted: true as const });
    },
  );
}
