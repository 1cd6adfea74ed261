import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import type { Models } from '../../models/models.js';
import type { WorkerPool } from '../../workers/worker-pool.js';
import { type StartLimit, usedErrors } from '../runs/start-limit.js';
import { checkTargetExists } from '../scenarios/check-target.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { callSuiteSchema, personaSuiteSchema, suiteFromCalls, suiteFromPersona } from '../schemas/suite.js';
import { suiteOfCalls } from './call-suite.js';
import { suiteOfPersona } from './persona-suite.js';

/** `/agent-testing/scenarios/generate-from-persona` and `…/generate-from-calls`. */
export function suiteRoutes(
  server: ApiServer,
  { database, settings }: ControlDeps,
  {
    models,
    limit,
    workers,
  }: { readonly models: Models; readonly limit: StartLimit; readonly workers: WorkerPool },
): void {
  const targets = { database, notices: settings.notices };

  server.post(
    '/agent-testing/scenarios/generate-from-persona',
    {
      schema: {
        operationId: 'generateTestScenariosFromPersona',
        errors: ['NOT_FOUND', 'MODEL_UNAVAILABLE', ...usedErrors],
        tags,
        summary: 'Generate test scenarios from a persona',
        description:
          'Drafts scenarios for what the prompts of the persona promise and its knowledge bases hold, without storing them. Each assertion has the sentence that it is based on. Sentences that the description of a scenario of the persona quotes are left out, so that a second request continues where the first one ended. The judging model writes them; without one, rules do.',
        body: suiteFromPersona,
        example: { persona_id: '4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d', maximum_scenarios: 5 },
        response: answers(personaSuiteSchema),
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      await checkTargetExists(targets, caller.organizationId, body);
      await limit(request, reply);
      return success(await suiteOfPersona({ database, models, workers }, caller.organizationId, body));
    },
  );

  server.post(
    '/agent-testing/scenarios/generate-from-calls',
    {
      schema: {
        operationId: 'generateTestScenariosFromCalls',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Generate test scenarios from calls',
        description:
          'Drafts a scenario for each of the latest answered calls of a number, without storing it: the caller says what that of the call said, and assertions say what the agent did. Whether that was right is yours to confirm. Phone numbers, URLs and keys are removed. No model is asked. Calls of which the target has a scenario, and calls like another one, are left out.',
        body: suiteFromCalls,
        example: { call_ids: ['0d6f3f1b-2c3d-4e5f-8a9b-4b0c9a526f1e'] },
        response: answers(callSuiteSchema),
      },
    },
    async ({ body, caller }) => {
      await checkTargetExists(targets, caller.organizationId, body);
      return success(await suiteOfCalls({ database, workers }, caller.organizationId, body));
    },
  );
}
