import { z } from 'zod';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { pageLimit } from '../../http/query.js';
import { checkTargetExists } from '../scenarios/check-target.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { monitorChange, monitorCreation, monitorSchema } from '../schemas/monitor.js';
import { afterId } from '../schemas/run.js';
import {
  changeMonitor,
  createMonitor,
  deleteMonitor,
  listMonitors,
  maximumMonitors,
  readMonitor,
  readMonthlyUsage,
  readStandings,
} from './monitor-storage.js';
import { type MonitorRow, monitorView } from './monitor-view.js';

const path = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Id of the monitor.' }),
});

/** `/agent-testing/monitors`: create, list, read, change, delete. */
export function monitorRoutes(server: ApiServer, { database, settings }: ControlDeps): void {
  const views = async (organizationId: string, rows: readonly MonitorRow[]) => {
    const ids = rows.map(({ id }) => id);
    const standings = await readStandings(database, organizationId, ids);
    const usage = await readMonthlyUsage(database, organizationId, ids);
    return rows.map((row) => monitorView(row, standings(row.id), usage(row.id)));
  };
  const view = async (organizationId: string, row: MonitorRow) => (await views(organizationId, [row]))[0]!;

  server.post(
    '/agent-testing/monitors',
    {
      schema: {
        operationId: 'createTestMonitor',
        errors: ['NOT_FOUND', 'TOO_MANY_TEST_MONITORS'],
        tags,
        summary: 'Create a test monitor',
        description: `Judges a share of the answered calls of a number or persona with the assertions of a scenario, a minute after their end, and alerts when they pass less often than required, or than before. Calls whose agent stored no messages in the memory of a contact are not judged. At most ${maximumMonitors} per organization.`,
        body: monitorCreation,
        example: {
          name: 'Front desk',
          scenario_id: '4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d',
          number: '+14155550100',
          share: 0.1,
        },
        response: answers(monitorSchema),
      },
    },
    async ({ body, caller, operationId }) => {
      const { organizationId } = caller;
      await checkTargetExists({ database, notices: settings.notices }, organizationId, {
        persona_id: body.persona_id,
      });
      return success(
        await view(organizationId, await createMonitor(database, organizationId, operationId, body)),
      );
    },
  );

  server.get(
    '/agent-testing/monitors',
    {
      schema: {
        operationId: 'listTestMonitors',
        tags,
        summary: 'List test monitors',
        description: 'Newest first, with what their latest calls show.',
        querystring: z.strictObject({ limit: pageLimit(maximumMonitors, maximumMonitors), after: afterId }),
        response: listAnswers(
          z.object({ monitors: z.array(monitorSchema).meta({ description: 'The monitors.' }) }),
        ),
      },
    },
    async ({ query, caller }) => {
      const { rows, next } = await listMonitors(database, caller.organizationId, query);
      return listed({ monitors: await views(caller.organizationId, rows) }, next);
    },
  );

  server.get(
    '/agent-testing/monitors/:id',
    {
      schema: {
        operationId: 'getTestMonitor',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a test monitor',
        description:
          'With what its latest calls show. `GET /v1/agent-testing/runs?monitor_id=` has the calls that it judged.',
        params: path,
        response: answers(monitorSchema),
      },
    },
    async ({ params, caller }) =>
      success(
        await view(caller.organizationId, await readMonitor(database, caller.organizationId, params.id)),
      ),
  );

  server.patch(
    '/agent-testing/monitors/:id',
    {
      schema: {
        operationId: 'updateTestMonitor',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Change or pause a test monitor',
        description:
          'Omitted fields keep their value. `enabled` false pauses it; calls that end meanwhile are not judged. Scenario, number and persona stay, so that results are comparable.',
        params: path,
        body: monitorChange,
        example: { enabled: false },
        response: answers(monitorSchema),
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId } = caller;
      return success(
        await view(organizationId, await changeMonitor(database, organizationId, params.id, body)),
      );
    },
  );

  server.delete(
    '/agent-testing/monitors/:id',
    {
      schema: {
        operationId: 'deleteTestMonitor',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Delete a test monitor',
        description: 'The runs of the calls that it judged stay.',
        params: path,
        response: answers(z.object({ id: z.string(), deleted: z.literal(true) })),
      },
    },
    async ({ params, caller }) => {
      await deleteMonitor(database, caller.organizationId, params.id);
      return success({ id: params.id, deleted: true as const });
    },
  );
}
