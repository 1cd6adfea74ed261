import { z } from 'zod';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import type { Models } from '../../models/models.js';
import type { WorkerPool } from '../../workers/worker-pool.js';
import { type StartLimit, usedErrors } from '../runs/start-limit.js';
import { checkTargetExists } from '../scenarios/check-target.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { scenarioView } from '../scenarios/scenario-view.js';
import { analysisSchema } from '../schemas/analysis.js';
import { runPath } from '../schemas/run.js';
import { scenarioSchema } from '../schemas/scenario.js';
import { scenarioDraftSchema, scenarioFromCall } from '../schemas/template.js';
import { analyzeRun } from './analyze-run.js';
import { scenarioOfCall } from './scenario-from-call.js';
import { scenarioOfRun } from './scenario-from-run.js';

/** `/agent-testing/runs/{id}/analyze` and `/agent-testing/scenarios/generate-from-call`. */
export function analysisRoutes(
  server: ApiServer,
  { database, settings, secrets }: ControlDeps,
  {
    models,
    limit,
    workers,
  }: { readonly models: Models; readonly limit: StartLimit; readonly workers: WorkerPool },
): void {
  server.post(
    '/agent-testing/runs/:id/analyze',
    {
      schema: {
        operationId: 'analyzeTestRun',
        errors: ['NOT_FOUND', 'RUN_NOT_FAILED', 'MODEL_UNAVAILABLE', ...usedErrors],
        tags,
        summary: 'Analyze a failed test run',
        description:
          'Asks the judging model why the run failed and what to change. The answer is stored: a second request returns the same.',
        params: runPath,
        body: z.strictObject({}).nullish(),
        example: {},
        response: answers(z.object({ analysis: analysisSchema.meta({ description: 'The analysis.' }) })),
      },
    },
    async (request, reply) => {
      await limit(request, reply);
      const { params, caller } = request;
      const analysis = await analyzeRun({ database, models }, caller.organizationId, params.id);
      return success({ analysis });
    },
  );

  server.post(
    '/agent-testing/scenarios/generate-from-call',
    {
      schema: {
        operationId: 'generateTestScenario',
        errors: ['NOT_FOUND', 'NO_TRANSCRIPT', 'MODEL_UNAVAILABLE', ...usedErrors],
        tags,
        summary: 'Generate a test scenario from a call',
        description:
          'Drafts a scenario from what was said in a call, without storing it. Phone numbers, URLs and keys are removed from its request data and conversation.',
        body: scenarioFromCall,
        example: {
          call_id: '0d6f3f1b-2c3d-4e5f-8a9b-4b0c9a526f1e',
          transcript: [
            { role: 'assistant', content: 'Good morning, how can I help?' },
            { role: 'user', content: 'I need an appointment on Tuesday.' },
          ],
        },
        response: answers(scenarioDraftSchema),
      },
    },
    async (request, reply) => {
      await limit(request, reply);
      const { body, caller } = request;
      const { organizationId } = caller;
      await checkTargetExists({ database, notices: settings.notices }, organizationId, body);
      return success(await scenarioOfCall({ database, models, workers }, organizationId, body));
    },
  );

  server.post(
    '/agent-testing/runs/:id/scenario',
    {
      schema: {
        operationId: 'createTestScenarioFromRun',
        errors: ['NOT_FOUND', 'CALL_NOT_JUDGED', 'SCENARIO_NAME_TAKEN', 'TOO_MANY_SCENARIOS'],
        tags,
        summary: 'Make a scenario of a judged call',
        description:
          'Stores a scenario whose caller says what the caller of the real call said, to the same agent and with the same assertions. Phone numbers, URLs and keys are removed.',
        params: runPath,
        body: z.strictObject({}).nullish(),
        example: {},
        response: answers(scenarioSchema),
      },
    },
    async ({ params, caller, operationId }) =>
      success(
        scenarioView(
          await scenarioOfRun({ database, secrets, workers }, caller.organizationId, operationId, params.id),
        ),
      ),
  );
}
