import type { Kysely } from 'kysely';
import { DemarcError } from '../../../errors.js';
import { readStarts } from '../../calls/index.js';
import { readCallTranscript } from '../../contacts/index.js';
import type { Database } from '../../database/tables.js';
import { checkWebhookUrl, webhookUrlSchema } from '../../deliveries/webhook/webhook-url.js';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import { InvalidRequest } from '../../http/validation.js';
import type { RequirePrices } from '../budget/budget-routes.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { batchStart, batchStartedSchema } from '../schemas/batch.js';
import { runStart, runStartedSchema } from '../schemas/run.js';
import { scenarioPath } from '../schemas/scenario.js';
import type { Runs } from './run-order.js';
import { budgetErrors, type StartLimit } from './start-limit.js';

interface StartRouteDeps {
  readonly runs: Runs;
  readonly limit: StartLimit;
  readonly requirePrices: RequirePrices;
}

/** `/agent-testing/scenarios/{id}/run` and `/agent-testing/batch-run`. */
export function startRoutes(
  server: ApiServer,
  { database, settings }: ControlDeps,
  { runs, limit, requirePrices }: StartRouteDeps,
): void {
  /** Throws `InvalidRequest`. */
  const checkedWebhook = (url: string | undefined): string | undefined => {
    if (url === undefined) return undefined;
    const read = webhookUrlSchema.safeParse(url);
    if (!read.success) throw InvalidRequest.at('webhook_url', read.error.issues[0]!.message);
    checkWebhookUrl(settings.notices, url, 'webhook_url');
    return url;
  };

  server.post(
    '/agent-testing/scenarios/:id/run',
    {
      schema: {
        operationId: 'runTestScenario',
        errors: ['NOT_FOUND', 'NO_TRANSCRIPT', 'RUN_QUEUE_FULL', ...budgetErrors],
        tags,
        summary: 'Run a test scenario',
        description:
          'Returns immediately; poll `GET /v1/agent-testing/runs/{id}` until it has ended, or send `webhook_url`. The run keeps the scenario as it is now.',
        params: scenarioPath,
        body: runStart,
        example: { request_data_override: { first_name: 'Ada' } },
        response: answers(runStartedSchema),
      },
    },
    async (request, reply) => {
      const { params, body, caller, operationId } = request;
      const webhookUrl = checkedWebhook(body.webhook_url);
      await limit(request, reply);
      if (body.cost_budget !== undefined) await requirePrices(caller.organizationId);
      if (body.call_id !== undefined) await requireTranscript(database, caller.organizationId, body.call_id);
      const order = {
        id: operationId,
        organizationId: caller.organizationId,
        scenarioId: params.id,
        versionNumber: body.version_number,
        channel: body.channel,
        origin: body.trigger_source,
        requestDataOverride: body.request_data_override,
        webhookUrl,
        budget: { tokens: body.token_budget, cost: body.cost_budget },
        callId: body.call_id,
      };
      const runId = (await runs.start([order]))[0]!;
      const hasBegun = await runs.hasBegun(caller.organizationId, runId);
      return success({ run_id: runId, status: hasBegun ? ('RUNNING' as const) : ('PENDING' as const) });
    },
  );

  server.post(
    '/agent-testing/batch-run',
    {
      schema: {
        operationId: 'runTestBatch',
        errors: ['NOT_FOUND', 'RUN_QUEUE_FULL', ...budgetErrors],
        tags,
        summary: 'Run several test scenarios',
        description:
          'Runs each scenario once, all or none of them are started. Poll `GET /v1/agent-testing/batches/{id}` until it has ended, or send `webhook_url`.',
        body: batchStart,
        example: { scenario_ids: ['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d'], trigger_source: 'ci' },
        response: answers(batchStartedSchema),
      },
    },
    async (request, reply) => {
      const { body, caller, operationId } = request;
      const webhookUrl = checkedWebhook(body.webhook_url);
      await limit(request, reply);
      if (body.cost_budget !== undefined) await requirePrices(caller.organizationId);
      const batch = await runs.startBatch({
        id: operationId,
        organizationId: caller.organizationId,
        scenarioIds: body.scenario_ids,
        versionNumber: body.version_number,
        channel: body.channel,
        origin: body.trigger_source,
        requestDataOverride: body.request_data_override,
        webhookUrl,
        budget: { tokens: body.token_budget, cost: body.cost_budget },
      });
      return success({
        batch_id: batch.batchId,
        status: 'PENDING' as const,
        runs: batch.runs.map(({ runId, scenarioId }) => ({ run_id: runId, scenario_id: scenarioId })),
      });
    },
  );
}

/** Throws `DemarcError` `NOT_FOUND` for a call or `NO_TRANSCRIPT`. */
async function requireTranscript(
  database: Kysely<Database>,
  organizationId: string,
  callId: string,
): Promise<void> {
  if (!(await readStarts(database, organizationId, [callId])).has(callId))
    throw new DemarcError('NOT_FOUND', 'Call not found');
  if ((await readCallTranscript(database, organizationId, callId)).length === 0)
    throw new DemarcError('NO_TRANSCRIPT');
}
