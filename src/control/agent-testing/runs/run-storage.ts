import { type Kysely, type Selectable, sql } from 'kysely';
import { DemarcError } from '../../../errors.js';
import type { CallErasure } from '../../area.js';
import type { Database } from '../../database/tables.js';
import { isUuid } from '../../database/uuid.js';
import { readUsage } from '../budget/usage-sum.js';
import { pageFrom, pageStart } from '../scenarios/page-start.js';
import type { UsageSum } from '../schemas/money.js';
import type { RunStatus } from '../schemas/run.js';
import type {
  AgentTestBatchesTable,
  AgentTestConversationsTable,
  AgentTestResultsTable,
  AgentTestRunsTable,
} from '../tables.js';

/** A run with the name of its scenario. */
export type RunRow = Selectable<AgentTestRunsTable> & { readonly scenario_name: string };
export type BatchRow = Selectable<AgentTestBatchesTable>;

export interface WholeRun {
  readonly run: RunRow;
  readonly conversation: Selectable<AgentTestConversationsTable>;
  /** Octets of its sound; null: none. */
  readonly recordedOctets: number | null;
  /** In their order. */
  readonly results: readonly Selectable<AgentTestResultsTable>[];
}

const unknownRun = (id: string): DemarcError =>
  new DemarcError('NOT_FOUND', `Run ${id.slice(0, 64)} not found`);

const runsWithNames = (database: Kysely<Database>) =>
  database
    .selectFrom('agent_test_runs')
    .innerJoin('agent_test_scenarios', (join) =>
      join
        .onRef('agent_test_scenarios.organization_id', '=', 'agent_test_runs.organization_id')
        .onRef('agent_test_scenarios.id', '=', 'agent_test_runs.scenario_id'),
    )
    .selectAll('agent_test_runs')
    .select('agent_test_scenarios.name as scenario_name');

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readRun(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<WholeRun> {
  if (!isUuid(id)) throw unknownRun(id);
  const run = await runsWithNames(database)
    .where('agent_test_runs.organization_id', '=', organizationId)
    .where('agent_test_runs.id', '=', id)
    .executeTakeFirst();
  if (run === undefined) throw unknownRun(id);
  const conversation = await database
    .selectFrom('agent_test_conversations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', id)
    .executeTakeFirstOrThrow();
  const results = await database
    .selectFrom('agent_test_results')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', id)
    .orderBy('position')
    .execute();
  const recording = await database
    .selectFrom('agent_test_recordings')
    .select('octets')
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', id)
    .executeTakeFirst();
  return { run, conversation, results, recordedOctets: recording?.octets ?? null };
}

export interface RunFilter {
  readonly scenario_id?: string | undefined;
  readonly pathway_id?: string | undefined;
  readonly persona_id?: string | undefined;
  readonly batch_id?: string | undefined;
  readonly simulation_set_id?: string | undefined;
  readonly tornado_session_id?: string | undefined;
  readonly monitor_id?: string | undefined;
  readonly load_test_id?: string | undefined;
  readonly call_id?: string | undefined;
  readonly status?: RunStatus | undefined;
}

export interface RunPage {
  readonly limit: number;
  readonly offset: number;
  /** Id of the last entry of the previous page; goes before `offset`. */
  readonly after?: string | undefined;
}

/** Newest first. Throws `InvalidRequest` when `after` is no run. */
export async function listRuns(
  database: Kysely<Database>,
  organizationId: string,
  filter: RunFilter,
  { limit, offset, after }: RunPage,
): Promise<{ readonly rows: readonly RunRow[]; readonly next: string | null; readonly total: number }> {
  const conditions = Object.entries(filter).filter(([, value]) => value !== undefined) as [
    keyof RunFilter,
    string,
  ][];
  let query = runsWithNames(database).where('agent_test_runs.organization_id', '=', organizationId);
  let counting = database
    .selectFrom('agent_test_runs')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('organization_id', '=', organizationId);
  for (const [field, value] of conditions) {
    query = query.where(`agent_test_runs.${field}`, '=', value as never);
    counting = counting.where(field, '=', value as never);
  }
  query = query.where(await pageStart(database, 'agent_test_runs', organizationId, after));
  // Goes before `offset`.
  if (after === undefined) query = query.offset(offset);
  const rows = await query
    .orderBy('agent_test_runs.created_at', 'desc')
    .orderBy('agent_test_runs.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { total } = await counting.executeTakeFirstOrThrow();
  return { ...pageFrom(rows, limit), total };
}

export interface WholeBatch {
  readonly batch: BatchRow;
  readonly runs: readonly RunRow[];
  readonly usage: UsageSum;
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readBatch(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<WholeBatch> {
  const batch = isUuid(id)
    ? await database
        .selectFrom('agent_test_batches')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (batch === undefined) throw new DemarcError('NOT_FOUND', `Batch ${id.slice(0, 64)} not found`);
  const runs = await runsWithNames(database)
    .where('agent_test_runs.organization_id', '=', organizationId)
    .where('agent_test_runs.batch_id', '=', id)
    .orderBy('agent_test_runs.created_at')
    .orderBy('agent_test_runs.id')
    .execute();
  const usage = (await readUsage(database, organizationId, 'batch_id', [id]))(id);
  return { batch, runs, usage };
}

const erasedAtOnce = 500;

/** Deletes the runs that judged these calls, with what was said in them. A run in progress ends without a result. */
export const eraseJudgedCalls =
  (database: Kysely<Database>): CallErasure =>
  async (organizationId, callIds) => {
    for (let at = 0; at < callIds.length; at += erasedAtOnce) {
      await database
        .deleteFrom('agent_test_runs')
        .where('organization_id', '=', organizationId)
        .where('call_id', 'in', callIds.slice(at, at + erasedAtOnce))
        .execute();
    }
  };
