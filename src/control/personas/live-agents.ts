import { type Kysely, sql, type Transaction } from 'kysely';
import type { CallCommand } from '../../contract/commands.js';
import type { Database } from '../database/tables.js';
import { isUuid } from '../database/uuid.js';
import { type References, readKnowledge } from '../knowledge/index.js';
import { readSigningSecrets } from '../numbers/stream-secrets.js';
import { checkPathways, readFollowed, readNumberPathways } from '../pathways/index.js';
import {
  type AgentOfOrder,
  type LivePersona,
  type NumberAgent,
  numberAgent,
  pathwayOf,
  requireFewBases,
  requireLive,
  withVersions,
} from './call-agent.js';

/**
 * Knowledge bases that the tools of each order name. Throws `InvalidRequest` for knowledge that does not exist, and for personas
 * and pathways that do not exist, are deleted or were never promoted.
 */
export async function checkAgents(
  database: Kysely<Database>,
  organizationId: string,
  orders: readonly AgentOfOrder[],
): Promise<string[][]> {
  const lists: References[] = orders.map(({ tools = [], path }) => ({ ids: tools, path: `${path}tools` }));
  const knowledge = await readKnowledge(database, organizationId, lists);
  const pathways = await checkPathways(
    database,
    organizationId,
    orders.map(({ pathwayId: id, pathwayVersion: version, path }) => ({ id, version, path })),
  );
  const asked = new Set(orders.flatMap(({ personaId }) => personaId ?? []));
  const live = await readLive(database, organizationId, [...asked].filter(isUuid), 'existing');
  for (const [index, order] of orders.entries()) {
    const persona = live.get(order.personaId?.toLowerCase() ?? '');
    requireLive(order, persona);
    requireFewBases(order.path, persona?.kbIds ?? [], pathways[index]!, knowledge[index]!);
  }
  return knowledge;
}

/**
 * The commands with the versions of their persona and pathway that are live now, their knowledge and the agent. A persona or pathway that was
 * deleted since the order keeps its last live version for it. The pathway of an order takes precedence over that of its persona.
 */
export async function withLiveAgents<Command extends Omit<CallCommand, 'expires_at'>>(
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
  const personas = commands.map(({ organization, persona_id: id = '' }) =>
    live.get(`${organization} ${id.toLowerCase()}`),
  );
  const signed = [...live].flatMap(([key, { agent }]) => (agent === null ? [] : key.split(' ')[0]!));
  const signing = await readSigningSecrets(database, [...new Set(signed)]);
  const references = commands.map((command, index) => pathwayOf(command, personas[index]));
  const named = references.flatMap((reference) => reference ?? []);
  const followed = (await readFollowed(database, named)).values();
  return commands.map((command, index) => {
    const pathway = references[index] === undefined ? undefined : followed.next().value;
    return withVersions(command, personas[index], pathway, signing.get(command.organization) ?? []);
  });
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
    .select(['personas.id', 'version_number', 'kb_ids', 'pathway_id', 'pathway_version', 'voice', 'agent'])
    .where('personas.organization_id', '=', organizationId)
    .where('personas.id', '=', sql<string>`any(${[...ids]}::uuid[])`);
  if (which === 'existing') query = query.where('deleted_at', 'is', null);
  const rows = await query.execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        version: row.version_number,
        kbIds: row.kb_ids ?? [],
        pathway: row.pathway_id === null ? undefined : { id: row.pathway_id, version: row.pathway_version },
        voice: row.voice ?? undefined,
        agent: row.agent,
      },
    ]),
  );
}

/**
 * The live versions of the personas that answer these numbers, none before the first promotion, and of the pathways that their calls
 * follow: the number's own, else that of the persona.
 */
export async function readNumberAgents(
  database: Kysely<Database> | Transaction<Database>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, NumberAgent>> {
  if (numbers.length === 0) return new Map();
  const rows = await database
    .selectFrom('numbers')
    .innerJoin('persona_versions', (join) =>
      join
        .onRef('persona_versions.organization_id', '=', 'numbers.organization_id')
        .onRef('persona_versions.persona_id', '=', 'numbers.persona_id'),
    )
    .select(['number', 'numbers.organization_id', 'persona_versions.persona_id', 'version_number', 'kb_ids'])
    .select(['persona_versions.pathway_id', 'persona_versions.pathway_version', 'voice', 'agent'])
    .where('number', 'in', numbers)
    .where('state', '=', 'production')
    .execute();
  const own = await readNumberPathways(database, numbers);
  const ofPersonas = rows.flatMap(
    ({ organization_id: organizationId, pathway_id: id, pathway_version: version }) =>
      id === null ? [] : [{ organizationId, id, version }],
  );
  const followed = (await readFollowed(database, ofPersonas)).values();
  const agents = new Map<string, NumberAgent>(
    [...own].map(([number, pathway]) => [number, numberAgent(undefined, pathway)]),
  );
  for (const {
    number,
    persona_id: id,
    version_number: version,
    kb_ids: knowledge,
    pathway_id,
    voice,
    agent,
  } of rows) {
    const ofPersona = pathway_id === null ? undefined : followed.next().value;
    const pathway = own.get(number) ?? ofPersona;
    agents.set(number, numberAgent({ id, version, knowledge, voice, agent }, pathway));
  }
  return agents;
}
