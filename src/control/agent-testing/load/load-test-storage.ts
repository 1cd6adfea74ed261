import { type Kysely, type Selectable, sql } from 'kysely';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { isUuid } from '../../database/uuid.js';
import type { RunOrder, Runs } from '../runs/run-order.js';
import { pageFrom, pageStart } from '../scenarios/page-start.js';
import type { LoadTestOrder, LoadTestStatus } from '../schemas/load-test.js';
import { requireWithin } from './caller-limits.js';
import { planOf } from './plan.js';
import { type LimitSettings, readCallerLimits } from './read-caller-limits.js';
import type { CallerRun } from './step-figures.js';
import type { AgentTestLoadTestsTable } from './tables.js';

export type LoadTestRow = Selectable<AgentTestLoadTestsTable>;

export interface LoadTestDeps {
  readonly database: Kysely<Database>;
  readonly settings: LimitSettings;
  readonly runs: Pick<Runs, 'check' | 'budgetOf'>;
}

/**
 * Stores a load test, once for an id. Throws `DemarcError` `NOT_FOUND` for a scenario, `LOAD_TEST_RUNNING`, `TOKEN_BUDGET_TOO_LOW` or `COST_BUDGET_TOO_LOW`, and
 * `InvalidRequest` for steps that a limit does not allow, and scenarios that cannot be run so.
 */
export async function storeLoadTest(
  { database, settings, runs }: LoadTestDeps,
  organizationId: string,
  id: string,
  order: LoadTestOrder,
): Promise<LoadTestRow> {
  const earlier = await readRow(database, organizationId, id);
  if (earlier !== undefined) return earlier;
  const steps = planOf(order);
  const limits = await readCallerLimits(database, settings, organizationId, order);
  const field = order.concurrency === undefined ? 'maximum_concurrency' : 'concurrency';
  requireWithin(steps.at(-1)!.concurrency, limits, field);
  const budget = await runs.budgetOf(database, organizationId, 'set', {
    tokens: order.token_budget,
    cost: order.cost_budget,
  });
  const values = {
    organization_id: organizationId,
    id,
    scenario_ids: order.scenario_ids.map((scenario) => scenario.toLowerCase()),
    version_number: order.version_number ?? null,
    channel: order.channel ?? null,
    seconds_per_step: order.seconds_per_step ?? null,
    required_success_rate: order.required_success_rate,
    maximum_latency_ms: order.maximum_latency_ms ?? null,
    stop_below: order.stop_below ?? null,
    webhook_url: order.webhook_url ?? null,
    ...budget,
  };
  const callers = steps.flatMap(({ concurrency, callers: all }, step) =>
    // How many begin in the seconds of a step is not known before.
    Array.from({ length: order.seconds_per_step === undefined ? all : concurrency }, (_, ordinal) =>
      callerOrder(values, step, ordinal),
    ),
  );
  await runs.check(callers, budget);
  const stored = await database
    .insertInto('agent_test_load_tests')
    .values({ ...values, steps: JSON.stringify(steps) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (stored === undefined) throw new DemarcError('LOAD_TEST_RUNNING');
  return stored;
}

/** The run of one caller of a step. @param ordinal from 0: callers take the scenarios in turn */
export const callerOrder = (
  test: Pick<LoadTestRow, 'organization_id' | 'id' | 'scenario_ids' | 'version_number' | 'channel'>,
  step: number,
  ordinal: number,
): RunOrder => ({
  organizationId: test.organization_id,
  scenarioId: test.scenario_ids[ordinal % test.scenario_ids.length]!,
  versionNumber: test.version_number ?? undefined,
  channel: test.channel ?? undefined,
  // Releases before do not know load tests as what starts a run.
  origin: 'api',
  loadTestId: test.id,
  loadStep: step,
});

const readRow = (database: Kysely<Database>, organizationId: string, id: string) =>
  database
    .selectFrom('agent_test_load_tests')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readLoadTest(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<LoadTestRow> {
  const row = isUuid(id) ? await readRow(database, organizationId, id) : undefined;
  if (row === undefined) throw new DemarcError('NOT_FOUND', `Load test ${id.slice(0, 64)} not found`);
  return row;
}

/** Newest first. Throws `InvalidRequest` when `after` is no load test. */
export async function listLoadTests(
  database: Kysely<Database>,
  organizationId: string,
  { status }: { readonly status?: LoadTestStatus | undefined },
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly rows: readonly LoadTestRow[]; readonly next: string | null }> {
  let query = database
    .selectFrom('agent_test_load_tests')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(await pageStart(database, 'agent_test_load_tests', organizationId, after));
  if (status !== undefined) query = query.where('status', '=', status);
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageFrom(rows, limit);
}

type Key = Pick<LoadTestRow, 'organization_id' | 'id'>;

/** What the callers of a step did so far. */
export async function readCallers(
  database: Kysely<Database>,
  { organization_id: organizationId, id }: Key,
  step: number,
): Promise<CallerRun[]> {
  const { rows } = await sql<CallerRun>`
    select run.status, run.error_message, run.failed_by, run.sip_status, run.answer_ms, run.is_stand_in,
      run.started_at, run.completed_at,
      coalesce((
        select json_agg(coalesce(result.name, result.type) order by result.position)
        from agent_test_results as result
        where result.organization_id = run.organization_id and result.run_id = run.id
          and result.is_required and result.status <> 'PASSED'
      ), '[]') as failures,
      coalesce((
        select json_agg((detail ->> 'latency_ms')::int)
        from jsonb_array_elements(conversation.turn_details) as detail
        where detail ->> 'latency_ms' is not null
      ), '[]') as latencies
    from agent_test_runs as run
    join agent_test_conversations as conversation
      on conversation.organization_id = run.organization_id and conversation.run_id = run.id
    where run.organization_id = ${organizationId} and run.load_test_id = ${id}::uuid
      and run.load_step = ${step}`.execute(database);
  return rows;
}

/** Ids of its runs that have not ended, of interrupted steps too. */
export async function openCallers(
  database: Kysely<Database>,
  { organization_id: organizationId, id }: Key,
): Promise<string[]> {
  const rows = await database
    .selectFrom('agent_test_runs')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('load_test_id', '=', id)
    .where('completed_at', 'is', null)
    .execute();
  return rows.map((row) => row.id);
}
