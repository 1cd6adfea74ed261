import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import type { Runs } from '../runs/run-order.js';
import { type StartLimit, usedErrors } from '../runs/start-limit.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import {
  listedTornadoSchema,
  tornadoActiveQuery,
  tornadoCancelledSchema,
  tornadoListQuery,
  tornadoProgressSchema,
  tornadoSessionSchema,
  tornadoStart,
  tornadoStartedSchema,
} from '../schemas/tornado.js';
import {
  endSession,
  listSessions,
  readActiveSession,
  readSession,
  startSession,
  unfinishedRuns,
} from './session-storage.js';
import { listedTornadoView, tornadoProgressView, tornadoSessionView } from './tornado-view.js';
import { undoSessionFix } from './undo-fix.js';

const path = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Id of the session.' }),
});
const fixPath = path.extend({
  fix_id: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: 'Id of the fix.', examples: ['1-1'] }),
});

export interface TornadoRouteDeps {
  readonly runs: Pick<Runs, 'cancel'>;
  readonly limit: StartLimit;
  /** Begins new sessions at once. */
  readonly wake: () => void;
}

/** `/agent-testing/tornado`: start, list, active, status, cancel, undo of a fix. */
export function tornadoRoutes(
  server: ApiServer,
  { database }: ControlDeps,
  { runs, limit, wake }: TornadoRouteDeps,
): void {
  server.post(
    '/agent-testing/tornado/start',
    {
      schema: {
        operationId: 'startTornado',
        errors: ['NOT_FOUND', 'TORNADO_ACTIVE', ...usedErrors],
        tags,
        summary: 'Start tornado mode',
        description:
          'Runs the scenarios, analyzes the failures, applies fixes to a fork of the version, and repeats this until all pass or the limit is reached. The fork becomes live only when you promote it.',
        body: tornadoStart,
        example: { pathway_id: '4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d', max_iterations: 5 },
        response: answers(tornadoStartedSchema),
      },
    },
    async (request, reply) => {
      const { body, caller, operationId } = request;
      await limit(request, reply);
      const session = await startSession(database, caller.organizationId, operationId, body);
      wake();
      return success({
        session_id: session.id,
        status: session.status,
        pathway_id: session.pathway_id,
        max_iterations: session.max_iterations,
        runs_per_scenario: session.runs_per_scenario,
        required_pass_rate: session.required_pass_rate,
        timeout_ms: session.timeout_ms,
        created_at: session.created_at.toISOString(),
      });
    },
  );

  server.get(
    '/agent-testing/tornado',
    {
      schema: {
        operationId: 'listTornadoSessions',
        tags,
        summary: 'List tornado sessions',
        description: 'Newest first, without their iterations.',
        querystring: tornadoListQuery,
        response: listAnswers(
          z.object({ sessions: z.array(listedTornadoSchema).meta({ description: 'The sessions.' }) }),
        ),
      },
    },
    async ({ query: { limit, after, ...filter }, caller }) => {
      const page = await listSessions(database, caller.organizationId, filter, { limit, after });
      return listed({ sessions: page.rows.map(listedTornadoView) }, page.next);
    },
  );

  server.get(
    '/agent-testing/tornado/active',
    {
      schema: {
        operationId: 'getActiveTornado',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get the active tornado session',
        description: 'The session that runs for the pathway; 404 if none does.',
        querystring: tornadoActiveQuery,
        response: answers(tornadoSessionSchema),
      },
    },
    async ({ query, caller }) => {
      if (query.pathway_id === undefined)
        throw new DemarcError('NOT_FOUND', 'No session is active for the persona: sessions improve pathways');
      const whole = await readActiveSession(database, caller.organizationId, query.pathway_id);
      return success(tornadoSessionView(whole));
    },
  );

  server.get(
    '/agent-testing/tornado/:id/status',
    {
      schema: {
        operationId: 'getTornadoStatus',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get the progress of a tornado session',
        description: 'With each iteration, its fixes, and the scenarios that were given up.',
        params: path,
        response: answers(tornadoProgressSchema),
      },
    },
    async ({ params, caller }) =>
      success(tornadoProgressView(await readSession(database, caller.organizationId, params.id), new Date())),
  );

  server.post(
    '/agent-testing/tornado/:id/cancel',
    {
      schema: {
        operationId: 'cancelTornado',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Cancel a tornado session',
        description: 'Its runs are cancelled too; the fork stays. A session that has ended stays as it is.',
        params: path,
        body: z.strictObject({}).nullish(),
        example: {},
        response: answers(tornadoCancelledSchema),
      },
    },
    async ({ params, caller }) => {
      const { session } = await readSession(database, caller.organizationId, params.id);
      await endSession(database, session, 'CANCELLED');
      await runs.cancel(caller.organizationId, await unfinishedRuns(database, session));
      return success({ cancelled: true as const });
    },
  );

  server.post(
    '/agent-testing/tornado/:id/fixes/:fix_id/undo',
    {
      schema: {
        operationId: 'undoTornadoFix',
        errors: ['NOT_FOUND', 'TORNADO_ACTIVE', 'FIX_NOT_UNDONE', 'VERSION_NOT_CHANGEABLE'],
        tags,
        summary: 'Undo a fix of a tornado session',
        description: 'Restores the value before the fix in the fork, unless the field was changed since.',
        params: fixPath,
        body: z.strictObject({}).nullish(),
        example: {},
        response: answers(tornadoProgressSchema),
      },
    },
    async ({ params, caller }) => {
      await undoSessionFix(database, caller.organizationId, params.id, params.fix_id);
      return success(
        tornadoProgressView(await readSession(database, caller.organizationId, params.id), new Date()),
      );
    },
  );
}
