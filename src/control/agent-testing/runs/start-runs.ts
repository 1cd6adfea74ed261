import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { DemarcError } from '../../../errors.js';
import { lockForOrganization } from '../../database/lock.js';
import type { Database } from '../../database/tables.js';
import { pathways } from '../../pathways/index.js';
import { personas } from '../../personas/index.js';
import { problemOfExpected, type SharedLimits } from '../budget/expected-use.js';
import { readMeasuredRuns } from '../budget/measured-runs.js';
import { lowest, readRunLimits } from '../budget/test-budget.js';
import type { Limits } from '../conversation/run-budget.js';
import { readScenarios, type Scenario, unknownScenario } from '../scenarios/scenario-storage.js';
import { type Definition, digestOf } from '../schemas/definition.js';
import { moneyOf } from '../schemas/money.js';
import type { RunChannel } from '../schemas/scenario.js';
import { groupBudget } from './group-budget.js';
import {
  channelOf,
  definitionOf,
  keyOf,
  missingVersion,
  orderedDefinition,
  requireChannel,
} from './run-definition.js';
import type { BatchOrder, GroupBudget, RunOrder, StartedBatch } from './run-order.js';
import { sharedBudget } from './shared-budget.js';

export interface StartDeps {
  /** Runs of one organization that have not ended. */
  readonly queueLength: number;
  /** Channels that this service has. */
  readonly channels: ReadonlySet<RunChannel>;
  /** ISO 4217, of organizations that choose none. */
  readonly currency: string;
}

/** Rows per INSERT: each takes 22 of PostgreSQL's 65,535 parameters. */
const rowsAtOnce = 1_000;

/**
 * Stores runs of one organization, all or none. Throws `DemarcError` `NOT_FOUND` for a scenario, `RUN_QUEUE_FULL`,
 * `TOKEN_BUDGET_TOO_LOW` and `COST_BUDGET_TOO_LOW`, and `InvalidRequest` for a version or a channel that a scenario cannot be run with.
 */
export async function storeRuns(
  transaction: Transaction<Database>,
  { queueLength, channels, currency: usual }: StartDeps,
  orders: readonly RunOrder[],
): Promise<string[]> {
  const [first] = orders;
  if (first === undefined) return [];
  const { organizationId } = first;
  await requireQueueSpace(transaction, organizationId, orders.length, queueLength);
  const prepared = await preparedRuns(transaction, channels, organizationId, orders);
  const { currency, run: most } = await readRunLimits(transaction, organizationId, usual);
  const runs = prepared.map((run) => {
    const { tokens = null, cost = null } = run.order.budget ?? {};
    const limits = {
      tokens: lowest(tokens, most.tokens),
      cost: moneyOf(lowest(cost, most.cost?.amount ?? null), currency),
    };
    return { ...run, limits };
  });
  await requireBudget(transaction, organizationId, first, runs);
  const definitions = new Map(
    runs.map(({ digest, definition }) => [digest.toString('hex'), { digest, definition }]),
  );
  await transaction
    .insertInto('agent_test_definitions')
    .values(
      [...definitions.values()].map(({ digest, definition }) => ({
        organization_id: organizationId,
        digest,
        definition: JSON.stringify(definition),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  for (let at = 0; at < runs.length; at += rowsAtOnce) {
    const some = runs.slice(at, at + rowsAtOnce);
    const stored = await transaction
      .insertInto('agent_test_runs')
      .values(
        some.map(({ id, order, definition, digest, versionNumber, channel, limits }) => ({
          organization_id: organizationId,
          id,
          scenario_id: definition.scenario_id,
          pathway_id: definition.pathway_id,
          persona_id: definition.persona_id,
          version_number: versionNumber,
          definition_digest: digest,
          channel,
          origin: order.origin,
          batch_id: order.batchId ?? null,
          simulation_set_id: order.simulationSetId ?? null,
          tornado_session_id: order.tornadoSessionId ?? null,
          call_id: order.callId ?? null,
          monitor_id: order.monitorId ?? null,
          load_test_id: order.loadTestId ?? null,
          load_step: order.loadStep ?? null,
          variation: order.variation === undefined ? null : JSON.stringify(order.variation),
          token_budget: limits.tokens,
          cost_budget: limits.cost?.amount ?? null,
          cost_currency: currency,
          status: 'PENDING' as const,
          due_at: new Date(),
        })),
      )
      // Stored by an earlier attempt at the same order.
      .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
      .returning('id')
      .execute();
    const isNew = new Set(stored.map(({ id }) => id));
    const conversations = some.filter(({ id }) => isNew.has(id));
    if (conversations.length === 0) continue;
    await transaction
      .insertInto('agent_test_conversations')
      .values(
        conversations.map(({ id, order, definition }) => ({
          organization_id: organizationId,
          run_id: id,
          request_data: JSON.stringify({ ...definition.request_data, ...order.requestDataOverride }),
          webhook_url: order.webhookUrl ?? null,
          ...emptyConversation,
        })),
      )
      .execute();
  }
  return runs.map(({ id }) => id);
}

/**
 * Throws what `storeRuns` would for these orders of one organization, except `RUN_QUEUE_FULL`, and stores nothing: for orders that are
 * to be started later.
 * @param budget of the orders together; undefined: none, and neither `TOKEN_BUDGET_TOO_LOW` nor `COST_BUDGET_TOO_LOW`
 */
export async function checkRuns(
  database: Kysely<Database>,
  { channels }: StartDeps,
  orders: readonly RunOrder[],
  budget: GroupBudget | undefined,
): Promise<void> {
  const [first] = orders;
  if (first === undefined) return;
  const runs = await preparedRuns(database, channels, first.organizationId, orders);
  if (budget === undefined || (budget.token_budget === null && budget.cost_budget === null)) return;
  const limits = {
    tokens: budget.token_budget,
    cost: moneyOf(budget.cost_budget, budget.cost_currency),
  };
  await requireRoom(
    database,
    first.organizationId,
    runs.map((run) => ({ ...run, limits: { tokens: null, cost: null } })),
    { what: 'runs together', limits, used: { tokens: 0, cost: 0 } },
  );
}

async function preparedRuns(
  database: Kysely<Database>,
  channels: StartDeps['channels'],
  organizationId: string,
  orders: readonly RunOrder[],
) {
  const prepared = await preparedScenarios(database, organizationId, orders);
  return orders.map((order) => {
    const { definition, digest, versionNumber } = prepared.get(keyOf(order))!;
    const channel = channelOf(order, definition);
    if (order.callId === undefined) requireChannel(channel, definition, channels);
    return { id: order.id ?? randomUUID(), order, definition, digest, versionNumber, channel };
  });
}

/** A conversation before its first line. */
export const emptyConversation = {
  chat_history: '[]',
  turn_details: '[]',
  variables: '{}',
  webhooks: '[]',
  node_names: '{}',
} as const;

/** Stores a batch with one run for each scenario, once for an id. Throws as `storeRuns`. */
export async function storeBatch(
  transaction: Transaction<Database>,
  deps: StartDeps,
  batch: BatchOrder,
): Promise<StartedBatch> {
  const { organizationId, id, scenarioIds, origin } = batch;
  const stored = await transaction
    .insertInto('agent_test_batches')
    .values({
      organization_id: organizationId,
      id,
      origin,
      total_runs: scenarioIds.length,
      publish_on_pass: batch.publishOnPass ?? false,
      webhook_url: batch.webhookUrl ?? null,
      ...(await groupBudget(
        transaction,
        deps.currency,
        organizationId,
        origin === 'gate' ? 'gate' : 'set',
        batch.budget,
      )),
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (stored === undefined) return { batchId: id, runs: await runsOf(transaction, organizationId, id) };
  const orders = scenarioIds.map((scenarioId) => ({
    organizationId,
    scenarioId,
    origin,
    batchId: id,
    versionNumber: batch.versionNumber,
    channel: batch.channel,
    requestDataOverride: batch.requestDataOverride,
    tornadoSessionId: batch.tornadoSessionId,
  }));
  const ids = await storeRuns(transaction, deps, orders);
  return { batchId: id, runs: ids.map((runId, index) => ({ runId, scenarioId: scenarioIds[index]! })) };
}

/** Adds runs to a batch, one for each id of a scenario, and reopens it if it had ended. Throws as `storeRuns`. */
export async function extendBatch(
  transaction: Transaction<Database>,
  deps: StartDeps,
  { organizationId, id, scenarioIds, origin, versionNumber }: BatchOrder,
): Promise<void> {
  await transaction
    .updateTable('agent_test_batches')
    .set(({ eb }) => ({
      total_runs: eb('total_runs', '+', scenarioIds.length),
      status: null,
      completed_at: null,
    }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
  const orders = scenarioIds.map((scenarioId) => ({
    organizationId,
    scenarioId,
    origin,
    batchId: id,
    versionNumber,
  }));
  await storeRuns(transaction, deps, orders);
}

async function runsOf(database: Kysely<Database>, organizationId: string, batchId: string) {
  const rows = await database
    .selectFrom('agent_test_runs')
    .select(['id', 'scenario_id'])
    .where('organization_id', '=', organizationId)
    .where('batch_id', '=', batchId)
    .execute();
  return rows.map(({ id, scenario_id }) => ({ runId: id, scenarioId: scenario_id }));
}

async function requireQueueSpace(
  transaction: Transaction<Database>,
  organizationId: string,
  count: number,
  queueLength: number,
): Promise<void> {
  await lockForOrganization(transaction, 'test runs', organizationId);
  const { waiting } = await transaction
    .selectFrom('agent_test_runs')
    .select(sql<number>`count(*)::int`.as('waiting'))
    .where('organization_id', '=', organizationId)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow();
  if (waiting + count > queueLength) {
    throw new DemarcError(
      'RUN_QUEUE_FULL',
      `${waiting} have not ended, ${count} more were ordered, ${queueLength} are allowed`,
    );
  }
}

/** Throws `DemarcError` `TOKEN_BUDGET_TOO_LOW` or `COST_BUDGET_TOO_LOW` when the runs would be stopped by a budget, judged by what earlier ones took. */
async function requireBudget(
  transaction: Transaction<Database>,
  organizationId: string,
  { batchId, simulationSetId, loadTestId }: RunOrder,
  runs: readonly BudgetedRun[],
): Promise<void> {
  const shared = await sharedBudget(transaction, {
    organizationId,
    batchId: batchId ?? null,
    simulationSetId: simulationSetId ?? null,
    loadTestId: loadTestId ?? null,
  });
  if (shared === undefined && runs.every(({ limits: { tokens, cost } }) => tokens === null && cost === null))
    return;
  await requireRoom(
    transaction,
    organizationId,
    runs,
    shared && { what: shared.what, limits: shared.limits, used: await shared.used() },
  );
}

interface BudgetedRun {
  readonly definition: Definition;
  readonly channel: RunChannel;
  readonly limits: Limits;
}

async function requireRoom(
  database: Kysely<Database>,
  organizationId: string,
  runs: readonly BudgetedRun[],
  shared: SharedLimits | undefined,
): Promise<void> {
  const measured = new Map(
    await Promise.all(
      [...new Set(runs.map(({ channel }) => channel))].map(async (channel) => {
        const own = runs.filter((run) => run.channel === channel);
        const ids = [...new Set(own.map(({ definition }) => definition.scenario_id))];
        return [channel, await readMeasuredRuns(database, organizationId, ids, channel)] as const;
      }),
    ),
  );
  const problem = problemOfExpected(
    runs.map(({ definition, channel, limits }) => {
      const { tokens = null, cost = null } = measured.get(channel)?.get(definition.scenario_id) ?? {};
      return { name: definition.name, limits, tokens, cost };
    }),
    shared,
  );
  if (problem !== null) throw problem;
}

interface Prepared {
  readonly definition: Definition;
  readonly digest: Buffer;
  readonly versionNumber: number | null;
}

/** Each scenario of the orders as it is now, with its version. */
async function preparedScenarios(
  database: Kysely<Database>,
  organizationId: string,
  orders: readonly RunOrder[],
): Promise<ReadonlyMap<string, Prepared>> {
  const ids = [...new Set(orders.map(({ scenarioId }) => scenarioId))];
  const scenarios = new Map(
    (await readScenarios(database, organizationId, ids)).map((scenario) => [scenario.row.id, scenario]),
  );
  const prepared = new Map<string, Prepared>();
  const versions = new Map<string, number | null>();
  for (const order of orders) {
    if (prepared.has(keyOf(order))) continue;
    const scenario = scenarios.get(order.scenarioId.toLowerCase());
    if (scenario === undefined) throw unknownScenario(order.scenarioId);
    const version = `${order.scenarioId} ${order.versionNumber ?? ''}`;
    if (!versions.has(version))
      versions.set(version, await versionOf(database, organizationId, scenario, order.versionNumber));
    const definition = orderedDefinition(definitionOf(scenario), order);
    prepared.set(keyOf(order), {
      definition,
      digest: digestOf(definition),
      versionNumber: versions.get(version)!,
    });
  }
  return prepared;
}

/** Null: an agent at its own address. Throws `InvalidRequest`. */
async function versionOf(
  database: Kysely<Database>,
  organizationId: string,
  { row: { pathway_id: pathwayId, persona_id: personaId, name } }: Scenario,
  wanted: RunOrder['versionNumber'],
): Promise<number | null> {
  if (pathwayId === null && personaId === null) return null;
  try {
    const version =
      pathwayId === null
        ? await personas.versionForTest(database, organizationId, personaId!, wanted)
        : await pathways.versionForTest(database, organizationId, pathwayId, wanted);
    return version.version_number;
  } catch (error) {
    if (!(error instanceof DemarcError) || error.code !== 'NOT_FOUND') throw error;
    throw missingVersion(name, { pathwayId, personaId }, wanted);
  }
}
