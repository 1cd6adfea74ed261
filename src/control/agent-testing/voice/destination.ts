import type { Kysely } from 'kysely';
import { agentsOf, maximumKnowledgeBases } from '../../../contract/number.js';
import type { TestGrant } from '../../../contract/test-grant.js';
import { DemarcError } from '../../../errors.js';
import { parseUri } from '../../../sip/uri.js';
import type { Database } from '../../database/tables.js';
import { readPhoneNumber } from '../../http/phone-number.js';
import { agentForEdges, type StoredAgent } from '../../numbers/agent-streams.js';
import { composeNumberDocuments } from '../../numbers/number-documents.js';
import { readSigningSecrets } from '../../numbers/stream-secrets.js';
import {
  type PathwayReference,
  type PathwayToFollow,
  readFollowed,
  readNumberPathways,
} from '../../pathways/index.js';
import { personas, readNumberAgents } from '../../personas/index.js';
import { RunFailure, type TestSubject } from '../conversation/channel.js';

export type Destination = Pick<
  TestGrant,
  'number' | 'agent_uri' | 'stream' | 'persona' | 'pathway' | 'pathway_knowledge_ids' | 'voice'
>;

/** The number and agent that a run by voice calls. Rejects with `RunFailure` where the scenario names none. */
export async function destinationOf(database: Kysely<Database>, subject: TestSubject): Promise<Destination> {
  const { organizationId, definition } = subject;
  const tested = (number: string | null): Promise<Tested> => testedOf(database, subject, number);
  const { voice, agent, persona_id: personaId, pathway_id: pathwayId } = definition;
  const named = voice?.destination;
  const problem = await destinationProblem(database, organizationId, named);
  if (problem !== undefined) throw new RunFailure(`${problem} (voice.destination)`);
  if (named !== undefined && !isSipUri(named)) {
    const number = readPhoneNumber(named)!;
    return { number, ...(await tested(number)) };
  }
  const uri = named ?? agent?.sip_uri ?? null;
  const number = await numberOf(database, organizationId, { personaId, pathwayId });
  const version = await tested(number);
  if (uri !== null) return { ...version, number, agent_uri: uri, stream: undefined };
  if (number !== null || version.agent_uri !== null) return { number, ...version };
  if (personaId === null && pathwayId === null)
    throw new RunFailure('The scenario names no number or SIP URI to call: set voice.destination.');
  const what = personaId === null ? 'follows this pathway' : 'has this persona';
  throw new RunFailure(`No number with an inbound direction ${what}: attach one, or set voice.destination.`);
}

/** The number that a scenario by voice calls, if it calls one of the organization's. */
export async function calledNumber(
  database: Kysely<Database>,
  organizationId: string,
  scenario: Pick<TestSubject['definition'], 'persona_id' | 'pathway_id'> & {
    readonly voice: { readonly destination?: string | undefined } | null;
  },
): Promise<string | null> {
  const named = scenario.voice?.destination;
  if (named !== undefined && !isSipUri(named)) return readPhoneNumber(named) ?? null;
  const { persona_id: personaId, pathway_id: pathwayId } = scenario;
  return numberOf(database, organizationId, { personaId, pathwayId });
}

type Tested = Omit<Destination, 'number'>;

const untested: Tested = {
  agent_uri: null,
  persona: null,
  pathway: null,
  pathway_knowledge_ids: [],
  voice: null,
};

/** What the agent gets of the version under test. @param number null: it has none */
async function testedOf(
  database: Kysely<Database>,
  { organizationId, definition, versionNumber }: TestSubject,
  number: string | null,
): Promise<Tested> {
  const { persona_id: personaId, pathway_id: pathwayId } = definition;
  if (versionNumber === null) return untested;
  if (personaId !== null) {
    const version = await personaOf(database, organizationId, personaId, versionNumber);
    const { persona, pathway, voice, agent } = version;
    const own = number === null ? undefined : (await readNumberPathways(database, [number])).get(number);
    const named = pathway === null ? undefined : { organizationId, ...pathway };
    const [ofPersona] = await readFollowed(database, named === undefined ? [] : [named]);
    const called = await agentOf(database, organizationId, agent, number);
    return { persona, voice, ...called, ...pathwayGrant(own ?? ofPersona) };
  }
  if (pathwayId === null) return untested;
  const [pathway] = await readFollowed(database, [{ organizationId, id: pathwayId, version: versionNumber }]);
  if (pathway === undefined)
    throw new RunFailure(`Version ${versionNumber} of the pathway does not exist any more.`);
  return { ...untested, ...pathwayGrant(pathway) };
}

/** The agent of the version under test; of one without, the number's own, in place of the live version's. */
async function agentOf(
  database: Kysely<Database>,
  organizationId: string,
  agent: StoredAgent | null,
  number: string | null,
): Promise<Pick<Destination, 'agent_uri' | 'stream'>> {
  if (agent !== null) {
    const signing = await readSigningSecrets(database, [organizationId]);
    return agentForEdges(agent, signing.get(organizationId) ?? []);
  }
  if (number === null) return { agent_uri: null };
  const live = (await readNumberAgents(database, [number])).get(number)?.agent ?? null;
  if (live === null) return { agent_uri: null };
  const inbound = (await composeNumberDocuments(database, [number])).get(number)?.inbound[0];
  const [uri = null] = agentsOf(inbound) ?? [];
  return { agent_uri: uri, stream: inbound?.streams?.find(({ url }) => url === uri) };
}

const pathwayGrant = (
  pathway: PathwayToFollow | undefined,
): Pick<Tested, 'pathway' | 'pathway_knowledge_ids'> =>
  pathway === undefined
    ? { pathway: null, pathway_knowledge_ids: [] }
    : {
        pathway: { id: pathway.id, version: pathway.version },
        pathway_knowledge_ids: pathway.knowledgeIds.slice(0, maximumKnowledgeBases),
      };

const isSipUri = (text: string): boolean => /^sips?:/i.test(text);

/** Why a run could not call that number or SIP URI; undefined: it could. */
export async function destinationProblem(
  database: Kysely<Database>,
  organizationId: string,
  destination: string | undefined,
): Promise<string | undefined> {
  if (destination === undefined) return undefined;
  if (isSipUri(destination))
    return parseUri(destination) === undefined ? `${destination} is not a SIP URI.` : undefined;
  const number = readPhoneNumber(destination);
  if (number === undefined)
    return `${destination} is neither an E.164 number, such as +14155550100, nor a SIP URI, such as sip:agent@example.com.`;
  if (await takesCalls(database, organizationId, number)) return undefined;
  return `${destination} is not a number of yours with an inbound direction: attach it first (POST /v1/sip/attach).`;
}

async function personaOf(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  versionNumber: number,
): Promise<
  Pick<Tested, 'persona' | 'voice'> & {
    readonly agent: StoredAgent | null;
    readonly pathway: Omit<PathwayReference, 'organizationId'> | null;
  }
> {
  try {
    const {
      version_number: version,
      kb_ids,
      pathway_id,
      pathway_version,
      voice,
      agent,
    } = await personas.version(database, organizationId, id, versionNumber);
    return {
      persona: { id, version, knowledge_ids: [...kb_ids] },
      pathway: pathway_id === null ? null : { id: pathway_id, version: pathway_version },
      voice,
      agent,
    };
  } catch (error) {
    if (!(error instanceof DemarcError)) throw error;
    throw new RunFailure(`Version ${versionNumber} of the persona does not exist any more.`, {
      cause: error,
    });
  }
}

const inboundNumbers = (database: Kysely<Database>, organizationId: string) =>
  database
    .selectFrom('numbers')
    .select('numbers.number')
    .where('organization_id', '=', organizationId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('configurations')
          .select('configurations.number')
          .whereRef('configurations.number', '=', 'numbers.number')
          .where('direction', '=', 'inbound'),
      ),
    )
    .orderBy('numbers.number')
    .limit(1);

const takesCalls = async (
  database: Kysely<Database>,
  organizationId: string,
  number: string,
): Promise<boolean> =>
  (await inboundNumbers(database, organizationId).where('numbers.number', '=', number).executeTakeFirst()) !==
  undefined;

const numberOf = async (
  database: Kysely<Database>,
  organizationId: string,
  { personaId, pathwayId }: { readonly personaId: string | null; readonly pathwayId: string | null },
): Promise<string | null> => {
  const numbers = inboundNumbers(database, organizationId);
  if (personaId !== null)
    return (await numbers.where('persona_id', '=', personaId).executeTakeFirst())?.number ?? null;
  if (pathwayId === null) return null;
  return (await numbers.where('pathway_id', '=', pathwayId).executeTakeFirst())?.number ?? null;
};
