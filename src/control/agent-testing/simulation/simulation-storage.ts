import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { isUuid } from '../../database/uuid.js';
import { InvalidRequest } from '../../http/validation.js';
import { readUsage } from '../budget/usage-sum.js';
import type { RunOrder, Runs } from '../runs/run-order.js';
import { variationsOf } from '../runs/variations.js';
import type { Variation } from '../schemas/matrix.js';
import type { UsageSum } from '../schemas/money.js';
import type { RunStatus } from '../schemas/run.js';
import type { simulationStart } from '../schemas/simulation.js';
import type { AgentTestSimulationSetsTable } from './tables.js';

export type SimulationSetRow = Selectable<AgentTestSimulationSetsTable>;

/** What the view reads of a run of a set. */
export interface SimulationRunRow {
  readonly id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly status: RunStatus;
  /** Null: the scenario as it is. */
  readonly variation: Variation | null;
  readonly version_number: number | null;
  readonly agent_model: string | null;
  readonly is_stand_in: boolean;
  readonly score: number | null;
  /** Required assertions that did not pass, or the error. */
  readonly failures: readonly string[];
}

export interface WholeSimulationSet {
  readonly set: SimulationSetRow;
  readonly runs: readonly SimulationRunRow[];
  readonly usage: UsageSum;
}

type SimulationStart = z.output<typeof simulationStart>;

/** What a set runs, for a request or a schedule. */
export interface SetOrder extends Omit<SimulationStart, 'version_number' | 'pathway_id' | 'persona_id'> {
  readonly version_number?: number | 'live' | undefined;
  /** The schedule that starts it. */
  readonly schedule_id?: string | undefined;
}

export interface SimulationDeps {
  readonly database: Kysely<Database>;
  readonly runs: Pick<Runs, 'start' | 'budgetOf' | 'wake'>;
}

/**
 * Stores a set with its runs, once for an id, all or none. Throws `DemarcError` `NOT_FOUND` for a scenario, `RUN_QUEUE_FULL`, `TOKEN_BUDGET_TOO_LOW` or `COST_BUDGET_TOO_LOW`, and
 * `InvalidRequest` for scenarios of another pathway or persona.
 */
export async function startSimulationSet(
  { database, runs }: SimulationDeps,
  organizationId: string,
  id: string,
  order: SimulationStart,
): Promise<SimulationSetRow> {
  const row = await database.transaction().execute(async (transaction) => {
    await requireTarget(transaction, organizationId, order);
    return storeSimulationSet(transaction, runs, organizationId, id, order);
  });
  runs.wake();
  return row;
}

/** As `startSimulationSet`, in a transaction of the caller, who wakes the runs. */
export async function storeSimulationSet(
  transaction: Transaction<Database>,
  runs: Pick<Runs, 'start' | 'budgetOf'>,
  organizationId: string,
  id: string,
  order: SetOrder,
): Promise<SimulationSetRow> {
  const stored = await transaction
    .insertInto('agent_test_simulation_sets')
    .values({
      organization_id: organizationId,
      id,
      scenario_ids: order.scenario_ids.map((scenario) => scenario.toLowerCase()),
      simulations_per_scenario: order.simulations_per_scenario,
      version_number: typeof order.version_number === 'number' ? order.version_number : null,
      trigger_source: order.trigger_source,
      webhook_url: order.webhook_url ?? null,
      matrix: order.matrix === undefined ? null : JSON.stringify(order.matrix),
      schedule_id: order.schedule_id ?? null,
      ...(await runs.budgetOf(transaction, organizationId, 'set', {
        tokens: order.token_budget,
        cost: order.cost_budget,
      })),
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst();
  // Already stored by an earlier attempt at the same request.
  if (stored === undefined) return (await readSet(transaction, organizationId, id))!;
  await runs.start(runOrders(organizationId, id, order), transaction);
  return stored;
}

/** The runs of a set. */
export function runOrders(organizationId: string, setId: string, order: SetOrder): RunOrder[] {
  const variations = order.matrix === undefined ? [undefined] : variationsOf(order.matrix);
  return order.scenario_ids.flatMap((scenarioId) =>
    variations.flatMap((variation) =>
      Array.from({ length: order.simulations_per_scenario }, (_, repetition) => ({
        organizationId,
        scenarioId,
        simulationSetId: setId,
        origin: 'simulation' as const,
        versionNumber: order.version_number,
        channel: order.channel,
        variation,
        seed: order.matrix && order.matrix.seed + repetition,
      })),
    ),
  );
}

/** Throws `InvalidRequest` when a scenario tests something else than the request says. */
async function requireTarget(
  transaction: Transaction<Database>,
  organizationId: string,
  { scenario_ids: ids, pathway_id: pathway, persona_id: persona }: SimulationStart,
): Promise<void> {
  if (pathway === undefined && persona === undefined) return;
  const rows = await transaction
    .selectFrom('agent_test_scenarios')
    .select(['id', 'name', 'pathway_id', 'persona_id'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
  const foreign = rows.find(
    (row) =>
      (pathway !== undefined && row.pathway_id !== pathway.toLowerCase()) ||
      (persona !== undefined && row.persona_id !== persona.toLowerCase()),
  );
  if (foreign === undefined) return;
  const index = ids.findIndex((id) => id.toLowerCase() === foreign.id);
  const target = pathway === undefined ? `persona ${persona}` : `pathway ${pathway}`;
  throw InvalidRequest.at(`scenario_ids.${index}`, `Scenario ${foreign.name} does not test the ${target}.`);
}

const readSet = (database: Kysely<Database>, organizationId: string, id: string) =>
  database
    .selectFrom('agent_test_simulation_sets')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readSimulationSet(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<WholeSimulationSet> {
  const set = isUuid(id) ? await readSet(database, organizationId, id) : undefined;
  if (set === undefined) throw new DemarcError('NOT_FOUND', `Simulation set ${id.slice(0, 64)} not found`);
  const { rows: runs } = await runsQuery(organizationId, set.id).execute(database);
  const usage = (await readUsage(database, organizationId, 'simulation_set_id', [set.id]))(set.id);
  return { set, runs, usage };
}

/** By the index of the set. */
const runsQuery = (organizationId: string, setId: string) => sql<SimulationRunRow>`
  select run.id, run.scenario_id, coalesce(scenario.name, '') as scenario_name, run.status,
    run.variation, run.version_number, run.agent_model, run.is_stand_in, run.overall_score as score,
    case run.status when 'ERROR' then json_build_array(run.error_message) else coalesce((
      select json_agg(coalesce(result.name, result.type) order by result.position)
      from agent_test_results as result
      where result.organization_id = run.organization_id and result.run_id = run.id
        and result.is_required and result.status <> 'PASSED'
    ), '[]') end as failures
  from agent_test_runs as run
  left join agent_test_scenarios as scenario
    on scenario.organization_id = run.organization_id and scenario.id = run.scenario_id
  where run.organization_id = ${organizationId} and run.simulation_set_id = ${setId}::uuid
  order by run.created_at, run.id`;
