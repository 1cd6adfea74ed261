import type { Kysely, Selectable } from 'kysely';
import { DemarcError } from '../../errors.js';
import { lockForOrganization } from '../database/lock.js';
import type { Database } from '../database/tables.js';
import { isUuid } from '../database/uuid.js';
import type { WebAgentsTable } from './tables.js';

export type AgentRow = Selectable<WebAgentsTable>;

export interface AgentValues {
  readonly tools?: readonly string[] | undefined;
  /** The knowledge bases among the tools. */
  readonly kbIds?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Agents per organization; bounds runaway scripts. */
export const maximumAgents = 1_000;

export const unknownAgent = (): DemarcError => new DemarcError('NOT_FOUND', 'Agent not found');

const columnsOf = ({ tools, kbIds, metadata }: AgentValues) => ({
  ...(tools === undefined ? {} : { tools: JSON.stringify(tools) }),
  ...(kbIds === undefined ? {} : { kb_ids: JSON.stringify(kbIds) }),
  ...(metadata === undefined ? {} : { metadata: metadata === null ? null : JSON.stringify(metadata) }),
});

/** Stores an agent, once for an id. Throws `DemarcError` `TOO_MANY_AGENTS`. */
export function createAgent(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  values: AgentValues,
): Promise<AgentRow> {
  return database.transaction().execute(async (transaction) => {
    await lockForOrganization(transaction, 'web agents', organizationId);
    const { count } = await transaction
      .selectFrom('web_agents')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('organization_id', '=', organizationId)
      // Stored by an earlier attempt at the same request, it is not one more.
      .where('id', '<>', id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maximumAgents) throw new DemarcError('TOO_MANY_AGENTS');
    return (
      transaction
        .insertInto('web_agents')
        .values({ tools: '[]', kb_ids: '[]', ...columnsOf(values), organization_id: organizationId, id })
        // Already stored by an earlier attempt at the same request.
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'id']).doUpdateSet({ updated_at: new Date() }),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
    );
  });
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function changeAgent(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  values: AgentValues,
): Promise<AgentRow> {
  if (!isUuid(id)) throw unknownAgent();
  const row = await database
    .updateTable('web_agents')
    .set({ ...columnsOf(values), updated_at: new Date() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw unknownAgent();
  return row;
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function readAgent(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<AgentRow> {
  const row = isUuid(id)
    ? await database
        .selectFrom('web_agents')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw unknownAgent();
  return row;
}

/** All of them, newest first: there are `maximumAgents` at most. */
export function readAgents(database: Kysely<Database>, organizationId: string): Promise<AgentRow[]> {
  return database
    .selectFrom('web_agents')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Throws `DemarcError` `NOT_FOUND`. */
export async function deleteAgent(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<void> {
  const row = await readAgent(database, organizationId, id);
  await database
    .deleteFrom('web_agents')
    .where('organization_id', '=', organizationId)
    .where('id', '=', row.id)
    .execute();
}
