import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { pageLimit } from '../../http/query.js';
import type { RequirePrices } from '../budget/budget-routes.js';
import type { Runs } from '../runs/run-order.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { afterId } from '../schemas/run.js';
import {
  type ScheduleValues,
  scheduleChange,
  scheduleCreation,
  scheduleSchema,
} from '../schemas/schedule.js';
import { runOrders } from '../simulation/simulation-storage.js';
import {
  changedValues,
  changeSchedule,
  createSchedule,
  deleteSchedule,
  listSchedules,
  maximumSchedules,
  readSchedule,
  setOrder,
} from './schedule-storage.js';
import { readScheduleUse } from './schedule-use.js';
import { type ScheduleRow, scheduleView } from './schedule-view.js';

const path = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Id of the schedule.' }),
});

const startErrors = ['TOKEN_BUDGET_TOO_LOW', 'COST_BUDGET_TOO_LOW', 'MODEL_PRICE_UNKNOWN'] as const;

interface ScheduleRouteDeps {
  readonly runs: Pick<Runs, 'check' | 'budgetOf'>;
  readonly requirePrices: RequirePrices;
}

/** `/agent-testing/schedules`: create, list, read, change, delete. */
export function scheduleRoutes(
  server: ApiServer,
  { database }: ControlDeps,
  { runs, requirePrices }: ScheduleRouteDeps,
): void {
  /** What cannot be run, or would use up its budget at once, is refused now, and not found out at night. */
  const check = async (organizationId: string, values: ScheduleValues): Promise<void> => {
    const { budget } = values;
    if (budget !== null && budget.cost !== null) await requirePrices(organizationId);
    const { cost_currency } = await runs.budgetOf(database, organizationId, 'set');
    await runs.check(
      runOrders(organizationId, randomUUID(), setOrder(values)),
      budget === null ? undefined : { token_budget: budget.tokens, cost_budget: budget.cost, cost_currency },
    );
  };
  const views = async (rows: readonly ScheduleRow[]) => {
    const use = await readScheduleUse(database, rows);
    return rows.map((row) => scheduleView(row, use(row)));
  };
  const view = async (row: ScheduleRow) => (await views([row]))[0]!;

  server.post(
    '/agent-testing/schedules',
    {
      schema: {
        operationId: 'createTestSchedule',
        errors: ['NOT_FOUND', 'TOO_MANY_TEST_SCHEDULES', ...startErrors],
        tags,
        summary: 'Create a test schedule',
        description: `Runs scenarios again and again, each time as a simulation set, and alerts when one of them passes less often than required. At most ${maximumSchedules} per organization. A time at which the runs before have not ended is skipped.`,
        body: scheduleCreation,
        example: {
          name: 'Front desk, every morning',
          scenario_ids: ['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d'],
          recurrence: { type: 'daily', time: '06:30', time_zone: 'Europe/Berlin' },
          required_pass_rate: 0.8,
        },
        response: answers(scheduleSchema),
      },
    },
    async ({ body, caller, operationId }) => {
      await check(caller.organizationId, body);
      return success(await view(await createSchedule(database, caller.organizationId, operationId, body)));
    },
  );

  server.get(
    '/agent-testing/schedules',
    {
      schema: {
        operationId: 'listTestSchedules',
        tags,
        summary: 'List test schedules',
        description: 'Newest first, with their state and next time.',
        querystring: z.strictObject({ limit: pageLimit(maximumSchedules, maximumSchedules), after: afterId }),
        response: listAnswers(
          z.object({ schedules: z.array(scheduleSchema).meta({ description: 'The schedules.' }) }),
        ),
      },
    },
    async ({ query, caller }) => {
      const { rows, next } = await listSchedules(database, caller.organizationId, query);
      return listed({ schedules: await views(rows) }, next);
    },
  );

  server.get(
    '/agent-testing/schedules/:id',
    {
      schema: {
        operationId: 'getTestSchedule',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a test schedule',
        description:
          'With its state and next time. `GET /v1/agent-testing/simulation-sets?schedule_id=` has what it ran.',
        params: path,
        response: answers(scheduleSchema),
      },
    },
    async ({ params, caller }) =>
      success(await view(await readSchedule(database, caller.organizationId, params.id))),
  );

  server.patch(
    '/agent-testing/schedules/:id',
    {
      schema: {
        operationId: 'updateTestSchedule',
        errors: ['NOT_FOUND', ...startErrors],
        tags,
        summary: 'Change or pause a test schedule',
        description:
          'Omitted fields keep their value. `enabled` false pauses it; runs in progress continue. A change of `recurrence` or `enabled` sets the next time again.',
        params: path,
        body: scheduleChange,
        example: { enabled: false },
        response: answers(scheduleSchema),
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId } = caller;
      const values = changedValues(await readSchedule(database, organizationId, params.id), body);
      const { scenario_ids, simulations_per_scenario, version, channel, matrix, budget } = body;
      // A schedule whose scenario was deleted can still be paused.
      if (
        [scenario_ids, simulations_per_scenario, version, channel, matrix, budget].some(
          (given) => given !== undefined,
        )
      )
        await check(organizationId, values);
      return success(await view(await changeSchedule(database, organizationId, params.id, body)));
    },
  );

  server.delete(
    '/agent-testing/schedules/:id',
    {
      schema: {
        operationId: 'deleteTestSchedule',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Delete a test schedule',
        description: 'Runs in progress continue; the simulation sets that it started stay.',
        params: path,
        response: answers(z.object({ id: z.string(), deleted: z.literal(true) })),
      },
    },
    async ({ params, caller }) => {
      await deleteSchedule(database, caller.organizationId, params.id);
      return success({ id: params.id, deleted: true as const });
    },
  );
}
