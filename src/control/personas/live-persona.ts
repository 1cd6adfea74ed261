import { type Kysely, sql, type Transaction } from 'kysely';
import type { CallCommand } from '../../contract/commands.js';
import { maximumKnowledgeBases, type NumberPersona } from '../../contract/number.js';
import type { Database } from '../database/tables.js';
import { isUuid } from '../database/uuid.js';
import { InvalidRequest } from '../http/validation.js';
import { agentForEdges, type StoredAgent } from '../numbers/agent-streams.js';
import { readSigningSecrets } from '../numbers/stream-secrets.js';
import { type References, readKnowledge } from './references.js';

/** What an order to call says of its agent. */
export interface AgentOfOrder {
  readonly personaId: string | undefined;
  readonly tools: readonly string[] | undefined;
  /** Of the order within the request, with a dot at its end; empty: the request itself. */
  readonly path: string;
}

/**
 * Knowledge bases that the tools of each order name. Throws `InvalidRequest` for knowledge that does not exist, and for personas
 * that do not exist, are deleted or were never promoted.
 */
export async function checkAgents(
  database: Kysely<Database>,
  organizationId: string,
  orders: readonly AgentOfOrder[],
): Promise<string[][]> {
  const lists: References[] = orders.map(({ tools = [], path }) => ({ ids: tools, path: `${path}tools` }));
  const knowledge = await readKnowledge(database, organizationId, lists);
  const asked = new Set(orders.flatMap(({ personaId }) => personaId ?? []));
  const live = await readLive(database, organizationId, [...asked].filter(isUuid), 'existing');
  for (const { personaId, path } of orders) {
    if (personaId === undefined) continue;
    const found = live.get(personaId.toLowerCase());
    const field = `${path}persona_id`;
    if (found === undefined)
      throw InvalidRequest.at(field, `${personaId} is not one of your personas, or is deleted.`);
    if (found.version === null) {
      const advice = `promote its draft first (POST /v1/personas/${personaId}/versions/promote).`;
      throw InvalidRequest.at(field, `The persona ${personaId} has no live version: ${advice}`);
    }
  }
  for (const [index, { personaId = '', path }] of orders.entries()) {
    const all = new Set([...(live.get(personaId.toLowerCase())?.kbIds ?? []), ...knowledge[index]!]);
    if (all.size <= maximumKnowledgeBases) continue;
    const message = `The persona and tools name ${all.size} knowledge bases together; a call can have at most ${maximumKnowledgeBases}.`;
    throw InvalidRequest.at(`${path}tools`, message);
  }
  return knowledge;
}

/**
 * The commands with the version of their persona that is live now, its knowledge and its agent. A persona that was deleted since the order
 * keeps its last live version for it.
 */
export async function withLivePersonas<Command extends Omit<CallCommand, 'expires_at'>>(
  database: Kysely<Database>,
  commands: readonly Command[],
): Promise<Command[]> {
  const live = new Map<string, LivePersona>();
  // One, unless the number changed hands since the orders.
  for (const organization of new Set(commands.map((command) => command.organization))) {
    const own = commands.filter((command) => command.organization === organization);
    const ids = new Set(own.flatMap(({ persona_id: id }) => id ?? []));
    const found = await readLive(database, organization, [...ids].filter(isUuid), 'ever');
    for (const persona of found.values()) live.set(`${organization} ${persona.id}`, persona);
  }
  const signed = [...live].flatMap(([key, { agent }]) => (agent === null ? [] : key.split(' ')[0]!));
  const signing = await readSigningSecrets(database, [...new Set(signed)]);
  return commands.map((command) => {
    const { organization, persona_id: id = '' } = command;
    const found = live.get(`${organization} ${id.toLowerCase()}`);
    return withVersion(command, found, signing.get(organization) ?? []);
  });
}

function withVersion<Command extends Omit<CallCommand, 'expires_at'>>(
  command: Command,
  found: LivePersona | undefined,
  signing: readonly string[],
): Command {
  const { knowledge_ids: own = [] } = command;
  // An order from before personas names one that Demarc does not know.
  if (found === undefined || found.version === null) return command;
  const knowledge = [...new Set([...found.kbIds, ...own])].slice(0, maximumKnowledgeBases);
  return {
    ...command,
    persona_id: found.id,
    persona_version: found.version,
    ...(knowledge.length === 0 ? {} : { knowledge_ids: knowledge }),
    // The order's own agent is the more specific one.
    ...(found.agent === null || command.agent_uri !== undefined ? {} : agentForEdges(found.agent, signing)),
  };
}

interface LivePersona {
  readonly id: string;
  /** Null: never promoted. */
  readonly version: number | null;
  readonly kbIds: readonly string[];
  readonly agent: StoredAgent | null;
}

async function readLive(
  database: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
  which: 'existing' | 'ever',
): Promise<ReadonlyMap<string, LivePersona>> {
  if (ids.length === 0) return new Map();
  let query = database
    .selectFrom('personas')
    .leftJoin('persona_versions', (join) =>
      join
        .onRef('persona_versions.organization_id', '=', 'personas.organization_id')
        .onRef('persona_versions.persona_id', '=', 'personas.id')
        .on('persona_versions.state', '=', 'production'),
    )
    .select(['personas.id', 'version_number', 'kb_ids', 'agent'])
    .where('personas.organization_id', '=', organizationId)
    .where('personas.id', '=', sql<string>`any(${[...ids]}::uuid[])`);
  if (which === 'existing') query = query.where('deleted_at', 'is', null);
  const rows = await query.execute();
  return new Map(
    rows.map((row) => [
      row.id,
      { id: row.id, version: row.version_number, kbIds: row.kb_ids ?? [], agent: row.agent },
    ]),
  );
}

/** The live versions of the personas that answer these numbers; none before the first promotion. */
export async function readNumberPersonas(
  database: Kysely<Database> | Transaction<Database>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, { readonly persona: NumberPersona; readonly agent: StoredAgent | null }>> {
  if (numbers.length === 0) return new Map();
  const rows = await database
    .selectFrom('numbers')
    .innerJoin('persona_versions', (join) =>
      join
        .onRef('persona_versions.organization_id', '=', 'numbers.organization_id')
        .onRef('persona_versions.persona_id', '=', 'numbers.persona_id'),
    )
    .select(['number', 'persona_versions.persona_id', 'version_number', 'kb_ids', 'agent'])
    .where('number', 'in', numbers)
    .where('state', '=', 'production')
    .execute();
  return new Map(
    rows.map(({ number, persona_id: id, version_number: version, kb_ids: knowledge, agent }) => [
      number,
      { persona: { id, version, ...(knowledge.length === 0 ? {} : { knowledge_ids: knowledge }) }, agent },
    ]),
  );
}
