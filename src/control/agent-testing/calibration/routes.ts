import { z } from 'zod';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import { type StartLimit, usedErrors } from '../runs/start-limit.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { calibrationSchema, judgementSchema, labelInput, reviewSchema } from '../schemas/calibration.js';
import { runPath } from '../schemas/run.js';
import { scenarioPath } from '../schemas/scenario.js';
import { calibrate } from './calibrate.js';
import { type JudgeAgainDeps, judgeAgain } from './judge-again.js';
import { readReview, setLabels } from './review.js';

/** `/agent-testing/runs/{id}/labels|judge` and `/agent-testing/scenarios/{id}/calibration`. */
export function calibrationRoutes(
  server: ApiServer,
  { database }: ControlDeps,
  { models, workers, limit }: Omit<JudgeAgainDeps, 'database'> & { readonly limit: StartLimit },
): void {
  server.get(
    '/agent-testing/runs/:id/labels',
    {
      schema: {
        operationId: 'getTestLabels',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get the labels of a test run',
        description: 'What people say of its assertions, and the result of judging it again.',
        params: runPath,
        response: answers(reviewSchema),
      },
    },
    async ({ params, caller }) => success(await readReview(database, caller.organizationId, params.id)),
  );

  server.put(
    '/agent-testing/runs/:id/labels',
    {
      schema: {
        operationId: 'setTestLabels',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Label the assertions of a test run',
        description:
          'Says whether assertions pass in your opinion, so that the judge can be compared with people. The result of the run stays.',
        params: runPath,
        body: labelInput,
        example: {
          labels: [
            {
              assertion_id: '0d6f3f1b-2c3d-4e5f-8a9b-4b0c9a526f1e',
              passed: false,
              note: 'It never offered another date.',
            },
          ],
        },
        response: answers(reviewSchema),
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId, name } = caller;
      await setLabels(database, { organizationId, runId: params.id, by: name }, body.labels);
      return success(await readReview(database, organizationId, params.id));
    },
  );

  server.post(
    '/agent-testing/runs/:id/judge',
    {
      schema: {
        operationId: 'judgeTestRun',
        errors: ['NOT_FOUND', 'RUN_NOT_JUDGEABLE', 'MODEL_UNAVAILABLE', ...usedErrors],
        tags,
        summary: 'Judge a test run again',
        description:
          'Evaluates the present assertions of the scenario on the stored conversation, without a new one. The run keeps its result, which gates and statistics count; the last judgement is stored beside it.',
        params: runPath,
        body: z.strictObject({}).nullish(),
        example: {},
        response: answers(judgementSchema),
      },
    },
    async (request, reply) => {
      await limit(request, reply);
      const { params, caller } = request;
      return success(await judgeAgain({ database, models, workers }, caller.organizationId, params.id));
    },
  );

  server.get(
    '/agent-testing/scenarios/:id/calibration',
    {
      schema: {
        operationId: 'getJudgeCalibration',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Compare the judge with labels',
        description:
          'How far the verdicts on the assertions of a scenario agree with what people say: as the runs were judged, and as they were judged again.',
        params: scenarioPath,
        response: answers(calibrationSchema),
      },
    },
    async ({ params, caller }) => success(await calibrate(database, caller.organizationId, params.id)),
  );
}
