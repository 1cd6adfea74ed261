import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import { isUuid } from '../../database/uuid.js';
import { InvalidRequest } from '../../http/validation.js';
import { LeaseLost } from '../../jobs/drive-service.js';
import { pathways } from '../../pathways/index.js';
import { pageFrom, pageStart } from '../scenarios/page-start.js';
import type { tornadoStart } from '../schemas/tornado.js';
import type {
  AgentTestTornadoIterationsTable,
  AgentTestTornadoSessionsTable,
  TornadoStatus,
} from './tables.js';

export type SessionRow = Selectable<AgentTestTornadoSessionsTable>;
export type IterationRow = Selectable<AgentTestTornadoIterationsTable>;

export interface WholeSession {
  readonly session: SessionRow;
  /** Oldest first. */
  readonly iterations: readonly IterationRow[];
}

const maximumScenarios = 50;

/**
 * Stores a session, once for an id. Throws `DemarcError` `NOT_FOUND` or `TORNADO_ACTIVE`, and `InvalidRequest` for scenarios that do not
 * test the pathway.
 */
export async function startSession(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  order: z.output<typeof tornadoStart>,
): Promise<SessionRow> {
  if (order.persona_id !== undefined) {
    const message =
      'Scenarios of a persona do not depend on a pathway, so that no fix changes them; omit persona_id.';
    throw InvalidRequest.at('persona_id', message);
  }
  const version = await pathways.versionForTest(
    database,
    organizationId,
    order.pathway_id,
    order.version_number,
  );
  return database.transaction().execute(async (transaction) => {
    const earlier = await readSessionRow(transaction, organizationId, id);
    if (earlier !== undefined) return earlier;
    const scenarioIds = await scenariosOf(
      transaction,
      organizationId,
      version.pathway_id,
      order.scenario_ids,
    );
    const stored = await transaction
      .insertInto('agent_test_tornado_sessions')
      .values({
        organization_id: organizationId,
        id,
        pathway_id: version.pathway_id,
        scenario_ids: scenarioIds,
        base_version: version.version_number,
        max_iterations: order.max_iterations,
        runs_per_scenario: order.runs_per_scenario,
        required_pass_rate: order.required_pass_rate,
        timeout_ms: order.timeout_ms,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (stored === undefined) throw new DemarcError('TORNADO_ACTIVE');
    return stored;
  });
}

/** The scenarios of the request, or all enabled ones. Throws `InvalidRequest`. */
async function scenariosOf(
  transaction: Transaction<Database>,
  organizationId: string,
  pathwayId: string,
  wanted: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('agent_test_scenarios')
    .select(['id', 'enabled'])
    .where('organization_id', '=', organizationId)
    .where('pathway_id', '=', pathwayId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  if (wanted === undefined) {
    const enabled = rows.filter((row) => row.enabled).map(({ id }) => id);
    if (enabled.length === 0)
      throw InvalidRequest.at(
        'pathway_id',
        'The pathway has no enabled scenario (POST /v1/agent-testing/scenarios).',
      );
    if (enabled.length > maximumScenarios) {
      const message = `The pathway has ${enabled.length} enabled scenarios; name at most ${maximumScenarios}.`;
      throw InvalidRequest.at('scenario_ids', message);
    }
    return enabled;
  }
  const ids = [...new Set(wanted.map((id) => id.toLowerCase()))];
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined) {
    const index = wanted.findIndex((id) => id.toLowerCase() === unknown);
    throw InvalidRequest.at(`scenario_ids.${index}`, `${unknown} is not a scenario of the pathway.`);
  }
  return ids;
}

const readSessionRow = (database: Kysely<Database>, organizationId: string, id: string) =>
  database
    .selectFrom('agent_test_tornado_sessions')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readSession(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<WholeSession> {
  const session = isUuid(id) ? await readSessionRow(database, organizationId, id) : undefined;
  if (session === undefined) throw new DemarcError('NOT_FOUND', `Session ${id.slice(0, 64)} not found`);
  return { session, iterations: await readIterations(database, organizationId, session.id) };
}

/** In their order. */
export function readIterations(
  database: Kysely<Database>,
  organizationId: string,
  sessionId: string,
): Promise<IterationRow[]> {
  return database
    .selectFrom('agent_test_tornado_iterations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('session_id', '=', sessionId)
    .orderBy('iteration')
    .execute();
}

/** Newest first, each with its iterations. Throws `InvalidRequest` when `after` is no session. */
export async function listSessions(
  database: Kysely<Database>,
  organizationId: string,
  filter: { readonly pathway_id?: string | undefined; readonly status?: TornadoStatus | undefined },
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly rows: readonly WholeSession[]; readonly next: string | null }> {
  let query = database
    .selectFrom('agent_test_tornado_sessions')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(await pageStart(database, 'agent_test_tornado_sessions', organizationId, after));
  if (filter.pathway_id !== undefined) query = query.where('pathway_id', '=', filter.pathway_id);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  const read = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { rows, next } = pageFrom(read, limit);
  const iterations = await database
    .selectFrom('agent_test_tornado_iterations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('session_id', '=', sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
    .orderBy('iteration')
    .execute();
  const whole = rows.map((session) => ({
    session,
    iterations: iterations.filter(({ session_id: id }) => id === session.id),
  }));
  return { rows: whole, next };
}

/** The session that runs for the pathway. Throws `DemarcError` `NOT_FOUND`. */
export async function readActiveSession(
  database: Kysely<Database>,
  organizationId: string,
  pathwayId: string,
): Promise<WholeSession> {
  const row = await database
    .selectFrom('agent_test_tornado_sessions')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('pathway_id', '=', pathwayId)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst();
  if (row === undefined) throw new DemarcError('NOT_FOUND', 'No session is active for the pathway');
  return readSession(database, organizationId, row.id);
}

/** @returns false: it has ended already */
export async function endSession(
  database: Kysely<Database>,
  { organization_id, id }: Pick<SessionRow, 'organization_id' | 'id'>,
  status: Exclude<TornadoStatus, 'RUNNING'>,
  errorMessage: string | null = null,
): Promise<boolean> {
  const now = new Date();
  const row = await database
    .updateTable('agent_test_tornado_sessions')
    .set({ status, error_message: errorMessage, completed_at: now, lease_owner: null, lease_until: null })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Ids of its runs that have not ended. */
export async function unfinishedRuns(
  database: Kysely<Database>,
  { organization_id, id }: Pick<SessionRow, 'organization_id' | 'id'>,
): Promise<string[]> {
  const rows = await database
    .selectFrom('agent_test_runs')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('tornado_session_id', '=', id)
    .where('completed_at', 'is', null)
    .execute();
  return rows.map((row) => row.id);
}

export interface Lease {
  readonly session: SessionRow;
  readonly owner: string;
}

/**
 * Takes sessions that no driver has.
 * @param driven by this process: a drive that lost its lease must end before the next one begins
 */
export async function claimSessions(
  database: Kysely<Database>,
  owner: string,
  {
    limit,
    leaseMilliseconds,
    driven,
  }: {
    readonly limit: number;
    readonly leaseMilliseconds: number;
    readonly driven: readonly string[];
  },
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    update agent_test_tornado_sessions as session set lease_owner = ${owner}::uuid,
      lease_until = now() + make_interval(secs => ${leaseMilliseconds / 1_000})
    from (
      select organization_id, id from agent_test_tornado_sessions
      where status = 'RUNNING' and (lease_until is null or lease_until < now())
        and id <> all(${[...driven]}::uuid[])
      order by created_at limit ${limit} for update skip locked
    ) as free
    where session.organization_id = free.organization_id and session.id = free.id
    returning session.*`.execute(database);
  return rows;
}

/** @returns false: the session has ended, or another driver has it */
export async function renewLease(
  database: Kysely<Database>,
  { session, owner }: Lease,
  leaseMilliseconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    update agent_test_tornado_sessions
    set lease_until = now() + make_interval(secs => ${leaseMilliseconds / 1_000})
    where organization_id = ${session.organization_id} and id = ${session.id} and lease_owner = ${owner}::uuid
      and status = 'RUNNING' returning id`.execute(database);
  return rows.length > 0;
}

/** Lets another driver continue at once. */
export async function releaseLease(database: Kysely<Database>, { session, owner }: Lease): Promise<void> {
  await database
    .updateTable('agent_test_tornado_sessions')
    .set({ lease_owner: null, lease_until: null })
    .where('organization_id', '=', session.organization_id)
    .where('id', '=', session.id)
    .where('lease_owner', '=', owner)
    .execute();
}

/** The session of the lease, which nothing else changes until the end of the transaction. Throws `LeaseLost`. */
export async function lockSession(
  transaction: Transaction<Database>,
  { session, owner }: Lease,
): Promise<SessionRow> {
  const row = await transaction
    .selectFrom('agent_test_tornado_sessions')
    .selectAll()
    .where('organization_id', '=', session.organization_id)
    .where('id', '=', session.id)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'RUNNING')
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new LeaseLost();
  return row;
}
