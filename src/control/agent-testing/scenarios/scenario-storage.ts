import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { SecretBox, SecretPlace } from '../../../contract/secret.js';
import { DemarcError } from '../../../errors.js';
import { lockForOrganization } from '../../database/lock.js';
import type { Database } from '../../database/tables.js';
import { isUuid } from '../../database/uuid.js';
import { InvalidRequest } from '../../http/validation.js';
import { agentKeyPlace } from '../conversation/agent-keys.js';
import type { AssertionInput } from '../schemas/assertion.js';
import type { AgentInput, Category, ScenarioCreation, ScenarioUpdate } from '../schemas/scenario.js';
import type { AgentTestAssertionsTable, AgentTestRunsTable, AgentTestScenariosTable } from '../tables.js';
import { pageFrom, pageStart } from './page-start.js';

export type ScenarioRow = Selectable<AgentTestScenariosTable>;
export type AssertionRow = Selectable<AgentTestAssertionsTable>;

export interface Scenario {
  readonly row: ScenarioRow;
  /** In their order. */
  readonly assertions: readonly AssertionRow[];
}

export interface ScenarioStorageDeps {
  readonly database: Kysely<Database>;
  readonly secrets: SecretBox;
}

/** Scenarios per organization; bounds runaway scripts. */
export const maximumScenarios = 5_000;

export const unknownScenario = (id: string): DemarcError =>
  new DemarcError('NOT_FOUND', `Scenario ${id.slice(0, 64)} not found`);

/** Stores a scenario, once for an id. Throws `DemarcError` `TOO_MANY_SCENARIOS`, `SCENARIO_NAME_TAKEN` or `SECRET_KEY_MISSING`, or `InvalidRequest`. */
export async function createScenario(
  { database, secrets }: ScenarioStorageDeps,
  organizationId: string,
  id: string,
  { assertions, agent, ...values }: ScenarioCreation,
): Promise<Scenario> {
  checkConsistency(values);
  return inTransaction(database, async (transaction) => {
    await lockForOrganization(transaction, 'test scenarios', organizationId);
    const { count } = await transaction
      .selectFrom('agent_test_scenarios')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      // Stored by an earlier attempt at the same request, it is not one more.
      .where('id', '<>', id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maximumScenarios) throw new DemarcError('TOO_MANY_SCENARIOS');
    const row = await transaction
      .insertInto('agent_test_scenarios')
      .values({
        ...columnsOf(values),
        ...agentColumns(agent, secrets, agentKeyPlace(organizationId, id)),
        organization_id: organizationId,
        id,
        pathway_id: values.pathway_id ?? null,
        persona_id: values.persona_id ?? null,
      } as never)
      .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
      .returningAll()
      .executeTakeFirst();
    // Already stored by an earlier attempt at the same request.
    if (row === undefined) return readScenario(transaction, organizationId, id);
    return { row, assertions: await insertAssertions(transaction, row, assertions) };
  });
}

/** Omitted fields keep their value. Throws `DemarcError` `NOT_FOUND`, `SCENARIO_NAME_TAKEN` or `SECRET_KEY_MISSING`, or `InvalidRequest`. */
export async function changeScenario(
  { database, secrets }: ScenarioStorageDeps,
  organizationId: string,
  id: string,
  { assertions, agent, ...values }: ScenarioUpdate,
): Promise<Scenario> {
  return inTransaction(database, async (transaction) => {
    const current = await readScenario(transaction, organizationId, id, 'locked');
    if (agent !== undefined && current.row.agent === null)
      throw InvalidRequest.at('agent', 'The scenario tests a pathway or persona; create another one.');
    const row = await transaction
      .updateTable('agent_test_scenarios')
      .set({
        ...columnsOf(values),
        ...(agent === undefined ? {} : changedAgent(agent, current.row, secrets)),
        updated_at: new Date(),
      } as never)
      .where('organization_id', '=', organizationId)
      .where('id', '=', current.row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    checkConsistency(row);
    if (assertions === undefined) return { row, assertions: current.assertions };
    await transaction
      .deleteFrom('agent_test_assertions')
      .where('organization_id', '=', organizationId)
      .where('scenario_id', '=', row.id)
      .execute();
    return { row, assertions: await insertAssertions(transaction, row, assertions) };
  });
}

/** Keeps its runs. Throws `DemarcError` `NOT_FOUND`. */
export async function deleteScenario(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<void> {
  const { row } = await readScenario(database, organizationId, id);
  await database
    .updateTable('agent_test_scenarios')
    .set({ deleted_at: new Date(), agent_key: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', row.id)
    .execute();
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readScenario(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  lock?: 'locked',
): Promise<Scenario> {
  if (!isUuid(id)) throw unknownScenario(id);
  let query = database
    .selectFrom('agent_test_scenarios')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  if (lock !== undefined) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (row === undefined) throw unknownScenario(id);
  return (await withAssertions(database, organizationId, [row]))[0]!;
}

/** The scenarios with these ids, without deleted ones. */
export async function readScenarios(
  database: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
): Promise<Scenario[]> {
  const rows = await database
    .selectFrom('agent_test_scenarios')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${ids.filter(isUuid)}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  return withAssertions(database, organizationId, rows);
}

export interface ScenarioFilter {
  readonly pathway_id?: string | undefined;
  readonly persona_id?: string | undefined;
  readonly category?: Category | undefined;
  readonly enabled?: boolean | undefined;
  readonly required?: boolean | undefined;
}

export interface ScenarioPage {
  readonly limit: number;
  /** Id of the last entry of the previous page. */
  readonly after?: string | undefined;
}

export type MostRecentRun = Pick<
  Selectable<AgentTestRunsTable>,
  'id' | 'status' | 'overall_score' | 'completed_at'
>;

/** Newest first. Throws `InvalidRequest` when `after` is none of them. */
export async function listScenarios(
  database: Kysely<Database>,
  organizationId: string,
  filter: ScenarioFilter,
  { limit, after }: ScenarioPage,
): Promise<{ readonly scenarios: readonly Scenario[]; readonly next: string | null }> {
  let query = database
    .selectFrom('agent_test_scenarios')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null);
  if (filter.pathway_id !== undefined) query = query.where('pathway_id', '=', filter.pathway_id);
  if (filter.persona_id !== undefined) query = query.where('persona_id', '=', filter.persona_id);
  if (filter.category !== undefined) query = query.where('category', '=', filter.category);
  if (filter.enabled !== undefined) query = query.where('enabled', '=', filter.enabled);
  if (filter.required !== undefined) query = query.where('is_required_for_promotion', '=', filter.required);
  query = query.where(await pageStart(database, 'agent_test_scenarios', organizationId, after));
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = pageFrom(rows, limit);
  return { scenarios: await withAssertions(database, organizationId, page.rows), next: page.next };
}

/** The latest run of each scenario. */
export async function mostRecentRuns(
  database: Kysely<Database>,
  organizationId: string,
  scenarioIds: readonly string[],
): Promise<ReadonlyMap<string, MostRecentRun>> {
  const { rows } = await sql<MostRecentRun & { scenario_id: string }>`
    select wanted.id as scenario_id, run.id, run.status, run.overall_score, run.completed_at
    from unnest(${[...scenarioIds]}::uuid[]) as wanted (id)
    cross join lateral (
      select id, status, overall_score, completed_at from agent_test_runs
      where organization_id = ${organizationId} and scenario_id = wanted.id
      order by created_at desc limit 1
    ) as run`.execute(database);
  return new Map(rows.map(({ scenario_id, ...run }) => [scenario_id, run]));
}

async function withAssertions(
  database: Kysely<Database>,
  organizationId: string,
  rows: readonly ScenarioRow[],
): Promise<Scenario[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const assertions = await database
    .selectFrom('agent_test_assertions')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('scenario_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    row,
    assertions: assertions.filter(({ scenario_id }) => scenario_id === row.id),
  }));
}

async function insertAssertions(
  transaction: Transaction<Database>,
  { organization_id, id }: ScenarioRow,
  assertions: readonly AssertionInput[],
): Promise<AssertionRow[]> {
  if (assertions.length === 0) return [];
  const rows = await transaction
    .insertInto('agent_test_assertions')
    .values(
      inOrder(assertions).map(({ id: own, type, name, config, is_required, weight }, position) => ({
        organization_id,
        scenario_id: id,
        position,
        type,
        name,
        is_required,
        weight,
        id: own ?? randomUUID(),
        config: JSON.stringify(config),
      })),
    )
    .returningAll()
    .execute();
  return rows.sort((left, right) => left.position - right.position);
}

/** By `order`, those without one where they stand. */
const inOrder = (assertions: readonly AssertionInput[]): readonly AssertionInput[] =>
  assertions
    .map((assertion, index) => ({ assertion, order: assertion.order ?? index }))
    .sort((left, right) => left.order - right.order)
    .map(({ assertion }) => assertion);

const jsonFields = ['request_data', 'input_messages', 'webhook_mocks', 'voice', 'metadata'] as const;

/** Columns of the given fields. */
function columnsOf(values: Omit<ScenarioUpdate, 'agent' | 'assertions'>): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(values)) {
    if (value === undefined || field === 'pathway_id' || field === 'persona_id') continue;
    const isJson = (jsonFields as readonly string[]).includes(field) && value !== null;
    columns[field] = isJson ? JSON.stringify(value) : value;
  }
  return columns;
}

function agentColumns(
  agent: AgentInput | null | undefined,
  secrets: SecretBox,
  place: SecretPlace,
): Record<string, unknown> {
  if (agent === null || agent === undefined) return { agent: null, agent_key: null };
  const { url = null, model, sip_uri = null, api_key: key } = agent;
  if (key !== undefined && !secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
  return {
    agent: JSON.stringify({ url: url?.replace(/\/+$/, '') ?? null, model, sip_uri }),
    ...(key === undefined ? {} : { agent_key: secrets.seal(key, place) }),
  };
}

/** The stored key stays with its own address: a new URL must not get it. */
function changedAgent(agent: AgentInput, current: ScenarioRow, secrets: SecretBox): Record<string, unknown> {
  const place = agentKeyPlace(current.organization_id, current.id);
  const columns = agentColumns(agent, secrets, place);
  const isSameAddress = current.agent?.url === (agent.url?.replace(/\/+$/, '') ?? null);
  return agent.api_key === undefined && !isSameAddress ? { ...columns, agent_key: null } : columns;
}

type Checked = Pick<
  ScenarioCreation,
  'scenario_type' | 'channel' | 'tester_persona_prompt' | 'input_messages'
>;

/** Throws `InvalidRequest` for fields that exclude or need each other. */
function checkConsistency({
  scenario_type: type,
  channel,
  tester_persona_prompt: prompt,
  input_messages,
}: Checked): void {
  if (type === 'AGENT' && prompt.trim() === '')
    throw InvalidRequest.at(
      'tester_persona_prompt',
      'Required for scenarios of type AGENT: say how the caller behaves.',
    );
  if (type === 'REPLAY' && !input_messages.some(({ role }) => role === 'user'))
    throw InvalidRequest.at('input_messages', 'REPLAY needs messages of the user to say.');
  if (type === 'HISTORICAL' && input_messages.length === 0)
    throw InvalidRequest.at('input_messages', 'HISTORICAL needs the recorded conversation.');
  if (type === 'HISTORICAL' && channel === 'voice')
    throw InvalidRequest.at('channel', 'HISTORICAL holds no conversation, so it has no channel voice.');
}

/** Turns a taken name into its error. */
async function inTransaction(
  database: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<Scenario>,
): Promise<Scenario> {
  try {
    return await database.transaction().execute(work);
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'agent_test_scenarios_name')
      throw new DemarcError('SCENARIO_NAME_TAKEN', { cause: error });
    throw error;
  }
}
